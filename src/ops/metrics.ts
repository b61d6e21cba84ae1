import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Page } from '../gateway/router.js';
import type { FrontStats } from '../gateway/front-messages.js';
import type { ShardStats } from '../shard/messages.js';

/** What the front counts at the moment of a scrape. */
export interface FrontGauges {
  sockets: number;
  lobby: number;
  tables: number;
  framesOut: number;
  bytesOut: number;
  messagesIn: number;
  rateLimited: number;
  invalid: number;
  slowReaders: number;
  shardsWithoutDatabase: number;
  mailsWaiting: number;
}

/** How often the loop is sampled; the sample's own wait is no delay. */
const LOOP_SAMPLE_MS = 10;

const perShard = {
  hands: 'Hands finished',
  actions: 'Actions received',
  frames: 'Frames addressed to sockets',
  frameBytes: 'Bytes of those frames',
  commits: 'Group commits',
  committedHands: 'Hands committed',
  commitMs: 'Time spent waiting for commits, in ms',
  cpuMs: 'CPU time of the shard thread, in ms',
} as const;

/**
 * The /metrics of the platform (Prometheus text). Shards report running totals with each heartbeat (`shard`), the front
 * is asked at scrape time. Never public: main.ts serves it on a loopback listener or behind the admin key.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #last = new Map<number, ShardStats>();
  readonly #counters: Record<keyof typeof perShard, Counter<'shard'>>;
  readonly #tables: Gauge<'shard'>;
  readonly #loop: Gauge<'thread' | 'stat'>;
  readonly #batch: Histogram;
  readonly #fronts: { cpu: Gauge<'front'>; frames: Gauge<'front'>; sockets: Gauge<'front'> };
  readonly #answers: Counter<'method' | 'route' | 'status'>;

  constructor(front: () => FrontGauges) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
    this.#counters = Object.fromEntries(
      Object.entries(perShard).map(([key, help]) => [
        key,
        new Counter({ name: `poker_shard_${snake(key)}_total`, help, labelNames: ['shard'], registers }),
      ]),
    ) as Record<keyof typeof perShard, Counter<'shard'>>;
    this.#tables = new Gauge({ name: 'poker_shard_tables', help: 'Open tables', labelNames: ['shard'], registers });
    const loop = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS });
    loop.enable();
    this.#loop = new Gauge({
      name: 'poker_event_loop_delay_ms',
      help: 'Event-loop delay by thread: shards since their last report, the front since the last scrape',
      labelNames: ['thread', 'stat'],
      registers,
      collect() {
        const delay = (ns: number) => Math.max(0, ns / 1e6 - LOOP_SAMPLE_MS);
        this.set({ thread: 'front', stat: 'mean' }, delay(loop.mean));
        this.set({ thread: 'front', stat: 'p99' }, delay(loop.percentile(99)));
        loop.reset();
      },
    });
    this.#batch = new Histogram({
      name: 'poker_commit_batch_hands',
      help: 'Hands in the last group commit, sampled at each heartbeat',
      buckets: [1, 2, 5, 10, 20, 50, 100],
      registers,
    });
    const perFront = (name: string, help: string) => new Gauge({ name, help, labelNames: ['front'], registers });
    this.#fronts = {
      cpu: perFront('poker_front_cpu_ms_total', 'CPU time of the front thread, in ms (FRONTS above 1)'),
      frames: perFront('poker_front_frames_total', 'Frames of shards that the front thread forwarded'),
      sockets: perFront('poker_front_sockets', 'Sockets of the front thread'),
    };
    this.#answers = new Counter({
      name: 'poker_http_answers_total',
      help: 'REST answers',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.#front(front);
  }

  /** Takes a shard's running totals; a restarted thread begins at zero again, which counters must not follow down. */
  shard(shard: number, stats: ShardStats): void {
    const before = this.#last.get(shard);
    this.#last.set(shard, stats);
    for (const key of Object.keys(perShard) as (keyof typeof perShard)[]) {
      const base = before && before[key] <= stats[key] ? before[key] : 0;
      this.#counters[key].inc({ shard }, stats[key] - base);
    }
    this.#tables.set({ shard }, stats.tables);
    this.#loop.set({ thread: `shard-${shard}`, stat: 'mean' }, stats.loopMeanMs);
    this.#loop.set({ thread: `shard-${shard}`, stat: 'p99' }, stats.loopP99Ms);
    if (stats.commits > (before?.commits ?? 0)) this.#batch.observe(stats.lastBatch);
  }

  /** Takes the totals of a thread that holds sockets, over all its lives. */
  frontThread(front: number, { cpuMs, frames, sockets, loopMeanMs, loopP99Ms }: FrontStats): void {
    this.#fronts.cpu.set({ front }, cpuMs);
    this.#fronts.frames.set({ front }, frames);
    this.#fronts.sockets.set({ front }, sockets);
    this.#loop.set({ thread: `front-${front}`, stat: 'mean' }, loopMeanMs);
    this.#loop.set({ thread: `front-${front}`, stat: 'p99' }, loopP99Ms);
  }

  answered(method: string, route: string, status: number): void {
    this.#answers.inc({ method, route, status });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  #front(read: () => FrontGauges): void {
    const names = {
      sockets: 'poker_sockets',
      lobby: 'poker_lobby_agents',
      tables: 'poker_tables',
      framesOut: 'poker_frames_out',
      bytesOut: 'poker_bytes_out',
      messagesIn: 'poker_messages_in',
      rateLimited: 'poker_messages_rate_limited',
      invalid: 'poker_messages_invalid',
      slowReaders: 'poker_slow_readers_closed',
      shardsWithoutDatabase: 'poker_shards_without_database',
      mailsWaiting: 'poker_mails_waiting',
    } as const;
    for (const [key, name] of Object.entries(names) as [keyof FrontGauges, string][]) {
      new Gauge({
        name,
        help: `Front: ${key}`,
        registers: [this.registry],
        collect() {
          this.set(read()[key]);
        },
      });
    }
  }
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A listener of its own for scrapers, on loopback only; port 0 takes a free one. */
export function serveMetrics(metrics: Metrics, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** /metrics on the public port, for the bearer of the admin key only. */
export function metricsPage(metrics: Metrics, adminKey: string): Page {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(`Bearer ${adminKey}`);
  return async (request) => {
    const headers = { 'content-type': 'text/plain', 'cache-control': 'no-store' };
    if (!timingSafeEqual(digest(request.header('authorization')), expected)) {
      return { status: 401, headers: { ...headers, 'www-authenticate': 'Bearer' }, body: 'the admin key is missing\n' };
    }
    return {
      status: 200,
      headers: { ...headers, 'content-type': metrics.registry.contentType },
      body: await metrics.text(),
    };
  };
}
