import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { killAtExit } from '../command/children.js';
import { POOL_OPTIONS } from '../ops/pool-options.js';
import { endGroup } from './stdio/program.js';

/** How long commands may take to end after their lines have. */
const STOP_MS = 2000;
const LOOK_MS = 20;

/** Threads that play parts of a match. A thread tells the process group of each command that it starts. */
export class MatchThreads<Task, Result> {
  readonly #pool: Piscina;
  readonly #groups = new Set<number>();
  readonly #release = killAtExit(() => this.#groups.forEach((group) => endGroup(group, 'SIGKILL')));

  /** `worker` is a file of workers/. `tasks` is how many a thread plays at once. */
  constructor(worker: string, threads: number, tasks: number) {
    this.#pool = new Piscina({
      ...POOL_OPTIONS,
      filename: fileURLToPath(new URL(`../../workers/${worker}`, import.meta.url)),
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: tasks,
    });
    this.#pool.on('message', (group: number) => this.#groups.add(group));
  }

  run(task: Task): Promise<Result> {
    return this.#pool.run(task) as Promise<Result>;
  }

  /** Ends the threads, and the commands that they started. */
  async close(): Promise<void> {
    await this.#pool.destroy();
    await endGroups(this.#groups);
    this.#release();
  }
}

/** The end of its lines ends a command. One that goes on is asked by SIGTERM, then killed. */
async function endGroups(groups: ReadonlySet<number>): Promise<void> {
  const left = () => [...groups].filter((group) => endGroup(group, 0));
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const until = performance.now() + STOP_MS;
    while (left().length > 0 && performance.now() < until) await sleep(LOOK_MS);
    for (const group of left()) endGroup(group, signal);
  }
}
