import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AbuseCase, Ground } from '../case.js';

const REQUEST = Buffer.from('GET /docs HTTP/1.1\r\nHost: a\r\n\r\n');
const CONNECTIONS = 60;
const PAUSE_MS = 2;

/** Asks again and again, and never reads an answer. */
async function ask({ target, met }: Ground, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { host, port } = target;
    const socket = connect({ host, port, localAddress: target.from });
    socket.pause();
    socket.on('error', () => socket.destroy());
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    while (!signal.aborted && !socket.destroyed) {
      socket.write(REQUEST);
      await sleep(PAUSE_MS);
    }
    if (!signal.aborted) met.count('the connection ends');
    socket.destroy();
    await gone;
  }
}

export const unreadAnswers: AbuseCase = {
  name: 'unread-answers',
  what: `${CONNECTIONS} connections ask for /docs and never read an answer`,
  // The limit of pages of an address ends the attack first. A connection with an unread page ends as well.
  meets: [],
  run: async (ground, signal) => {
    await Promise.all(Array.from({ length: ground.many(CONNECTIONS) }, () => ask(ground, signal)));
  },
};
