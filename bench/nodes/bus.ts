import { Redis } from 'ioredis';
import { fileURLToPath } from 'node:url';
import { Child } from '../../src/command/child.js';
import type { Peer } from '../../src/nodes/peer.js';
import type { Steps } from '../benches.js';
import { median, told, type Figure } from '../report.js';
import { redisCpu } from './redis-cpu.js';
import { busOf, cpuMs, FIRST, OTHER, READ_EVERY, steady, type Word } from './wire.js';

/** Posts that may be on their way. */
const WINDOW = 400;
const FRAME = 800;
const FRAMES = 16;

/** As a shard leaves it: frames one after another, each for a socket. */
function batch() {
  const bytes = new ArrayBuffer(FRAME * FRAMES + 12 * FRAMES);
  const index = new Uint32Array(bytes, FRAME * FRAMES, 3 * FRAMES);
  for (let i = 0; i < FRAMES; i++) index.set([i + 1, i * FRAME, (i + 1) * FRAME], 3 * i);
  return { bytes, index };
}

/** Copied as it is sent: a shard's blocks are used again. */
const BATCH = batch();

const KINDS: Record<string, (peer: Peer<Word>, n: number) => void> = {
  'a message of 100 bytes': (peer, n) => peer.send({ t: 'post', n, text: 'x'.repeat(80) }),
  'a message and 16 frames, 13 kB': (peer, n) => {
    peer.frames(BATCH);
    peer.send({ t: 'post', n, text: 'x'.repeat(80) });
  },
};

/** Steps of `measureBus`. */
export const BUS_STEPS = 1 + Object.keys(KINDS).length;

/**
 * The bus alone: two processes and a Redis of their own on one machine. How long a message and its answer take, and what
 * a post costs each of the three: a lone message, and what a shard may say in a turn (messages and frames).
 */
export async function measureBus(
  { seconds, pings }: { seconds: number; pings: number },
  steps: Steps,
): Promise<Figure[]> {
  const script = fileURLToPath(new URL('other.js', import.meta.url));
  const other = new Child<object, { path: string; cpu: number }>('the other node', script);
  const { path } = await other.next();
  const redis = new Redis(path);
  const bus = busOf(FIRST, path);
  let heard: (word: Word) => void = () => undefined;
  let stands: () => void = () => undefined;
  const standing = new Promise<void>((resolve) => (stands = resolve));
  await bus.begin({ ...steady, healed: () => stands(), message: (_peer, word) => heard(word) });
  const peer = bus.peer(OTHER);
  await standing;

  const figures: Figure[] = [];

  async function answers(count: number): Promise<number[]> {
    const times: number[] = [];
    for (let n = 0; n < count; n++) {
      const began = performance.now();
      await new Promise<void>((resolve) => {
        heard = () => resolve();
        peer.send({ t: 'ping', n });
      });
      times.push(1000 * (performance.now() - began));
    }
    return times;
  }

  steps.next('a message and its answer');
  await answers(500);
  const times = (await answers(pings)).sort((a, b) => a - b);
  figures.push(
    told('message and its answer: p50', median(times), 'µs'),
    told('message and its answer: p99', times[Math.floor(0.99 * times.length)]!, 'µs'),
  );

  /** How many the other has read in all, and posts sent. */
  let read = 0;
  let sent = 0;
  /** Sends one post a turn, as long as not too many wait; then it waits for the reader, and does nothing. */
  async function flood(say: (peer: Peer<Word>, n: number) => void, ms: number): Promise<void> {
    let more: () => void = () => undefined;
    heard = (word) => {
      if (word.t === 'read') read = word.n;
      more();
    };
    const hears = () => new Promise<void>((resolve) => (more = resolve));
    for (const end = performance.now() + ms; performance.now() < end;) {
      if (sent - read >= WINDOW) await hears();
      say(peer, ++sent);
      await new Promise(setImmediate);
    }
    while (sent - read >= READ_EVERY) await hears();
  }

  for (const [name, say] of Object.entries(KINDS)) {
    steps.next(name);
    await flood(say, 500);
    const [began, before] = [
      performance.now(),
      { sent, own: cpuMs(), other: (await other.ask({})).cpu, redis: await redisCpu(redis) },
    ];
    await flood(say, 1000 * seconds);
    const [ms, posts] = [performance.now() - began, sent - before.sent];
    figures.push(
      told(`${name}: posts`, (1000 * posts) / ms, '1/s'),
      told(`${name}: CPU of the sender`, (1000 * (cpuMs() - before.own)) / posts, 'µs a post'),
      told(`${name}: CPU of the reader`, (1000 * ((await other.ask({})).cpu - before.other)) / posts, 'µs a post'),
      told(`${name}: CPU of Redis`, (1000 * ((await redisCpu(redis)) - before.redis)) / posts, 'µs a post'),
    );
  }

  await bus.close();
  redis.disconnect();
  await other.stop();
  return figures;
}
