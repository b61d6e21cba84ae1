import { cellOfHoleCards } from '../analytics/starting-hands.js';
import { positionsOf } from '../holdem/positions.js';
import type { Hole } from '../cards/card.js';
import { MAX_SEATS } from '../holdem/types.js';
import { atStake } from '../statistics/at-stake.js';
import { boardFacts } from './board-facts.js';
import type { EventLuck } from './board-model.js';
import type { Chances } from './events.js';
import { mixLuck } from './mix-luck.js';
import type { ValueFunction } from './value-function.js';

/**
 * Hands between two sums of results less luck that leave the server. Luck depends on cards that history/sight.ts hides: a
 * sum over so many hands may leave, no single hand's. Sums are shown at whole multiples, so the difference of two looks
 * is over as many hands, too.
 */
export const LUCK_STEP = 100;

/** The luck of a hand is within so many times ± min(own stack, largest other), while bets may come. */
export const LUCK_LIMIT = 1.5;

/** A finished hand as its luck is measured. All hole cards are known, also those of players that folded. */
export interface LuckHand {
  handId: string;
  button: number;
  bigBlindSeat: number;
  bigBlind: number;
  /** All cards that came. */
  board: readonly number[];
  players: readonly { seat: number; stackStart: number; hole: Hole }[];
}

/**
 * The luck of each seat in big blinds: a sum over chance events. Its term is the value after the event, less the mean
 * value over all its outcomes. These are the chance terms of AIVAT (Burch, Schmid, Moravčík and Bowling, arXiv
 * 1612.06915). A result less its luck has the same mean as the result.
 *
 * The reason holds for any number of players. Before an event, everything that the value uses is fixed: the function,
 * the hole cards, the bets, the pots. Only the next cards are open, and each outcome is equally likely whatever the
 * players do. So the event's term has the mean 0, given all that came before. Events before the flop have too many
 * outcomes: their mean is estimated by a sample that depends on the hand's id alone. A sample has the right mean, and
 * knows nothing of the cards that come.
 *
 * A mixed action is a chance event, too: its parts are the outcomes, with the probabilities that the player gave. The
 * mean over them is exact (mix-luck.ts).
 *
 * Limits: a factor keeps the sum of a player's terms within ± LUCK_LIMIT · min(own stack, largest other) while bets may
 * come. The factor is known before each event. All players share the factor, so the luck of a hand's players sums to 0.
 * Without further bets the term of the last cards makes the result its mean over these cards, which has the limits of a
 * result. So a result less its luck lies within [−(1 + LUCK_LIMIT) · risk, chance + LUCK_LIMIT · risk]
 * (statistics/at-stake.ts).
 */
export function handLuck(hand: LuckHand, { events, mixes }: Chances, value: ValueFunction): Float64Array {
  const { bigBlind, button, board, handId } = hand;
  const players = [...hand.players].sort((a, b) => a.seat - b.seat);
  const luck = new Float64Array(MAX_SEATS);
  const limit = new Float64Array(MAX_SEATS);
  const positions = positionsOf(
    players.map(({ seat }) => seat),
    button,
    hand.bigBlindSeat,
  );
  const dealt = value.deal.luck(
    players.map(({ seat, stackStart, hole }) => ({
      place: cellOfHoleCards(hole[0], hole[1]),
      position: positions.get(seat)!,
      stack: stackStart / bigBlind,
    })),
  );
  players.forEach(({ seat, stackStart }, i) => {
    const others = players.filter((other) => other.seat !== seat).map((other) => other.stackStart);
    limit[seat] = (LUCK_LIMIT * atStake(stackStart, others).risk) / bigBlind;
    luck[seat] = dealt[i]!;
  });
  const seats = players.map(({ seat }) => seat);
  const known = { handId, button, board, holes: players };
  let mixed = 0;
  for (let at = 0; at <= events.length; at++) {
    for (; mixes[mixed]?.after === at; mixed++) {
      add(luck, limit, seats, mixLuck(known, mixes[mixed]!, value.board, bigBlind));
    }
    const event = events[at];
    if (event === undefined) continue;
    const live = seats.filter((seat) => (event.live & (1 << seat)) !== 0);
    // The last cards of a hand without more bets leave a result that is known before them: its mean.
    add(luck, event.closed ? null : limit, live, value.board.luck(boardFacts(known, event), event, bigBlind));
  }
  return luck;
}

/** Adds an event's luck of some seats, by a factor that keeps each within its limit whatever comes. */
function add(luck: Float64Array, limit: Float64Array | null, seats: readonly number[], made: EventLuck): void {
  let factor = 1;
  if (limit !== null) {
    seats.forEach((seat, i) => {
      const up = Math.max(0, limit[seat]! - luck[seat]!);
      const down = Math.max(0, limit[seat]! + luck[seat]!);
      if (made.high[i]! * factor > up) factor = up / made.high[i]!;
      if (-made.low[i]! * factor > down) factor = down / -made.low[i]!;
    });
  }
  seats.forEach((seat, i) => (luck[seat] = luck[seat]! + factor * made.luck[i]!));
}

/**
 * A result less its luck, in whole millionths of a big blind: whole numbers have the same sum in any order and program.
 * `profit` is in chips.
 */
export const luckAdjusted = (profit: number, bigBlind: number, luck: number): number =>
  Math.floor((profit / bigBlind - luck) * 1e6 + 0.5);
