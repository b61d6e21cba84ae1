import { Worker } from 'node:worker_threads';
import type { Static } from 'typebox';
import { utc } from '../../protocol/common.js';
import type { OperatorAudit } from '../../protocol/rest/operator/index.js';
import type { DatabaseAddress } from '../../store/database.js';
import type { AuditReport } from './thread.js';

const ENTRY = new URL('../../../workers/audit.js', import.meta.url);
const LINES = 1000;

export type AuditState = Static<typeof OperatorAudit>;

const NONE: AuditState = {
  state: 'none',
  started_at: null,
  ended_at: null,
  progress: { done: 0, of: 0, unit: 'checks' },
  ok: null,
  lines: [],
};

/** The audits that the operator asks a running server for, one at a time, each on a thread that ends with it. */
export class AuditRun {
  #state = NONE;
  #worker: Worker | null = null;

  constructor(
    private readonly options: {
      address: DatabaseAddress;
      /** Epoch ms. */
      now?: () => number;
      log: { error(detail: object, message: string): void };
      /** The thread's module; another one in tests. */
      entry?: URL;
    },
  ) {}

  get #now(): string {
    const { now = Date.now } = this.options;
    return utc(now());
  }

  /** The one that runs, or the last one. */
  get state(): AuditState {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** Call it only where none is running. The time of its begin. */
  start(): string {
    const { address, entry = ENTRY, log } = this.options;
    const started = this.#now;
    this.#state = { ...NONE, state: 'running', started_at: started };
    const worker = new Worker(entry, { workerData: address });
    this.#worker = worker;
    worker.on('message', (report: AuditReport) => this.#heard(report));
    worker.on('error', (error) => log.error({ err: error }, 'the audit could not run'));
    worker.once('exit', () => this.#ended());
    return started;
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }

  #heard(report: AuditReport): void {
    if (report.t === 'progress') {
      const { done, of, unit } = report;
      this.#state = { ...this.#state, progress: { done, of, unit } };
    } else {
      const { ok, lines } = report;
      this.#state = { ...this.#state, state: 'done', ok, lines: lines.slice(0, LINES), ended_at: this.#now };
    }
  }

  #ended(): void {
    this.#worker = null;
    if (this.#state.state === 'running') this.#state = { ...this.#state, state: 'failed', ended_at: this.#now };
  }
}
