import { assert, AssertionFailed } from '../../ops/assert.js';
import { steadyMs } from '../../ops/standstill.js';
import { backOff } from '../../ops/backoff.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { TableOpening } from '../../table/api.js';
import { Displaced } from '../../store/node/leadership.js';
import type { ShardStats, FromShard, ToShard } from '../messages.js';
import type { HeartbeatSettings, Recovery, ShardPoolOptions, ShardListener } from './options.js';
import { BatchingLink } from '../link.js';
import type { ShardSettings, ShardTask } from '../task.js';
import { readMessages, type FromShardBatch } from '../wire.js';

/** A tick that comes later than this many intervals says something of us, not of the thread. */
const ON_TIME = 1.5;

/**
 * How long a thread has been silent. The time counts only while our own timer runs on time. After a late timer the
 * thread's answers may wait unread, or the machine had no time for the thread either.
 */
export class Heartbeat {
  #silentMs = 0;
  #lastTick: number;

  constructor(
    private readonly intervalMs: number,
    now: number,
  ) {
    this.#lastTick = now;
  }

  /** Something came from the thread: any batch is a sign of life, so that a busy one is never taken for a hung one. */
  heard(): void {
    this.#silentMs = 0;
  }

  /** Call once an interval; returns the ms of silence that count. */
  tick(now: number): number {
    const elapsed = now - this.#lastTick;
    this.#lastTick = now;
    if (elapsed <= this.intervalMs * ON_TIME) this.#silentMs += elapsed;
    return this.#silentMs;
  }
}

/** One life of a shard's thread. */
interface Life {
  port: MessagePort;
  heartbeat: Heartbeat;
  /** It said `ready`: it takes messages. */
  up: boolean;
  tables: TableOpening[];
  /** Stored tables by id that it has not opened yet; after that it plays. */
  opening: Set<string>;
  /** It said that the database is away. */
  databaseAway: boolean;
  /** Ends this life, once. */
  lost: (reason: string) => void;
}

export interface SupervisorOptions extends ShardPoolOptions {
  settings: ShardSettings;
  heartbeat: HeartbeatSettings;
  clockOrigin: number;
  /** Runs the task on a free thread; the signal ends that thread. Settles when the thread or its task ends. */
  run: (task: ShardTask, signal: AbortSignal) => Promise<void>;
}

/** A life shorter than this is a failed start: the next one waits a little. */
const SHORT_LIFE_MS = 5000;
const LONGEST_PAUSE_MS = 5000;
/** While the database does not give the tables out: soon after it is back, the shard is. */
const LONGEST_QUESTION_MS = 1000;
/** A thread with a closed port has so long to tell the reason. */
const REASON_MS = 10;
/** A task that settled closes its port; should it not, the shard is given up all the same. */
const SETTLED_MS = 100;
/** A shard that has not played within so long, or after so many lives, never will: the start fails. */
const START_LIMIT_MS = 60_000;
const START_LIVES = 3;
/** A thread that does not end by itself when told to. */
const STOP_MS = 5000;

const pause = (failures: number, longest: number) => backOff(failures - 1, 100, longest);

/** The main thread's side of one shard: its threads one after the other, their heartbeat and recovery. */
export class ShardSupervisor {
  stats: ShardStats | null = null;
  readonly #out = new BatchingLink();
  #listener: ShardListener | null = null;
  readonly #used = (bytes: ArrayBuffer): void => this.#out.giveBack(bytes);
  #life: Life | null = null;
  #lives: Promise<void> | null = null;
  #onFirstReady: () => void = () => undefined;
  /** Until the shard plays for the first time. */
  #onFalseStart: ((reason: string, lives: number) => void) | null = null;
  #draining = false;
  #pingedAt = Infinity;
  #onDrained: () => void = () => undefined;
  #stopping = false;

  constructor(
    private readonly shard: number,
    private readonly options: SupervisorOptions,
  ) {}

  /** Nothing of a shard is heard before its start. */
  get #heard(): ShardListener {
    assert(this.#listener !== null, 'a shard is heard once it was started', this.shard);
    return this.#listener;
  }

  get ready(): boolean {
    return this.#life !== null && this.#life.up && this.#life.opening.size === 0;
  }

  send(message: ToShard): void {
    this.#out.send(message);
  }

  /** Resolves when the shard plays for the first time; rejects when it seems that it never will. */
  start(listener: ShardListener): Promise<void> {
    assert(this.#listener === null, 'a shard is started once', this.shard);
    this.#listener = listener;
    return new Promise((ready, failed) => {
      let last = 'no sign of life';
      const giveUp = () => failed(new Error(`shard ${this.shard} does not start: ${last}`));
      const late = setTimeout(giveUp, START_LIMIT_MS);
      this.#onFalseStart = (reason, lives) => {
        last = reason;
        if (lives >= START_LIVES) giveUp();
      };
      this.#onFirstReady = () => {
        clearTimeout(late);
        this.#onFalseStart = null;
        ready();
      };
      this.#lives = this.#liveOn().finally(() => clearTimeout(late));
    });
  }

  /** Resolves when no hand is running and all are stored. A shard that is down has none running. */
  drain(): Promise<void> {
    this.#draining = true;
    if (this.#life === null) return Promise.resolve();
    this.#out.send({ t: 'drain' });
    return new Promise((drained) => (this.#onDrained = drained));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#life?.up) {
      this.#out.send({ t: 'stop' });
      this.#out.flush();
    } else this.#life?.lost('stopped before it was up');
    const ended = await Promise.race([this.#lives, sleep(STOP_MS, 'late', { ref: false })]);
    if (ended !== 'late') return;
    this.options.log('warn', 'a shard did not stop when asked', { shard: this.shard });
    this.#life?.lost('did not stop');
  }

  /** Called once an interval: asks for a sign of life, and gives up a thread that has not given one for too long. */
  tick(): void {
    const life = this.#life;
    if (life === null) return;
    const { silenceMs, startMs } = this.options.heartbeat;
    const silent = life.heartbeat.tick(performance.now());
    if (silent > (life.up ? silenceMs : startMs)) {
      life.lost(`silent for ${Math.round(silent)} ms`);
    } else if (life.up) {
      this.#ping();
    }
  }

  #ping(): void {
    const at = steadyMs();
    const lateMs = Math.max(0, at - this.#pingedAt - this.options.heartbeat.pingMs);
    this.#pingedAt = at;
    this.#out.send({ t: 'ping', at, lateMs });
    this.#out.flush();
  }

  failedToStart(error: Error): void {
    if (this.#life !== null && !this.#life.up) this.#life.lost(error.message);
  }

  /** One life after the other, each from what the database holds. */
  async #liveOn(): Promise<void> {
    let lives = 0;
    let end = 'it was not to start';
    for (let failures = 0; !this.#stopping;) {
      const recovery = await this.#recover();
      if (recovery === null) this.#onFalseStart?.(end, START_LIVES);
      if (recovery === null || this.#stopping) break;
      const born = performance.now();
      const reason = await this.#live(recovery);
      if (this.#stopping) break;
      this.options.log('error', 'a shard was lost and is recovered', {
        shard: this.shard,
        epoch: recovery.fence.epoch,
        reason,
      });
      this.#onFalseStart?.((end = reason), ++lives);
      failures = performance.now() - born < SHORT_LIFE_MS ? failures + 1 : 0;
      if (failures > 1) await sleep(pause(failures, LONGEST_PAUSE_MS));
    }
  }

  async #recover(): Promise<Recovery | null> {
    for (let failures = 1; !this.#stopping; failures++) {
      try {
        return await this.options.recover(this.shard);
      } catch (error) {
        if (error instanceof Displaced) return this.#displaced(error);
        const { message } = error as Error;
        this.options.log('error', 'a shard cannot be recovered yet', { shard: this.shard, error: message });
        this.#onFalseStart?.(message, 0);
        await sleep(pause(failures, LONGEST_QUESTION_MS));
      }
    }
    return null;
  }

  #displaced(error: Displaced): null {
    this.#onFalseStart?.(error.message, START_LIVES);
    this.options.onDisplaced(error);
    return null;
  }

  /** Resolves with the reason when the life is over. */
  #live({ fence, tables }: Recovery): Promise<string> {
    const { settings, heartbeat, clockOrigin, run } = this.options;
    assert(this.#life === null, 'a shard has one life at a time', this.shard);
    assert(fence.epoch > 0, 'a shard that begins has an epoch', fence.epoch);
    const { port1: port, port2 } = new MessageChannel();
    const abort = new AbortController();
    return new Promise((over) => {
      const life: Life = {
        port,
        heartbeat: new Heartbeat(heartbeat.pingMs, performance.now()),
        up: false,
        tables,
        opening: new Set(tables.map(({ tableId }) => tableId)),
        databaseAway: false,
        lost: (reason) => {
          if (this.#life !== life) return;
          this.#life = null;
          abort.abort();
          port.close();
          this.#abandon(life, reason);
          over(reason);
        },
      };
      this.#life = life;
      port.on('message', (batch: FromShardBatch) => this.#received(life, batch));
      const task: ShardTask = { ...fence, port: port2, settings, clockOrigin };
      const settled = run(task, abort.signal).then(
        () => 'its task ended',
        (error: unknown) => (error as Error).message,
      );
      // The port closes after all that was posted is read, so nothing that a thread said before its end is lost.
      port.once('close', () => void Promise.race([settled, after(REASON_MS, 'its thread ended')]).then(life.lost));
      void settled.then((reason) => after(SETTLED_MS, reason)).then(life.lost);
    });
  }

  /** Cleans up after a lost life. */
  #abandon(life: Life, reason: string): void {
    this.#out.disconnect();
    const { onMessage, onLost } = this.#heard;
    this.#onDrained();
    if (life.databaseAway) onMessage(this.shard, { t: 'database', downSince: null });
    if (life.up && !this.#stopping) onLost?.(this.shard, reason);
  }

  #received(life: Life, batch: FromShardBatch): void {
    if (this.#life !== life) return;
    life.heartbeat.heard();
    const { bytes, index } = batch;
    if (bytes !== null && index !== null) this.#heard.onFrames(this.shard, bytes, index, this.#used);
    try {
      for (const message of readMessages(batch)) this.#message(life, message);
    } catch (error) {
      // A shard's message contradicts the known state: its thread ends, and its tables are recovered.
      if (!(error instanceof AssertionFailed)) throw error;
      life.lost(error.message);
    }
  }

  #message(life: Life, message: FromShard): void {
    switch (message.t) {
      case 'ready':
        return this.#up(life, life.tables);
      case 'pong':
        this.stats = message.stats ?? this.stats;
        return;
      case 'log':
        return this.options.log(message.level, message.message, { shard: this.shard, ...message.detail });
      case 'drained':
        return this.#onDrained();
      case 'fenced':
        return this.options.log('error', 'another incarnation took the shard over', { shard: this.shard });
      case 'opened':
        this.#opened(life, message.table);
        break;
      case 'database':
        life.databaseAway = message.downSince !== null;
        break;
      default:
        break;
    }
    this.#heard.onMessage(this.shard, message);
  }

  /** The thread takes messages. Its stored tables come first, then what was held for the shard. */
  #up(life: Life, tables: readonly TableOpening[]): void {
    assert(!life.up, 'a thread is up once', this.shard);
    life.up = true;
    this.#heard.onReady?.(this.shard, tables);
    const opens = tables.map((opening): ToShard => ({ t: 'open', opening, restored: true }));
    this.#out.connect(life.port, this.#draining ? [...opens, { t: 'drain' }] : opens);
    if (this.ready) this.#onFirstReady();
  }

  #opened(life: Life, table: string): void {
    if (life.opening.delete(table) && this.ready) this.#onFirstReady();
  }
}

const after = (ms: number, reason: string) => sleep(ms, reason, { ref: false });
