import { drawFrom } from '../../cards/dice.js';
import { refusalOf } from '../../holdem/betting.js';
import { assert } from '../../ops/assert.js';
import { Act, ActionRefusal, type Legal } from '../../holdem/types.js';
import type { ActionMessage } from '../../protocol/client.js';
import { MIX_SUM, REFUSAL_REASONS, REJECTION_REASONS, SLOW_DOWN, type RejectionCode } from '../../protocol/codes.js';
import type { SocketId } from '../api.js';
import type { TableCore } from '../core.js';
import { ActionReason } from '../events.js';
import type { RejectionDetails } from '../frames/private.js';
import { ACT_NUMBERS } from '../frames/words.js';
import { partAt, partsOf, sumsToOne, type MixedPart } from '../mix.js';
import { UnseatedFaults } from '../seats/flood.js';
import type { Seat } from '../seats/seat.js';
import type { TableSeating } from '../seats/table-seating.js';
import { acceptedBefore, isRetryOf, rejectionOf } from './action-checks.js';
import type { Dealer } from './dealer.js';
import type { Decision } from './decision.js';

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
        sender.answers.ack(socket, clientId, message.hand_id ?? numbers.handId, accepted);
      else this.#reject(agentId, socket, 'action_id_conflict', message);
      return;
    }
    const code = rejectionOf(message, context);
    if (code !== null) {
      this.#reject(agentId, socket, code, message);
      return;
    }
    assert(play.actor === seat && seat !== null, 'an admitted action is of the player whose turn it is');
    const { action } = message;
    if (typeof action === 'object') {
      const parts = partsOf(action);
      const fault = this.#faultOfMix(parts);
      if (fault !== null) this.#reject(agentId, socket, 'invalid_action', message, fault.reason, fault);
      else this.#draw(seat, socket, clientId, parts);
      return;
    }
    const requested = message.amount ?? null;
    const legal = play.hand.legal();
    const nearest = action === 'raise' ? nearestRaises(legal, requested) : null;
    const refusal = this.dealer.decide({
      ...this.#taken({ act: ACT_NUMBERS[action], amount: requested }),
      reason: ActionReason.player,
      clientId,
      requested,
      mix: null,
      ackTo: socket,
    });
    if (refusal !== ActionRefusal.ok)
      this.#reject(agentId, socket, 'invalid_action', message, REFUSAL_REASONS[refusal], { nearest, part: null });
  }

  /** The action that an asked one becomes: a fold where checking is free may be a check. */
  #taken({ act, amount }: Pick<MixedPart, 'act' | 'amount'>): Pick<Decision, 'act' | 'amount' | 'freeFold'> {
    const { rules, play } = this.core;
    const freeFold = rules.freeFold === 'check' && act === Act.fold && play.hand.legal().check;
    return { act: freeFold ? Act.check : act, amount: amount ?? NaN, freeFold };
  }

  /** The first fault of a mix; nothing is drawn of a mix with one. */
  #faultOfMix(parts: readonly MixedPart[]): (RejectionDetails & { reason: string }) | null {
    if (!sumsToOne(parts)) return { reason: MIX_SUM, nearest: null, part: null };
    const legal = this.core.play.hand.legal();
    for (const [part, each] of parts.entries()) {
      const { act, amount } = this.#taken(each);
      const refusal = refusalOf(legal, act, amount);
      if (refusal === ActionRefusal.ok) continue;
      const nearest = act === Act.raise ? nearestRaises(legal, each.amount) : null;
      return { reason: REFUSAL_REASONS[refusal], nearest, part };
    }
    return null;
  }

  /** Draws one of the parts, which are all legal, by the dice of the deal, and plays it. */
  #draw({ index }: Seat, socket: SocketId, clientId: string | null, parts: readonly MixedPart[]): void {
    const { play, random } = this.core;
    const number = play.actions.length;
    const u = play.deal === null ? drawFrom(random) : play.deal.draw(index, number);
    const part = partAt(parts, u);
    const refusal = this.dealer.decide({
      ...this.#taken(parts[part]!),
      reason: ActionReason.player,
      clientId,
      requested: null,
      mix: { parts, number, u, part },
      ackTo: socket,
    });
    assert(refusal === ActionRefusal.ok, 'each part of a mix that is drawn is legal', refusal);
  }

  #reject(
    agentId: string,
    socket: SocketId,
    code: RejectionCode,
    message: ActionMessage,
    reason: string = REJECTION_REASONS[code],
    details: RejectionDetails = { nearest: null, part: null },
  ): void {
    const { numbers, sender } = this.core;
    const clientId = message.client_action_id ?? null;
    const received = numbers.exhausted ? null : sender.answers.rejected(socket, code, reason, clientId, details);
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
