import type { RandomSource } from '../../cards/random.js';
import type { ShardLink } from '../../gateway/ports.js';
import { answerUnknown, deliver } from '../../shard/host/table-calls.js';
import type { FromShard, ToShard } from '../../shard/messages.js';
import type { TableApi, TableOpening } from '../../table/api.js';
import type { TableEffect } from '../../table/effects.js';
import { Outbox } from '../../table/outbox.js';
import { createTable } from '../../table/table.js';

/** What stands behind the tables in place of the database, and whom the shard speaks to. */
export interface ShardGround {
  random: RandomSource;
  /** Chips off the tables, by agent. */
  balances: Map<string, number>;
  /** Finished frames, as the sockets take them. */
  frames(bytes: ArrayBuffer, index: Uint32Array): void;
  says(message: FromShard): void;
}

/** The real table in this very process. What it asks of the database is granted at the end of the turn. */
export class MemoryShard implements ShardLink {
  readonly #tables = new Map<string, { table: TableApi; poolId: string }>();
  readonly #out = new Outbox();
  #messages: FromShard[] = [];
  #flush: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(private readonly ground: ShardGround) {}

  send(message: ToShard): void {
    setImmediate(() => this.#take(message));
  }

  /** A table with its players, all of them not connected yet. */
  open(opening: TableOpening): void {
    const table = createTable(Date.now(), opening, { random: this.ground.random, out: this.#out });
    this.#tables.set(opening.tableId, { table, poolId: opening.poolId });
    this.#call(opening.tableId, () => undefined);
  }

  /** What who only looks on sees of a table. */
  stateOf(tableId: string): Readonly<Record<string, unknown>> {
    const slot = this.#tables.get(tableId);
    if (slot === undefined) throw new Error(`no table ${tableId}`);
    return JSON.parse(slot.table.publicState(Date.now())) as Record<string, unknown>;
  }

  stop(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#flush);
  }

  #take(message: ToShard): void {
    if (this.#ended || !('table' in message || message.t === 'open')) return;
    if (message.t === 'open') {
      this.open(message.opening);
      return this.#say({ t: 'opened', table: message.opening.tableId, ok: true, detail: null });
    }
    if (!this.#tables.has(message.table)) {
      const answer = answerUnknown(message);
      if (answer !== null) this.#say(answer);
      return;
    }
    switch (message.t) {
      // Nothing runs out here before what came is read: one thread has it all.
      case 'heard':
        return;
      case 'sit':
        return this.#sit(message);
      case 'state':
        return this.#call(message.table, (table, now) =>
          this.#say({ t: 'state', ticket: message.ticket, json: table.publicState(now) }),
        );
      // One node has all.
      case 'replay':
        return;
      case 'seat':
        return this.#call(message.table, (table) =>
          this.#say({ t: 'seat', ticket: message.ticket, seat: table.seatOf(message.agentId) }),
        );
      default:
        this.#call(message.table, (table, now) => deliver(table, now, message));
    }
  }

  #sit({ table: tableId, ticket, sitting, player, buyIn, socket }: Extract<ToShard, { t: 'sit' }>): void {
    const { balances } = this.ground;
    const { agentId } = player;
    const balance = (balances.get(agentId) ?? 0) - buyIn;
    this.#call(tableId, (table, now) => {
      const seat = table.reserveSeat(sitting);
      if (seat < 0 || balance < 0) {
        if (seat >= 0) table.unreserveSeat(sitting);
        const code = seat < 0 ? 'table_full' : 'season_buy_in_failed';
        return this.#say({ t: 'sitFailed', table: tableId, ticket, agentId, code });
      }
      balances.set(agentId, balance);
      this.#say({ t: 'sat', table: tableId, ticket, agentId, sitting, seat, stack: buyIn, balance });
      table.sit(now, { sitting, seat, player, stack: buyIn }, socket);
    });
  }

  #call(tableId: string, use: (table: TableApi, now: number) => void): void {
    const slot = this.#tables.get(tableId);
    if (slot === undefined || this.#ended) return;
    use(slot.table, Date.now());
    for (const { effect } of this.#out.takeEffects()) this.#effect(tableId, slot.poolId, effect);
    this.#rest();
    this.#arm();
  }

  #effect(tableId: string, poolId: string, effect: TableEffect): void {
    const later = (use: (table: TableApi, now: number) => void) => setImmediate(() => this.#call(tableId, use));
    switch (effect.kind) {
      case 'commit':
        return void later((table, now) => table.handCommitted(now, effect.record.handId));
      case 'release': {
        const { agentId, seat, reason, absent, stack, sitting } = effect;
        return void later((table, now) => {
          const balance = this.#pay(agentId, stack);
          table.released(now, sitting);
          this.#say({ t: 'left', table: tableId, poolId, agentId, seat, reason, absent, stack, balance });
        });
      }
      case 'skim':
        return void later((table, now) => table.skimmed(now, effect.sitting, this.#pay(effect.agentId, effect.excess)));
      case 'reserve':
        return void later((table, now) => table.reserved(now, effect.upTo));
      case 'summary':
        return void later((table) => this.#say({ t: 'summary', summary: table.summary() }));
      case 'closed':
        return void later(() => this.#say({ t: 'closed', table: tableId }));
      case 'mishap': // the cases see for themselves what goes wrong
    }
  }

  #pay(agentId: string, chips: number): number {
    const balance = (this.ground.balances.get(agentId) ?? 0) + chips;
    this.ground.balances.set(agentId, balance);
    return balance;
  }

  #say(message: FromShard): void {
    this.#messages.push(message);
    this.#rest();
  }

  /** Frames leave before messages, as between threads. */
  #rest(): void {
    this.#flush ??= setImmediate(() => {
      this.#flush = undefined;
      if (this.#ended) return;
      const batch = this.#out.takeFrames();
      if (batch !== null) this.ground.frames(batch.bytes, batch.index);
      for (const message of this.#messages.splice(0)) this.ground.says(message);
    });
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const next = Math.min(...[...this.#tables.values()].map(({ table }) => table.nextDeadline));
    if (next === Infinity) return;
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, next - Date.now()) + 1);
  }

  #tick(): void {
    const now = Date.now();
    for (const [tableId, { table }] of this.#tables) {
      if (table.nextDeadline <= now) this.#call(tableId, (due, at) => due.tick(at));
    }
    this.#arm();
  }
}
