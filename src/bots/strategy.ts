import type { Action, Hand, Mix } from '../../sdk/typescript/src/hand.js';

/** A bot's mind: `decide` of the kit. It may keep a memory of its own, so every bot needs its own strategy. */
export type Strategy = (hand: Hand) => Action;

/** A mind that may take its time, and mix actions. */
export type SlowStrategy = (hand: Hand) => Action | Mix | Promise<Action | Mix>;
