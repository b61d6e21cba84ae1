import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SlowStrategy } from './strategy.js';

/** Makes a mind of its own for each seed: the same seed, the same play. */
export type ModuleMind = (seed: number) => SlowStrategy;

/** Exports of a bot's module. `createStrategy(seed)` returns a `decide` with dice or a memory of its own; else `decide(hand)`. */
interface BotModule {
  createStrategy?: unknown;
  decide?: unknown;
}

/** A path of a JavaScript module; a command has a space, or another ending. */
export const isModulePath = (given: string): boolean => /^\S+\.[cm]?js$/.test(given);

/**
 * `path` is absolute. Modules of two `copy` numbers share nothing that they keep. Throws an Error that says in one line
 * what is wrong with the module.
 */
export async function loadBotModule(path: string, copy = 0): Promise<ModuleMind> {
  const url = `${pathToFileURL(path).href}${copy === 0 ? '' : `?copy=${copy}`}`;
  const { createStrategy: create, decide } = (await import(url)) as BotModule;
  if (typeof create === 'function') return (seed) => mindOf(path, (create as (seed: number) => unknown)(seed));
  if (typeof decide !== 'function') {
    throw new Error(`${path} exports neither decide(hand) nor createStrategy(seed), which returns one`);
  }
  const mind = mindOf(path, decide);
  return () => mind;
}

/** Throws where it cannot be asked with a hand alone. */
function mindOf(path: string, decide: unknown): SlowStrategy {
  if (typeof decide !== 'function') throw new Error(`${path}: createStrategy(seed) returns no decide(hand)`);
  if (decide.length <= 1) return decide as SlowStrategy;
  throw new Error(`${path}: decide has ${decide.length} arguments; it must have one, the kit's hand: decide(hand)`);
}

/** The shell command that plays a module over the network, as its environment says (docs/guides/kits.md). `path` is absolute. */
export function playsModule(path: string): string {
  const program = fileURLToPath(new URL('./play-module.js', import.meta.url));
  return [process.execPath, program, path].map((word) => JSON.stringify(word)).join(' ');
}
