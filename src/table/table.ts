import { REFUSAL_REASONS, REJECTION_REASONS, type RejectionCode } from '../protocol/codes.js';
import type { ActionMessage } from '../protocol/client.js';
import { Refusal } from '../holdem/types.js';
import type { Player, Sitting, SocketId, TableApi, TableEnv, TableFactory, TableOpening, TableSummary } from './api.js';
import { ByteWriter } from './bytes.js';
import { acceptedBefore, isRetryOf, rejectionOf } from './checks.js';
import { TableCore } from './core.js';
import { Dealer } from './dealer.js';
import { Door } from './door.js';
import { ActionReason } from './events.js';
import type { Seat } from './seat.js';
import { ACTS } from './words.js';

/** Many hands at one table. Thin: who comes and goes is the Door's, the hands the Dealer's, what is said the Teller's. */
export class Table implements TableApi {
  readonly tableId: string;
  readonly #core: TableCore;
  readonly #door: Door;
  readonly #dealer: Dealer;
  #nextDeadline = Infinity;
  /** The shard was told that the summary changed and has not fetched it yet. */
  #summaryDue = false;

  constructor(now: number, opening: TableOpening, env: TableEnv) {
    this.tableId = opening.tableId;
    this.#core = new TableCore(opening, env);
    this.#door = new Door(this.#core);
    this.#dealer = new Dealer(this.#core, this.#door);
    this.#at(now);
    for (const sitting of opening.sittings) this.#door.restore(sitting);
    this.#core.stale = false;
    this.#done();
  }

  reserveSeat(sitting: string): number {
    return this.#core.draining ? -1 : this.#core.seats.reserve(sitting);
  }

  unreserveSeat(sitting: string): void {
    this.#core.seats.unreserve(sitting);
    this.#done();
  }

  sit(now: number, sitting: Sitting, socket: SocketId): void {
    this.#at(now);
    this.#door.sit(sitting, socket);
    this.#done();
  }

  attach(now: number, agentId: string, socket: SocketId): void {
    this.#at(now);
    this.#door.attach(agentId, socket);
    this.#done();
  }

  detach(now: number, agentId: string, socket: SocketId): void {
    this.#at(now);
    this.#door.detach(agentId, socket);
    this.#done();
  }

  act(now: number, agentId: string, socket: SocketId, message: ActionMessage): void {
    this.#at(now);
    this.#act(agentId, socket, message);
    this.#done();
  }

  #act(agentId: string, socket: SocketId, message: ActionMessage): void {
    const { play, seats, window, teller, rules, numbers } = this.#core;
    const seat = seats.byAgent(agentId);
    const clientId = message.client_action_id ?? null;
    const context = { protocol: rules.actionProtocol, play, seat };
    const accepted = acceptedBefore(message, agentId, context, window);
    if (accepted !== null) {
      if (isRetryOf(accepted, message)) teller.ack(socket, clientId, message.hand_id ?? numbers.handId);
      else this.#reject(seat, socket, 'action_id_conflict', clientId);
      return;
    }
    const code = rejectionOf(message, context);
    if (code !== null) {
      this.#reject(seat, socket, code, clientId);
      return;
    }
    const requested = message.amount ?? null;
    const refusal = this.#dealer.decide({
      act: ACTS[message.action],
      amount: requested ?? NaN,
      reason: ActionReason.player,
      clientId,
      requested,
      ackTo: socket,
    });
    if (refusal !== Refusal.ok) this.#reject(seat, socket, 'invalid_action', clientId, REFUSAL_REASONS[refusal]);
  }

  #reject(
    seat: Seat | null,
    socket: SocketId,
    code: RejectionCode,
    clientId: string | null,
    reason: string = REJECTION_REASONS[code],
  ): void {
    if (!this.#core.numbers.exhausted) this.#core.teller.rejected(socket, code, reason, clientId);
    if (seat !== null) this.#fault(seat, socket);
  }

  #fault(seat: Seat, socket: SocketId): void {
    const verdict = seat.flood.fault(this.#core.now);
    if (verdict === 'none' || !seat.staying) return;
    this.#core.teller.error(socket, verdict === 'warning' ? 'flood_warning' : 'flood_kick');
    if (verdict === 'kick') this.#door.depart(seat, 'left', this.#dealer);
  }

  leave(now: number, agentId: string, socket: SocketId): void {
    this.#at(now);
    const seat = this.#core.seats.byAgent(agentId);
    if (seat === null) this.#core.teller.error(socket, 'not_at_table');
    else if (!seat.staying) this.#core.teller.error(socket, 'leave_pending');
    else this.#door.depart(seat, 'left', this.#dealer);
    this.#done();
  }

  rebuy(now: number, agentId: string, socket: SocketId): void {
    this.#at(now);
    const { seats, play, teller } = this.#core;
    const seat = seats.byAgent(agentId);
    if (seat === null) teller.error(socket, 'not_at_table');
    else teller.error(socket, play.has(seat) ? 'rebuy_during_hand' : 'invalid_rebuy');
    this.#done();
  }

  nonce(now: number, agentId: string, socket: SocketId, nonce: string): void {
    this.#at(now);
    const { seats, decks, teller } = this.#core;
    const seat = seats.byAgent(agentId);
    if (seat === null) teller.error(socket, 'not_at_table');
    else teller.nonceAck(socket, nonce, decks.nonce(seat, nonce));
    this.#done();
  }

  invalid(now: number, agentId: string, socket: SocketId): void {
    this.#at(now);
    const seat = this.#core.seats.byAgent(agentId);
    if (seat !== null) this.#fault(seat, socket);
    this.#done();
  }

  resync(now: number, agentId: string | null, socket: SocketId, lastTableSeq: number | null): void {
    this.#at(now);
    const core = this.#core;
    if (core.numbers.exhausted) return;
    const viewer = agentId === null ? null : core.seats.byAgent(agentId);
    // Other tables of a duplicate pool have yet to play the hands of this one.
    if (viewer === null && core.rules.duplicate !== null) core.teller.error(socket, 'table_not_found');
    else core.teller.resync(socket, agentId, viewer, lastTableSeq ?? 0, core.view());
    this.#done();
  }

  update(
    now: number,
    agentId: string,
    change: Partial<Pick<Player, 'autoRebuy' | 'isPro' | 'name' | 'avatarUrl'>>,
  ): void {
    this.#at(now);
    const seat = this.#core.seats.byAgent(agentId);
    if (seat !== null) {
      Object.assign(seat.player, change);
      seat.prepare();
      this.#core.stale ||= Object.keys(change).some((field) => field !== 'autoRebuy');
    }
    this.#done();
  }

  rebuyPending(now: number, agentId: string, pending: boolean): void {
    this.#at(now);
    if (pending) this.#core.rebuysPending.add(agentId);
    else this.#core.rebuysPending.delete(agentId);
    this.#done();
  }

  close(now: number, reason: string, voidHand = false): void {
    this.#at(now);
    this.#core.closing ??= reason;
    if (voidHand) this.#dealer.voidHand();
    this.drain(now);
  }

  drain(now: number): void {
    this.#at(now);
    this.#core.summaryStale ||= !this.#core.draining;
    this.#core.draining = true;
    this.#done();
  }

  resume(now: number): void {
    this.#at(now);
    const core = this.#core;
    if (core.draining && core.closing === null) {
      core.draining = false;
      core.summaryStale = true;
      core.nextHandAt = Math.max(core.nextHandAt, now + core.rules.betweenHandsMs);
    }
    this.#done();
  }

  handCommitted(now: number, handId: string): void {
    this.#at(now);
    const { play } = this.#core;
    if (play.phase === 'storing' && play.handId === handId) this.#dealer.settle();
    this.#done();
  }

  released(now: number, sitting: string): void {
    this.#at(now);
    this.#door.released(sitting);
    this.#done();
  }

  skimmed(now: number, sitting: string, balance: number): void {
    this.#at(now);
    this.#door.skimmed(sitting, balance);
    this.#done();
  }

  reserved(now: number, upTo: number): void {
    this.#at(now);
    this.#core.numbers.stored(upTo);
    this.#done();
  }

  tick(now: number): void {
    this.#at(now);
    const core = this.#core;
    this.#door.departUnreturned(this.#dealer);
    if (core.play.turnDeadline <= now) this.#dealer.timeOut();
    else if (this.#dealer.ready && core.nextHandAt <= now) this.#dealer.startHand();
    this.#done();
  }

  get nextDeadline(): number {
    return this.#nextDeadline;
  }

  get inHand(): boolean {
    return this.#core.play.inHand;
  }

  summary(): TableSummary {
    this.#summaryDue = false;
    const { seats, rules, tableId, poolId, handNumber, draining } = this.#core;
    return {
      tableId,
      poolId,
      seats: rules.seats,
      smallBlind: rules.smallBlind,
      bigBlind: rules.bigBlind,
      handNumber,
      occupied: seats.occupied,
      inHand: this.inHand,
      closing: draining,
      players: seats.present.map(({ player, index, connected, staying }) => ({
        agentId: player.agentId,
        seat: index,
        isHouse: player.isHouse,
        connected,
        leaving: !staying,
      })),
    };
  }

  publicState(now: number): string {
    this.#at(now);
    const w = new ByteWriter(4096);
    this.#core.teller.publicState(w, this.#core.view());
    return new TextDecoder().decode(w.buffer.subarray(0, w.pos));
  }

  seatOf(agentId: string): { seat: number; stack: number; leaving: boolean } | null {
    const seat = this.#core.seats.byAgent(agentId);
    if (seat === null) return null;
    return { seat: seat.index, stack: this.#core.play.stackOf(seat), leaving: !seat.staying };
  }

  /** Begins every call. */
  #at(now: number): void {
    this.#core.now = now;
    this.#core.numbers.at(now);
  }

  /** Ends every call: what has changed is told, and the next deadline is set. */
  #done(): void {
    const core = this.#core;
    this.#door.windUp();
    core.planNextHand();
    if (core.stateDue) core.tellState();
    const bound = core.numbers.due();
    if (bound > 0) core.effect({ kind: 'reserve', upTo: bound });
    if (core.summaryStale && !this.#summaryDue) {
      core.effect({ kind: 'summary' });
      this.#summaryDue = true;
    }
    core.summaryStale = false;
    this.#nextDeadline = this.#earliest();
  }

  /** The next hand's time counts too while seats are still being given up: the reason for waiting changes then. */
  #earliest(): number {
    const { seats, play, nextHandAt, now } = this.#core;
    let earliest = play.turnDeadline;
    for (const seat of seats.present) earliest = Math.min(earliest, seat.heldUntil);
    const handDue = this.#dealer.ready || (this.#dealer.handAhead && nextHandAt > now);
    return handDue ? Math.min(earliest, nextHandAt) : earliest;
  }
}

export const openTable: TableFactory = (now, opening, env) => new Table(now, opening, env);
