import { Detail, HttpError } from '../protocol/rest/errors.js';
import { isShown, isShownLive } from './audience.js';
import type { NotedMishap } from './mishaps.js';
import type { Scope, SpectatorResync, TableElsewhere } from './ports.js';
import type { LobbyState } from './state.js';
import { NoAnswer } from './tickets.js';

/** A seat as GET /me/active-game shows it; chips as last sent. */
export interface ActiveSeat {
  tableId: string;
  seat: number;
  stack: number;
  /** Null: the season. */
  competitionId: string | null;
}

/** An open table as GET /tables lists it. */
interface TableItem {
  table_id: string;
  seats: number;
  players: number;
  small_blind: number;
  big_blind: number;
  hand_number: number;
}

/** What REST and metrics ask about tables and people. */
export class LobbyViews {
  constructor(private readonly state: LobbyState) {}

  /** Open tables of a scope (null: the season) as GET /tables lists them, with those of other nodes. */
  async listTables(scope: Scope = null): Promise<TableItem[]> {
    const { others } = this.state.options;
    const own = this.#ownTables(scope);
    return others === undefined ? own : [...own, ...this.#tablesElsewhere(await others.tables(), scope)];
  }

  #tablesElsewhere(tables: readonly TableElsewhere[], scope: Scope): TableItem[] {
    return tables.flatMap(({ tableId, poolId, handNumber, players }) => {
      const rules = this.state.options.rulesOf(poolId);
      if (rules.scope !== scope) return [];
      const { seats, smallBlind, bigBlind } = rules.table;
      const blinds = { small_blind: smallBlind, big_blind: bigBlind };
      return [{ table_id: tableId, seats, players, ...blinds, hand_number: handNumber }];
    });
  }

  #ownTables(scope: Scope): TableItem[] {
    return this.state.tables
      .all()
      .filter((table) => table.summary !== null && table.scope === scope)
      .map((table) => ({
        table_id: table.tableId,
        seats: table.seats,
        players: table.summary?.occupied ?? 0,
        small_blind: table.smallBlind,
        big_blind: table.bigBlind,
        hand_number: table.summary?.handNumber ?? 0,
      }));
  }

  /**
   * The public table_state as JSON text; null when there is no such table, or it is nobody's to see but its players'
   * (`forPlayer`). Rejects with HttpError 503 without an answer.
   */
  async tableState(tableId: string, { forPlayer = false } = {}): Promise<string | null> {
    const table = this.state.tables.get(tableId);
    if (table === undefined || table.state === 'opening') return null;
    if (!forPlayer && !isShownLive(this.state.options.rulesOf(table.poolId).audience, false)) return null;
    return this.#ask<string | null>(table.shard, (ticket) => {
      this.state.shards.send(table.shard, { t: 'state', table: tableId, ticket });
    });
  }

  /** The answer to a spectator's resync from another node, as JSON text; null: there is no such table for it. */
  async replay({ tableId, agentId, lastTableSeq }: SpectatorResync): Promise<string | null> {
    const table = this.state.tables.get(tableId);
    if (table === undefined || table.state === 'opening') return null;
    return this.state.tickets.ask<string | null>(table.shard, (ticket) => {
      this.state.shards.send(table.shard, { t: 'replay', table: tableId, ticket, agentId, lastTableSeq });
    });
  }

  /** Where the agent plays; null when it does not. Rejects with HttpError 503 without an answer. */
  async activeGame(agentId: string): Promise<ActiveSeat | null> {
    const seatRoute = this.state.directory.seatOf(agentId);
    if (seatRoute === undefined) return null;
    const seat = await this.#ask<{ seat: number; stack: number } | null>(seatRoute.shard, (ticket) => {
      this.state.shards.send(seatRoute.shard, { t: 'seat', table: seatRoute.table, ticket, agentId });
    });
    if (seat === null) return null;
    const competitionId = this.state.tables.get(seatRoute.table)?.scope ?? null;
    return { tableId: seatRoute.table, seat: seat.seat, stack: seat.stack, competitionId };
  }

  /** Where the agent sits, if anybody may watch it there. */
  shownSeat(agentId: string): { tableId: string; seat: number } | null {
    const { directory, tables, options } = this.state;
    const seatRoute = directory.seatOf(agentId);
    const table = seatRoute && tables.get(seatRoute.table);
    if (seatRoute === undefined || table === undefined) return null;
    return isShown(options.rulesOf(table.poolId).audience, false)
      ? { tableId: table.tableId, seat: seatRoute.seat }
      : null;
  }

  /** What went wrong for the agent lately, the newest first. */
  mishapsOf(agentId: string): readonly NotedMishap[] {
    return this.state.mishaps.of(agentId, this.state.options.clock.now());
  }

  /** Gauges for /health and /metrics. */
  counts(): { connected: number; waiting: number; seated: number; tables: number } {
    const { agents, queue, directory, tables } = this.state;
    return { connected: agents.size, waiting: queue.size, seated: directory.seated, tables: tables.size };
  }

  async #ask<T>(shard: number, send: (ticket: number) => void): Promise<T> {
    try {
      return await this.state.tickets.ask<T>(shard, send);
    } catch (error) {
      if (error instanceof NoAnswer) throw new HttpError(503, Detail.noAnswer, { 'retry-after': '1' });
      throw error;
    }
  }
}
