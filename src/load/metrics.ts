/** Reads the text of a /metrics; `key` opens it where it is not open by itself. Throws where it answers anything else. */
export async function scrape(url: string, key: string | null): Promise<string> {
  const headers = key === null ? {} : { authorization: `Bearer ${key}` };
  const answer = await fetch(url, { headers });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  return answer.text();
}

/** The counters of a platform's shards, summed up. */
export interface ShardCounters {
  shards: number;
  committedHands: number;
  commits: number;
  /** Time with a commit in flight. */
  commitMs: number;
  cpuMs: number;
  /** Of the threads that hold sockets; 0 where the main thread does. */
}

/** Shards report about once a second, all their counters at once. */
export const shardCounters = (text: string): ShardCounters => ({
  shards: valuesOf(text, 'poker_shard_tables').length,
  committedHands: sumOf(text, 'poker_shard_committed_hands_total'),
  commits: sumOf(text, 'poker_commit_seconds_count'),
  commitMs: 1000 * sumOf(text, 'poker_commit_seconds_sum'),
  cpuMs: 1000 * sumOf(text, 'poker_shard_cpu_seconds_total'),
});

/** The figures of a whole server in its /metrics at one moment; null for a missing one. */
export interface ServerReading {
  cpuMs: number | null;
  committedHands: number | null;
  commits: number | null;
  commitMs: number | null;
  /** The longest p99 of any thread's event loop since it was read last. */
  loopP99Ms: number | null;
}

export function serverReading(text: string): ServerReading {
  const summed = (name: string, unit = 1) => (valuesOf(text, name).length === 0 ? null : unit * sumOf(text, name));
  const loops = [
    ...valuesOf(text, 'poker_event_loop_delay_seconds', 'stat="p99"'),
    ...valuesOf(text, 'nodejs_eventloop_lag_p99_seconds'),
  ];
  return {
    cpuMs: summed('process_cpu_seconds_total', 1000),
    committedHands: summed('poker_shard_committed_hands_total'),
    commits: summed('poker_commit_seconds_count'),
    commitMs: summed('poker_commit_seconds_sum', 1000),
    loopP99Ms: loops.length === 0 ? null : 1000 * Math.max(...loops),
  };
}

/** A server's work between two readings. */
export interface ServerUse {
  /** In percent of one core. */
  cpuPercent: number | null;
  cpuMsPerHand: number | null;
  committedHands: number | null;
  commits: number | null;
  /** The mean time of a commit. */
  commitMs: number | null;
  loopP99Ms: number | null;
}

/** `hands`: what the bots counted meanwhile, for servers that do not tell theirs. */
export function serverUse(before: ServerReading, after: ServerReading, ms: number, hands: number): ServerUse {
  const used = (of: Exclude<keyof ServerReading, 'loopP99Ms'>) =>
    before[of] === null || after[of] === null ? null : after[of] - before[of];
  const [cpuMs, commits, commitMs] = [used('cpuMs'), used('commits'), used('commitMs')];
  const committedHands = used('committedHands');
  return {
    cpuPercent: cpuMs === null ? null : (100 * cpuMs) / ms,
    cpuMsPerHand: cpuMs === null ? null : ratio(cpuMs, committedHands ?? hands),
    committedHands,
    commits,
    commitMs: commitMs === null || commits === null ? null : ratio(commitMs, commits),
    loopP99Ms: after.loopP99Ms,
  };
}

const ratio = (value: number, by: number): number | null => (by > 0 ? value / by : null);

/** All series of a name: labels and value. */
export const seriesOf = (text: string, name: string): [labels: string, value: number][] =>
  [...text.matchAll(new RegExp(`^${name}(\\{.*\\})? (\\S+)`, 'gm'))].map(([, labels = '', value]) => [
    labels,
    Number(value),
  ]);

/** The values of all series of a name. `label` chooses those that have it, such as `stat="p99"`. */
const valuesOf = (text: string, name: string, label = ''): number[] =>
  seriesOf(text, name)
    .filter(([labels]) => labels.includes(label))
    .map(([, value]) => value);

const sumOf = (text: string, name: string): number => valuesOf(text, name).reduce((sum, value) => sum + value, 0);
