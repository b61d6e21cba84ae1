import { seededRandom } from '../../../src/cards/shuffle.js';
import { runShard } from '../../../src/shard/host/shard.js';
import type { ShardTask } from '../../../src/shard/task.js';
import { machine } from './machine.js';

/** How long a fresh thread takes until it runs its task. */
const START_MS = 115;

/** The pool of threads: each task gets a simulated thread, on which a real shard is hosted. */
export class Piscina {
  /** The thread ends, and the task with it, when the signal says so or when nobody catches an exception in it. */
  run(task: ShardTask, { signal }: { signal: AbortSignal }): Promise<void> {
    const { kernel, dice, createTable, threadStarted, threadFailed } = machine();
    const front = kernel.current;
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null) => {
        thread.end();
        kernel.plan(kernel.now, () => (error === null ? resolve() : reject(error)), front);
      };
      const thread = kernel.spawn(`shard ${task.shard}`, front, (error) => {
        threadFailed(thread, error);
        settle(error);
      });
      threadStarted(thread, task);
      signal.addEventListener('abort', () => settle(new Error('the task was aborted')));
      const kit = { createTable, random: seededRandom(dice.int(0, 2 ** 32)) };
      const start = () => void runShard(task, kit).then(() => settle(null), thread.crashed);
      kernel.plan(kernel.now + START_MS, start, thread);
    });
  }

  on(): this {
    return this;
  }

  destroy(): Promise<void> {
    return Promise.resolve();
  }
}
