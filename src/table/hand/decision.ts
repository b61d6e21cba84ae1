import { assert } from '../../ops/assert.js';
import { Act } from '../../holdem/types.js';
import { NO_SOCKET, type SocketId } from '../api.js';
import type { TableCore } from '../core.js';
import type { ActionReason, TurnTiming } from '../events.js';
import type { DrawnMix } from '../mix.js';
import type { Seat } from '../seats/seat.js';
import type { HandInPlay } from './hand-in-play.js';

/** A decision to be carried out: a client's, or the one made for a player that is late or gone. */
export interface Decision {
  act: Act;
  /** Raise-to total; NaN where the action has no amount. */
  amount: number;
  reason: ActionReason;
  clientId: string | null;
  requested: number | null;
  /** The check is what a fold was taken as. */
  freeFold: boolean;
  /** The mix that the action was drawn from. Null if the client named the action. */
  mix: DrawnMix | null;
  /** The socket that reads action_ack first. None if no client decided. */
  ackTo: SocketId;
}

/** The decision for a late or absent player: a check where checking is free, else a fold. */
export function passiveDecision(play: HandInPlay, reason: ActionReason): Decision {
  assert(play.actor !== null, 'a turn is open');
  const act = play.hand.legal().check ? Act.check : Act.fold;
  return { act, amount: NaN, reason, clientId: null, requested: null, freeFold: false, mix: null, ackTo: NO_SOCKET };
}

/** How long the open turn has lasted for its player, and for the platform. */
export function timingOf(play: HandInPlay, now: number): TurnTiming {
  return {
    usedMs: Math.round(play.usedMs(now)),
    serverLagMs: Math.round(play.turnLagMs),
    sentAt: Math.floor(play.turnOpenedAt),
    deadlineAt: Math.floor(play.turnDeadline),
  };
}

/** The player's owner may read which turn it let pass, and what is done in its place. */
export function noteTimeout(core: TableCore, { index, player: { agentId } }: Seat): void {
  const { play, sender, now } = core;
  const code = play.hand.legal().check ? 'check' : 'fold';
  const message = `No action within ${Math.round(play.turnClockMs) / 1000} s: ${code}`;
  const received = sender.resyncs.turnText(index);
  core.mishap(agentId, { kind: 'timeout', code, message, sent: null, received, timing: timingOf(play, now) });
}
