import { assert, AssertionFailed } from '../../ops/assert.js';
import type { RandomSource } from '../../cards/random.js';
import type { TableApi, TableOpening, TableSummary, SocketId } from '../../table/api.js';
import type { TableFactory } from '../../table/env.js';
import type { Outbox } from '../../table/outbox.js';
import { GroupCommit } from '../commit/group-commit.js';
import type { Counters } from '../counters.js';
import type { Flusher, Posts } from './flusher.js';
import { TableSlot } from './table-slot.js';
import { Dispatcher } from './dispatcher.js';
import type { TableMessage } from '../messages.js';
import { commitHands } from '../commit/queries.js';
import { SeatOps } from './seat-ops.js';
import { PoolShares } from './pool-shares.js';
import { steadyMs } from '../../ops/standstill.js';
import type { ShardBase, HostedTables } from './context.js';
import type { ShardSettings } from '../task.js';
import { TableTimers } from './table-timers.js';
import { TableRecovery } from './table-recovery.js';
import type { HandRecord, TableEffect } from '../../table/effects.js';

/** An answer may be lost with a thread: it is asked for again, and not waited for without end. */
const AGAIN_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * Before a deadline of a player ends, the thread of its socket reads everything that has arrived there (protocol.md,
 * "Time"). The thread is asked, and its answer comes behind those messages. Times in epoch ms.
 */
class Rounds {
  #last = 0;

  constructor(private readonly posts: Posts) {}

  /** When to look again; null: the answer has been waited for long enough. */
  waits(slot: TableSlot, socket: SocketId, now: number): number | null {
    slot.round ??= { number: 0, first: now, asked: -Infinity };
    const { round } = slot;
    if (now >= round.first + LONGEST_MS) return null;
    if (now < round.asked + AGAIN_MS) return round.asked + AGAIN_MS;
    round.number = ++this.#last;
    round.asked = now;
    this.posts.send({ t: 'round', table: slot.id, socket, round: round.number });
    return now + AGAIN_MS;
  }
}

/** Lets closed tables linger, so that a client may still ask what happened; the oldest go first. */
class ClosedTables {
  readonly #queue: { slot: TableSlot; until: number }[] = [];

  constructor(
    private readonly tables: Map<string, TableSlot>,
    private readonly most: number,
    private readonly lingerMs: number,
  ) {}

  add(slot: TableSlot, now: number): void {
    assert(slot.closed, 'a table that lingers has closed', slot.id);
    this.#queue.push({ slot, until: now + this.lingerMs });
    this.evict(now);
  }

  evict(now: number): void {
    while (this.#queue.length > 0 && (this.#queue.length > this.most || this.#queue[0]!.until <= now)) {
      this.tables.delete(this.#queue.shift()!.slot.id);
    }
  }
}

/** A shard's means of play: in production the real table and secure randomness. */
export interface ShardKit {
  createTable: TableFactory;
  random: RandomSource;
}

export interface TableHostOptions {
  base: ShardBase;
  flusher: Flusher<TableSlot>;
  out: Outbox;
  kit: ShardKit;
  settings: ShardSettings;
  counters: Counters;
  /** No hands start on this shard any more. */
  draining: () => boolean;
  /** A fault of the shard itself. */
  crash: (error: Error) => void;
  /** Before time is judged by: this thread may have stood still. */
  look: () => void;
}

/** The tables of a shard: calls them, and takes what they want to the database and back. */
export class TableHost implements HostedTables {
  readonly tables = new Map<string, TableSlot>();
  readonly dispatcher: Dispatcher;
  readonly shares = new PoolShares();
  readonly #commits: GroupCommit;
  readonly #timers: TableTimers<TableSlot>;
  readonly #seats: SeatOps;
  readonly #recovery: TableRecovery;
  readonly #closedTables: ClosedTables;
  readonly #rounds: Rounds;

  constructor(private readonly options: TableHostOptions) {
    const { base, flusher, settings, counters } = options;
    this.#timers = new TableTimers(
      base.clock,
      (slot) => this.#wake(slot),
      () => flusher.rest(),
    );
    this.#commits = new GroupCommit({
      store: (records) => base.durable.run('commit', (sql) => commitHands(sql, base.fence, records)),
      tables: () => this.tables.size,
      lingerMs: settings.lingerMs,
      onCommitted: (record) => this.#committed(record),
      onRefused: (record, error) => this.#refused(record, error),
      counters,
    });
    this.#seats = new SeatOps(base, this);
    this.dispatcher = new Dispatcher(flusher, this, this.#seats, counters, options.draining);
    this.#recovery = new TableRecovery(base, this);
    this.#rounds = new Rounds(flusher);
    this.#closedTables = new ClosedTables(this.tables, settings.closedTables, settings.closedTableMs);
  }

  open(opening: TableOpening, restored: boolean): void {
    const { flusher } = this.options;
    const known = this.tables.get(opening.tableId);
    // One that is being opened is answered when it is.
    if (known?.closed === true)
      flusher.send({ t: 'opened', table: known.id, ok: false, detail: 'the table has closed' });
    else if (known !== undefined && known.state.is !== 'opening')
      flusher.send({ t: 'opened', table: known.id, ok: true, detail: null });
    if (known !== undefined) return;
    const slot: TableSlot = new TableSlot(opening, (error) => this.#failed(slot, error));
    this.add(slot);
    this.#seats.open(slot, restored);
  }

  add(slot: TableSlot): void {
    assert(!this.tables.has(slot.id), 'a shard has a table once', slot.id);
    this.tables.set(slot.id, slot);
    this.shares.opened(slot.opening.poolId);
    slot.counted = true;
  }

  #remove(slot: TableSlot): void {
    if (this.tables.delete(slot.id)) this.#uncount(slot);
  }

  /** Its pool has one open table less, however often its end is told. */
  #uncount(slot: TableSlot): void {
    if (slot.counted) this.shares.gone(slot.opening.poolId);
    slot.counted = false;
  }

  giveBack(slot: TableSlot): void {
    if (this.tables.get(slot.id) === slot) this.#remove(slot);
    this.refuse(slot.held.take());
  }

  refuse(messages: readonly TableMessage[]): void {
    for (const message of messages) this.dispatcher.refuse(message);
  }

  crash(error: Error): void {
    this.options.crash(error);
  }

  call(slot: TableSlot, use: (table: TableApi, now: number) => void): void {
    const { table } = slot;
    if (table === null) return;
    const { base, out, flusher, settings } = this.options;
    const began = this.shares.counts ? performance.now() : 0;
    out.patient = this.tables.size >= settings.patientTables;
    try {
      use(table, base.clock());
      this.#timers.want(slot, table.nextDeadline);
      for (const { effect } of out.takeEffects()) this.#effect(slot, effect);
    } catch (error) {
      this.voidHand(slot, error as Error);
      return;
    }
    flusher.called();
    if (began > 0) this.shares.spent(slot.opening.poolId, performance.now() - began);
  }

  install(slot: TableSlot, opening: TableOpening): void {
    const { base, out, kit, flusher, draining, settings } = this.options;
    assert(opening.tableId === slot.id, 'a table is built from its own rows', opening.tableId);
    try {
      const env = { random: kit.random, out, deepChecks: settings.deepChecks };
      slot.plays(kit.createTable(base.clock(), opening, env));
    } catch (error) {
      this.voidHand(slot, error as Error);
      return;
    }
    this.call(slot, (table, now) => {
      comeBack(table, now, slot, opening);
      if (draining() || slot.order.is === 'wind_down') table.drain(now);
      if (slot.order.is === 'close') table.close(now, slot.order.reason);
    });
    for (const message of slot.held.take()) this.dispatcher.toTable(slot, message);
    flusher.rest();
  }

  voidHand(slot: TableSlot, error: Error): void {
    this.options.out.takeEffects();
    this.#timers.forget(slot);
    this.#recovery.reopen(slot, error);
  }

  contradicted(slot: TableSlot, error: unknown): void {
    if (!(error instanceof AssertionFailed)) throw error;
    this.voidHand(slot, error);
  }

  /** A contradiction of a table's operations ends its hand. Any other fault, or one of its recovery, is the shard's. */
  #failed(slot: TableSlot, error: Error): boolean {
    const isOfTable = error instanceof AssertionFailed && slot.state.is !== 'reopening';
    if (isOfTable) this.voidHand(slot, error);
    else this.crash(error);
    return isOfTable;
  }

  resume(slot: TableSlot, messages: readonly TableMessage[]): void {
    for (const message of messages) this.dispatcher.toTable(slot, message);
  }

  closed(slot: TableSlot): void {
    const { table } = slot;
    slot.state = { is: 'closed', table };
    this.#uncount(slot);
    if (table === null) {
      this.tables.delete(slot.id);
      this.refuse(slot.held.take());
    } else this.#closedTables.add(slot, this.options.base.clock());
    this.options.flusher.say({ t: 'closed', table: slot.id });
  }

  /** Forgets tables that have been closed for long enough. */
  evictClosed(): void {
    this.#closedTables.evict(this.options.base.clock());
  }

  /** The table's summary; null where it has no table at present. */
  summaryOf(slot: TableSlot): TableSummary | null {
    try {
      return slot.table?.summary() ?? null;
    } catch (error) {
      this.voidHand(slot, error as Error);
      return null;
    }
  }

  /** A thread that tables or their players' sockets live on stood still (epoch ms): no player loses that time. */
  stood(from: number, to: number): void {
    for (const slot of this.tables.values()) {
      if (!slot.closed) this.call(slot, (table, now) => table.stood(now, from, to));
    }
    this.options.flusher.rest();
  }

  /** All that had arrived from the table's players is read: what is due on them still is due. */
  heard(slot: TableSlot, round: number): void {
    if (slot.round?.number !== round) return;
    slot.round = null;
    this.call(slot, (table, now) => table.tick(now));
  }

  drain(): void {
    for (const slot of this.tables.values()) if (!slot.closed) this.call(slot, (table, now) => table.drain(now));
  }

  get inHand(): boolean {
    return [...this.tables.values()].some(({ table }) => table?.inHand === true);
  }

  get quiet(): boolean {
    if (!this.#commits.idle) return false;
    for (const { ops } of this.tables.values()) if (!ops.idle) return false;
    return true;
  }

  stop(): void {
    this.#timers.stop();
  }

  #effect(slot: TableSlot, effect: TableEffect): void {
    switch (effect.kind) {
      case 'commit':
        assert(effect.record.tableId === slot.id, 'a table stores its own hands', effect.record.tableId);
        this.#commits.add(effect.record);
        this.options.counters.hands++;
        return slot.ops.block();
      case 'release':
        return this.#seats.release(slot, effect);
      case 'skim':
        return this.#seats.skim(slot, effect);
      case 'reserve':
        return this.#seats.reserve(slot, effect.upTo);
      case 'summary':
        return this.options.flusher.summary(slot, effect.mayWait);
      case 'mishap':
        return this.options.flusher.send({ t: 'mishap', agentId: effect.agentId, mishap: effect.mishap });
      case 'closed':
        slot.closes();
        return this.#seats.close(slot);
    }
  }

  #committed({ tableId, handId }: HandRecord): void {
    const slot = this.tables.get(tableId)!;
    this.call(slot, (table, now) => table.handCommitted(now, handId));
    slot.ops.unblock();
    this.options.flusher.rest();
  }

  #refused(record: HandRecord, error: Error): void {
    const slot = this.tables.get(record.tableId)!;
    slot.ops.unblock();
    this.voidHand(slot, error);
    this.options.flusher.rest();
  }

  #wake(slot: TableSlot): number {
    this.options.look();
    const now = this.options.base.clock();
    const socket = slot.table?.dueSocket(now) ?? null;
    const again = socket === null ? null : this.#rounds.waits(slot, socket, now);
    if (again !== null) return again;
    const wait = slot.table?.inHand === false ? this.shares.waitOf(slot.opening.poolId, steadyMs()) : 0;
    if (wait > 0) {
      this.options.counters.heldHands++;
      return now + wait;
    }
    slot.round = null;
    this.call(slot, (table, now) => table.tick(now));
    return slot.table?.nextDeadline ?? Infinity;
  }
}

/** Players and spectators from before take part again. */
function comeBack(table: TableApi, now: number, slot: TableSlot, opening: TableOpening): void {
  for (const { player } of opening.sittings) {
    const socket = slot.sockets.get(player.agentId);
    if (socket !== undefined) table.attach(now, player.agentId, socket);
  }
  for (const [watch, agentId] of slot.watches) table.watch(now, watch, agentId);
}
