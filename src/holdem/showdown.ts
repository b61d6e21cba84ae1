import { boardKey, evaluateWithBoard } from '../cards/evaluator.js';
import { EventKind, packCards } from './log.js';
import { lowestSeat, nextSeat } from './seats.js';
import type { Settlement } from './settlement.js';
import { liveSeats, type HandState } from './state.js';

/** Evaluates the seven cards of every live seat into `t.values`. */
export function evaluateHands(s: HandState, t: Settlement): void {
  const { hole, boardCards } = s;
  const key = boardKey(boardCards);
  for (let rest = liveSeats(s); rest !== 0; rest &= rest - 1) {
    const seat = lowestSeat(rest);
    t.values[seat] = evaluateWithBoard(key, boardCards, hole[2 * seat]!, hole[2 * seat + 1]!);
  }
}

/**
 * The live seats show or muck in turn. The last aggressor on the river is first, else the first live seat left of the
 * button. Then it goes clockwise. When a player is all-in all cards are turned up. Otherwise a later hand is shown only
 * if it ties or beats the best shown hand for some pot that it can win. If not, it is mucked.
 */
export function showHands(s: HandState, t: Settlement): void {
  const live = liveSeats(s);
  let seat = s.lastAggressor >= 0 ? s.lastAggressor : nextSeat(live, s.setup.button);
  const first = seat;
  do {
    const bit = 1 << seat;
    t.showOrder[t.showCount++] = seat;
    if (s.allIn !== 0 || contends(t, seat)) {
      t.shown |= bit;
      s.log.append(EventKind.show, seat, t.values[seat]!, packCards(s.hole[2 * seat]!, s.hole[2 * seat + 1]!));
    } else {
      s.log.append(EventKind.muck, seat, 0, 0);
    }
    seat = nextSeat(live, seat);
  } while (seat !== first);
}

/** Whether no hand shown so far beats this seat's in at least one pot it is eligible for. */
function contends(t: Settlement, seat: number): boolean {
  for (let pot = 0; pot < t.potCount; pot++) {
    const eligible = t.potEligible[pot]!;
    if ((eligible & (1 << seat)) !== 0 && !beaten(t, eligible & t.shown, t.values[seat]!)) return true;
  }
  return false;
}

function beaten(t: Settlement, rivals: number, value: number): boolean {
  for (let seat = 0; seat < t.values.length; seat++) {
    if ((rivals & (1 << seat)) !== 0 && t.values[seat]! > value) return true;
  }
  return false;
}
