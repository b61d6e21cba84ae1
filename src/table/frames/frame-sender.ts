import type { TableRules } from '../api.js';
import type { ByteWriter } from './byte-writer.js';
import { FrameType, type Envelope } from './envelope.js';
import { LeanSender } from './lean-sender.js';
import { Answers } from './answers.js';
import { ResyncSender } from './resync-sender.js';
import type { SenderRoom } from './sender-room.js';
import { writeActionId, writeBody, writeOwnOpened, writeViewerSeat } from './event.js';
import {
  endsStayOf,
  type ActionEvent,
  type EventOfHand,
  type HandStartEvent,
  type PublicEvent,
  type ResultEvent,
} from '../events.js';
import type { Numbering } from '../numbering.js';
import { ASKS, HAND_BEGINS, LAST, STATE, type Outbox } from '../outbox.js';
import type { HandInPlay } from '../hand/hand-in-play.js';
import * as priv from './private.js';
import type { ReplayWindow } from '../replay/window.js';
import { mostBytes, ownTailBytes } from '../replay/frames.js';
import type { Seat } from '../seats/seat.js';
import type { Seats } from '../seats/seats.js';
import { StateFrames, type StateSource } from './state.js';
import { Watches } from './watches.js';

/**
 * Sends events. It numbers each event, records the public ones for replay, writes each frame once, and addresses it to
 * all readers. Private tails (seat, action id) go on a copy. All but answers and turns may wait.
 */
export class FrameSender {
  readonly #out: Outbox;
  readonly #w: ByteWriter;
  readonly #envelope: Envelope;
  readonly #states: StateFrames;
  readonly #seats: Seats;
  readonly #play: HandInPlay;
  readonly #numbers: Numbering;
  readonly #window: ReplayWindow;
  readonly watches: Watches;
  /** Spectators have read that a hand begins, and not yet the state with its blinds. */
  #begins = false;

  /** The sender for sockets of the lean subprotocol. */
  readonly lean: LeanSender;
  /** The sender of replays, with the state beside them. */
  readonly resyncs: ResyncSender;
  readonly answers: Answers;

  constructor(tableId: string, rules: TableRules, room: SenderRoom) {
    this.#out = room.out;
    this.#w = room.out.bytes;
    this.#envelope = room.envelope;
    this.#states = new StateFrames(tableId, rules);
    this.lean = new LeanSender(tableId, room);
    this.answers = new Answers(room, this.lean);
    this.resyncs = new ResyncSender(tableId, this.#states, room);
    this.#seats = room.seats;
    this.#play = room.play;
    this.#numbers = room.numbers;
    this.#window = room.window;
    this.watches = new Watches(room.out);
  }

  /** hand_start: to each viewer with its own seat. */
  handStart(event: HandStartEvent): void {
    this.#begins = true;
    if (!this.#isRead) return this.#unread(event);
    const start = this.#openEvent(event);
    const end = this.#w.pos;
    this.watches.addressClosed(start, end, HAND_BEGINS);
    for (const seat of this.#seats.present) {
      if (!seat.connected || seat.lean) continue;
      const copy = this.#w.pos;
      this.#w.copy(start, end);
      writeViewerSeat(this.#w, seat.index);
      this.#w.ascii('}');
      this.#out.addressLater(seat.socket, copy | ASKS, this.#w.pos);
    }
  }

  /** The own cards; with them a lean socket reads all that it needs of the beginning. */
  holeCards(): void {
    for (const seat of this.#play.seats) {
      if (seat === null) continue;
      if (seat.connected && seat.lean) this.lean.hand(seat);
      const reads = seat.connected && !seat.lean;
      const watches = this.watches.of(seat.player.agentId);
      if (!reads && watches.length === 0) continue;
      const start = this.#open(FrameType.hole_cards);
      priv.writeHoleCards(this.#w, this.#play, seat.index);
      if (reads) this.#out.addressLater(seat.socket, start, this.#w.pos);
      for (const watch of watches) this.#out.address(watch, start, this.#w.pos);
    }
  }

  /** table_state to everybody who stays at the table. */
  state(source: StateSource): void {
    this.#numbers.next();
    this.#states.newEvent();
    for (const seat of this.#seats.present) {
      if (!seat.connected || seat.lean || seat.dismissed) continue;
      this.#out.addressLater(seat.socket, this.#startOfState(source, seat), this.#w.pos, this.#play.isOut(seat));
    }
    // To spectators the events tell what follows within a hand.
    if (!this.watches.none && (this.#begins || this.#play.phase !== 'betting')) {
      const start = this.#states.write(this.#w, source, this.#numbers, null, null, null);
      this.watches.address(start, this.#w.pos, STATE);
    }
    this.#begins = false;
  }

  stateTo(seat: Seat, source: StateSource): void {
    this.#numbers.next();
    this.#states.newEvent();
    if (!seat.connected) return;
    if (!seat.lean) this.#out.address(seat.socket, this.#startOfState(source, seat), this.#w.pos);
    else if (this.#play.has(seat)) this.lean.hand(seat);
  }

  #startOfState(source: StateSource, seat: Seat): number {
    const legal = this.#play.actor === seat ? this.#play.hand.legal() : null;
    return this.#states.write(this.#w, source, this.#numbers, seat, legal, null);
  }

  yourTurn(seat: Seat): void {
    if (!seat.connected) return;
    if (seat.lean) return this.lean.turn(seat);
    const start = this.#open(FrameType.your_turn);
    const { hand } = this.#play;
    priv.writeYourTurn(this.#w, this.#play, seat.index, hand.legal(), this.#play.leftMs(this.#numbers.micros));
    this.#out.address(seat.socket, start | ASKS, this.#w.pos);
  }

  /** player_action: with the actor's own id to itself, with another to everybody else. */
  action(event: ActionEvent): void {
    if (!this.#isRead) return this.#unread(event);
    const w = this.#w;
    const start = this.#openEvent(event);
    const end = w.pos;
    const own = event.clientId === null ? null : this.#play.seats[event.seat]!;
    writeActionId(w, event.turnToken);
    w.ascii('}');
    this.#addressAll(start, w.pos, own);
    this.watches.address(start, w.pos);
    if (own === null || !own.connected || own.lean) return;
    const copy = w.pos;
    w.copy(start, end);
    writeActionId(w, event.clientId!);
    w.ascii('}');
    this.#out.addressLater(own.socket, copy, w.pos, this.#play.isOut(own));
  }

  /** hand_result: with what opens the own cards to each who was dealt in, where the deck was committed to. */
  result(event: ResultEvent): void {
    if (this.#isRead) this.#writeResult(event);
    else this.#unread(event);
    for (const seat of this.#seats.present) if (seat.lean && !seat.dismissed) this.lean.result(event, seat);
  }

  #writeResult(event: ResultEvent): void {
    const w = this.#w;
    const start = this.#openEvent(event);
    const end = w.pos;
    w.ascii('}');
    const closed = w.pos;
    this.watches.address(start, closed);
    for (const seat of this.#seats.present) {
      if (seat.dismissed || seat.lean) continue;
      if (event.deal === null || this.#play.seats[seat.index] !== seat) {
        this.#out.addressLater(seat.socket, start, closed);
      } else if (seat.connected) {
        const copy = w.pos;
        w.copy(start, end);
        writeOwnOpened(w, event, seat.index);
        w.ascii('}');
        this.#out.addressLater(seat.socket, copy, w.pos);
      }
    }
  }

  /** Any other public event, the same to everybody but for one seat that shall not read it. */
  event(event: Exclude<PublicEvent, HandStartEvent | ActionEvent | ResultEvent>, except: Seat | null = null): void {
    if (event.kind === 'community_cards' && !this.#isRead) return this.#unread(event);
    const start = this.#openEvent(event);
    this.#w.ascii('}');
    this.#addressAll(start, this.#w.pos, except, event);
    this.watches.address(start, this.#w.pos, event.kind === 'table_closed' ? LAST : 0);
    this.lean.event(event, start, except);
  }

  /** table_closed to a player whom the table goes on without. */
  closedTo(seat: Seat, reason: string): void {
    if (!seat.connected) return;
    const start = this.#open(FrameType.table_closed);
    writeBody(this.#w, { kind: 'table_closed', reason });
    this.#w.ascii('}');
    this.#out.address(seat.socket, start | LAST, this.#w.pos);
  }

  tableJoined(seat: Seat): void {
    const start = this.#open(FrameType.table_joined);
    priv.writeTableJoined(this.#w, this.#seats, this.#play, seat);
    this.#out.address(seat.socket, start, this.#w.pos);
  }

  /** Whether somebody reads the events of a hand as such: not where all who are there are lean and nobody watches. */
  get #isRead(): boolean {
    if (!this.watches.none) return true;
    for (const seat of this.#seats.present) if (seat.connected && !seat.lean) return true;
    return false;
  }

  /** Numbered and recorded as ever, and written for who asks for it again; a fifth of what lean players' hands cost here. */
  #unread(event: EventOfHand): void {
    this.#numbers.next();
    this.#window.record(this.#numbers, event);
    this.#window.measured(mostBytes(event) + ownTailBytes(event));
  }

  #openEvent(event: PublicEvent): number {
    const start = this.#open(FrameType[event.kind]);
    this.#window.record(this.#numbers, event);
    writeBody(this.#w, event);
    this.#window.measured(this.#w.pos - start + ownTailBytes(event));
    return start;
  }

  #open(type: Uint8Array): number {
    this.#numbers.next();
    const start = this.#w.pos;
    this.#envelope.open(this.#w, this.#numbers, type);
    return start;
  }

  #addressAll(start: number, end: number, except: Seat | null, event: PublicEvent | null = null): void {
    for (const seat of this.#seats.present) {
      if (seat === except || seat.lean || seat.dismissed) continue;
      const mark = event !== null && endsStayOf(event, seat.index) ? LAST : 0;
      this.#out.addressLater(seat.socket, start | mark, end, this.#play.isOut(seat));
    }
  }
}
