import { parentPort, Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Action } from '../../sdk/typescript/src/hand.js';
import { POOL_OPTIONS } from '../ops/pool-options.js';
import { HostedBots } from './bots.js';
import type { DecisionTask } from './decision.js';
import type { BotsTask, FromBots, ToBots } from './orders.js';
import { yieldToOthers } from '../ops/priority.js';

const ENTRY = new URL('../../workers/hosted.js', import.meta.url);
const DECIDER = new URL('../../workers/decide.js', import.meta.url);
/** How long the bots may take to say goodbye. */
const STOP_MS = 2000;
/** A thread for decisions that has nothing to do for so long ends; one stays. */
const IDLE_MS = 30_000;

/** The main thread's hold on the bots' thread. */
export class BotsThread {
  readonly #worker: Worker;
  readonly #gone: Promise<void>;

  constructor(
    task: BotsTask,
    { onMessage, ended }: { onMessage: (message: FromBots) => void; ended: (reason: string) => void },
  ) {
    this.#worker = new Worker(ENTRY, { workerData: task });
    let reason = 'it ended';
    this.#worker.on('message', onMessage);
    this.#worker.on('error', (error) => (reason = error.message));
    this.#gone = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        ended(reason);
        resolve();
      });
    });
  }

  post(order: ToBots): void {
    this.#worker.postMessage(order);
  }

  /** Ends the bots' sockets, then the thread. */
  async stop(): Promise<void> {
    const late = setTimeout(() => void this.#worker.terminate(), STOP_MS);
    this.post({ t: 'stop' });
    await this.#gone;
    clearTimeout(late);
  }
}

/** The program of the thread. It ends when asked to, since nothing else then keeps it. */
export function runHostedBots(task: BotsTask): void {
  yieldToOthers();
  const threads = new Piscina<DecisionTask, Action>({
    ...POOL_OPTIONS,
    filename: DECIDER.href,
    minThreads: 1,
    maxThreads: task.threads,
    idleTimeout: IDLE_MS,
  });
  const decide = (turn: DecisionTask) => threads.run(turn, { signal: AbortSignal.timeout(task.decisionMs) });
  const bots = new HostedBots(task, decide, (message) => parentPort?.postMessage(message));
  parentPort?.on('message', (order: ToBots) => {
    if (order.t !== 'stop') return bots.order(order);
    parentPort?.removeAllListeners('message');
    void bots.stop().then(() => threads.close({ force: true }));
  });
}
