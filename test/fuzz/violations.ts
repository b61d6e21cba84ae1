import type { Dice } from '../sim/dice.js';
import { MAX } from './messages.js';
import { encodeFrame, Opcode, type ClientFrame } from './wire.js';

/** Ways to break the WebSocket protocol, or to strain it. */
export interface Violation {
  name: string;
  bytes: Buffer;
  /** The step after it: nothing, the own end of the connection, or a reset. */
  then: 'wait' | 'fin' | 'reset';
  /**
   * - must: only the end of the socket is an answer.
   * - may: a socket that goes on unchanged is an answer, too.
   * - never: the socket must go on.
   */
  ends: 'must' | 'may' | 'never';
  /** It is a close frame, or may be one: then any code may come back. */
  closes: boolean;
}

type Maker = (dice: Dice) => Buffer;

const text = (payload: string | Uint8Array, more: Partial<ClientFrame> = {}) =>
  encodeFrame({ opcode: Opcode.text, payload: Buffer.from(payload), ...more });
/** Answered at once wherever it is read after all, so that the answer comes before that of the probe. */
const MESSAGE = '{"type":"whatever"}';
const random = (dice: Dice, length: number) => Buffer.from(Array.from({ length }, () => dice.int(0, 255)));
const control = (dice: Dice) => dice.pick([Opcode.ping, Opcode.pong, Opcode.close]);
const closing = (code: number, reason: Uint8Array = Buffer.alloc(0)) => {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return encodeFrame({ opcode: Opcode.close, payload: Buffer.concat([head, reason]) });
};

/** Overlong, surrogate, beyond Unicode, cut off, out of place, and bytes that never occur. */
const NO_UTF8 = [
  'c080',
  'e08080',
  'eda080',
  'edbfbf',
  'f4908080',
  'f8888080',
  'e282',
  'f09f98',
  '80',
  'fe',
  'ff',
  'c3',
];
const noUtf8 = (dice: Dice) => Buffer.concat([Buffer.from('{"type":"'), Buffer.from(dice.pick(NO_UTF8), 'hex')]);

const MUST: Readonly<Record<string, Maker>> = {
  'unmasked frame': () => text(MESSAGE, { mask: null }),
  'reserved opcode': (dice) => text(MESSAGE, { opcode: dice.pick([3, 4, 5, 6, 7, 11, 12, 13, 14, 15]) }),
  'reserved bits': (dice) => text(MESSAGE, { rsv: dice.int(1, 7) }),
  'control frame too long': (dice) => encodeFrame({ opcode: control(dice), payload: Buffer.alloc(dice.int(126, 300)) }),
  'control frame in fragments': (dice) => encodeFrame({ opcode: control(dice), payload: Buffer.alloc(0), fin: false }),
  'continuation of nothing': (dice) => text(MESSAGE, { opcode: Opcode.continuation, fin: dice.chance(0.5) }),
  'message inside a message': () => Buffer.concat([text('{"type":', { fin: false }), text(MESSAGE)]),
  'text that is no UTF-8': (dice) => text(Buffer.concat([noUtf8(dice), Buffer.from('"}')])),
  'text that is no UTF-8, in fragments': (dice) =>
    Buffer.concat([text(noUtf8(dice), { fin: false }), text('"}', { opcode: Opcode.continuation })]),
  'length that no memory has': (dice) =>
    text('', { length: dice.pick([2n ** 63n, 2n ** 64n - 1n, 2n ** 62n, 2n ** 53n]), lengthBits: 64 }),
  'length announced far too large': (dice) => text('', { length: BigInt(dice.int(200_000, 4_000_000_000)) }),
  'frame over 16 KiB': (dice) => text(Buffer.alloc(MAX + dice.pick([1, 2, 1000, 50_000]), ' ')),
  'frame over 16 KiB, in fragments': () => fragments(20, 1000, true),
  'frame over 128 KiB': (dice) => text(Buffer.alloc(128 * 1024 + dice.pick([0, 1, 2]) * 1000 + 1, ' ')),
  'frame of 1 MiB': () => text(Buffer.alloc(1 << 20, 'x')),
  'message without end': () => fragments(140, 1000, false),
  'close frame of one byte': () => encodeFrame({ opcode: Opcode.close, payload: Buffer.alloc(1) }),
  'close with a code nobody may send': (dice) =>
    closing(dice.pick([0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65535])),
  'close with a reason that is no UTF-8': (dice) => closing(1000, noUtf8(dice)),
  'close without a code': () => encodeFrame({ opcode: Opcode.close, payload: Buffer.alloc(0) }),
  'proper close': (dice) => closing(dice.pick([1000, 1001, 3000, 4000, 4001, 4999])),
  'close, and then more': () => Buffer.concat([closing(1000), text(MESSAGE), text('{')]),
  'close in the middle of a message': () => Buffer.concat([text('{"type":', { fin: false }), closing(1000)]),
  'HTTP in between': () => Buffer.from('GET /health HTTP/1.1\r\nhost: x\r\n\r\n'),
  'TLS in between': () => Buffer.from('1603010200010001fc0303', 'hex'),
};

const MAY: Readonly<Record<string, Maker>> = {
  'length in more bits than needed': (dice) => text(MESSAGE, { lengthBits: dice.pick([16, 64]) }),
  'hundreds of pings at once': (dice) => pings(dice, 300),
};

const NEVER: Readonly<Record<string, Maker>> = {
  'fifty pings at once': (dice) => pings(dice, 50),
  'pongs nobody asked for': (dice) => repeated(100, () => encodeFrame({ opcode: Opcode.pong, payload: random(dice, dice.int(0, 125)) })), // prettier-ignore
  'empty fragments': () => fragments(100, 0, true),
  'one byte a fragment': () => fragments(300, 1, true),
};

/** Cut off in the middle: the sender is gone, so nobody waits for an answer. */
const CUT: Readonly<Record<string, Maker>> = {
  'half a frame': (dice) => text(MESSAGE).subarray(0, dice.int(1, MESSAGE.length)),
  'half a message': () => text('{"type":', { fin: false }),
  'random bytes': (dice) => random(dice, dice.int(1, 300)),
};

function pings(dice: Dice, count: number): Buffer {
  return repeated(count, () => encodeFrame({ opcode: Opcode.ping, payload: random(dice, dice.int(0, 125)) }));
}

function fragments(count: number, size: number, ended: boolean): Buffer {
  let n = 0;
  return repeated(count, () => {
    n++;
    const opcode = n === 1 ? Opcode.binary : Opcode.continuation;
    return encodeFrame({ opcode, payload: Buffer.alloc(size, ' '), fin: ended && n === count });
  });
}

const repeated = (count: number, make: () => Buffer) => Buffer.concat(Array.from({ length: count }, make));

const ALL = [
  ...of(MUST, 'must', () => 'wait'),
  ...of(MAY, 'may', () => 'wait'),
  ...of(NEVER, 'never', () => 'wait'),
  ...of(CUT, 'must', (dice) => dice.pick(['fin', 'reset'])),
];

function of(makers: Readonly<Record<string, Maker>>, ends: Violation['ends'], then: (dice: Dice) => Violation['then']) {
  return Object.entries(makers).map(([name, make]) => ({ name, make, ends, then }));
}

/** Violations that are close frames, or may turn out to be one. */
const MAY_CLOSE = /close|control|random/;

export const violationNames: readonly string[] = ALL.map(({ name }) => name);

export function someViolation(dice: Dice): Violation {
  const { name, make, ends, then } = dice.pick(ALL);
  return { name, bytes: make(dice), ends, then: then(dice), closes: MAY_CLOSE.test(name) };
}
