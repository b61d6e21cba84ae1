import type { TableSummary } from '../../table/api.js';
import type { Outbox } from '../../table/outbox.js';
import type { MessagePort } from 'node:worker_threads';
import { postFromShard } from '../wire.js';
import type { FromShard } from '../messages.js';
import type { Counters } from '../counters.js';

/**
 * Under load a batch leaves after so many table calls, or so many bytes of frames, before the end of a long round of calls. So
 * tables do not march in lockstep, and one batch does not write to all sockets at once. Not sooner, since a batch costs
 * as much as many short frames, and takes a block with it, however little is in that.
 */
export const CALLS_PER_BATCH = 16;
const BYTES_PER_BATCH = 64 * 1024;

/** A shard's messages to the main thread. */
export interface Posts {
  /** A message that goes with the next batch. */
  send(message: FromShard): void;
  /** A message that is posted now. */
  say(message: FromShard): void;
  log(level: 'info' | 'warn' | 'error', message: string, detail: Record<string, unknown>): void;
  /** The end of a turn of the event loop that called tables: what they said leaves now. */
  rest(): void;
}

/** Collects what the tables send and posts it in bounded groups, frames before messages. */
export class Flusher<T> implements Posts {
  #messages: FromShard[] = [];
  readonly #summaries = new Set<T>();
  readonly #waitingSummaries = new Set<T>();
  #calls = 0;
  #immediate: NodeJS.Immediate | undefined;

  constructor(
    private readonly port: MessagePort,
    private readonly out: Outbox,
    private readonly counters: Counters,
    private readonly summaryOf: (table: T) => TableSummary | null,
  ) {}

  send(message: FromShard): void {
    this.#messages.push(message);
  }

  say(message: FromShard): void {
    this.send(message);
    this.flush();
  }

  log(level: 'info' | 'warn' | 'error', message: string, detail: Record<string, unknown>): void {
    this.say({ t: 'log', level, message, detail });
  }

  /**
   * The table's summary goes with the next batch. If it may wait, it goes with the next answer to a heartbeat. A batch
   * has only the last one. Packing, reading and noting one takes the two threads 15 µs, at each hand of each table.
   */
  summary(table: T, mayWait: boolean): void {
    (mayWait ? this.#waitingSummaries : this.#summaries).add(table);
  }

  /** The main thread is answered a heartbeat: what waited for that goes with it. */
  pong(message: Extract<FromShard, { t: 'pong' }>): void {
    for (const table of this.#waitingSummaries) this.#summaries.add(table);
    this.send(message);
  }

  /** Posts in the check phase of this turn, after all messages that have arrived: a lone one waits microseconds. */
  rest(): void {
    this.#immediate ??= setImmediate(() => this.flush());
  }

  /** A table was called: posts when the group is large enough. */
  called(): void {
    if (++this.#calls >= CALLS_PER_BATCH || this.out.bytes.pos >= BYTES_PER_BATCH) this.flush();
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
    postFromShard(this.port, frames, messages);
  }

  #summarize(): void {
    for (const table of this.#summaries) {
      this.#waitingSummaries.delete(table);
      const summary = this.summaryOf(table);
      if (summary !== null) this.#messages.push({ t: 'summary', summary });
    }
    this.#summaries.clear();
  }
}
