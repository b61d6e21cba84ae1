/**
 * The client's half of RFC 6455, as much as a load generator needs. The reader walks over frames without copying or
 * decoding them, so a bot reads the few bytes that concern it.
 */

const FINAL = 0x80;
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export interface FrameListener {
  /** The payload of a text frame is bytes[start, end), valid during the call only. */
  text(bytes: Buffer, start: number, end: number): void;
  ping(payload: Buffer): void;
  close(code: number): void;
}

/** Cuts a server's byte stream into frames. Throws on what this server never sends: fragments, masks, binary. */
export class FrameReader {
  #rest: Buffer | null = null;

  constructor(private readonly listener: FrameListener) {}

  /** The chunk may be reused by the caller afterwards. */
  read(chunk: Buffer): void {
    const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (let next = this.#frame(bytes, at); next > at; next = this.#frame(bytes, at)) at = next;
    this.#rest = at === bytes.length ? null : Buffer.from(bytes.subarray(at));
  }

  /** Reads the frame at `at` and returns where it ends, or `at` when it is not all there yet. */
  #frame(bytes: Buffer, at: number): number {
    if (bytes.length - at < 2) return at;
    let length = bytes[at + 1]!;
    let start = at + 2;
    if (length === 126) {
      if (bytes.length - at < 4) return at;
      length = bytes.readUInt16BE(start);
      start += 2;
    } else if (length === 127) {
      if (bytes.length - at < 10) return at;
      length = Number(bytes.readBigUInt64BE(start));
      start += 8;
    } else if (length > 127) throw new Error('a server does not mask its frames');
    const end = start + length;
    if (end > bytes.length) return at;
    this.#take(bytes[at]!, bytes, start, end);
    return end;
  }

  #take(head: number, bytes: Buffer, start: number, end: number): void {
    switch (head) {
      case FINAL | TEXT:
        return this.listener.text(bytes, start, end);
      case FINAL | PING:
        return this.listener.ping(Buffer.from(bytes.subarray(start, end)));
      case FINAL | CLOSE:
        return this.listener.close(end - start < 2 ? 1005 : bytes.readUInt16BE(start));
      case FINAL | PONG:
        return;
      default:
        throw new Error(`an unexpected frame: first byte ${head}`);
    }
  }
}

/** Marsaglia's xorshift: masks need not be secret here, only changing, so that the server has its usual work. */
let mask = 0x2545f491;
function nextMask(): number {
  mask ^= mask << 13;
  mask ^= mask >>> 17;
  mask ^= mask << 5;
  return mask;
}

/** A masked text frame. ASCII only, up to 64 kB. */
export const textFrame = (text: string): Buffer => frame(TEXT, text, text.length);

export const pongFrame = (payload: Buffer): Buffer => frame(PONG, payload.toString('latin1'), payload.length);

/** A masked close frame: 1000, the ordinary end. */
export const closeFrame = (): Buffer => frame(CLOSE, '\x03\xe8', 2);

function frame(opcode: number, payload: string, length: number): Buffer {
  const head = length < 126 ? 2 : 4;
  const bytes = Buffer.allocUnsafe(head + 4 + length);
  bytes[0] = FINAL | opcode;
  if (length < 126) bytes[1] = FINAL | length;
  else {
    bytes[1] = FINAL | 126;
    bytes.writeUInt16BE(length, 2);
  }
  bytes.writeInt32BE(nextMask(), head);
  const start = head + 4;
  bytes.write(payload, start, 'latin1');
  for (let i = 0; i < length; i++) bytes[start + i]! ^= bytes[head + (i & 3)]!;
  return bytes;
}
