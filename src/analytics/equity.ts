import { DECK_SIZE, type Card } from '../cards/card.js';
import { boardKey, evaluateWithBoard } from '../cards/evaluator.js';
import { OrderCounts, renumber, type Orders } from './orders.js';
import { countBeforeFlop } from './preflop-boards.js';
import { canonical } from './suits.js';
import type { Hole } from '../cards/card.js';

export { placeIn, type Orders } from './orders.js';

const BOARD = 5;
/** A few bytes each. Two hands have 47,008 forms, which is all that most all-ins before the flop are. */
const REMEMBERED = 50_000;

/**
 * Counts the boards. After the flop it counts them one by one, before it by their ranks. Both take tens of
 * milliseconds, so the results are kept by the hands up to the names of suits.
 */
export class Equities {
  readonly #known = new Map<string, Orders>();

  /** Cards of others do not count: nobody in the hand knew them. `board` is what is open: none, 3, 4 or 5 cards. */
  orders(holes: readonly Hole[], board: readonly Card[]): Orders {
    if (board.length > 0) return enumerate(holes, board);
    const { name, hands, from } = canonical(holes);
    const known = this.#known.get(name) ?? countBeforeFlop(hands);
    // The last used stand last; the first goes.
    this.#known.delete(name);
    this.#known.set(name, known);
    if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
    return { boards: known.boards, counts: known.counts.map(([order, count]) => [renumber(order, from), count]) };
  }
}

function enumerate(holes: readonly Hole[], open: readonly Card[]): Orders {
  const gone = new Set([...holes.flat(), ...open]);
  const rest = Uint8Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !gone.has(card));
  const board = Uint8Array.from({ length: BOARD }, (_, i) => open[i] ?? 0);
  const counts = new OrderCounts(holes.length);
  const deal = (place: number, from: number): void => {
    if (place === BOARD) {
      const key = boardKey(board);
      for (let i = 0; i < holes.length; i++) {
        counts.values[i] = evaluateWithBoard(key, board, holes[i]![0], holes[i]![1]);
      }
      return counts.add(1);
    }
    for (let i = from; i < rest.length; i++) {
      board[place] = rest[i]!;
      deal(place + 1, i + 1);
    }
  };
  deal(open.length, 0);
  return counts.orders;
}
