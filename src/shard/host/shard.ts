import type { MessagePort } from 'node:worker_threads';
import { connect } from '../../store/database.js';
import { Outbox } from '../../table/outbox.js';
import { Standstill, steadyMs } from '../../ops/standstill.js';
import { steadyClock } from '../steady-clock.js';
import { Durable } from '../commit/durable.js';
import { Flusher } from './flusher.js';
import { TableHost, type ShardKit } from './host.js';
import type { TableSlot } from './table-slot.js';
import { ShardLife } from './life.js';
import type { ToShard } from '../messages.js';
import type { ShardBase } from './context.js';
import { ThreadStats } from '../stats.js';
import type { ShardTask } from '../task.js';
import { readToShard, type ToShardBatch } from '../wire.js';

export type { ShardKit } from './host.js';

/** Hosts tables until asked to stop, or until another incarnation of the shard took over. Resolves at the end. */
export function runShard(task: ShardTask, kit: ShardKit): Promise<void> {
  return new Promise((ended) => new Shard(task, kit, ended).start());
}

/**
 * One shard's thread: takes the main thread's batches to the tables, and what they say back. All state of all its tables
 * lives here and is touched by this one thread only.
 */
class Shard {
  readonly #out = new Outbox();
  readonly #stats = new ThreadStats();
  readonly #flusher: Flusher<TableSlot>;
  readonly #tables: TableHost;
  readonly #life: ShardLife;
  readonly #port: MessagePort;
  readonly #epoch: number;
  readonly #standstill: Standstill;
  readonly #clockOrigin: number;

  constructor(task: ShardTask, kit: ShardKit, ended: () => void) {
    const { settings, port, shard, epoch } = task;
    const { counters } = this.#stats;
    this.#port = port;
    this.#epoch = epoch;
    this.#clockOrigin = task.clockOrigin;
    const clock = steadyClock(task.clockOrigin);
    this.#standstill = new Standstill((from, to) => this.#stood(from, to));
    const flusher = new Flusher<TableSlot>(port, this.#out, counters, (slot) => this.#tables.summaryOf(slot));
    this.#flusher = flusher;
    const durable = new Durable({
      connect: () => connect(settings.database, { max: settings.connections, name: `shard ${shard}`, planOnce: true }),
      statementMs: settings.statementMs,
      onDown: (downSince) => flusher.say({ t: 'database', downSince }),
      onFenced: () => this.#life.fenced(),
      onTrouble: (statement, error) =>
        flusher.log('error', 'database error, trying again', { statement, error: error.message }),
    });
    const base: ShardBase = { clock, durable, fence: { shard, epoch }, posts: flusher };
    this.#tables = new TableHost({
      base,
      flusher,
      out: this.#out,
      kit,
      settings,
      counters,
      draining: () => this.#life.draining,
      crash: (error) => this.#life.crash(error),
      look: () => void this.#standstill.now(),
    });
    this.#life = new ShardLife({
      clock,
      durable,
      posts: flusher,
      tables: this.#tables,
      ended,
      close: () => {
        this.#stats.stop();
        this.#standstill.stop();
        flusher.flush();
        port.close();
      },
    });
  }

  start(): void {
    this.#port.on('message', (batch: ToShardBatch) => this.#receive(batch));
    // The main thread gave this incarnation up: whatever it would still write, it could not tell anybody.
    this.#port.on('close', () => void this.#life.end());
    this.#flusher.say({ t: 'ready', epoch: this.#epoch });
  }

  #receive(batch: ToShardBatch): void {
    if (this.#life.ending) return;
    if (typeof batch === 'object' && 'used' in batch) for (const buffer of batch.used) this.#out.recycle(buffer);
    // A standstill counts before what waited behind it is read.
    this.#tables.dispatcher.readAt = this.#standstill.now();
    for (const message of readToShard(batch)) this.#take(message);
    this.#flusher.rest();
  }

  #take(message: ToShard): void {
    switch (message.t) {
      case 'open':
        return this.#tables.open(message.opening, message.restored);
      case 'ping':
        return this.#ping(message.at, message.lateMs ?? 0);
      case 'stood':
        return this.#stood(message.from, message.to);
      case 'drain':
        return this.#life.drain();
      case 'stop':
        return void this.#life.stop();
      default:
        this.#tables.dispatcher.take(message);
    }
  }

  /** By the machine's steady clock, ms. */
  #stood(from: number, to: number): void {
    if (!this.#life.ending) this.#tables.stood(this.#clockOrigin + from, this.#clockOrigin + to);
  }

  #ping(at: number, lateMs: number): void {
    this.#tables.evictClosed();
    // By the machine's clock, which both threads read alike.
    const now = steadyMs();
    const waitedMs = Math.max(0, now - at);
    this.#stats.counters.spans.queue.observe(waitedMs / 1000);
    this.#tables.shares.round(now, Math.max(waitedMs, lateMs), this.#stats.utilization());
    this.#flusher.pong({ t: 'pong', at, stats: this.#stats.reportInTime(this.#tables.tables.size) });
  }
}
