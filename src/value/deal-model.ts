import { RANKS } from '../cards/card.js';

/** Starting hands up to the names of suits. */
export const HAND_CLASSES = RANKS.length ** 2;
const WIDTH = RANKS.length;
/** Combinations of two cards: of a pair, a suited and an offsuit class, and of all. */
const [PAIR, SUITED, OFFSUIT, ALL] = [6, 4, 12, 1326];
/** Each number of players has a table of its own, by six positions. */
const [LEAST_PLAYERS, POSITIONS] = [2, 6];
/** Big blinds behind for which the tables hold. A smaller stack scales them. */
export const FULL_STACK = 100;
export const DEAL_CELLS = 5 * POSITIONS * HAND_CLASSES;
export const PAIR_CELLS = (HAND_CLASSES * (HAND_CLASSES - 1)) / 2;

/** Combinations of two cards of a class (analytics/starting-hands.ts). */
export function combinationsOf(place: number): number {
  const [row, column] = [Math.floor(place / WIDTH), place % WIDTH];
  return row === column ? PAIR : row < column ? SUITED : OFFSUIT;
}

/** The first cell of a position's table. */
export const dealFrom = (players: number, position: number): number =>
  ((players - LEAST_PLAYERS) * POSITIONS + position) * HAND_CLASSES;

/** The cell of two classes, the higher number first. */
export const pairCell = (high: number, low: number): number => (high * (high - 1)) / 2 + low;

/** A player as the deal's term sees it. */
export interface DealtSeat {
  /** Index into HAND_CLASSES. */
  place: number;
  /** Index into POSITIONS. */
  position: number;
  /** Big blinds before the hand. */
  stack: number;
}

/**
 * The worth of hole cards by class. `own[cell]`: big blinds that a class wins in a position, more than the mean of all
 * cards there. `pairs[cell]`: big blinds that the higher class number wins more from the lower one.
 */
export class DealModel {
  readonly #own: Float64Array;
  readonly #pairs: Float64Array;

  /** Takes the numbers in units of 1 / `units` big blinds. Throws a RangeError where a term may exceed a player's risk. */
  constructor(own: ArrayLike<number>, pairs: ArrayLike<number>, units: number) {
    if (own.length !== DEAL_CELLS || pairs.length !== PAIR_CELLS)
      throw new RangeError('a table of the deal has a wrong size');
    this.#own = new Float64Array(DEAL_CELLS);
    for (let from = 0; from < DEAL_CELLS; from += HAND_CLASSES) {
      // A sum of whole numbers is the same in any order and program.
      let sum = 0;
      for (let place = 0; place < HAND_CLASSES; place++) sum += combinationsOf(place) * own[from + place]!;
      for (let place = 0; place < HAND_CLASSES; place++)
        this.#own[from + place] = (own[from + place]! - sum / ALL) / units;
    }
    this.#pairs = Float64Array.from(pairs, (value) => value / units);
    const most = (cells: Float64Array) => cells.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
    if (2 * most(this.#own) + 5 * most(this.#pairs) > FULL_STACK)
      throw new RangeError('the tables of the deal are too large');
  }

  /**
   * The luck of the deal, in big blinds by player: the sum over the others of f · (own − other's) / (n − 1) + f · pair.
   * The factor f is the smaller stack, 1 from 100 big blinds on. Each `own` has the mean 0 over all cards. A pair's
   * term changes its sign when the two hands change places. Both orders are equally likely, so its mean is 0, too. The
   * players' sum is 0. No term exceeds min(own stack, largest other).
   */
  luck(players: readonly DealtSeat[]): Float64Array {
    const count = players.length;
    const luck = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) {
        const [a, b] = [players[i]!, players[j]!];
        const scale = Math.min(a.stack, b.stack, FULL_STACK) / FULL_STACK;
        const own =
          this.#own[dealFrom(count, a.position) + a.place]! - this.#own[dealFrom(count, b.position) + b.place]!;
        const value = scale * (own / (count - 1) + this.#pair(a.place, b.place));
        luck[i] = luck[i]! + value;
        luck[j] = luck[j]! - value;
      }
    }
    return luck;
  }

  #pair(a: number, b: number): number {
    if (a === b) return 0;
    return a > b ? this.#pairs[pairCell(a, b)]! : -this.#pairs[pairCell(b, a)]!;
  }
}
