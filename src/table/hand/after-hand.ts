import type { LeaveReason } from '../api.js';
import type { Seat } from '../seats/seat.js';
import type { HandInPlay } from './hand-in-play.js';

/** Counts a hand in which the seat decided nothing and a turn of it timed out; so many running, and it is away. */
export function countMissedHand(seat: Seat, play: HandInPlay, limit: number): void {
  const missed = play.timeouts[seat.index]! > 0 && (play.decided & (1 << seat.index)) === 0;
  if (!missed) return;
  seat.missedHands++;
  if (seat.missedHands >= limit) seat.away = true;
}

/** Why a seat is given up after the hand, or null. Who asked to leave has left, with whatever it had. */
export function reasonToGo(seat: Seat, bigBlind: number): LeaveReason | null {
  if (seat.why === 'left') return 'left';
  if (seat.isBust(bigBlind)) return 'busted';
  if (seat.away) return seat.connected ? 'left' : 'disconnected';
  return seat.why ?? (seat.connected && seat.partsWith !== null ? 'left' : null);
}

/** What it reads in place of player_left where it goes for no other reason than its pace. */
export const partsWith = (seat: Seat, reason: LeaveReason): string | undefined =>
  reason === 'left' && seat.staying && !seat.away ? (seat.partsWith ?? undefined) : undefined;
