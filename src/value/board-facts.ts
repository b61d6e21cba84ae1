import { DECK_SIZE, type Card, type Hole } from '../cards/card.js';
import { MAX_SEATS } from '../holdem/types.js';
import { completeBoards, sampleBoards } from './boards.js';
import { OPEN_CARDS, type ChanceEvent } from './events.js';
import { Payouts } from './payouts.js';
import { CLASSES, strengthClasses } from './strength.js';

/** Flops that stand for all, before the flop. */
const FLOPS = 64;

/** The change of payouts by the board's cards, and the changes that were possible. By place among the live players. */
export interface BoardFacts {
  /** Payout that was expected after the event less before it, in chips; by live player. */
  shift: Float64Array;
  /** The limits of `shift`, which are known before the event: nothing of the pots, and all that a player may win. */
  low: Float64Array;
  high: Float64Array;
  /** Of each class of strength and live player: by pair i < j, the class of i and the class of j. Null where closed. */
  pairs: PairFacts[] | null;
}

export interface PairFacts {
  i: number;
  j: number;
  classes: [number, number];
  /** Outcomes by 10 × class of i + class of j. */
  counts: Int32Array;
  outcomes: number;
  /** All outcomes are counted, not a sample. */
  complete: boolean;
}

/** All pots that a seat may win. */
function mostPayout({ pots: { potCount, potAmount, potEligible } }: ChanceEvent, seat: number): number {
  let sum = 0;
  for (let pot = 0; pot < potCount; pot++) if ((potEligible[pot]! & (1 << seat)) !== 0) sum += potAmount[pot]!;
  return sum;
}

const classes = new Int32Array(MAX_SEATS);

export interface BoardHand {
  handId: string;
  button: number;
  board: ArrayLike<Card>;
  /** Of all that were dealt in. */
  holes: readonly { seat: number; hole: Hole }[];
}

export function boardFacts({ handId, button, board, holes }: BoardHand, event: ChanceEvent): BoardFacts {
  const contenders = holes.filter(({ seat }) => (event.live & (1 << seat)) !== 0);
  const seats = contenders.map(({ seat }) => seat);
  const hands = contenders.map(({ hole }) => hole);
  const before = OPEN_CARDS[event.street];
  const after = event.closed ? 5 : OPEN_CARDS[event.street + 1]!;
  const gone = new Uint8Array(DECK_SIZE);
  for (const { hole } of holes) gone[hole[0]] = gone[hole[1]] = 1;
  for (let i = 0; i < before; i++) gone[board[i]!] = 1;
  const rest: Card[] = [];
  for (let card = 0; card < DECK_SIZE; card++) if (gone[card] === 0) rest.push(card);
  const opened = Uint8Array.from({ length: after - before }, (_, i) => board[before + i]!);
  const restAfter = rest.filter((card) => !opened.includes(card));

  const payouts = new Payouts(event, seats, hands, button);
  const cards = new Uint8Array(5);
  for (let i = 0; i < 5; i++) cards[i] = i < after ? board[i]! : 0;
  const shift = new Float64Array(seats.length);
  const pay = (dealt: Uint8Array) => payouts.add(dealt);
  completeBoards(cards, after, restAfter, pay);
  const boards = payouts.take(shift);
  for (let i = 0; i < shift.length; i++) shift[i] = shift[i]! / boards;

  const pairs: PairFacts[] | null = event.closed ? null : [];
  const add = (open: number) => {
    strengthClasses(classes, cards, open, hands, rest);
    for (const pair of pairs!) {
      const at = CLASSES * classes[pair.i]! + classes[pair.j]!;
      pair.counts[at] = pair.counts[at]! + 1;
      pair.outcomes++;
    }
  };
  if (pairs !== null) {
    cards.set(opened, before);
    strengthClasses(classes, cards, after, hands, rest);
    for (let i = 0; i < seats.length; i++) {
      for (let j = i + 1; j < seats.length; j++) {
        pairs.push({
          i,
          j,
          classes: [classes[i]!, classes[j]!],
          counts: new Int32Array(CLASSES ** 2),
          outcomes: 0,
          complete: before > 0,
        });
      }
    }
  }

  const expected = new Float64Array(seats.length);
  let all: number;
  if (before === 0) {
    sampleBoards(handId, rest, (dealt, n) => {
      payouts.add(dealt);
      if (pairs === null || n >= FLOPS) return;
      cards.set(dealt);
      add(3);
    });
    all = payouts.take(expected);
  } else {
    completeBoards(cards, before, rest, pay);
    all = payouts.take(expected);
    if (pairs !== null) {
      for (const card of rest) {
        cards[before] = card;
        add(after);
      }
    }
  }
  const low = new Float64Array(seats.length);
  const high = new Float64Array(seats.length);
  for (let i = 0; i < seats.length; i++) {
    const mean = expected[i]! / all;
    shift[i] = shift[i]! - mean;
    low[i] = -mean;
    high[i] = mostPayout(event, seats[i]!) - mean;
  }
  return { shift, low, high, pairs };
}
