import {
  createStrategy,
  isModulePath,
  loadBotModule,
  STRATEGY_NAMES,
  type SlowStrategy,
  type StrategyName,
} from '../bots/index.js';
import type { Action, Mix } from '../../sdk/typescript/src/hand.js';
import type { Hand } from '../holdem/hand.js';

/** A bot of a match: a built-in style, a module of somebody's, or a command. */
export interface SelfplayEntrant {
  /** As the report calls it: each name once. */
  name: string;
  /** A style's name, the absolute path of a module, or a command. */
  source: string;
  /** A command that speaks the protocol of lines; `-` is the program that started this one. */
  isCommand?: true;
}

/** A mind behind a pipe. It reads the hand itself, and answers for many tables at once. Null is no choice. */
export interface LaterMind {
  decide: (hand: Hand, handId: string) => Promise<Action | Mix | null>;
  /** A hand is over in which it had this seat. */
  ended: (hand: Hand, handId: string, seat: number) => void;
}

/** Makes a mind of its own for each stretch of a match: the same seed, the same play. */
export type MindMaker = (seed: number) => SlowStrategy | LaterMind;

export const isStyle = (source: string): source is StrategyName =>
  (STRATEGY_NAMES as readonly string[]).includes(source);

/** Throws an Error that says in one line what is wrong with a module. */
export async function mindMaker(source: string): Promise<MindMaker> {
  return isStyle(source) ? (seed) => createStrategy(source, seed) : loadBotModule(source);
}

/**
 * `shark,shark,./mine.js` as entrants: shark, shark_2 and mine. Each of `bots` is one more, which may be a command.
 * `resolve` makes a path absolute.
 */
export function entrantsOf(
  list: string,
  resolve: (path: string) => string,
  bots: readonly string[] = [],
): SelfplayEntrant[] {
  const counts = new Map<string, number>();
  const named = (base: string) => {
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    return count === 1 ? base : `${base}_${count}`;
  };
  const listed = list === '' ? [] : list.split(',').map((text) => text.trim());
  return [...listed, ...bots].map((given, place) => {
    if (isStyle(given)) return { name: named(given), source: given };
    if (place >= listed.length && !isModulePath(given)) {
      return { name: named(commandName(given)), source: given, isCommand: true };
    }
    return { name: named(fileName(given)), source: resolve(given) };
  });
}

const fileName = (path: string) => path.replace(/^.*[\\/]/, '').replace(/\.[cm]?js$/, '');

/** `python3 bots/my_bot.py --stdio` is my_bot: the first word with an ending, else the first word. */
function commandName(command: string): string {
  if (command === '-') return 'you';
  const words = command.trim().split(/\s+/);
  const file = words.find((word) => /[\w-]\.[a-z]\w*$/i.test(word)) ?? words[0]!;
  return file.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
}
