import type { RandomSource } from '../cards/random.js';
import type { ShardLink } from '../gateway/ports.js';
import type { Clock } from '../lobby/index.js';
import { answerUnknown, deliver, isPast } from '../shard/host/table-calls.js';
import type { FromShard, TableMessage, ToShard } from '../shard/messages.js';
import type { Sitting, TableApi, TableOpening } from '../table/api.js';
import type { TableEffect } from '../table/effects.js';
import { Outbox } from '../table/outbox.js';
import { createTable } from '../table/table.js';
import type { MemoryEntries } from './entries.js';

/** The shard's base, and the receiver of its messages. */
export interface ShardGround {
  clock: Clock;
  random: RandomSource;
  /** In place of the database. */
  entries: MemoryEntries;
  /** Finished frames, as the sockets take them. */
  frames(bytes: ArrayBuffer, index: Uint32Array): void;
  says(message: FromShard): void;
}

/** A closed table answers resyncs and repeated actions for so long, as at a shard. */
const LINGER_MS = 60_000;

type Release = Extract<TableEffect, { kind: 'release' }>;

/** Real tables without a thread and a database. The store grants a table's requests at the end of the turn. */
export class MemoryShard implements ShardLink {
  readonly #tables = new Map<string, { table: TableApi; poolId: string }>();
  readonly #out = new Outbox();
  #messages: FromShard[] = [];
  #flushes = false;
  #cancelTick = (): void => undefined;
  #ended = false;

  constructor(private readonly ground: ShardGround) {}

  send(message: ToShard): void {
    this.ground.clock.soon(() => this.#take(message));
  }

  /** A table with its players, all of them not connected yet. Their stacks come into the season with them. */
  open(opening: TableOpening): void {
    const { clock, random, entries } = this.ground;
    for (const { player, stack } of opening.sittings) entries.seat(player.agentId, stack);
    const table = createTable(clock.now(), opening, { random, out: this.#out });
    this.#tables.set(opening.tableId, { table, poolId: opening.poolId });
    this.#call(opening.tableId, () => undefined);
  }

  /** A spectator's view of a table. */
  stateOf(tableId: string): Readonly<Record<string, unknown>> {
    const slot = this.#tables.get(tableId);
    if (slot === undefined) throw new Error(`no table ${tableId}`);
    return JSON.parse(slot.table.publicState(this.ground.clock.now())) as Record<string, unknown>;
  }

  stop(): void {
    this.#ended = true;
    this.#cancelTick();
  }

  #take(message: ToShard): void {
    if (this.#ended || !('table' in message || message.t === 'open')) return;
    if (message.t === 'open') {
      this.open(message.opening);
      return this.#say({ t: 'opened', table: message.opening.tableId, ok: true, detail: null });
    }
    if (!this.#tables.has(message.table)) return this.#refuse(message);
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
      case 'replay': {
        const { ticket, agentId, lastTableSeq } = message;
        return this.#call(message.table, (table, now) =>
          this.#say({ t: 'state', ticket, json: table.replayText(now, agentId, lastTableSeq) }),
        );
      }
      case 'seat':
        return this.#call(message.table, (table) =>
          this.#say({ t: 'seat', ticket: message.ticket, seat: table.seatOf(message.agentId) }),
        );
      case 'attach':
      case 'rebuy':
        return this.#call(message.table, (table, now) => {
          if (table.stayOf(message.agentId) === null) this.#refuse(message);
          else deliver(table, now, message);
        });
      case 'leave':
      case 'moveOn':
      case 'part':
        return this.#call(message.table, (table, now) => {
          if (!isPast(table, message)) deliver(table, now, message);
        });
      default:
        this.#call(message.table, (table, now) => deliver(table, now, message));
    }
  }

  #refuse(message: TableMessage): void {
    const answer = answerUnknown(message);
    if (answer !== null) this.#say(answer);
  }

  #sit({ table: tableId, ticket, sitting, player, buyIn, socket, tempo }: Extract<ToShard, { t: 'sit' }>): void {
    const { entries } = this.ground;
    const { agentId } = player;
    this.#call(tableId, (table, now) => {
      const seat = table.reserveSeat(sitting);
      const balance = seat < 0 ? null : entries.buyIn(agentId, buyIn);
      if (balance === null) {
        if (seat >= 0) table.unreserveSeat(sitting);
        const code = seat < 0 ? 'table_full' : 'season_buy_in_failed';
        return this.#say({ t: 'sitFailed', table: tableId, ticket, agentId, code });
      }
      const debt = entries.of(agentId)?.debt ?? null;
      const stay: Sitting = { sitting, seat, player, stack: buyIn };
      if (tempo !== undefined) stay.tempo = tempo;
      if (debt !== null && debt.until > now) stay.left = debt.owes;
      this.#say({ t: 'sat', table: tableId, ticket, agentId, sitting, seat, stack: buyIn, balance });
      table.sit(now, stay, socket);
    });
  }

  #call(tableId: string, use: (table: TableApi, now: number) => void): void {
    const slot = this.#tables.get(tableId);
    if (slot === undefined || this.#ended) return;
    use(slot.table, this.ground.clock.now());
    for (const { effect } of this.#out.takeEffects()) this.#effect(tableId, slot.poolId, effect);
    this.#rest();
    this.#arm();
  }

  #effect(tableId: string, poolId: string, effect: TableEffect): void {
    const { clock, entries } = this.ground;
    const later = (use: (table: TableApi, now: number) => void) => clock.soon(() => this.#call(tableId, use));
    switch (effect.kind) {
      case 'commit':
        return later((table, now) => table.handCommitted(now, effect.record.handId));
      case 'release':
        return later((table, now) => this.#release(table, now, poolId, effect));
      case 'skim':
        return later((table, now) => table.skimmed(now, effect.sitting, entries.skim(effect.agentId, effect.excess)));
      case 'reserve':
        return later((table, now) => table.reserved(now, effect.upTo));
      case 'summary':
        return later((table) => this.#say({ t: 'summary', summary: table.summary() }));
      case 'closed':
        clock.after(LINGER_MS, () => void this.#tables.delete(tableId));
        return later(() => this.#say({ t: 'closed', table: tableId }));
      case 'mishap':
        return this.#say({ t: 'mishap', agentId: effect.agentId, mishap: effect.mishap });
    }
  }

  #release(table: TableApi, now: number, poolId: string, release: Release): void {
    const { entries } = this.ground;
    const { agentId, seat, reason, absent, stack, sitting, owes } = release;
    const balance = entries.cashOut(agentId, stack);
    entries.of(agentId)!.debt = owes === null ? null : { owes, until: now + owes.forMs };
    table.released(now, sitting);
    this.#say({ t: 'left', table: table.tableId, poolId, agentId, seat, reason, absent, stack, balance });
  }

  #say(message: FromShard): void {
    this.#messages.push(message);
    this.#rest();
  }

  /** Frames leave before messages, as between threads. */
  #rest(): void {
    if (this.#flushes) return;
    this.#flushes = true;
    this.ground.clock.soon(() => {
      this.#flushes = false;
      if (this.#ended) return;
      const batch = this.#out.takeFrames();
      if (batch !== null) this.ground.frames(batch.bytes, batch.index);
      for (const message of this.#messages.splice(0)) this.ground.says(message);
    });
  }

  #arm(): void {
    const { clock } = this.ground;
    this.#cancelTick();
    const next = Math.min(...[...this.#tables.values()].map(({ table }) => table.nextDeadline));
    this.#cancelTick =
      next === Infinity ? () => undefined : clock.after(Math.max(0, next - clock.now()), () => this.#tick());
  }

  #tick(): void {
    const now = this.ground.clock.now();
    for (const [tableId, { table }] of this.#tables) {
      if (table.nextDeadline <= now) this.#call(tableId, (due, at) => due.tick(at));
    }
    this.#arm();
  }
}
