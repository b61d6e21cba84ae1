import { encodeFrame, Opcode } from '../../fuzz/wire.js';
import type { AbuseCase } from '../case.js';
import { floods } from '../sockets.js';

const ONE_BYTE = encodeFrame({ opcode: Opcode.text, payload: Buffer.from('x') });

/** One agent, one socket: as many messages as the network takes, and again when it is thrown out. */
export const messageFlood: AbuseCase = {
  name: 'message-flood',
  what: 'one socket writes one-byte text frames as fast as it can, 60,000 a write',
  meets: ['close 1008'],
  run: (ground, signal) => floods(ground, signal, Buffer.alloc(60_000 * ONE_BYTE.length, ONE_BYTE)),
};
