import { assert } from '../../ops/assert.js';
import type { TableCore } from '../core.js';
import { LONGEST_COUNTED_MS, SLOWEST } from '../seats/pace.js';
import type { Seat } from '../seats/seat.js';
import { ActionReason } from '../events.js';
import type { HandInPlay, TurnClock } from './hand-in-play.js';

/** So long a decision takes nothing from the bank. */
const FREE_MS = 2_000;
/** With an empty bank a turn has so long at least, or so many times the mean of the others. */
const LEAST_MS = 5_000;
const OTHERS_TIMES = 4;
/** Once a bank has given something, all banks of the table give no more than so much in so long. */
const SHARED_MS = 30_000;
const SHARED_FOR_MS = 60_000;

/** The clock of the turn that opens now. */
export function turnClockOf(
  actor: Seat,
  { seats: { present }, play, rules, now }: Pick<TableCore, 'seats' | 'play' | 'rules' | 'now'>,
): TurnClock {
  const { actionTimeoutMs, timeBankMs } = rules;
  if (timeBankMs === null || actor.player.isHouse || !present.some((seat) => isKeptWaiting(seat, actor)))
    return { ms: actionTimeoutMs, bankMs: null };
  const { bankMs } = actor.tempo;
  assert(bankMs >= 0, 'a time bank is not overdrawn', bankMs);
  const drawn = play.drawnSince(now - SHARED_FOR_MS);
  const usable = drawn > 0 ? Math.min(bankMs, Math.max(0, SHARED_MS - drawn)) : bankMs;
  const least = Math.max(LEAST_MS, OTHERS_TIMES * meanOfOthers(actor, present));
  return { ms: Math.min(actionTimeoutMs, Math.max(least, FREE_MS + usable)), bankMs };
}

/** Somebody else who decides faster than the slowest do, and who is no bot of the house. */
const isKeptWaiting = (seat: Seat, actor: Seat) =>
  seat !== actor && !seat.player.isHouse && seat.connected && seat.tempo.pace !== null && seat.tempo.pace < SLOWEST;

/** The mean of the other players: a player's clock is not longer because others are as slow as it is. */
function meanOfOthers(actor: Seat, present: readonly Seat[]): number {
  let sum = 0;
  let count = 0;
  for (const seat of present) {
    if (!isKeptWaiting(seat, actor)) continue;
    sum += seat.tempo.meanMs ?? 0;
    count++;
  }
  return count === 0 ? 0 : sum / count;
}

/** The decision of the open turn: counts for the player's pace, and takes from its bank. A timeout counts as the longest. */
export function noteDecision(actor: Seat, play: HandInPlay, reason: ActionReason, now: number): void {
  if (reason === ActionReason.left) return;
  assert(play.seats[actor.index] === actor, 'the player that decided is in the hand', actor.index);
  const usedMs = play.usedMs(now);
  actor.tempo.decided(reason === ActionReason.timeout ? LONGEST_COUNTED_MS : usedMs);
  if (play.turnBankMs === null) return;
  const drawn = Math.min(actor.tempo.bankMs, Math.max(0, usedMs - FREE_MS));
  actor.tempo.bankMs -= drawn;
  assert(actor.tempo.bankMs >= 0, 'a decision takes no more than the bank holds', drawn);
  play.drew(now, drawn);
}
