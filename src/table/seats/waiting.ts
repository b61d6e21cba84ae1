import type { WaitingReason } from '../../protocol/codes.js';
import type { Seats } from './seats.js';

/** A hand takes at least two. */
export const MIN_PLAYERS = 2;

/** Why no hand is running, as table_state tells it; all counts whole numbers. */
export interface WaitingState {
  reason: WaitingReason;
  playerCount: number;
  eligible: number;
  minRequired: number;
  active: number;
  away: number;
  disconnected: number;
  connected: number;
  /** Only during the delay between hands: what is left of it and its full length, in whole seconds, rounded up. */
  remainingSeconds: number | null;
  delaySeconds: number | null;
}

/** The facts besides the seats that make a table wait. */
export interface WaitingFacts {
  closing: boolean;
  /** The result of a hand is being stored. */
  storing: boolean;
  rebuysPending: number;
  nextHandAt: number;
  delayMs: number;
}

/** The first obstacle of the next hand (protocol.md, "Values" has the order). */
export function waitingReason(seats: Seats, facts: WaitingFacts, now: number): WaitingReason {
  if (facts.closing) return 'table_closing';
  if (facts.storing) return 'awaiting_hand_start';
  if (seats.count((seat) => seat.eligible) < MIN_PLAYERS) return shortReason(seats, facts.rebuysPending);
  return now < facts.nextHandAt ? 'between_hands_delay' : 'awaiting_hand_start';
}

function shortReason(seats: Seats, rebuysPending: number): WaitingReason {
  const held = seats.count((seat) => seat.staying && !seat.connected);
  if (held > 0 && held === seats.count((seat) => seat.staying)) return 'all_players_disconnected';
  if (held > 0) return 'awaiting_reconnect';
  return rebuysPending > 0 ? 'awaiting_rebuy' : 'insufficient_players';
}

export function waitingNow(seats: Seats, facts: WaitingFacts, now: number): WaitingState {
  const reason = waitingReason(seats, facts, now);
  const delayed = reason === 'between_hands_delay';
  return {
    reason,
    playerCount: seats.occupied,
    eligible: seats.count((seat) => seat.eligible),
    minRequired: MIN_PLAYERS,
    active: seats.count((seat) => seat.status === 'active'),
    away: seats.count((seat) => seat.status === 'away'),
    disconnected: seats.count((seat) => seat.status === 'disconnected'),
    connected: seats.count((seat) => seat.connected),
    remainingSeconds: delayed ? Math.ceil((facts.nextHandAt - now) / 1000) : null,
    delaySeconds: delayed ? Math.ceil(facts.delayMs / 1000) : null,
  };
}
