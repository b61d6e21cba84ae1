import { isUtf8 } from 'node:buffer';
import type { Dice } from '../sim/dice.js';
import { encodeFrame, Opcode } from './wire.js';

/** How a message travels: legal ways all, though few clients use them. */
export interface Delivery {
  binary: boolean;
  /** Where it is cut into fragments, as parts of its length. */
  cuts: readonly number[];
  /** A ping between the fragments. */
  pings: boolean;
  mask: Uint8Array;
  /** Bytes that are changed, as parts of its length. */
  damage: readonly (readonly [at: number, xor: number])[];
}

export function someDelivery(dice: Dice): Delivery {
  const some = <T>(chance: number, make: () => T): T[] => {
    return dice.chance(chance) ? Array.from({ length: dice.int(1, 4) }, make) : [];
  };
  return {
    binary: dice.chance(0.1),
    cuts: some(0.08, () => dice.unit()).sort((a, b) => a - b),
    pings: dice.chance(0.3),
    mask: dice.chance(0.3) ? Uint8Array.from([0, 0, 0, 0], () => dice.int(0, 255)) : new Uint8Array(4),
    damage: some(0.06, () => [dice.unit(), 1 << dice.int(0, 7)] as const),
  };
}

/** The message as the server will read it. */
export function damaged(message: Buffer, { damage }: Delivery): Buffer {
  if (damage.length === 0 || message.length === 0) return message;
  const bytes = Buffer.from(message);
  for (const [part, xor] of damage) {
    const at = Math.floor(part * bytes.length);
    bytes[at] = bytes[at]! ^ xor;
  }
  return bytes;
}

/**
 * The frames that carry a message. A message that is no UTF-8 goes in a binary frame: there the framing forbids
 * nothing.
 */
export function framed(message: Buffer, { binary, cuts, pings, mask }: Delivery): Buffer {
  const opcode = binary || !isUtf8(message) ? Opcode.binary : Opcode.text;
  const ends = [...cuts.map((part) => Math.floor(part * message.length)), message.length];
  const frames = ends.flatMap((end, i) => {
    const payload = message.subarray(ends[i - 1] ?? 0, end);
    const frame = { opcode: i === 0 ? opcode : Opcode.continuation, payload, fin: i === ends.length - 1, mask };
    const ping = encodeFrame({ opcode: Opcode.ping, payload: Buffer.from('still there?') });
    return pings && i < ends.length - 1 ? [encodeFrame(frame), ping] : [encodeFrame(frame)];
  });
  return frames.length === 1 ? frames[0]! : Buffer.concat(frames);
}
