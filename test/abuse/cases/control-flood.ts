import { encodeFrame, Opcode } from '../../fuzz/wire.js';
import type { AbuseCase } from '../case.js';
import { floods } from '../sockets.js';

const controlFlood = (name: 'ping' | 'pong'): AbuseCase => {
  const frame = encodeFrame({ opcode: Opcode[name], payload: Buffer.alloc(0) });
  return {
    name: `${name}-flood`,
    what: `one socket writes ${name}s as fast as it can, 60,000 a write`,
    meets: ['close 1008'],
    run: (ground, signal) => floods(ground, signal, Buffer.alloc(60_000 * frame.length, frame)),
  };
};

export const pingFlood = controlFlood('ping');
export const pongFlood = controlFlood('pong');
