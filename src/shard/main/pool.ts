import { assert } from '../../ops/assert.js';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { POOL_OPTIONS } from '../../ops/pool-options.js';
import { clockOrigin } from '../steady-clock.js';
import { ShardSupervisor } from './supervisor.js';
import type { ShardStats, ToShard } from '../messages.js';
import { HEARTBEAT, type ShardListener, type ShardPoolOptions } from './options.js';
import { SHARD_DEFAULTS } from '../task.js';

export type { Recovery, ShardListener, ShardLog, ShardPoolOptions, ShardReport } from './options.js';

export interface ShardPool {
  /** The first one's first: what is sent here reaches the shard, now or when it is up again. */
  readonly links: readonly { send(message: ToShard): void }[];
  /** Starts the threads; resolves when each has opened its stored tables, rejects when one seems never to. */
  start(listener: ShardListener): Promise<void>;
  /** True while the shard is up with all its stored tables. */
  isReady(shard: number): boolean;
  /** The latest report of each shard, null before the first. */
  stats(shard: number): ShardStats | null;
  /** No new hands. Resolves to true once none is running and all are stored, or to false after `ms`. */
  drain(ms: number): Promise<boolean>;
  /** Ends all threads; hands still running are void. */
  stop(): Promise<void>;
}

const ENTRY = new URL('../../../workers/shard.js', import.meta.url);

/** A thread that ended has so long to tell why, before it is found out that no other took its place. */
const REPLACED_MS = 200;

/** N threads, each bound to one shard for its life; a thread that dies or hangs is replaced, and its tables recovered. */
export function createShardPool(options: ShardPoolOptions): ShardPool {
  assert(options.threads > 0, 'a pool has a shard', options.threads);
  const heartbeat = { ...HEARTBEAT, ...options.heartbeat };
  const settings = { ...SHARD_DEFAULTS, ...options.settings };
  const origin = options.clockOrigin ?? clockOrigin();
  const entry = fileURLToPath(options.entry ?? ENTRY);
  const threads = Array.from({ length: options.threads }, () => threadFor(entry));
  const supervisors = threads.map(
    (thread, i) =>
      new ShardSupervisor(i, {
        ...options,
        settings,
        heartbeat,
        clockOrigin: origin,
        run: (task, signal) => thread.run(task, { transferList: [task.port], signal }) as Promise<void>,
      }),
  );
  for (const [shard, thread] of threads.entries()) watch(thread, supervisors[shard]!);

  let timer: NodeJS.Timeout | undefined;
  const stop = async () => {
    await Promise.all(supervisors.map((supervisor) => supervisor.stop()));
    clearInterval(timer);
    await Promise.all(threads.map(destroyed));
  };
  return {
    links: supervisors,
    start: async (listener) => {
      timer = setInterval(() => supervisors.forEach((supervisor) => supervisor.tick()), heartbeat.pingMs);
      try {
        await Promise.all(supervisors.map((supervisor) => supervisor.start(listener)));
      } catch (error) {
        await stop();
        throw error;
      }
    },
    isReady: (shard) => supervisors[shard]!.ready,
    stats: (shard) => supervisors[shard]!.stats,
    drain: async (ms) => {
      let late: NodeJS.Timeout | undefined;
      const deadline = new Promise<false>((resolve) => (late = setTimeout(() => resolve(false), ms)));
      const drained = Promise.all(supervisors.map((supervisor) => supervisor.drain())).then(() => true);
      return Promise.race([drained, deadline]).finally(() => clearTimeout(late));
    },
    stop,
  };
}

/**
 * One thread, and another one when it ends. A pool of its own, so that the end of one shard's thread is no other's
 * trouble.
 */
function threadFor(filename: string): Piscina {
  return new Piscina({
    ...POOL_OPTIONS,
    filename,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: 1,
    idleTimeout: Infinity,
    // A debugger shows all of piscina's threads alike: this tells what kind it looks at.
    workerData: { role: 'shard' },
  });
}

/** None of its threads is left, and none comes. */
async function destroyed(thread: Piscina): Promise<void> {
  // Piscina forgets at the end of `destroy` that it was called. A thread that it had replaced before, and that ends only
  // then, it replaces again: nobody else would ever end that one.
  thread.on('workerCreate', () => void thread.destroy());
  await thread.destroy();
}

function watch(thread: Piscina, supervisor: ShardSupervisor): void {
  // A thread that fails before it took a task, such as by a module that does not load.
  thread.on('error', (error: Error) => supervisor.failedToStart(error));
  // One that ends before it is ready is not replaced, and its task would stay in the queue.
  thread.on('workerDestroy', () => {
    const look = () => {
      if (thread.threads.length === 0) supervisor.failedToStart(new Error('its thread ended before it took its task'));
    };
    setTimeout(look, REPLACED_MS).unref();
  });
}
