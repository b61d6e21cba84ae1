import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFrame, Opcode } from '../../fuzz/wire.js';
import type { AbuseCase } from '../case.js';
import { enter } from '../sockets.js';

const PIECE = Buffer.alloc(8 * 1024, 'x');
const AGENTS = 200;
const PAUSE_MS = 200;

export const slowFragments: AbuseCase = {
  name: 'slow-fragments',
  what: `${AGENTS} sockets send one message each, 8 KiB at a time with pauses, and never end it`,
  meets: ['drop'],
  run: async (ground, signal) => {
    const accounts = await ground.agents(ground.many(AGENTS));
    const trickle = async (account: (typeof accounts)[number]) => {
      while (!signal.aborted) {
        const socket = await enter(ground, account, signal);
        for (let n = 0; !signal.aborted && !socket.over; n++) {
          const opcode = n === 0 ? Opcode.text : Opcode.continuation;
          socket.send(encodeFrame({ opcode, payload: PIECE, fin: false }));
          await sleep(PAUSE_MS);
        }
        await socket.ended;
      }
    };
    await Promise.all(accounts.map(trickle));
  },
};
