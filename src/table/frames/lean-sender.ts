import type { SocketId } from '../api.js';
import { endsStayOf, type PublicEvent, type ResultEvent } from '../events.js';
import { ASKS, LAST } from '../outbox.js';
import type { Seat } from '../seats/seat.js';
import { LeanHead, writeHand, writeLeanAck, writeResult, writeTurn } from './lean.js';
import type { TakenAction } from './private.js';
import type { SenderRoom } from './sender-room.js';

/** Sends sockets of the lean subprotocol the little that they read (protocol.md, "Lean"). */
export class LeanSender {
  readonly #head: LeanHead;

  constructor(
    tableId: string,
    private readonly room: SenderRoom,
  ) {
    this.#head = new LeanHead(tableId);
  }

  /** When the hand of a seat begins, or its socket comes into one that runs. */
  hand(seat: Seat): void {
    const { out, play } = this.room;
    seat.actionsRead = 0;
    const start = this.#open('hand');
    writeHand(out.bytes, play, seat.index);
    out.addressLater(seat.socket, start | ASKS, out.bytes.pos);
  }

  /** The open turn, with all that the seat has not read. */
  turn(seat: Seat): void {
    const { out, play, numbers } = this.room;
    const start = this.#open('turn');
    writeTurn(out.bytes, play, seat.actionsRead, play.hand.legal(), play.leftMs(numbers.micros));
    seat.actionsRead = play.actions.length;
    out.address(seat.socket, start | ASKS, out.bytes.pos);
  }

  /** To whom was dealt in; others have read nothing of the hand. The number is that of hand_result. */
  result(event: ResultEvent, seat: Seat): void {
    const { out, play, numbers } = this.room;
    if (play.seats[seat.index] !== seat) return;
    const start = out.bytes.pos;
    this.#head.open(out.bytes, 'result', play.handId, numbers.tableSeq);
    writeResult(out.bytes, play, seat.actionsRead, event);
    out.addressLater(seat.socket, start, out.bytes.pos);
  }

  ack(socket: SocketId, clientId: string | null, taken: TakenAction): void {
    const { out } = this.room;
    const start = out.bytes.pos;
    writeLeanAck(out.bytes, clientId, taken);
    out.address(socket, start, out.bytes.pos);
  }

  /** The lean form of a public event that was written from `start` on: the end of the own stay, or the table's end. */
  event(event: PublicEvent, start: number, except: Seat | null): void {
    const { out, seats } = this.room;
    for (const seat of seats.present) {
      if (!seat.lean || seat === except || seat.dismissed) continue;
      if (endsStayOf(event, seat.index)) out.addressLater(seat.socket, start | LAST, out.bytes.pos);
    }
  }

  #open(type: 'hand' | 'turn'): number {
    const { out, numbers, play } = this.room;
    numbers.next();
    const start = out.bytes.pos;
    this.#head.open(out.bytes, type, play.handId, numbers.tableSeq);
    return start;
  }
}
