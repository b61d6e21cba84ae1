import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { Member } from './member.js';
import type { ShardStats, ToShard } from './messages.js';
import { HEARTBEAT, type ShardPoolOptions } from './options.js';
import { SHARD_DEFAULTS } from './task.js';

export type { Recovery, ShardLog, ShardPoolOptions, ShardReport } from './options.js';

export interface ShardPool {
  /** By shard number: what is sent here reaches the shard, now or when it is up again. */
  readonly links: readonly { send(message: ToShard): void }[];
  /** Posts what was sent to the shards so far: whatever is posted to others after that was sent after it. */
  flush(): void;
  /** A thread that holds sockets began its life: each shard that is up gets a port to it. */
  meet(front: number): void;
  /** Starts the threads; resolves when each has opened its stored tables, rejects when one seems never to. */
  start(): Promise<void>;
  /** True while the shard is up with all its stored tables. */
  isReady(shard: number): boolean;
  /** The latest report of each shard, null before the first. */
  stats(shard: number): ShardStats | null;
  /** No new hands. Resolves to true once none is running and all are stored, or to false after `ms`. */
  drain(ms: number): Promise<boolean>;
  /** Ends all threads; hands still running are void. */
  stop(): Promise<void>;
}

const ENTRY = new URL('../../workers/shard.js', import.meta.url);

/** N threads, each bound to one shard for its life; a thread that dies or hangs is replaced, and its tables recovered. */
export function createShardPool(options: ShardPoolOptions): ShardPool {
  const heartbeat = { ...HEARTBEAT, ...options.heartbeat };
  const piscina = new Piscina({
    filename: fileURLToPath(options.entry ?? ENTRY),
    minThreads: options.threads,
    maxThreads: options.threads,
    concurrentTasksPerWorker: 1,
    // Otherwise piscina freezes a thread before and after its task.
    atomics: 'disabled',
    idleTimeout: Infinity,
    // A debugger shows all of piscina's threads alike: this tells what kind it looks at.
    workerData: { role: 'shard' },
  });
  const members = Array.from(
    { length: options.threads },
    (_, shard) =>
      new Member(shard, {
        ...options,
        settings: { ...SHARD_DEFAULTS, ...options.settings },
        heartbeat,
        run: (task, signal) => piscina.run(task, { transferList: [task.port], signal }) as Promise<void>,
      }),
  );
  // A thread that fails before it took a task, such as by a module that does not load.
  piscina.on('error', (error: Error) => members.forEach((member) => member.failedToStart(error)));

  let timer: NodeJS.Timeout | undefined;
  const stop = async () => {
    await Promise.all(members.map((member) => member.stop()));
    clearInterval(timer);
    await piscina.destroy();
  };
  return {
    links: members,
    flush: () => members.forEach((member) => member.flush()),
    meet: (front) => members.forEach((member) => member.meet(front)),
    start: async () => {
      timer = setInterval(() => members.forEach((member) => member.tick()), heartbeat.pingMs);
      try {
        await Promise.all(members.map((member) => member.start()));
      } catch (error) {
        await stop();
        throw error;
      }
    },
    isReady: (shard) => members[shard]!.ready,
    stats: (shard) => members[shard]!.stats,
    drain: async (ms) => {
      let late: NodeJS.Timeout | undefined;
      const deadline = new Promise<false>((resolve) => (late = setTimeout(() => resolve(false), ms)));
      const drained = Promise.all(members.map((member) => member.drain())).then(() => true);
      return Promise.race([drained, deadline]).finally(() => clearTimeout(late));
    },
    stop,
  };
}
