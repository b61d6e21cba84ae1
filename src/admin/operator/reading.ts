import { countOf } from '../../ops/buckets.js';
import type { ShardStats } from '../../shard/messages.js';

/** The counts of the platform's threads, and their rates between two looks. Pure. */

/** Running totals since the thread began, and how late its loop is. */
interface Thread {
  cpuMs: number;
  loopMeanMs: number;
  loopP99Ms: number;
}

/** All that is read at one moment. */
export interface Reading {
  /** Epoch ms. */
  at: number;
  /** CPU time of the process, in ms. */
  processCpuMs: number;
  memoryBytes: number;
  main: Thread;
  /** Null before a shard's first report. */
  shards: readonly { running: boolean; stats: ShardStats | null }[];
  /** Messages of clients since the start. */
  messages: number;
  tables: number;
  sockets: number;
  watchers: number;
  lobby: number;
  mails: number;
}

export interface ThreadFigures {
  name: string;
  running: boolean;
  cpu: number;
  loop_mean_ms: number;
  loop_p99_ms: number;
  tables: number | null;
  hands_per_second: number | null;
  sockets: number | null;
}

/** Figures of one moment, by what passed since the reading before. */
export interface MetricSample {
  at: number;
  threads: ThreadFigures[];
  hands_per_second: number;
  actions_per_second: number;
  messages_per_second: number;
  commit_ms: number | null;
  hands_waiting: number;
  cpu: number;
  main_cpu: number;
  shards_cpu: number;
  main_loop_p99_ms: number;
  shards_loop_p99_ms: number;
  memory_mb: number;
  tables: number;
  sockets: number;
  watchers: number;
  lobby: number;
  mails_waiting: number;
}

/** A total that fell began again at zero: its thread was replaced. */
const grown = (now: number, before: number) => (now >= before ? now - before : now);
const rounded = (value: number) => Math.round(value * 1000) / 1000;
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const worst = (threads: readonly ThreadFigures[]) => Math.max(0, ...threads.map(({ loop_p99_ms }) => loop_p99_ms));

export function sampleOf(now: Reading, before: Reading): MetricSample {
  const seconds = Math.max(0.001, (now.at - before.at) / 1000);
  const rate = (value: number, last: number) => rounded(grown(value, last) / seconds);
  const cpu = (thread: Thread | null, last: Thread | null | undefined) =>
    thread === null ? 0 : rate(thread.cpuMs / 1000, (last?.cpuMs ?? thread.cpuMs) / 1000);
  const loop = (thread: Thread | null) => ({
    loop_mean_ms: rounded(thread?.loopMeanMs ?? 0),
    loop_p99_ms: rounded(thread?.loopP99Ms ?? 0),
  });
  const nothing = { tables: null, hands_per_second: null, sockets: null };
  /** By what a shard counts; one that had not reported before has no rate yet. */
  const shardRate = (shard: number, of: (stats: ShardStats) => number) => {
    const [stats, last] = [now.shards[shard]!.stats, before.shards[shard]?.stats];
    return stats === null || !last ? 0 : rate(of(stats), of(last));
  };

  const main: ThreadFigures = {
    name: 'main',
    running: true,
    cpu: cpu(now.main, before.main),
    ...loop(now.main),
    ...nothing,
    sockets: now.sockets,
  };
  const shards = now.shards.map(({ running, stats }, shard): ThreadFigures => ({
    name: `shard-${shard}`,
    running,
    cpu: cpu(stats, before.shards[shard]?.stats),
    ...loop(stats),
    ...nothing,
    tables: stats?.tables ?? 0,
    hands_per_second: shardRate(shard, ({ hands }) => hands),
  }));
  const ofShards = (of: (stats: ShardStats) => number) =>
    rounded(sumOf(now.shards.map((_, shard) => shardRate(shard, of))));
  const cpuOf = (threads: readonly ThreadFigures[]) => rounded(sumOf(threads.map((thread) => thread.cpu)));
  return {
    at: now.at,
    threads: [main, ...shards],
    hands_per_second: ofShards(({ hands }) => hands),
    actions_per_second: ofShards(({ actions }) => actions),
    messages_per_second: rate(now.messages, before.messages),
    commit_ms: meanCommitMs(now, before),
    hands_waiting: sumOf(now.shards.map(({ stats }) => (stats ? Math.max(0, stats.hands - stats.committedHands) : 0))),
    cpu: rate(now.processCpuMs / 1000, before.processCpuMs / 1000),
    main_cpu: main.cpu,
    shards_cpu: cpuOf(shards),
    main_loop_p99_ms: main.loop_p99_ms,
    shards_loop_p99_ms: worst(shards),
    memory_mb: rounded(now.memoryBytes / 1e6),
    tables: now.tables,
    sockets: now.sockets,
    watchers: now.watchers,
    lobby: now.lobby,
    mails_waiting: now.mails,
  };
}

/** Null where nothing was stored meanwhile. */
function meanCommitMs(now: Reading, before: Reading): number | null {
  let [commits, seconds] = [0, 0];
  for (const [shard, { stats }] of now.shards.entries()) {
    const last = before.shards[shard]?.stats;
    if (stats === null || !last) continue;
    commits += grown(countOf(stats.spans.commit), countOf(last.spans.commit));
    seconds += grown(stats.spans.commit.sum, last.spans.commit.sum);
  }
  return commits === 0 ? null : rounded((1000 * seconds) / commits);
}
