import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { registerBots } from '../../bench/host/accounts.js';
import { Child } from '../../src/command/child.js';
import { Histogram } from '../../src/load/histogram.js';
import { faultsOf, Load } from '../../src/load/load.js';
import type { Scope } from '../support/database.js';
import type { ForkedPlatform } from '../support/forked-platform.js';
import type { WitnessAnswer, WitnessOrder } from './witness.js';

/** The honest clients' view of a stretch of time, and the server's cost. */
export interface Felt {
  handsPerSecond: number;
  /** ms from an action to its ack. */
  acks: Histogram;
  /** ms of a WebSocket's ping and its pong. */
  pings: Histogram;
  /** ms of a request to the REST API. */
  requests: Histogram;
  /** The most resident memory of the server meanwhile, in MiB. */
  rss: number;
  /** Their troubles: closed sockets, errors, refusals. */
  faults: Record<string, number>;
}

const TABLES = 4;
const SIX = 6;
/** Each asks once a second at most: that is what one key may. */
const WITNESSES = 8;
const RSS_EVERY_MS = 100;
const PIECE_MS = 2000;
const WITNESS = fileURLToPath(new URL('witness.js', import.meta.url));

/** Honest bots at tables of six, and some who only ask how fast they are answered, all in processes of their own. */
export class Honest {
  private constructor(
    private readonly platform: ForkedPlatform,
    private readonly load: Load,
    private readonly witness: Child<WitnessOrder, WitnessAnswer>,
  ) {}

  /** Resolves when all of them play. */
  static async gather(t: Scope, platform: ForkedPlatform, bots = TABLES * SIX): Promise<Honest> {
    const { url, wsUrl, port } = platform;
    const apiKeys = await registerBots(url, bots, 'load');
    const load = await Load.connect({ target: { host: '127.0.0.1', port }, apiKeys, players: Math.min(SIX, bots) });
    t.teardown(() => load.stop());
    const witness = new Child<WitnessOrder, WitnessAnswer>('witness', WITNESS);
    t.teardown(() => witness.stop());
    await witness.ask({ order: 'connect', url, wsUrl, apiKeys: await registerBots(url, WITNESSES, 'witness') });
    await load.play();
    return new Honest(platform, load, witness);
  }

  /** Feels for so long. */
  async feel(ms: number): Promise<Felt> {
    let rss = 0;
    const memory = setInterval(() => (rss = Math.max(rss, rssOf(this.platform))), RSS_EVERY_MS);
    const began = performance.now();
    try {
      await this.witness.ask({ order: 'begin' });
      const seen = await this.load.measure(ms / 1000, async () => undefined);
      const seconds = (performance.now() - began) / 1000;
      const { pings, requests, faults } = await this.witness.ask({ order: 'end' });
      return {
        handsPerSecond: seen.hands / seconds,
        acks: seen.latencies,
        pings: new Histogram(pings),
        requests: new Histogram(requests),
        rss: Math.max(rss, rssOf(this.platform)),
        faults: { ...faultsOf(seen), ...faults },
      };
    } finally {
      clearInterval(memory);
    }
  }

  /** Feels for as long as the work takes. */
  async feelWhile(work: Promise<unknown>): Promise<Felt> {
    let working = true;
    const done = work.finally(() => (working = false));
    const pieces = [await this.feel(PIECE_MS)];
    while (working) pieces.push(await this.feel(PIECE_MS));
    await done;
    return together(pieces);
  }

  /** Lets code be compiled and queues run empty. */
  static settle(ms: number): Promise<void> {
    return sleep(ms);
  }
}

/** Faults are counted from the beginning on, all else by piece. */
function together(pieces: readonly Felt[]): Felt {
  const all = (of: (felt: Felt) => Histogram) => pieces.reduce((sum, felt) => sum.merge(of(felt)), new Histogram());
  return {
    handsPerSecond: pieces.reduce((sum, felt) => sum + felt.handsPerSecond, 0) / pieces.length,
    acks: all(({ acks }) => acks),
    pings: all(({ pings }) => pings),
    requests: all(({ requests }) => requests),
    rss: Math.max(...pieces.map(({ rss }) => rss)),
    faults: pieces.at(-1)!.faults,
  };
}

/** Resident memory of the platform in MiB. */
export function rssOf({ pid }: ForkedPlatform): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error('the platform is gone');
  return Math.round(Number(kib) / 1024);
}
