import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { HANDS, SECONDS } from '../ops/buckets.js';
import type { ShardSpans, ShardStats } from '../shard/messages.js';
import { gaugeOf, ShardHistogram, totalOf, TotalsByKind } from './kinds.js';

/** The main thread's gauges at the moment of a scrape. */
export interface FrontGauges {
  sockets: number;
  watchers: number;
  watchSeconds: number;
  lobby: number;
  tables: number;
  framesOut: number;
  bytesOut: number;
  messagesIn: number;
  rateLimited: number;
  invalid: number;
  slowReaders: number;
  shardsWithoutDatabase: number;
  emailsWaiting: number;
}

/** How often the loop is sampled, which wakes the thread; the sample's own wait is no delay. */
const LOOP_SAMPLE_MS = 50;

const GAUGES: readonly [name: string, key: keyof FrontGauges, help: string][] = [
  ['poker_sockets', 'sockets', 'Open sockets'],
  ['poker_watchers', 'watchers', 'Open sockets that watch a table'],
  ['poker_lobby_agents', 'lobby', 'Agents that wait for a seat'],
  ['poker_tables', 'tables', 'Open tables'],
  ['poker_shards_without_database', 'shardsWithoutDatabase', 'Shards without their database. Their tables wait'],
  ['poker_mails_waiting', 'emailsWaiting', 'Mails that are not sent yet'],
];

const TOTALS: readonly [name: string, key: keyof FrontGauges, help: string][] = [
  ['poker_frames_sent_total', 'framesOut', 'Table frames sent to sockets'],
  ['poker_sent_bytes_total', 'bytesOut', 'Bytes in these frames'],
  ['poker_messages_received_total', 'messagesIn', 'Messages of clients'],
  ['poker_messages_rate_limited_total', 'rateLimited', 'Messages refused by their rate'],
  ['poker_messages_invalid_total', 'invalid', 'Messages refused by their schema'],
  [
    'poker_watch_seconds_total',
    'watchSeconds',
    'Time of the turns of the event loop that wrote to spectators: at most 3 % of a thread',
  ],
  ['poker_slow_readers_closed_total', 'slowReaders', 'Sockets closed with 1013 because their clients did not read'],
];

type ShardTotal = 'hands' | 'actions' | 'frames' | 'frameBytes' | 'committedHands' | 'heldHands' | 'cpuMs';

const SHARD_TOTALS: readonly [name: string, key: ShardTotal, help: string, unit: number][] = [
  ['poker_shard_hands_total', 'hands', 'Hands finished', 1],
  ['poker_shard_committed_hands_total', 'committedHands', 'Hands in the database', 1],
  [
    'poker_shard_held_hands_total',
    'heldHands',
    'Hands that were delayed because their pool had used its share of the shard',
    1,
  ],
  ['poker_shard_actions_total', 'actions', 'Actions that reached a table, rejected ones included', 1],
  ['poker_shard_frames_total', 'frames', 'Frames addressed to sockets', 1],
  [
    'poker_shard_frame_bytes_total',
    'frameBytes',
    'Bytes written for frames. A frame for several readers counts once',
    1,
  ],
  ['poker_shard_cpu_seconds_total', 'cpuMs', 'CPU time of the shard thread', 1 / 1000],
];

const SPANS: readonly [name: string, key: keyof ShardSpans, help: string, bounds: readonly number[]][] = [
  [
    'poker_action_seconds',
    'action',
    'Time from the reading of an action by its shard until its ack is written',
    SECONDS,
  ],
  ['poker_shard_queue_seconds', 'queue', 'How long messages wait for their shard, sampled by heartbeats', SECONDS],
  ['poker_hand_storing_seconds', 'storing', 'Time from the end of a hand until it is stored and sent', SECONDS],
  ['poker_commit_seconds', 'commit', 'Time of a group commit', SECONDS],
  ['poker_commit_hands', 'batch', 'Number of hands of a group commit', HANDS],
];

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Gauges that the library names like counters; it has them by type as well. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * The /metrics of the platform (Prometheus text, by its conventions: seconds, bytes, `_total` for counters only).
 * Shards report running totals with each heartbeat (`shard`), the main thread is asked at scrape time. Never public:
 * see metrics-http.ts.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #totals = new TotalsByKind<string>();
  readonly #shardTotals: ReadonlyMap<ShardTotal, Counter<'shard'>>;
  readonly #spans: ReadonlyMap<keyof ShardSpans, ShardHistogram>;
  readonly #tables: Gauge<'shard'>;
  readonly #loop: Gauge<'thread' | 'stat'>;
  readonly #answers: Counter<'method' | 'route' | 'status'>;
  readonly #requests: Histogram<'method' | 'route'>;

  constructor(front: () => FrontGauges) {
    const { registry } = this;
    const registers = [registry];
    collectDefaultMetrics({ register: registry });
    for (const name of MISNAMED) registry.removeSingleMetric(name);
    for (const [name, key, help] of GAUGES) gaugeOf(registry, name, help, () => front()[key]);
    for (const [name, key, help] of TOTALS) totalOf(registry, name, help, () => front()[key]);
    const shardTotal = (name: string, help: string) => new Counter({ name, help, labelNames: ['shard'], registers });
    this.#shardTotals = new Map(SHARD_TOTALS.map(([name, key, help]) => [key, shardTotal(name, help)]));
    this.#spans = new Map(SPANS.map(([name, key, help, by]) => [key, new ShardHistogram(registry, name, help, by)]));
    this.#tables = new Gauge({ name: 'poker_shard_tables', help: 'Open tables', labelNames: ['shard'], registers });
    this.#loop = loopGauge(registry);
    this.#answers = new Counter({
      name: 'poker_http_answers_total',
      help: 'REST answers. route none: no endpoint',
      labelNames: ['method', 'route', 'status'],
      registers,
    });
    this.#requests = new Histogram({
      name: 'poker_http_request_seconds',
      help: 'Time from a whole request until its answer begins, by route',
      labelNames: ['method', 'route'],
      buckets: SECONDS.filter((bound) => bound >= 0.0005),
      registers,
    });
  }

  /** Takes a shard's running totals. */
  shard(shard: number, stats: ShardStats): void {
    for (const [, key, , unit] of SHARD_TOTALS) {
      const counter = this.#shardTotals.get(key)!;
      counter.remove({ shard });
      counter.inc({ shard }, unit * this.#totals.take(`${shard} ${key}`, stats[key]));
    }
    for (const [key, histogram] of this.#spans) histogram.take(shard, stats.spans[key]);
    this.#tables.set({ shard }, stats.tables);
    this.#thread(`shard-${shard}`, stats);
  }

  /** `method` is as the client wrote it, so unknown ones share a series. */
  answered(method: string, route: string, status: number, seconds: number): void {
    const known = METHODS.includes(method) ? method : 'other';
    this.#answers.inc({ method: known, route, status });
    this.#requests.observe({ method: known, route }, seconds);
  }

  /** Which node this is, and whether it leads. */
  node(node: () => string, role: () => 'leader' | 'follower'): void {
    new Gauge({
      name: 'poker_node_info',
      help: 'This node with its id, and whether it leads',
      labelNames: ['node', 'role'],
      registers: [this.registry],
      collect() {
        this.reset();
        this.set({ node: node(), role: role() }, 1);
      },
    });
  }

  /** The traffic between this node and the others, read at the scrape. */
  nodes(figures: () => { sockets: { out: number; in: number }; sent: Readonly<Record<string, number>> }): void {
    new Gauge({
      name: 'poker_relayed_sockets',
      help: 'Sockets here with their session at another node (out), and sessions here of sockets elsewhere (in)',
      labelNames: ['direction'],
      registers: [this.registry],
      collect() {
        for (const [direction, count] of Object.entries(figures().sockets)) this.set({ direction }, count);
      },
    });
    new Counter({
      name: 'poker_node_messages_total',
      help: 'Messages to other nodes: frames to relayed clients, messages of relayed clients, and calls (notices and requests)',
      labelNames: ['kind'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [kind, count] of Object.entries(figures().sent)) this.inc({ kind }, count);
      },
    });
  }

  /** Withdrawals that do not go on, by reason, asked at scrape time. */
  withdrawals(waiting: () => Readonly<Record<string, number>>): void {
    new Gauge({
      name: 'poker_withdrawals_waiting',
      help: 'Withdrawals that wait, by reason, as of the last round of the signer',
      labelNames: ['reason'],
      registers: [this.registry],
      collect() {
        for (const [reason, count] of Object.entries(waiting())) this.set({ reason }, count);
      },
    });
  }

  /** Payments that wait for a decision, read at the scrape. */
  payments(
    figures: () => {
      lostDeposits: number;
      lostWithdrawals: number;
      oldestWithdrawal: number;
      failures: number;
      agree: boolean;
    },
  ): void {
    const gauge = (name: string, help: string, value: () => number) => gaugeOf(this.registry, name, help, value);
    gauge('poker_deposits_lost', 'Credited deposits that the chain has dropped', () => figures().lostDeposits);
    gauge('poker_withdrawals_lost', 'Decided withdrawals that the chain contradicts', () => figures().lostWithdrawals);
    gauge(
      'poker_withdrawal_oldest_seconds',
      'Age of the oldest open withdrawal. 0 without one',
      () => figures().oldestWithdrawal,
    );
    gauge('poker_books_disagree', '1 while ledger and treasury disagree', () => Number(!figures().agree));
    gauge('poker_chain_failures', 'Consecutive failed requests to the chain', () => figures().failures);
  }

  /** Mails that a full quota refused, by `KIND OF SHARE`; asked at scrape time. */
  mails(refused: ReadonlyMap<string, number>): void {
    new Counter({
      name: 'poker_mails_refused_total',
      help: 'Mails refused by a full quota, by kind of mail, what the quota counts, and whose share is full',
      labelNames: ['kind', 'of', 'share'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [key, count] of refused) {
          const [kind, of, share] = key.split(' ') as [string, string, string];
          this.inc({ kind, of, share }, count);
        }
      },
    });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  #thread(thread: string, { loopMeanMs, loopP99Ms }: Pick<ShardStats, 'loopMeanMs' | 'loopP99Ms'>): void {
    this.#loop.set({ thread, stat: 'mean' }, loopMeanMs / 1000);
    this.#loop.set({ thread, stat: 'p99' }, loopP99Ms / 1000);
  }
}

/** The delay of all loops; of this thread's the longest, too, since nobody else keeps that. */
function loopGauge(registry: Registry): Gauge<'thread' | 'stat'> {
  const loop = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS });
  loop.enable();
  return new Gauge({
    name: 'poker_event_loop_delay_seconds',
    help: 'Event-loop delay by thread, mean and p99: shards since their last report, the main thread (front, also max) since the last scrape',
    labelNames: ['thread', 'stat'],
    registers: [registry],
    collect() {
      const seconds = (ns: number) => (Number.isFinite(ns) ? Math.max(0, ns / 1e6 - LOOP_SAMPLE_MS) / 1000 : 0);
      this.set({ thread: 'front', stat: 'mean' }, seconds(loop.mean));
      this.set({ thread: 'front', stat: 'p99' }, seconds(loop.percentile(99)));
      this.set({ thread: 'front', stat: 'max' }, seconds(loop.max));
      loop.reset();
    },
  });
}
