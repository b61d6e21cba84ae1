/** The counters of a platform's shards, summed up. */
export interface ShardCounters {
  shards: number;
  committedHands: number;
  commits: number;
  /** Time with a commit in flight. */
  commitMs: number;
  cpuMs: number;
  /** Of the threads that hold sockets; 0 where the main thread does. */
  frontsCpuMs: number;
}

/** Reads /metrics with the admin key. Shards report about once a second, all their counters at once. */
export async function shardCounters(url: string, adminKey: string): Promise<ShardCounters> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${adminKey}` } });
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
  const text = await answer.text();
  return {
    shards: valuesOf(text, 'poker_shard_tables').length,
    committedHands: sumOf(text, 'poker_shard_committed_hands_total'),
    commits: sumOf(text, 'poker_commit_seconds_count'),
    commitMs: 1000 * sumOf(text, 'poker_commit_seconds_sum'),
    cpuMs: 1000 * sumOf(text, 'poker_shard_cpu_seconds_total'),
    frontsCpuMs: 1000 * sumOf(text, 'poker_front_cpu_seconds_total'),
  };
}

/** One value a shard. */
const valuesOf = (text: string, name: string): number[] =>
  [...text.matchAll(new RegExp(`^${name}\\{.*\\} (.+)$`, 'gm'))].map(([, value]) => Number(value));

const sumOf = (text: string, name: string): number => valuesOf(text, name).reduce((sum, value) => sum + value, 0);
