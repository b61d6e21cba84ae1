import { DECK_SIZE, type Card } from '../cards/card.js';
import { boardKey, evaluateWithBoard } from '../cards/evaluator.js';
import { canonical, type Hole } from './suits.js';

/**
 * How often hands come out in which order, over every board that may still come. An order is a number in base 6: the
 * digit of the ith hand (6^i) is how many hands beat it.
 */
export interface Orders {
  boards: number;
  counts: readonly (readonly [order: number, boards: number])[];
}

const BASE = 6;
const BOARD = 5;
/** A few bytes each. Two hands have 47,008 forms, which is all that most all-ins before the flop are. */
const REMEMBERED = 50_000;

/** How many hands beat the ith. */
export const placeIn = (order: number, i: number): number => Math.floor(order / BASE ** i) % BASE;

/**
 * Counts the boards by enumeration: 1,712,304 of them with two hands before the flop, which takes tens of
 * milliseconds, so those are remembered by what the hands are but for the names of the suits.
 */
export class Equities {
  readonly #known = new Map<string, Orders>();

  /** Cards of others do not count: nobody in the hand knew them. `board` is what is open: none, 3, 4 or 5 cards. */
  orders(holes: readonly Hole[], board: readonly Card[]): Orders {
    if (board.length > 0) return enumerate(holes, board);
    const { name, hands, from } = canonical(holes);
    const known = this.#known.get(name) ?? enumerate(hands, []);
    // The last used stand last; the first goes.
    this.#known.delete(name);
    this.#known.set(name, known);
    if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
    return { boards: known.boards, counts: known.counts.map(([order, count]) => [renumber(order, from), count]) };
  }
}

/** The order of the hands as they were given; `from[i]` is where the ith canonical hand stood. */
function renumber(order: number, from: readonly number[]): number {
  return from.reduce((sum, original, i) => sum + placeIn(order, i) * BASE ** original, 0);
}

function enumerate(holes: readonly Hole[], open: readonly Card[]): Orders {
  const gone = new Set([...holes.flat(), ...open]);
  const rest = Uint8Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !gone.has(card));
  const board = Uint8Array.from({ length: BOARD }, (_, i) => open[i] ?? 0);
  const counts = new Int32Array(BASE ** holes.length);
  const values = new Int32Array(holes.length);
  let boards = 0;
  const deal = (place: number, from: number): void => {
    if (place === BOARD) {
      boards++;
      const order = orderOf(holes, board, values);
      counts[order] = counts[order]! + 1;
      return;
    }
    for (let i = from; i < rest.length; i++) {
      board[place] = rest[i]!;
      deal(place + 1, i + 1);
    }
  };
  deal(open.length, 0);
  const met: [number, number][] = [];
  counts.forEach((count, order) => {
    if (count > 0) met.push([order, count]);
  });
  return { boards, counts: met };
}

function orderOf(holes: readonly Hole[], board: Uint8Array, values: Int32Array): number {
  const key = boardKey(board);
  for (let i = 0; i < holes.length; i++) values[i] = evaluateWithBoard(key, board, holes[i]![0], holes[i]![1]);
  let order = 0;
  for (let i = holes.length - 1; i >= 0; i--) {
    let better = 0;
    for (let j = 0; j < holes.length; j++) if (values[j]! > values[i]!) better++;
    order = order * BASE + better;
  }
  return order;
}
