import type { Static } from 'typebox';
import type { OperatorHistory } from '../../protocol/rest/operator/index.js';
import { sampleOf, type Reading, type MetricSample } from './reading.js';

const EVERY_MS = 5000;
/** An hour of samples: some 100 kB. */
const KEPT = 720;

/** One hour of how the platform ran, in memory: the operator's room draws it. */
export class History {
  readonly #samples: MetricSample[] = [];
  #last: Reading | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly read: () => Reading) {}

  start(): void {
    this.take();
    this.#timer = setInterval(() => this.take(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Takes one sample. The first has nothing to compare with, so its rates are zero. */
  take(): void {
    const now = this.read();
    this.#samples.push(sampleOf(now, this.#last ?? now));
    if (this.#samples.length > KEPT) this.#samples.shift();
    this.#last = now;
  }

  /** The latest; before the first one is taken now. */
  get latest(): MetricSample {
    if (this.#samples.length === 0) this.take();
    return this.#samples.at(-1)!;
  }

  columns(): Static<typeof OperatorHistory> {
    const all = this.#samples;
    const column = <K extends keyof MetricSample>(key: K): MetricSample[K][] => all.map((sample) => sample[key]);
    return {
      every_seconds: EVERY_MS / 1000,
      at: all.map(({ at }) => Math.round(at / 1000)),
      hands_per_second: column('hands_per_second'),
      actions_per_second: column('actions_per_second'),
      messages_per_second: column('messages_per_second'),
      commit_ms: column('commit_ms'),
      cpu: column('cpu'),
      main_cpu: column('main_cpu'),
      shards_cpu: column('shards_cpu'),
      main_loop_p99_ms: column('main_loop_p99_ms'),
      shards_loop_p99_ms: column('shards_loop_p99_ms'),
      memory_mb: column('memory_mb'),
      tables: column('tables'),
      sockets: column('sockets'),
      lobby: column('lobby'),
      mails_waiting: column('mails_waiting'),
    };
  }
}
