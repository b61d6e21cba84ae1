import { Worker } from 'node:worker_threads';
import type { HouseTask } from './house.js';

/** As much of a logger as this needs. */
export interface HouseLog {
  warn(detail: Record<string, unknown>, message: string): void;
}

/** The orders to the thread. */
export type HouseOrder = 'hurry' | 'stop';

/** The thread's only message: what went wrong with a bot. */
export interface HouseBotTrouble {
  name: string;
  reason: string;
}

const ENTRY = new URL('../../workers/house.js', import.meta.url);
const RESTART_MS = 1000;
/** How long the bots may take to say goodbye. */
const STOP_MS = 2000;

/** The thread that the house bots live on, away from the front: they think as long as a game takes. */
export class HouseThread {
  #worker: Worker | null = null;
  #restart: NodeJS.Timeout | null = null;
  #stopping = false;

  constructor(
    private readonly task: HouseTask,
    private readonly log: HouseLog,
  ) {}

  /** Resolves when the thread runs, not when its bots sit. */
  async start(): Promise<void> {
    const worker = new Worker(ENTRY, { workerData: this.task });
    this.#worker = worker;
    worker.on('message', (trouble: HouseBotTrouble) => this.log.warn({ ...trouble }, 'a house bot has an error'));
    worker.on('error', (error) => this.log.warn({ err: error }, 'house bots failed'));
    worker.on('exit', () => this.#exited());
    await new Promise<void>((resolve) => worker.once('online', resolve).once('exit', resolve));
  }

  /** The bots play without pauses from now on, so that a closing server need not wait for them. */
  hurry(): void {
    this.#worker?.postMessage('hurry' satisfies HouseOrder);
  }

  /** Ends the bots' sockets, then the thread. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker === null) return;
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    const late = setTimeout(() => void worker.terminate(), STOP_MS);
    worker.postMessage('stop' satisfies HouseOrder);
    await gone;
    clearTimeout(late);
  }

  #exited(): void {
    this.#worker = null;
    if (this.#stopping) return;
    this.log.warn({}, 'house bots start again');
    this.#restart = setTimeout(() => void this.start(), RESTART_MS);
  }
}
