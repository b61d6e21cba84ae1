import { looseReceiveBound } from '../../../src/ops/advice.js';
import { encodeFrame, Opcode } from '../../fuzz/wire.js';
import type { AbuseCase } from '../case.js';
import { enter } from '../sockets.js';

const FIRST = encodeFrame({ opcode: Opcode.text, payload: Buffer.from('x'), fin: false });
const EMPTY = encodeFrame({ opcode: Opcode.continuation, payload: Buffer.alloc(0), fin: false });

/** No message is ever complete, so nothing of ours counts them: what it costs is the reading alone. */
export const continuationFlood: AbuseCase = {
  name: 'continuation-flood',
  what: 'one socket begins a message and writes empty fragments of it as fast as it can',
  meets: [],
  knownLimit: () =>
    looseReceiveBound() === null
      ? null
      : 'µWebSockets.js reads on where 512 KiB are unread; set net.ipv4.tcp_rmem (docs/explanation/reliability.md, A limit of the library)',
  run: async (ground, signal) => {
    const [account] = await ground.agents(1);
    const fragments = Buffer.alloc(20_000 * EMPTY.length, EMPTY);
    while (!signal.aborted) {
      const socket = await enter(ground, account!, signal);
      socket.send(FIRST);
      while (!signal.aborted && !socket.over) await socket.pour(fragments);
      await socket.ended;
    }
  },
};
