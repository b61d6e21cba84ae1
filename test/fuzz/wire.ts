/** WebSocket framing by hand (RFC 6455), since no library lets a client break it. */

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface ClientFrame {
  opcode: number;
  payload: Uint8Array;
  /** Default true. */
  fin?: boolean;
  /** The three reserved bits, 0–7; default 0. */
  rsv?: number;
  /** Four bytes; null leaves the masking out, which no client may. Default: zeros, which change nothing. */
  mask?: Uint8Array | null;
  /** How many bits say the length; default: as few as do. */
  lengthBits?: 7 | 16 | 64;
  /** The length in the header; default: the true one. */
  length?: bigint;
}

const NO_MASK = new Uint8Array(4);

export function encodeFrame(frame: ClientFrame): Buffer {
  const { opcode, payload, fin = true, rsv = 0, mask = NO_MASK } = frame;
  const length = frame.length ?? BigInt(payload.length);
  const bits = frame.lengthBits ?? (length < 126n ? 7 : length < 65_536n ? 16 : 64);
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  const masked = mask === null ? 0 : 0x80;
  const head = Buffer.alloc(bits === 7 ? 2 : bits === 16 ? 4 : 10);
  head[0] = first;
  head[1] = masked | (bits === 7 ? Number(length) : bits === 16 ? 126 : 127);
  if (bits === 16) head.writeUInt16BE(Number(length), 2);
  if (bits === 64) head.writeBigUInt64BE(length, 2);
  return mask === null ? Buffer.concat([head, payload]) : Buffer.concat([head, mask, maskedBy(mask, payload)]);
}

function maskedBy(mask: Uint8Array, payload: Uint8Array): Uint8Array {
  if (mask.every((byte) => byte === 0)) return payload;
  return payload.map((byte, i) => byte ^ mask[i & 3]!);
}

export interface ServerFrame {
  opcode: number;
  payload: Buffer;
}

/** Cuts what a server sends into frames. Throws where the server itself breaks the framing. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** The frames that are complete with this chunk. */
  *read(chunk: Buffer): Generator<ServerFrame> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let frame = this.#next(); frame !== null; frame = this.#next()) yield frame;
  }

  #next(): ServerFrame | null {
    const bytes = this.#rest;
    if (bytes.length < 2) return null;
    const [first, second] = [bytes[0]!, bytes[1]!];
    if ((first & 0xf0) !== 0x80) throw new Error(`a frame of the server begins with ${first.toString(16)}`);
    if ((second & 0x80) !== 0) throw new Error('a frame of the server is masked');
    const short = second & 0x7f;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < head) return null;
    const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
    if (bytes.length < head + length) return null;
    this.#rest = bytes.subarray(head + length);
    return { opcode: first & 0x0f, payload: bytes.subarray(head, head + length) };
  }
}
