import { smallBlindSeat } from '../../holdem/deal.js';
import type { Hand } from '../../holdem/hand.js';
import { nextSeat } from '../../holdem/seats.js';
import type { LeaveReason, TableRules } from '../api.js';
import type { Seat } from '../seats/seat.js';
import type { HandInPlay } from './hand-in-play.js';

/** A table's pace is the mean of about so many hands. */
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

/** Counts a hand in which the seat decided nothing and a turn of it timed out; so many running, and it is away. */
export function countMissedHand(seat: Seat, play: HandInPlay, limit: number): void {
  const missed = play.timeouts[seat.index]! > 0 && (play.decided & (1 << seat.index)) === 0;
  if (!missed) return;
  seat.missedHands++;
  if (seat.missedHands >= limit) seat.away = true;
}

/** Why a seat is given up after the hand, or null. A player that asked to leave leaves with its whole stack. */
export function reasonToGo(seat: Seat, bigBlind: number): LeaveReason | null {
  if (seat.why === 'left') return 'left';
  if (seat.isBust(bigBlind)) return 'busted';
  if (seat.away) return seat.connected ? 'left' : 'disconnected';
  return seat.why ?? (seat.connected && seat.partsWith !== null ? 'left' : null);
}

/** The client reads this instead of player_left when only its pace is the reason. */
export const partsWith = (seat: Seat, reason: LeaveReason): string | undefined =>
  reason === 'left' && seat.staying && !seat.away ? (seat.partsWith ?? undefined) : undefined;

/** The seats' part of the end of a hand. */
export interface SeatRelease {
  /** Gives a seat up. */
  release(seat: Seat, reason: LeaveReason): void;
  /** Takes off what a stack has above the maximum. */
  skim(seat: Seat, handId: string): void;
  /** Gives a seat up at the end of the hand, for what its player did not decide. */
  expel(seat: Seat): void;
}
