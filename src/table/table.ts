import { assert, assertWhole } from '../ops/assert.js';
import type { ActionMessage } from '../protocol/client.js';
import type { Sitting, SocketId, TableApi, TableOpening, TableSummary } from './api.js';
import type { TableEnv, TableFactory } from './env.js';
import { ByteWriter } from './frames/byte-writer.js';
import { TableCore } from './core.js';
import { assertTable } from './deep-checks.js';
import { Dealer } from './hand/dealer.js';
import { PlayerActions } from './hand/player-actions.js';
import { TableSeating } from './seats/table-seating.js';

/**
 * Many hands at one table. Thin: `TableSeating` knows who comes and goes, `PlayerActions` judges what players do, `Dealer`
 * runs the hands, `FrameSender` writes the frames.
 */
export class Table implements TableApi {
  readonly tableId: string;
  readonly #core: TableCore;
  readonly #seating: TableSeating;
  readonly #dealer: Dealer;
  readonly #actions: PlayerActions;
  readonly #deepChecks: boolean;
  #nextDeadline = Infinity;

  constructor(now: number, opening: TableOpening, env: TableEnv) {
    this.tableId = opening.tableId;
    this.#deepChecks = env.deepChecks === true;
    this.#core = new TableCore(opening, env);
    this.#seating = new TableSeating(this.#core);
    this.#dealer = new Dealer(this.#core, this.#seating);
    this.#actions = new PlayerActions(this.#core, this.#seating, this.#dealer);
    this.#at(now);
    for (const sitting of opening.sittings) this.#seating.restore(sitting);
    this.#core.opened();
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
    assert(
      this.#core.seats.reservedBy(sitting.seat) === sitting.sitting,
      'a buy-in has reserved its seat',
      sitting.seat,
    );
    this.#seating.sit(sitting, socket);
    this.#done();
  }

  attach(now: number, agentId: string, socket: SocketId): void {
    this.#at(now);
    this.#seating.attach(agentId, socket);
    this.#done();
  }

  detach(now: number, agentId: string, socket: SocketId): void {
    this.#at(now);
    this.#seating.detach(agentId, socket);
    this.#done();
  }

  act(now: number, agentId: string, socket: SocketId, message: ActionMessage): void {
    this.#at(now);
    this.#actions.act(agentId, socket, message);
    this.#done();
  }

  leave(now: number, agentId: string, socket: SocketId): void {
    this.#at(now);
    const seat = this.#core.seats.byAgent(agentId);
    if (seat === null) this.#core.refuse(agentId, socket, 'not_at_table');
    else if (!seat.staying) this.#core.refuse(agentId, socket, 'leave_pending');
    else this.#seating.depart(seat, 'left', this.#dealer);
    this.#done();
  }

  moveOn(now: number, agentId: string, reason: string): void {
    this.#at(now);
    this.#seating.moveOn(agentId, reason);
    this.#done();
  }

  rebuy(now: number, agentId: string, socket: SocketId): void {
    this.#at(now);
    const { seats, play } = this.#core;
    const seat = seats.byAgent(agentId);
    if (seat === null) this.#core.refuse(agentId, socket, 'not_at_table');
    else this.#core.refuse(agentId, socket, play.has(seat) ? 'rebuy_during_hand' : 'invalid_rebuy');
    this.#done();
  }

  nonce(now: number, agentId: string, socket: SocketId, nonce: string): void {
    this.#at(now);
    const { seats, decks, sender } = this.#core;
    const seat = seats.byAgent(agentId);
    if (seat === null) this.#core.refuse(agentId, socket, 'not_at_table');
    else sender.answers.nonceAck(socket, nonce, decks.nonce(seat, nonce));
    this.#done();
  }

  invalid(now: number, agentId: string, socket: SocketId): void {
    this.#at(now);
    this.#actions.fault(agentId, socket);
    this.#done();
  }

  resync(now: number, agentId: string | null, socket: SocketId, lastTableSeq: number | null): void {
    this.#at(now);
    const core = this.#core;
    if (core.numbers.exhausted) return;
    const viewer = agentId === null ? null : core.seats.byAgent(agentId);
    if (viewer === null && !this.#isOpenToSpectators()) core.sender.answers.error(socket, 'table_not_found');
    else core.sender.resyncs.answer(socket, agentId, viewer, lastTableSeq ?? 0, core.view());
    this.#done();
  }

  replayText(now: number, agentId: string, lastTableSeq: number | null): string | null {
    this.#at(now);
    const core = this.#core;
    if (core.numbers.exhausted || core.seats.byAgent(agentId) !== null || !this.#isOpenToSpectators()) return null;
    const text = core.sender.resyncs.answerText(agentId, lastTableSeq ?? 0, core.view());
    this.#done();
    return text;
  }

  /** Other tables of a duplicate pool have yet to play the hands of this one. */
  #isOpenToSpectators(): boolean {
    const { rules } = this.#core;
    return rules.duplicate === null && rules.spectators;
  }

  watch(now: number, watch: SocketId, agentId: string | null): void {
    this.#at(now);
    const core = this.#core;
    core.sender.watches.add(watch, agentId);
    if (!core.numbers.exhausted) core.sender.resyncs.stateForNewcomers(watch, core.view());
    this.#done();
  }

  unwatch(now: number, watch: SocketId): void {
    this.#at(now);
    this.#core.sender.watches.delete(watch);
    this.#done();
  }

  update(now: number, agentId: string, change: Parameters<TableApi['update']>[2]): void {
    this.#at(now);
    const seat = this.#core.seats.byAgent(agentId);
    if (seat !== null) {
      Object.assign(seat.player, change);
      seat.prepare();
      if (Object.keys(change).some((field) => field !== 'autoRebuy')) this.#core.stateChanged();
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
    this.#core.close(reason);
    if (voidHand) this.#dealer.voidHand();
    this.#done();
  }

  drain(now: number): void {
    this.#at(now);
    this.#core.drain();
    this.#done();
  }

  resume(now: number): void {
    this.#at(now);
    this.#core.resume();
    this.#done();
  }

  stood(now: number, from: number, to: number): void {
    this.#at(now);
    this.#core.stood(from, to);
    this.#done();
  }

  dueSocket(now: number): SocketId | null {
    this.#at(now);
    return this.#core.dueSocket;
  }

  part(now: number, agentId: string, reason: string): void {
    this.#at(now);
    this.#seating.part(agentId, reason);
    this.#done();
  }

  handCommitted(now: number, handId: string): void {
    this.#at(now);
    const { play } = this.#core;
    if (play.phase === 'storing' && play.handId === handId) this.#dealer.settle();
    assert(play.phase !== 'storing' || play.handId !== handId, 'a stored hand is settled');
    this.#done();
  }

  released(now: number, sitting: string): void {
    this.#at(now);
    this.#seating.released(sitting);
    this.#done();
  }

  skimmed(now: number, sitting: string, balance: number): void {
    this.#at(now);
    this.#seating.skimmed(sitting, balance);
    this.#done();
  }

  reserved(now: number, upTo: number): void {
    this.#at(now);
    assertWhole(upTo, 'a stored bound of table_seq');
    this.#core.numbers.stored(upTo);
    this.#done();
    this.#seating.catchUp();
  }

  tick(now: number): void {
    this.#at(now);
    this.#runClocks();
    this.#done();
  }

  #runClocks(): void {
    const core = this.#core;
    this.#seating.departUnreturned(this.#dealer);
    if (core.play.turnDeadline <= core.now) this.#dealer.timeOut();
    else if (this.#dealer.ready && core.nextHandAt <= core.now) this.#dealer.startHand();
  }

  get nextDeadline(): number {
    return this.#nextDeadline;
  }

  get inHand(): boolean {
    return this.#core.play.inHand;
  }

  summary(): TableSummary {
    this.#core.summaryTaken();
    return tableSummaryOf(this.#core);
  }

  publicState(now: number): string {
    this.#at(now);
    const w = new ByteWriter(4096);
    this.#core.sender.resyncs.publicState(w, this.#core.view());
    return new TextDecoder().decode(w.buffer.subarray(0, w.pos));
  }

  seatOf(agentId: string): { seat: number; stack: number; leaving: boolean } | null {
    const seat = this.#core.seats.byAgent(agentId);
    return seat && { seat: seat.index, stack: this.#core.play.stackOf(seat), leaving: !seat.staying };
  }

  stayOf(agentId: string): { sitting: string; seat: number; leaving: boolean } | null {
    const seat = this.#core.seats.byAgent(agentId);
    return seat === null ? null : { sitting: seat.sitting, seat: seat.index, leaving: !seat.staying };
  }

  /** Begins every call. */
  #at(now: number): void {
    this.#core.now = now;
    this.#core.numbers.at(now);
  }

  /** Ends every call: what has changed is sent, and the next deadline is set. */
  #done(): void {
    this.#seating.windUp();
    this.#core.tellChanges();
    this.#nextDeadline = this.#earliest();
    assert(!Number.isNaN(this.#nextDeadline), 'a deadline is a time');
    if (this.#deepChecks) assertTable(this.#core);
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

export const createTable: TableFactory = (now, opening, env) => new Table(now, opening, env);

/** A table as the lobby knows it. Takes the paces along that were noted since the last one. */
function tableSummaryOf({ seats, rules, tableId, poolId, last, draining, play }: TableCore): TableSummary {
  return {
    tableId,
    poolId,
    seats: rules.seats,
    smallBlind: rules.smallBlind,
    bigBlind: rules.bigBlind,
    handNumber: last.handNumber,
    occupied: seats.occupied,
    inHand: play.inHand,
    closing: draining,
    players: seats.present.map((seat) => ({
      agentId: seat.player.agentId,
      seat: seat.index,
      isHouse: seat.player.isHouse,
      connected: seat.connected,
      leaving: !seat.staying,
      decisionsMs: seat.tempo.fresh.splice(0),
      bankMs: seat.tempo.bankMs,
    })),
  };
}
