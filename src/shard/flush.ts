import type { TableSummary } from '../table/api.js';
import type { Outbox } from '../table/outbox.js';
import type { Exits } from './exits.js';
import type { ToFront } from './messages.js';
import type { Counters } from './stats.js';

/** Under load, posts leave after so many table calls: sooner than the end of a long batch, so that tables do not march
 * in lockstep (measured: +27 % hands a second), later than each call, since a post costs as much as a short frame. */
const CALLS_PER_POST = 4;
/** …or after so many bytes of frames, which bounds what one post makes the front write. */
const BYTES_PER_POST = 64 * 1024;

/** Collects what the tables send and posts it in bounded groups, frames before messages. */
export class Flusher<T> {
  #messages: ToFront[] = [];
  readonly #summaries = new Set<T>();
  #calls = 0;
  #immediate: NodeJS.Immediate | undefined;

  constructor(
    private readonly exits: Exits,
    private readonly out: Outbox,
    private readonly counters: Counters,
    private readonly summaryOf: (table: T) => TableSummary | null,
  ) {}

  message(message: ToFront): void {
    this.#messages.push(message);
  }

  /** The table's summary goes with the next post; only the last one of a post is sent. */
  summary(table: T): void {
    this.#summaries.add(table);
  }

  /** Posts in the check phase of this turn, after all messages that have arrived: a lone one waits microseconds. */
  soon(): void {
    this.#immediate ??= setImmediate(() => this.flush());
  }

  /** A table was called: posts when the group is large enough. */
  called(): void {
    if (++this.#calls >= CALLS_PER_POST || this.out.bytes.pos >= BYTES_PER_POST) this.flush();
  }

  flush(): void {
    this.#calls = 0;
    clearImmediate(this.#immediate);
    this.#immediate = undefined;
    if (this.#summaries.size > 0) this.#summarize();
    const count = this.out.frameCount;
    const length = this.out.bytes.pos;
    const frames = this.out.takeFrames();
    if (frames === null && this.#messages.length === 0) return;
    if (frames !== null) {
      this.counters.frames += count;
      this.counters.frameBytes += length;
    }
    const messages = this.#messages.length > 0 ? this.#messages : null;
    if (messages !== null) this.#messages = [];
    this.exits.post(frames, messages);
  }

  #summarize(): void {
    for (const table of this.#summaries) {
      const summary = this.summaryOf(table);
      if (summary !== null) this.#messages.push({ t: 'summary', summary });
    }
    this.#summaries.clear();
  }
}
