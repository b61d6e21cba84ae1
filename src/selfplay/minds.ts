import { pathToFileURL } from 'node:url';
import { createStrategy, STRATEGY_NAMES, type SlowStrategy, type StrategyName } from '../bots/index.js';

/** A bot of a match: a built-in style, or a module of somebody's. */
export interface SelfplayEntrant {
  /** As the report calls it: each name once. */
  name: string;
  /** A style's name, or the absolute path of a module. */
  source: string;
}

/** Makes a mind of its own for each stretch of a match: the same seed, the same play. */
export type MindMaker = (seed: number) => SlowStrategy;

/** What a module may export: `createStrategy(seed)`, which returns a `decide`, for dice or a memory; else `decide(hand)`. */
interface BotModule {
  createStrategy?: unknown;
  decide?: unknown;
}

export const isStyle = (source: string): source is StrategyName =>
  (STRATEGY_NAMES as readonly string[]).includes(source);

/** Throws an Error that says in one line what is wrong with a module. */
export async function mindMaker(source: string): Promise<MindMaker> {
  if (isStyle(source)) return (seed) => createStrategy(source, seed);
  const module = (await import(pathToFileURL(source).href)) as BotModule;
  const { createStrategy: create, decide } = module;
  if (typeof create === 'function') return (seed) => mindOf(source, (create as (seed: number) => unknown)(seed));
  if (typeof decide !== 'function') {
    throw new Error(`${source} exports neither decide(hand) nor createStrategy(seed), which returns one`);
  }
  const mind = mindOf(source, decide);
  return () => mind;
}

/** Throws where it cannot be asked with a hand alone. */
function mindOf(source: string, decide: unknown): SlowStrategy {
  if (typeof decide !== 'function') throw new Error(`${source}: createStrategy(seed) returns no decide(hand)`);
  if (decide.length <= 1) return decide as SlowStrategy;
  throw new Error(`${source}: decide takes ${decide.length} arguments; it gets one, the kit's hand: decide(hand)`);
}

/** `shark,shark,./mine.js` as entrants: shark, shark_2 and mine. `resolve` makes a path absolute. */
export function entrantsOf(list: string, resolve: (path: string) => string): SelfplayEntrant[] {
  const counts = new Map<string, number>();
  return list.split(',').map((text) => {
    const given = text.trim();
    const base = isStyle(given) ? given : given.replace(/^.*[\\/]/, '').replace(/\.[cm]?js$/, '');
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    return { name: count === 1 ? base : `${base}_${count}`, source: isStyle(given) ? given : resolve(given) };
  });
}
