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

/** What a module may export: `createStrategy` where a bot has dice or a memory, `decide` where it has none. */
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
  if (typeof create === 'function') return create as MindMaker;
  if (typeof decide === 'function') return () => decide as SlowStrategy;
  throw new Error(`${source} exports neither decide(turn, view) nor createStrategy(seed)`);
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
