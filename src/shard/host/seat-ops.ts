import { assert, assertWhole } from '../../ops/assert.js';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Sitting, TableOpening } from '../../table/api.js';
import { SEQ_STEP } from '../../table/numbering.js';
import { HeldMessages } from './held-messages.js';
import { HELD_OF_AGENT, type TableSlot } from './table-slot.js';
import type { SitFailure, ToShard } from '../messages.js';
import {
  adoptTables,
  buyIn,
  cashOut,
  closeTable,
  openTable,
  WriteRefused,
  rememberedStay,
  reserveSeq,
  skim,
  type WriteRefusal,
  type Reservation,
} from '../commit/queries.js';
import type { ShardBase, HostedTables } from './context.js';
import type { TableEffect } from '../../table/effects.js';

type Sit = Extract<ToShard, { t: 'sit' }>;
type Release = Extract<TableEffect, { kind: 'release' }>;
type Skim = Extract<TableEffect, { kind: 'skim' }>;

/** Tables on their way to this shard, and which of them it got. */
interface Adoption {
  tables: Reservation[];
  adopted: Promise<Set<string>>;
}

/**
 * A table's requests to the database besides its hands: seats, opening and closing, table_seq. Operations of one table
 * run in order, each until it is done, however long the database is away.
 */
export class SeatOps {
  #adoption: Adoption | null = null;

  constructor(
    private readonly base: ShardBase,
    private readonly context: HostedTables,
  ) {}

  /** Stores a fresh table, or takes a stored one over; only then it may speak. */
  open(slot: TableSlot, restored: boolean): void {
    const { opening } = slot;
    assert(slot.state.is === 'opening', 'a table opens once', slot.state.is);
    slot.ops.push(async () => {
      try {
        await this.#store(opening, restored);
      } catch (error) {
        if (!(error instanceof WriteRefused)) throw error;
        this.context.giveBack(slot);
        this.base.posts.say({ t: 'opened', table: slot.id, ok: false, detail: error.message });
        return;
      }
      this.base.posts.send({ t: 'opened', table: slot.id, ok: true, detail: null });
      this.context.install(slot, opening);
    });
  }

  async #store({ tableId, poolId, seqFloor }: TableOpening, restored: boolean): Promise<void> {
    const { durable, fence } = this.base;
    assertWhole(seqFloor, 'the stored bound of table_seq');
    const reservation = { tableId, seqReserved: seqFloor + SEQ_STEP };
    if (!restored) return durable.run('open table', (sql) => openTable(sql, fence, { poolId, ...reservation }));
    this.#adoption ??= this.#nextAdoption();
    this.#adoption.tables.push(reservation);
    const adopted = await this.#adoption.adopted;
    if (!adopted.has(tableId)) throw new WriteRefused('table');
  }

  /** All tables that a shard restores come in one turn, and are adopted by one statement. */
  #nextAdoption(): Adoption {
    const tables: Reservation[] = [];
    const adopted = endOfTurn().then(() => {
      this.#adoption = null;
      return this.base.durable.run('adopt tables', (sql) => adoptTables(sql, this.base.fence, tables));
    });
    return { tables, adopted };
  }

  /** Keeps a seat, takes the buy-in, and seats the player once that is committed. */
  sit(slot: TableSlot, m: Sit): void {
    const { sitting } = m;
    const { agentId } = m.player;
    assert(Number.isSafeInteger(m.buyIn), 'a buy-in has whole chips', m.buyIn);
    assert(!slot.sits.has(agentId), 'an agent buys in once at a time', agentId);
    let seat = -1;
    this.context.call(slot, (table) => void (seat = table.reserveSeat(sitting)));
    if (seat < 0) return this.#sitFailed(m, slot.closed ? 'table_gone' : 'table_full');
    slot.sits.set(agentId, new HeldMessages(HELD_OF_AGENT));
    slot.ops.push(async () => {
      const what = { poolId: slot.opening.poolId, agentId, tableId: m.table, seat, sitting, amount: m.buyIn };
      try {
        const balance = await this.base.durable.run('buy-in', (sql) => buyIn(sql, this.base.fence, what));
        const tempo = m.tempo === undefined ? {} : { tempo: m.tempo };
        const stay = { sitting, seat, stack: m.buyIn, ...tempo, ...(await this.#remembered(slot, agentId)) };
        this.#seated(slot, m, stay, balance);
      } catch (error) {
        if (!(error instanceof WriteRefused)) this.context.contradicted(slot, error);
        this.context.call(slot, (table) => table.unreserveSeat(sitting));
        const code = error instanceof WriteRefused ? SIT_FAILURES[error.reason] : undefined;
        this.#sitFailed(m, code ?? 'season_buy_in_failed');
      }
      const later = slot.sits.get(agentId)!;
      slot.sits.delete(agentId);
      this.context.resume(slot, later.take());
      this.base.posts.rest();
    });
  }

  /** Where the hand was void meanwhile there is no table now: it will find the seat when it is opened again. */
  #seated(slot: TableSlot, m: Sit, stay: Omit<Sitting, 'player'>, balance: number): void {
    const { player, socket } = m;
    const { sitting, seat, stack } = stay;
    assertWhole(balance, 'the balance after a buy-in');
    this.base.posts.send({
      t: 'sat',
      table: m.table,
      ticket: m.ticket,
      agentId: player.agentId,
      sitting,
      seat,
      stack,
      balance,
    });
    slot.sockets.set(player.agentId, socket);
    this.context.call(slot, (table, now) => table.sit(now, { ...stay, player }, socket));
  }

  /** Asked once the agent sits here: no stay elsewhere can end and change it any more. */
  async #remembered(
    { opening: { poolId, rules } }: TableSlot,
    agentId: string,
  ): Promise<Pick<Sitting, 'decksSeen' | 'left'>> {
    if (rules.duplicate === null && !rules.returnPost) return {};
    const { decksSeen, left } = await this.base.durable.run('remembered stay', (sql) =>
      rememberedStay(sql, poolId, agentId),
    );
    return { ...(rules.duplicate !== null && { decksSeen }), ...(rules.returnPost && left !== undefined && { left }) };
  }

  #sitFailed(m: Sit, code: SitFailure): void {
    this.base.posts.send({ t: 'sitFailed', table: m.table, ticket: m.ticket, agentId: m.player.agentId, code });
  }

  /** Gives a seat's chips back to the balance, after the commit of the hand that ended the stay. */
  release(slot: TableSlot, { sitting, seat, agentId, stack, reason, absent, decksSeen, owes }: Release): void {
    const { poolId } = slot.opening;
    assertWhole(stack, 'the stack of a cash-out');
    slot.ops.push(async () => {
      let balance: number;
      try {
        balance = await this.base.durable.run('cash-out', (sql) =>
          cashOut(sql, this.base.fence, { poolId, agentId, sitting, stack, decksSeen, owes }),
        );
      } catch (error) {
        return this.#contradicted(slot, error);
      }
      assert(balance >= stack, 'a balance holds the stack that was cashed out', balance);
      slot.sockets.delete(agentId);
      this.context.call(slot, (table, now) => table.released(now, sitting));
      this.base.posts.send({ t: 'left', table: slot.id, poolId, agentId, seat, reason, absent, stack, balance });
      this.base.posts.rest();
    });
  }

  /** Takes chips of a stack back to the balance, after the commit of the hand that made it too large. */
  skim(slot: TableSlot, { sitting, agentId, stack, excess, handId }: Skim): void {
    assert(excess > 0 && excess <= stack, 'a stack covers its excess', excess);
    const what = { poolId: slot.opening.poolId, agentId, sitting, stack, excess, handId };
    slot.ops.push(async () => {
      let balance: number;
      try {
        balance = await this.base.durable.run('skim', (sql) => skim(sql, this.base.fence, what));
      } catch (error) {
        return this.#contradicted(slot, error);
      }
      assert(balance >= excess, 'a balance holds the excess that was taken', balance);
      this.context.call(slot, (table, now) => table.skimmed(now, sitting, balance));
      this.base.posts.rest();
    });
  }

  reserve(slot: TableSlot, upTo: number): void {
    assertWhole(upTo, 'the bound of table_seq');
    slot.ops.push(async () => {
      try {
        await this.base.durable.run('reserve', (sql) => reserveSeq(sql, this.base.fence, slot.id, upTo));
      } catch (error) {
        return this.#contradicted(slot, error);
      }
      this.context.call(slot, (table, now) => table.reserved(now, upTo));
      this.base.posts.rest();
    });
  }

  close(slot: TableSlot): void {
    assert(slot.state.is === 'closing', 'a table closes before its row does', slot.state.is);
    slot.ops.push(async () => {
      try {
        await this.base.durable.run('close table', (sql) => closeTable(sql, this.base.fence, slot.id));
      } catch (error) {
        return this.#contradicted(slot, error);
      }
      this.context.closed(slot);
    });
  }

  /** The table and the database disagree, which is a bug: the database is right. */
  #contradicted(slot: TableSlot, error: unknown): void {
    if (!(error instanceof WriteRefused)) throw error;
    this.context.voidHand(slot, error);
    this.base.posts.rest();
  }
}

/** Any other refusal is about the player's chips. */
const SIT_FAILURES: Partial<Record<WriteRefusal, SitFailure>> = {
  table: 'table_gone',
  seat_taken: 'table_full',
  pool: 'pool_not_open',
  sitting: 'table_gone',
};
