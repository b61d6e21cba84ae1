import { smallBlindSeat } from '../../holdem/deal.js';
import type { Hand } from '../../holdem/hand.js';
import { nextSeat } from '../../holdem/seats.js';
import type { TableRules } from '../api.js';
import type { Seat } from '../seats/seat.js';

/** Of about so many hands a table's pace is the mean. */
const PACE_HANDS = 6;

/** The mean time of a hand and the pause after it, in ms, with one more hand; 0 stands for no hand yet. */
export const meanHandMs = (mean: number, handMs: number): number =>
  mean === 0 ? handMs : mean + (handMs - mean) / PACE_HANDS;

/** Bit mask of the seats that post a big blind as they come back. In the blinds that is not needed; see SeatBlinds. */
export function returnPosts(dealtIn: readonly Seat[], dealt: number, button: number, rules: TableRules): number {
  if (dealtIn.length === 2 || !dealtIn.some((seat) => seat.blinds.due)) return 0;
  const small = smallBlindSeat(dealt, button, rules.headsUpBlinds);
  const big = nextSeat(dealt, small);
  const posting = dealtIn.filter(
    ({ index, blinds }) => blinds.due && index !== big && (index !== small || blinds.excused),
  );
  return posting.reduce((mask, { index }) => mask | (1 << index), 0);
}

/** Where a seat of the hand was. */
export function returnPlaceOf(
  { bigBlindSeat, smallBlindSeat: small }: Hand,
  seat: number,
): 'big_blind' | 'small_blind' | 'other' {
  return seat === bigBlindSeat ? 'big_blind' : seat === small ? 'small_blind' : 'other';
}
