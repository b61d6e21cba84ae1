import { EventKind } from './log.js';
import { buildPots, payPots, takeUncalled } from './pots.js';
import { atMostOne } from './seats.js';
import type { Settlement } from './settlement.js';
import { evaluateHands, showHands } from './showdown.js';
import { clearSeats, liveSeats, type HandState } from './state.js';

/**
 * Ends the hand: uncalled chips back, pots built, hands shown where two or more are left, every pot paid. Stacks are
 * left as they are; who gets what stands in `t` and in the log.
 */
export function settleHand(s: HandState, t: Settlement): void {
  const live = liveSeats(s);
  s.over = true;
  s.actor = -1;
  s.toAct = 0;
  clearSeats(t.payouts);
  clearSeats(t.values);
  t.shown = 0;
  t.showCount = 0;
  t.showdown = !atMostOne(live);
  takeUncalled(t, s.committed, live);
  if (t.returned > 0) s.log.append(EventKind.returned, t.returnedSeat, t.returned, 0);
  buildPots(t, live);
  if (t.showdown) {
    evaluateHands(s, t);
    showHands(s, t);
  }
  payPots(t, s.setup.button, s.log);
}
