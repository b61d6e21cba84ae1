import { randomUUID } from 'node:crypto';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { TableEffect, TableOpening } from '../table/api.js';
import { SEQ_STEP } from '../table/numbering.js';
import type { HostedTable } from './hosted.js';
import type { SitFailure, ToShard } from './messages.js';
import {
  adoptTables,
  buyIn,
  cashOut,
  closeTable,
  openTable,
  Refused,
  reserveSeq,
  skim,
  type Refusal,
  type Reservation,
} from './queries.js';
import type { Stage } from './stage.js';

type Sit = Extract<ToShard, { t: 'sit' }>;
type Release = Extract<TableEffect, { kind: 'release' }>;
type Skim = Extract<TableEffect, { kind: 'skim' }>;

/** Tables on their way to this shard, and which of them it got. */
interface Adoption {
  tables: Reservation[];
  adopted: Promise<Set<string>>;
}

/**
 * What a table asks of the database besides its hands: taking and giving back seats, opening and closing, table_seq.
 * Operations of one table run in order, each until it is done, however long the database is away.
 */
export class SeatOps {
  #adoption: Adoption | null = null;

  constructor(private readonly host: Stage) {}

  /** Stores a fresh table, or takes a stored one over; only then it may speak. */
  open(hosted: HostedTable, restored: boolean): void {
    const { opening } = hosted;
    hosted.ops.push(async () => {
      try {
        await this.#store(opening, restored);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.host.tables.delete(hosted.id);
        this.host.say({ t: 'opened', table: hosted.id, ok: false, detail: error.message });
        return;
      }
      this.host.send({ t: 'opened', table: hosted.id, ok: true, detail: null });
      this.host.install(hosted, opening);
    });
  }

  async #store({ tableId, poolId, seqFloor }: TableOpening, restored: boolean): Promise<void> {
    const { durable, fence } = this.host;
    const reservation = { tableId, seqReserved: seqFloor + SEQ_STEP };
    if (!restored) return durable.run('open table', (sql) => openTable(sql, fence, { poolId, ...reservation }));
    this.#adoption ??= this.#nextAdoption();
    this.#adoption.tables.push(reservation);
    const adopted = await this.#adoption.adopted;
    if (!adopted.has(tableId)) throw new Refused('table');
  }

  /** All tables that a shard restores come in one turn, and are adopted by one statement. */
  #nextAdoption(): Adoption {
    const tables: Reservation[] = [];
    const adopted = endOfTurn().then(() => {
      this.#adoption = null;
      return this.host.durable.run('adopt tables', (sql) => adoptTables(sql, this.host.fence, tables));
    });
    return { tables, adopted };
  }

  /** Keeps a seat, takes the buy-in, and seats the player once that is committed. */
  sit(hosted: HostedTable, m: Sit): void {
    const { agentId } = m.player;
    const sitting = randomUUID();
    let seat = -1;
    this.host.call(hosted, (table) => (seat = table.reserveSeat(sitting)));
    if (seat < 0) return this.#sitFailed(m, hosted.closed ? 'table_gone' : 'table_full');
    hosted.sits.set(agentId, []);
    hosted.ops.push(async () => {
      const what = { poolId: hosted.opening.poolId, agentId, tableId: m.table, seat, sitting, amount: m.buyIn };
      try {
        const balance = await this.host.durable.run('buy-in', (sql) => buyIn(sql, this.host.fence, what));
        this.#seated(hosted, m, seat, sitting, balance);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.host.call(hosted, (table) => table.unreserveSeat(sitting));
        this.#sitFailed(m, SIT_FAILURES[error.reason] ?? 'season_buy_in_failed');
      }
      const later = hosted.sits.get(agentId)!;
      hosted.sits.delete(agentId);
      this.host.resume(hosted, later);
      this.host.rest();
    });
  }

  /** Where the hand was void meanwhile there is no table now: it will find the seat when it is opened again. */
  #seated(hosted: HostedTable, m: Sit, seat: number, sitting: string, balance: number): void {
    const { player, socket } = m;
    hosted.sockets.set(player.agentId, socket);
    this.host.send({
      t: 'sat',
      table: m.table,
      ticket: m.ticket,
      agentId: player.agentId,
      seat,
      stack: m.buyIn,
      balance,
    });
    this.host.call(hosted, (table, now) => table.sit(now, { sitting, seat, player, stack: m.buyIn }, socket));
  }

  #sitFailed(m: Sit, code: SitFailure): void {
    this.host.send({ t: 'sitFailed', table: m.table, ticket: m.ticket, agentId: m.player.agentId, code });
  }

  /** Gives a seat's chips back to the balance, after the commit of the hand that ended the stay. */
  release(hosted: HostedTable, { sitting, seat, agentId, stack, reason }: Release): void {
    const { poolId } = hosted.opening;
    hosted.ops.push(async () => {
      let balance: number;
      try {
        balance = await this.host.durable.run('cash-out', (sql) =>
          cashOut(sql, this.host.fence, { poolId, agentId, sitting, stack }),
        );
      } catch (error) {
        return this.#contradicted(hosted, error);
      }
      hosted.sockets.delete(agentId);
      this.host.call(hosted, (table, now) => table.released(now, sitting));
      this.host.send({ t: 'left', table: hosted.id, poolId, agentId, seat, reason, stack, balance });
      this.host.rest();
    });
  }

  /** Takes chips of a stack back to the balance, after the commit of the hand that made it too large. */
  skim(hosted: HostedTable, { sitting, agentId, stack, excess, handId }: Skim): void {
    const what = { poolId: hosted.opening.poolId, agentId, sitting, stack, excess, handId };
    hosted.ops.push(async () => {
      let balance: number;
      try {
        balance = await this.host.durable.run('skim', (sql) => skim(sql, this.host.fence, what));
      } catch (error) {
        return this.#contradicted(hosted, error);
      }
      this.host.call(hosted, (table, now) => table.skimmed(now, sitting, balance));
      this.host.rest();
    });
  }

  reserve(hosted: HostedTable, upTo: number): void {
    hosted.ops.push(async () => {
      try {
        await this.host.durable.run('reserve', (sql) => reserveSeq(sql, this.host.fence, hosted.id, upTo));
      } catch (error) {
        return this.#contradicted(hosted, error);
      }
      this.host.call(hosted, (table, now) => table.reserved(now, upTo));
      this.host.rest();
    });
  }

  close(hosted: HostedTable): void {
    hosted.ops.push(async () => {
      try {
        await this.host.durable.run('close table', (sql) => closeTable(sql, this.host.fence, hosted.id));
      } catch (error) {
        hosted.closed = false;
        return this.#contradicted(hosted, error);
      }
      this.host.closed(hosted);
    });
  }

  /** The table and the database disagree, which is a bug: the database is right. */
  #contradicted(hosted: HostedTable, error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    this.host.voidHand(hosted, error);
    this.host.rest();
  }
}

/** Any other refusal is about the player's chips. */
const SIT_FAILURES: Partial<Record<Refusal, SitFailure>> = { table: 'table_gone', seat_taken: 'table_full' };
