import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { RandomSource } from '../cards/random.js';
import { connect } from '../store/database.js';
import type { HandRecord, TableApi, TableEffect, TableFactory, TableOpening, TableSummary } from '../table/api.js';
import { Outbox } from '../table/outbox.js';
import { processClock, type Clock } from './clock.js';
import { ClosedTables } from './closed-tables.js';
import { GroupCommit } from './commit.js';
import { Durable } from './durable.js';
import { FrontExits, mainExit } from './exits.js';
import { Flusher } from './flush.js';
import type { HostedTable, TableMessage } from './hosted.js';
import { Inbox } from './inbox.js';
import { OrderedMail, plainMail, type Mail } from './mail.js';
import type { ToFront } from './messages.js';
import { commitHands, type Fence } from './queries.js';
import { SeatOps } from './seats.js';
import type { Stage } from './stage.js';
import { ThreadStats } from './stats.js';
import type { ShardTask } from './task.js';
import { TableTimers } from './timers.js';
import { Voids } from './voids.js';
import { readToShard, type Meeting, type ToShardPost } from './wire.js';

/** What a shard plays with: the real table and secure randomness, in production. */
export interface ShardKit {
  createTable: TableFactory;
  random: RandomSource;
}

/** Hosts tables until told to stop, or until another incarnation of the shard took over. Resolves at the end. */
export function runShard(task: ShardTask, kit: ShardKit): Promise<void> {
  return new Promise((ended) => new ShardHost(task, kit, ended).start());
}

/** How long the end waits for what is under way in the database. */
const STOP_MS = 3000;
const POLL_MS = 5;

/**
 * One shard's inside: takes messages to tables, what tables want to the database and back, and what they say to the
 * front. All state of all tables lives here and is touched by this one thread only.
 */
export class ShardHost implements Stage {
  readonly clock: Clock = processClock;
  readonly tables = new Map<string, HostedTable>();
  readonly durable: Durable;
  readonly fence: Fence;
  readonly #out = new Outbox();
  readonly #stats = new ThreadStats();
  readonly #flusher: Flusher<HostedTable>;
  readonly #commits: GroupCommit;
  readonly #timers: TableTimers<HostedTable>;
  readonly #seats: SeatOps;
  readonly #inbox: Inbox;
  readonly #voids: Voids;
  readonly #closed: ClosedTables;
  readonly #port: MessagePort;
  readonly #mail: Mail;
  /** Null where the main thread holds the sockets. */
  readonly #fronts: FrontExits | null = null;
  readonly #patientTables: number;
  #draining = false;
  #ending = false;

  constructor(
    task: ShardTask,
    private readonly kit: ShardKit,
    private readonly ended: () => void,
  ) {
    const { settings, port, fronts } = task;
    const { counters } = this.#stats;
    let exits = mainExit(port);
    this.#mail = plainMail;
    if (fronts !== null) {
      const mail = new OrderedMail(fronts.shared);
      this.#mail = mail;
      exits = this.#fronts = new FrontExits(mail, port, fronts.count, this.#out);
    }
    this.fence = { shard: task.shard, epoch: task.epoch };
    this.#port = port;
    this.#patientTables = settings.patientTables;
    this.durable = new Durable({
      connect: () =>
        connect(settings.database, { max: settings.connections, name: `shard ${task.shard}`, planOnce: true }),
      statementMs: settings.statementMs,
      onDown: (downSince) => this.say({ t: 'database', downSince }),
      onFenced: () => this.#fenced(),
      onTrouble: (statement, error) =>
        this.log('error', 'database trouble, trying again', { statement, error: error.message }),
    });
    this.#flusher = new Flusher(exits, this.#out, counters, (hosted) => this.#summary(hosted));
    this.#timers = new TableTimers(
      this.clock,
      (hosted) => this.#wake(hosted),
      () => this.rest(),
    );
    this.#commits = new GroupCommit({
      store: (records) => this.durable.run('commit', (sql) => commitHands(sql, this.fence, records)),
      tables: () => this.tables.size,
      lingerMs: settings.lingerMs,
      onCommitted: (records) => this.#committed(records),
      onRefused: (record, error) => this.#refused(record, error),
      counters,
    });
    this.#seats = new SeatOps(this);
    this.#inbox = new Inbox(this, this.#seats, counters, {
      ping: (at) => this.#ping(at),
      drain: () => this.#drain(),
      draining: () => this.#draining,
      stop: () => void this.#stop(),
      crash: (error) => this.#crash(error),
    });
    this.#voids = new Voids(this);
    this.#closed = new ClosedTables(this.tables, settings.closedTables, settings.closedTableMs);
  }

  start(): void {
    this.#mail.listen(this.#port, (post: ToShardPost) => this.#receive(post));
    // The front gave this incarnation up: whatever it would still write, it could not tell anybody.
    this.#port.on('close', () => void this.#end());
    this.say({ t: 'ready', epoch: this.fence.epoch });
  }

  call(hosted: HostedTable, use: (table: TableApi, now: number) => void): void {
    const { table } = hosted;
    if (table === null) return;
    this.#out.patient = this.tables.size >= this.#patientTables;
    try {
      use(table, this.clock());
      this.#timers.want(hosted, table.nextDeadline);
    } catch (error) {
      this.voidHand(hosted, error as Error);
      return;
    }
    for (const { effect } of this.#out.takeEffects()) this.#effect(hosted, effect);
    this.#flusher.called();
  }

  send(message: ToFront): void {
    this.#flusher.message(message);
  }

  say(message: ToFront): void {
    this.send(message);
    this.#flusher.flush();
  }

  log(level: 'info' | 'warn' | 'error', message: string, detail: Record<string, unknown>): void {
    this.say({ t: 'log', level, message, detail });
  }

  rest(): void {
    this.#flusher.soon();
  }

  install(hosted: HostedTable, opening: TableOpening): void {
    try {
      hosted.table = this.kit.createTable(this.clock(), opening, { random: this.kit.random, out: this.#out });
    } catch (error) {
      this.voidHand(hosted, error as Error);
      return;
    }
    this.call(hosted, (table, now) => {
      for (const { player } of opening.sittings) {
        const socket = hosted.sockets.get(player.agentId);
        if (socket !== undefined) table.attach(now, player.agentId, socket);
      }
      if (this.#draining || hosted.windingDown) table.drain(now);
      if (hosted.closeReason !== null) table.close(now, hosted.closeReason);
    });
    for (const message of hosted.held.splice(0)) this.#inbox.toTable(hosted, message);
    this.rest();
  }

  voidHand(hosted: HostedTable, error: Error): void {
    this.#out.takeEffects();
    hosted.table = null;
    this.#timers.forget(hosted);
    this.#voids.reopen(hosted, error);
  }

  resume(hosted: HostedTable, messages: readonly TableMessage[]): void {
    for (const message of messages) this.#inbox.toTable(hosted, message);
  }

  closed(hosted: HostedTable): void {
    hosted.closed = true;
    if (hosted.table === null) {
      this.tables.delete(hosted.id);
      for (const message of hosted.held) this.#inbox.refuse(message);
    } else this.#closed.add(hosted, this.clock());
    this.say({ t: 'closed', table: hosted.id });
  }

  #receive(post: ToShardPost): void {
    if (this.#ending) return;
    if (typeof post !== 'string') {
      if ('port' in post) return this.#meet(post);
      for (const buffer of post.used) this.#out.recycle(buffer);
    }
    for (const message of readToShard(post)) this.#inbox.take(message);
    this.rest();
  }

  #meet({ front, port }: Meeting): void {
    this.#fronts?.meet(front, port);
    this.#mail.listen(port, (post: ToShardPost) => this.#receive(post));
  }

  #ping(at: number): void {
    this.#closed.evict(this.clock());
    this.send({ t: 'pong', at, stats: this.#stats.report(this.tables.size) });
  }

  #effect(hosted: HostedTable, effect: TableEffect): void {
    switch (effect.kind) {
      case 'commit':
        this.#stats.counters.hands++;
        hosted.ops.block();
        return this.#commits.add(effect.record);
      case 'release':
        return this.#seats.release(hosted, effect);
      case 'skim':
        return this.#seats.skim(hosted, effect);
      case 'reserve':
        return this.#seats.reserve(hosted, effect.upTo);
      case 'summary':
        return this.#flusher.summary(hosted);
      case 'closed':
        hosted.closed = true;
        return this.#seats.close(hosted);
    }
  }

  #committed(records: readonly HandRecord[]): void {
    for (const { tableId, handId } of records) {
      const hosted = this.tables.get(tableId)!;
      this.call(hosted, (table, now) => table.handCommitted(now, handId));
      hosted.ops.unblock();
    }
    this.rest();
  }

  #refused(record: HandRecord, error: Error): void {
    const hosted = this.tables.get(record.tableId)!;
    hosted.ops.unblock();
    this.voidHand(hosted, error);
    this.rest();
  }

  #wake(hosted: HostedTable): number {
    this.call(hosted, (table, now) => table.tick(now));
    return hosted.table?.nextDeadline ?? Infinity;
  }

  #summary(hosted: HostedTable): TableSummary | null {
    try {
      return hosted.table?.summary() ?? null;
    } catch (error) {
      this.voidHand(hosted, error as Error);
      return null;
    }
  }

  #drain(): void {
    this.#draining = true;
    for (const hosted of this.tables.values()) if (!hosted.closed) this.call(hosted, (table, now) => table.drain(now));
    this.#watchDrain();
  }

  /** Looks now and then whether the last hand is over and stored. */
  #watchDrain(): void {
    if (this.#ending) return;
    const handRuns = [...this.tables.values()].some(({ table }) => table?.inHand === true);
    if (!handRuns && this.#quiet) this.say({ t: 'drained' });
    else setTimeout(() => this.#watchDrain(), POLL_MS);
  }

  /** Nothing waits for the database. */
  get #quiet(): boolean {
    if (!this.#commits.idle) return false;
    for (const { ops } of this.tables.values()) if (!ops.idle) return false;
    return true;
  }

  async #stop(): Promise<void> {
    this.#timers.stop();
    const latest = this.clock() + STOP_MS;
    while (!this.#quiet && !this.durable.down && this.clock() < latest) {
      await sleep(POLL_MS);
    }
    await this.#end();
  }

  #fenced(): void {
    if (this.#ending) return;
    this.say({ t: 'fenced' });
    void this.#end();
  }

  async #end(): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    this.#timers.stop();
    this.#stats.stop();
    this.#flusher.flush();
    this.#port.close();
    await this.durable.close();
    this.ended();
  }

  /** A fault of the shard itself: the thread ends, and recovery starts a fresh one from what is stored. */
  #crash(error: Error): void {
    if (this.#ending) return;
    setImmediate(() => {
      throw error;
    });
  }
}
