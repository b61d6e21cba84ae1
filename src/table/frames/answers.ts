import { ERROR_MESSAGES, type ErrorCode, type RejectionCode } from '../../protocol/codes.js';
import { isLean, type SocketId } from '../api.js';
import type { Seat } from '../seats/seat.js';
import { FrameType } from './envelope.js';
import type { LeanSender } from './lean-sender.js';
import * as priv from './private.js';
import type { RejectionDetails, TakenAction } from './private.js';
import type { SenderRoom } from './sender-room.js';

/** Answers and notices to one socket. */
export class Answers {
  constructor(
    private readonly room: SenderRoom,
    private readonly lean: LeanSender,
  ) {}

  /** `handId` is the hand of the acknowledged action: a retry may come when the next is on. */
  ack(socket: SocketId, clientId: string | null, handId: string | null, taken: TakenAction): void {
    const { numbers: now, out, envelope } = this.room;
    now.next();
    if (isLean(socket)) return this.lean.ack(socket, clientId, taken);
    const { tableSeq, micros } = now;
    const start = out.bytes.pos;
    envelope.open(
      out.bytes,
      handId === now.handId ? now : { handId, tableSeq, handSeq: 0, micros },
      FrameType.action_ack,
    );
    priv.writeAck(out.bytes, clientId, taken);
    out.address(socket, start, out.bytes.pos);
  }

  /** Returns the frame. */
  rejected(
    socket: SocketId,
    code: RejectionCode,
    reason: string,
    clientId: string | null,
    details: RejectionDetails,
  ): string {
    const { numbers, out, envelope } = this.room;
    numbers.next();
    const start = out.bytes.pos;
    envelope.open(out.bytes, numbers, FrameType.action_rejected);
    priv.writeRejected(out.bytes, code, reason, clientId, details);
    out.address(socket, start, out.bytes.pos);
    return out.bytes.textFrom(start);
  }

  error(socket: SocketId, code: ErrorCode, message: string = ERROR_MESSAGES[code]): void {
    this.#say(socket, () => priv.writeError(this.room.out.bytes, code, message));
  }

  nonceAck(socket: SocketId, nonce: string, next: Parameters<typeof priv.writeNonceAck>[2]): void {
    this.#say(socket, () => priv.writeNonceAck(this.room.out.bytes, nonce, next));
  }

  chipsSkimmed(seat: Seat, excess: number, balance: number): void {
    if (!seat.connected) return;
    this.#say(seat.socket, () => priv.writeChipsSkimmed(this.room.out.bytes, excess, seat.stack, balance));
  }

  #say(socket: SocketId, write: () => void): void {
    const { out } = this.room;
    const start = out.bytes.pos;
    write();
    out.address(socket, start, out.bytes.pos);
  }
}
