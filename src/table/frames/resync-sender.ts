import type { SocketId } from '../api.js';
import { FOR_NEWCOMERS } from '../outbox.js';
import { writeReplay } from '../replay/frames.js';
import type { Seat } from '../seats/seat.js';
import type { ByteWriter } from './byte-writer.js';
import { FrameType } from './envelope.js';
import { writeYourTurn } from './private.js';
import type { SenderRoom } from './sender-room.js';
import type { StateFrames, StateSource } from './state.js';

/** Answers who missed something (protocol.md, "Resync"), and shows the table to those who only look. */
export class ResyncSender {
  constructor(
    private readonly tableId: string,
    private readonly states: StateFrames,
    private readonly room: SenderRoom,
  ) {}

  /** The window's frames after `lastSeq`, then the requester's own table_state. */
  answer(socket: SocketId, agentId: string | null, viewer: Seat | null, lastSeq: number, source: StateSource): void {
    const { out } = this.room;
    const start = out.bytes.pos;
    this.#write(agentId, viewer, lastSeq, source);
    out.address(socket, start, out.bytes.pos);
  }

  /** The same for an agent without a seat, as text: its socket is at another node. */
  answerText(agentId: string, lastSeq: number, source: StateSource): string {
    const w = this.room.out.bytes;
    const start = w.pos;
    this.#write(agentId, null, lastSeq, source);
    const text = w.textFrom(start);
    w.pos = start;
    return text;
  }

  #write(agentId: string | null, viewer: Seat | null, lastSeq: number, source: StateSource): void {
    const { out, numbers, envelope, window } = this.room;
    const w = out.bytes;
    numbers.next();
    envelope.open(w, numbers, FrameType.resync_response);
    const from = window.startAfter(lastSeq);
    w.ascii(viewer === null ? ',"role":"spectator"' : ',"role":"player"');
    w.ascii(`,"from_table_seq":${from},"to_table_seq":`).int(numbers.tableSeq).ascii(',"replayed_events":[');
    if (from !== null) this.#replay(agentId, from);
    w.ascii('],"snapshot":');
    this.#snapshot(w, viewer, source);
    w.ascii('}');
  }

  /** The table as it is, for who begins to watch: a number of its own, above all that others of this watch have read. */
  stateForNewcomers(watch: SocketId, source: StateSource): void {
    const { out, numbers } = this.room;
    numbers.next();
    const start = out.bytes.pos;
    this.#snapshot(out.bytes, null, source);
    out.address(watch, (start | FOR_NEWCOMERS) >>> 0, out.bytes.pos);
  }

  /** The spectator's table_state, written outside the stream of events: no number is used. */
  publicState(w: ByteWriter, source: StateSource): void {
    this.#snapshot(w, null, source);
  }

  /** The open turn of a seat under the number of what was sent last: for its owner, and sent to nobody. */
  turnText(seat: number): string {
    const { out, play, numbers, envelope } = this.room;
    const w = out.bytes;
    const start = w.pos;
    envelope.open(w, numbers, FrameType.your_turn);
    writeYourTurn(w, play, seat, play.hand.legal(), play.turnClockMs);
    const text = w.textFrom(start);
    w.pos = start;
    return text;
  }

  /** An agent that was never dealt in reads the spectators' frames (protocol.md, "Resync"). */
  #replay(agentId: string | null, from: number): void {
    const { out, envelope, window } = this.room;
    const w = out.bytes;
    if (agentId !== null && window.hasDealtTo(agentId)) writeReplay(w, envelope, window, agentId, from - 1);
    else out.replays.of(this.tableId).write(w, envelope, window, from);
  }

  #snapshot(w: ByteWriter, viewer: Seat | null, source: StateSource): void {
    const { play, numbers } = this.room;
    const acting = viewer !== null && play.actor === viewer;
    const legal = acting ? play.hand.legal() : null;
    this.states.newEvent();
    this.states.write(w, source, numbers, viewer, legal, acting ? play.turnToken : null);
  }
}
