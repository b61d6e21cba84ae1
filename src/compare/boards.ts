import { expectedPayouts } from '../analytics/all-in.js';
import { OrderCounts, type Orders } from '../analytics/orders.js';
import { DECK_SIZE, type Card, type Hole } from '../cards/card.js';
import { boardKey, evaluateWithBoard } from '../cards/evaluator.js';
import { drawCards, seededRandom } from '../cards/shuffle.js';
import type { Hand } from '../holdem/hand.js';
import { MAX_SEATS, Street } from '../holdem/types.js';

/** Boards that an all-in is averaged over. So many cost less than a decision, and leave a hundredth of the luck. */
const BOARDS = 100;

/** Among so many cards of a deck at least five are on no hand and not on the board. */
const CARDS_ENOUGH = 2 * MAX_SEATS + 3 + 5 + 2;

/**
 * Draws boards in place of counting all: before the flop these are 1.7 million. A mean over drawn boards has the same
 * expectation. The cards of folded hands are no part of them: they were dealt.
 */
class DrawnBoards {
  constructor(
    private readonly hand: Hand,
    private readonly seed: number,
  ) {}

  orders(holes: readonly Hole[], open: readonly Card[]): Orders {
    const { dealt } = this.hand;
    const gone = new Set<Card>(open);
    for (let seat = 0; dealt >> seat > 0; seat++) for (const at of [0, 1]) gone.add(this.hand.hole[2 * seat + at]!);
    const rest = Uint8Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !gone.has(card));
    const counts = new OrderCounts(holes.length);
    const random = seededRandom(this.seed);
    const order = new Uint8Array(DECK_SIZE);
    const board = Uint8Array.from({ length: 5 }, (_, i) => open[i] ?? 0);
    const known = new Set(rest);
    for (let i = 0; i < BOARDS; i++) {
      drawCards(order, CARDS_ENOUGH, random);
      let place = open.length;
      for (let at = 0; place < 5; at++) if (known.has(order[at]!)) board[place++] = order[at]!;
      const key = boardKey(board);
      for (let at = 0; at < holes.length; at++) {
        counts.values[at] = evaluateWithBoard(key, board, holes[at]![0], holes[at]![1]);
      }
      counts.add(1);
    }
    return counts.orders;
  }
}

/** The mean of a seat's payout over the boards that could come after the last decision; null where there is one board. */
export function averagePayout(hand: Hand, seat: number, street: Street, seed: number): number | null {
  const live = hand.dealt & ~hand.folded;
  if ((live & (live - 1)) === 0 || street === Street.river) return null;
  const { contributed, totalPot } = hand.outcome;
  const players = [];
  for (let each = 0; hand.dealt >> each > 0; each++) {
    const hole: [Card, Card] = [hand.hole[2 * each]!, hand.hole[2 * each + 1]!];
    players.push({ seat: each, contributed: contributed[each]!, hole });
  }
  const board = [...hand.boardCards];
  return expectedPayouts({ players, board, button: hand.setup.button, totalPot }, live, street, new DrawnBoards(hand, seed))?.[seat] ?? null; // prettier-ignore
}
