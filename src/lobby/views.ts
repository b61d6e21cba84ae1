import { Detail, HttpError } from '../protocol/rest/errors.js';
import { isShown, isShownLive } from './audience.js';
import type { NotedMishap } from './mishaps.js';
import type { Scope, SeatElsewhere, TableElsewhere, TableView } from './ports.js';
import type { LobbyState } from './state.js';
import { NoShardAnswer } from './tickets.js';

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

/** The answers to REST and metrics about tables and players. */
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
    const { others } = this.state.options;
    if (others === undefined || this.state.tables.get(tableId) !== undefined) return this.#stateOf(tableId, forPlayer);
    try {
      return await others.tableView({ tableId, resync: null });
    } catch (error) {
      this.state.options.log.warn({ table_id: tableId, error: (error as Error).message }, 'a table cannot be shown');
      throw new HttpError(503, Detail.noAnswer, { 'retry-after': '1' });
    }
  }

  /** A spectator's view of a local table for another node, as JSON text. Null: the spectator may see no such table. */
  async ownTable({ tableId, resync }: TableView): Promise<string | null> {
    const table = this.state.tables.get(tableId);
    if (resync === null || table === undefined || table.state === 'opening') return this.#stateOf(tableId, false);
    return this.#ask<string | null>(table.shard, (ticket) => {
      this.state.shards.send(table.shard, { t: 'replay', table: tableId, ticket, ...resync });
    });
  }

  async #stateOf(tableId: string, forPlayer: boolean): Promise<string | null> {
    const table = this.state.tables.get(tableId);
    if (table === undefined || table.state === 'opening') return null;
    if (!forPlayer && !isShownLive(this.state.options.rulesOf(table.poolId).audience, false)) return null;
    return this.#ask<string | null>(table.shard, (ticket) => {
      this.state.shards.send(table.shard, { t: 'state', table: tableId, ticket });
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

  /** Where the agent sits, at whatever node, if anybody may watch it there. */
  async shownSeat(agentId: string): Promise<{ tableId: string; seat: number } | null> {
    const { others, rulesOf } = this.state.options;
    const seat = this.#ownSeat(agentId) ?? (await others?.seatOf(agentId)) ?? null;
    if (seat === null || !isShown(rulesOf(seat.poolId).audience, false)) return null;
    return { tableId: seat.tableId, seat: seat.seat };
  }

  #ownSeat(agentId: string): SeatElsewhere | null {
    const { directory, tables } = this.state;
    const seatRoute = directory.seatOf(agentId);
    const table = seatRoute && tables.get(seatRoute.table);
    return table === undefined ? null : { tableId: table.tableId, poolId: table.poolId, seat: seatRoute!.seat };
  }

  /** The agent's recent mishaps, the newest first. */
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
      if (error instanceof NoShardAnswer) throw new HttpError(503, Detail.noAnswer, { 'retry-after': '1' });
      throw error;
    }
  }
}
