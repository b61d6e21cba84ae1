import { HandLog } from '../holdem/log.js';
import { buildPots, payPots } from '../holdem/pots.js';
import { Settlement } from '../holdem/settlement.js';
import { MAX_SEATS, Street } from '../holdem/types.js';
import type { StoredHand } from '../table/record/record-codec.js';
import { placeIn, type Equities } from './equity.js';

/** The fields of a hand that it needs. */
type PlayedHand = Pick<StoredHand, 'board' | 'button' | 'totalPot'> & {
  readonly players: readonly Pick<StoredHand['players'][number], 'seat' | 'contributed' | 'hole'>[];
};

/** Board cards that are open on a street. */
const OPEN = [0, 3, 4, 5] as const;

/**
 * The expected payouts of each seat after the last decision, if cards were still to come. They are the mean of the
 * platform's own rules over all possible boards. Null where the betting reached the river or nobody called: then a hand
 * is worth what it paid. `live` is the mask of seats that did not fold, `street` that of the last decision (or of the
 * blinds, where they left none).
 */
export function expectedPayouts(
  { players, board, button, totalPot }: PlayedHand,
  live: number,
  street: Street,
  equities: Pick<Equities, 'orders'>,
): Float64Array | null {
  const contenders = players.filter(({ seat }) => (live & (1 << seat)) !== 0);
  if (contenders.length < 2 || street === Street.river) return null;
  const pots = new Settlement();
  for (const { seat, contributed } of players) pots.contributed[seat] = contributed;
  pots.totalPot = totalPot;
  buildPots(pots, live);

  const orders = equities.orders(
    contenders.map(({ hole }) => hole),
    board.slice(0, OPEN[street]),
  );
  const log = new HandLog();
  const expected = new Float64Array(MAX_SEATS);
  for (const [order, boards] of orders.counts) {
    contenders.forEach(({ seat }, i) => (pots.values[seat] = contenders.length - placeIn(order, i)));
    pots.payouts.fill(0);
    log.clear();
    payPots(pots, button, log);
    // Whole numbers below 2^53, so the order of the sum does not matter.
    for (const { seat } of contenders) expected[seat] = expected[seat]! + boards * pots.payouts[seat]!;
  }
  return expected.map((sum) => sum / orders.boards);
}
