import type { TableRules } from '../api.js';
import { LONGEST_COUNTED_MS, SLOWEST } from '../seats/pace.js';
import type { Seat } from '../seats/seat.js';
import { ActionReason } from '../events.js';
import type { HandInPlay } from './hand-in-play.js';

/** The clock of a turn (PROTOCOL.md, "Time bank"). Times in ms. */
export interface TurnClock {
  ms: number;
  /** What the player's time bank holds; null where the turn has none. */
  bankMs: number | null;
}

/** So long a decision takes nothing from the bank. */
const FREE_MS = 2_000;
/** With an empty bank a turn has so long at least, or so many times the mean of the others. */
const LEAST_MS = 5_000;
const OTHERS_TIMES = 4;
/** In one hand a bank gives no more than this part of a full one, less what the banks of others have given. */
const HAND_SHARE = 1 / 4;

export function clockOf(actor: Seat, present: readonly Seat[], play: HandInPlay, rules: TableRules): TurnClock {
  const { actionTimeoutMs, timeBankMs } = rules;
  if (timeBankMs === null || actor.player.isHouse || !present.some((seat) => isKeptWaiting(seat, actor)))
    return { ms: actionTimeoutMs, bankMs: null };
  const { bankMs } = actor.tempo;
  const others = play.drawnByOthers(actor.index);
  const usable = others > 0 ? Math.min(bankMs, Math.max(0, timeBankMs * HAND_SHARE - others)) : bankMs;
  const least = Math.max(LEAST_MS, OTHERS_TIMES * meanOfOthers(actor, present));
  return { ms: Math.min(actionTimeoutMs, Math.max(least, FREE_MS + usable)), bankMs };
}

/** Somebody else who decides faster than the slowest do, and who is no bot of the house. */
const isKeptWaiting = (seat: Seat, actor: Seat) =>
  seat !== actor && !seat.player.isHouse && seat.connected && seat.tempo.pace !== null && seat.tempo.pace < SLOWEST;

function meanOfOthers(actor: Seat, present: readonly Seat[]): number {
  let sum = 0;
  let count = 0;
  for (const seat of present) {
    const { meanMs } = seat.tempo;
    if (seat === actor || seat.player.isHouse || meanMs === null) continue;
    sum += meanMs;
    count++;
  }
  return count === 0 ? 0 : sum / count;
}

/** The decision of the open turn: counts for the player's pace, and takes from its bank. A timeout counts as the longest. */
export function noteDecision(actor: Seat, play: HandInPlay, reason: ActionReason, now: number): void {
  if (reason === ActionReason.left) return;
  const usedMs = play.usedMs(now);
  actor.tempo.decided(reason === ActionReason.timeout ? LONGEST_COUNTED_MS : usedMs);
  if (play.turnBankMs === null) return;
  const drawn = Math.min(actor.tempo.bankMs, Math.max(0, usedMs - FREE_MS));
  actor.tempo.bankMs -= drawn;
  play.drew(actor.index, drawn);
}
