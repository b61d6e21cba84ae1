import { setMaxListeners } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawSocket } from '../../fuzz/raw-socket.js';
import type { Account } from '../../support/platform.js';
import type { AbuseCase, Ground } from '../case.js';
import { act, joins, say } from './seats.js';

const AGENTS = 24;
/** The hands of each, before they are asked for as files. */
const HANDS = 60;
/** Files at a time: one more than an agent may have. */
const FILES = 3;
/** To give the seats up, so that nobody waits for them. */
const LEAVE_MS = 1000;
const PIECE = 1024;
const PIECE_MS = 200;
const FORMATS = ['json', 'csv', 'phh', 'pokerstars'];

/** Resolves when it has read so many results; it plays on until the signal, so that nobody waits for it. */
function played(ground: Ground, account: Account, hands: number, signal: AbortSignal): Promise<RawSocket> {
  let left = hands;
  return new Promise((resolve) => {
    const own = joins(ground, account, signal, (message, socket) => {
      if (message.type === 'your_turn') say(socket, act(message));
      if (message.type === 'table_closed' || message.type === 'busted') say(socket, { type: 'join_lobby' });
      if (message.type === 'hand_result' && --left <= 0) resolve(socket);
    });
    signal.addEventListener('abort', () => resolve(own), { once: true });
  });
}

/** A file, read as slowly as one dares. */
async function crawl(ground: Ground, { key }: Account, format: string, signal: AbortSignal): Promise<void> {
  const { host, port, from } = ground.target;
  const path = `/api/me/hand-history/export?format=${format}&limit=1000000`;
  const answer = await new Promise<IncomingMessage | null>((resolve) => {
    const options = { host, port, localAddress: from, path, agent: false, signal };
    const asked = request({ ...options, headers: { authorization: `Bearer ${key}` } }, resolve);
    asked.on('error', () => resolve(null)).end();
  });
  if (answer === null) return;
  ground.met.count(String(answer.statusCode));
  answer.on('error', () => undefined);
  while (!signal.aborted && !answer.readableEnded && !answer.destroyed) {
    answer.read(Math.min(PIECE, answer.readableLength) || undefined);
    await sleep(PIECE_MS, undefined, { signal }).catch(() => undefined);
  }
  answer.destroy();
}

/** So many files at the same moment, and again when they are read. */
async function crawls(ground: Ground, account: Account, first: number, signal: AbortSignal): Promise<void> {
  const formats = Array.from({ length: FILES }, (_, n) => FORMATS[(first + n) % FORMATS.length]!);
  while (!signal.aborted) await Promise.all(formats.map((format) => crawl(ground, account, format, signal)));
}

export const slowExports: AbuseCase = {
  name: 'slow-exports',
  what: `${AGENTS} agents have ${FILES} files of their hands each written at a time, and read 5 KiB a second of each`,
  env: { BETWEEN_HANDS_MS: 100 },
  meets: ['200', '429'],
  run: async (ground, signal) => {
    const accounts = await ground.prepares(
      (async () => {
        // Two at least: one alone plays no hand.
        const all = await ground.agents(Math.max(2, ground.many(AGENTS)));
        const over = new AbortController();
        const playing = AbortSignal.any([signal, over.signal]);
        setMaxListeners(0, playing);
        const hands = ground.many(HANDS);
        const sockets = await Promise.all(all.map((account) => played(ground, account, hands, playing)));
        for (const socket of sockets) say(socket, { type: 'leave_table' });
        await sleep(LEAVE_MS, undefined, { signal }).catch(() => undefined);
        over.abort();
        return all;
      })(),
    );
    await Promise.all(accounts.map((account, n) => crawls(ground, account, n, signal)));
  },
};
