import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ProofConnection, Hears } from './connection.js';
import type { Defect } from './defects.js';

// RFC 6455, section 5.2.
const [CONTINUATION, TEXT, CLOSE, PING, PONG] = [0, 1, 8, 9, 10];
const [LENGTH_16, LENGTH_64] = [126, 127];
const [NO_CODE, NO_FRAME] = [1005, 1006];

interface WebSocketFrame {
  opcode: number;
  /** The last of its message. */
  final: boolean;
  payload: Buffer;
}

/** A WebSocket client written by hand, as bots without a library have one: sound, but for the defect. */
export function openByHand(url: string, key: string, defect: Defect | null, hears: Hears): ProofConnection {
  let socket: Duplex | null = null;
  let closeCode: number | null = null;
  const close = (code: number): void => {
    if (closeCode !== null) return;
    closeCode = code;
    hears.closed(code);
  };
  const request = get(url.replace(/^ws/, 'http'), {
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    },
  });
  request.on('response', ({ statusCode = 0 }) => {
    hears.error(`refused with ${statusCode}`);
    request.destroy();
  });
  request.on('error', ({ message }) => hears.error(message));
  request.on('close', () => socket === null && close(NO_FRAME));
  request.on('upgrade', (_response, upgraded, head) => {
    socket = upgraded;
    const reader = new Reader(defect, ({ opcode, payload }) => {
      if (opcode === PING) upgraded.write(maskedFrame(PONG, payload));
      else if (opcode === TEXT) hears.text(payload.toString());
      else if (opcode === CLOSE) {
        upgraded.end(maskedFrame(CLOSE, payload));
        close(payload.length < 2 ? NO_CODE : payload.readUInt16BE());
      }
    });
    upgraded.on('error', ({ message }: Error) => hears.error(message));
    upgraded.on('close', () => close(NO_FRAME));
    upgraded.on('data', (packet: Buffer) => reader.read(packet));
    reader.read(head);
  });
  return {
    get connecting() {
      return socket === null && closeCode === null;
    },
    send: (text) => {
      if (socket !== null && closeCode === null) socket.write(maskedFrame(TEXT, Buffer.from(text)));
    },
    end: () => (socket ?? request).destroy(),
  };
}

/** Makes messages of packets. */
class Reader {
  #bytes: Buffer = Buffer.alloc(0);
  /** Payloads of a message that goes on. */
  #parts: Buffer[] = [];

  constructor(
    private readonly defect: Defect | null,
    private readonly give: (message: WebSocketFrame) => void,
  ) {}

  read(packet: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, packet]);
    for (let parsed; (parsed = firstFrame(this.#bytes)) !== null;) {
      this.#bytes = parsed.rest;
      this.#put(parsed.frame);
    }
    if (this.defect !== 'by-hand-packets-are-frames' || this.#bytes.length === 0) return;
    // The defect: it takes one packet for a whole frame.
    const payload = this.#bytes;
    this.#bytes = Buffer.alloc(0);
    this.give({ opcode: TEXT, final: true, payload });
  }

  #put(frame: WebSocketFrame): void {
    const ofMany = frame.opcode === CONTINUATION || (frame.opcode === TEXT && !frame.final);
    if (!ofMany || this.defect === 'by-hand-fragments-are-messages') return this.give(frame);
    this.#parts.push(frame.payload);
    if (!frame.final) return;
    const payload = Buffer.concat(this.#parts);
    this.#parts = [];
    this.give({ opcode: TEXT, final: true, payload });
  }
}

/** The frame that the bytes begin with, and what follows it; null where it is not whole. Servers do not mask. */
function firstFrame(bytes: Buffer): { frame: WebSocketFrame; rest: Buffer } | null {
  const short = (bytes[1] ?? 0) & 0x7f;
  const start = short === LENGTH_64 ? 10 : short === LENGTH_16 ? 4 : 2;
  if (bytes.length < start) return null;
  const length = start === 10 ? Number(bytes.readBigUInt64BE(2)) : start === 4 ? bytes.readUInt16BE(2) : short;
  if (bytes.length < start + length) return null;
  const payload = bytes.subarray(start, start + length);
  return {
    frame: { opcode: bytes[0]! & 0x0f, final: (bytes[0]! & 0x80) !== 0, payload },
    rest: bytes.subarray(start + length),
  };
}

/** A whole message of less than 64 kB. */
function maskedFrame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const { length } = payload;
  const head = Buffer.of(0x80 | opcode, 0x80 | (length < LENGTH_16 ? length : LENGTH_16));
  const long = length < LENGTH_16 ? [] : [Buffer.of(length >> 8, length & 0xff)];
  return Buffer.concat([head, ...long, mask, payload.map((byte, at) => byte ^ mask[at & 3]!)]);
}
