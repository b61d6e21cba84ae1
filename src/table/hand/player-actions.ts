import { assert } from '../../ops/assert.js';
import { Act, ActionRefusal, type Legal } from '../../holdem/types.js';
import type { ActionMessage } from '../../protocol/client.js';
import { REFUSAL_REASONS, REJECTION_REASONS, SLOW_DOWN, type RejectionCode } from '../../protocol/codes.js';
import type { SocketId } from '../api.js';
import type { TableCore } from '../core.js';
import { ActionReason } from '../events.js';
import { ACT_NUMBERS } from '../frames/words.js';
import { UnseatedFaults } from '../seats/flood.js';
import type { TableSeating } from '../seats/table-seating.js';
import { acceptedBefore, isRetryOf, rejectionOf } from './action-checks.js';
import type { Dealer } from './dealer.js';

/** Judges the actions that players send: acknowledged again, rejected, or put to the engine. Counts their faults. */
export class PlayerActions {
  readonly #unseatedFaults = new UnseatedFaults();

  constructor(
    private readonly core: TableCore,
    private readonly seating: TableSeating,
    private readonly dealer: Dealer,
  ) {}

  act(agentId: string, socket: SocketId, message: ActionMessage): void {
    const { play, seats, window, sender, rules, numbers } = this.core;
    const seat = seats.byAgent(agentId);
    const clientId = message.client_action_id ?? null;
    const context = { protocol: rules.actionProtocol, play, seat };
    const accepted = acceptedBefore(message, agentId, context, window);
    if (accepted !== null) {
      if (numbers.exhausted) return;
      if (isRetryOf(accepted, message, rules.actionProtocol))
        sender.answers.ack(socket, clientId, message.hand_id ?? numbers.handId, accepted.freeFold);
      else this.#reject(agentId, socket, 'action_id_conflict', message);
      return;
    }
    const code = rejectionOf(message, context);
    if (code !== null) {
      this.#reject(agentId, socket, code, message);
      return;
    }
    assert(play.actor === seat && seat !== null, 'an admitted action is of the player whose turn it is');
    const requested = message.amount ?? null;
    const legal = play.hand.legal();
    const freeFold = rules.freeFold === 'check' && message.action === 'fold' && legal.check;
    const nearest = message.action === 'raise' ? nearestRaises(legal, requested) : null;
    const refusal = this.dealer.decide({
      act: freeFold ? Act.check : ACT_NUMBERS[message.action],
      amount: requested ?? NaN,
      reason: ActionReason.player,
      clientId,
      requested,
      freeFold,
      ackTo: socket,
    });
    if (refusal !== ActionRefusal.ok)
      this.#reject(agentId, socket, 'invalid_action', message, REFUSAL_REASONS[refusal], nearest);
  }

  #reject(
    agentId: string,
    socket: SocketId,
    code: RejectionCode,
    message: ActionMessage,
    reason: string = REJECTION_REASONS[code],
    nearest: readonly number[] | null = null,
  ): void {
    const { numbers, sender } = this.core;
    const clientId = message.client_action_id ?? null;
    const received = numbers.exhausted ? null : sender.answers.rejected(socket, code, reason, clientId, nearest);
    this.core.mishap(agentId, { kind: 'rejected', code, message: reason, sent: JSON.stringify(message), received });
    this.fault(agentId, socket);
  }

  /** A rejected action or an invalid message: too many cost the seat. A client without a seat is only warned. */
  fault(agentId: string, socket: SocketId): void {
    const { now, seats } = this.core;
    const seat = seats.byAgent(agentId);
    if (seat === null) {
      const warned = this.#unseatedFaults.fault(agentId, now) === 'warning';
      if (warned) this.core.refuse(agentId, socket, 'flood_warning', SLOW_DOWN);
      return;
    }
    const verdict = seat.flood.fault(now);
    if (verdict === 'none' || !seat.staying) return;
    this.core.refuse(agentId, socket, verdict === 'warning' ? 'flood_warning' : 'flood_kick');
    if (verdict === 'kick') this.seating.depart(seat, 'left', this.dealer);
  }
}

/** The two legal raise-to totals next to a fraction, or the one that there is; null where it is none, or none is legal. */
function nearestRaises({ raiseMin, raiseMax }: Readonly<Legal>, amount: number | null): readonly number[] | null {
  if (amount === null || Number.isInteger(amount) || raiseMax === 0) return null;
  assert(raiseMin <= raiseMax, 'a legal raise has a range', raiseMin);
  if (raiseMin === raiseMax) return [raiseMin];
  const below = Math.min(Math.max(Math.floor(amount), raiseMin), raiseMax - 1);
  return [below, below + 1];
}
