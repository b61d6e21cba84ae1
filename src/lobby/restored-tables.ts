import type { TableOpening } from '../table/api.js';
import type { Lobby } from './lobby.js';
import type { Matchmaking } from './matchmaking.js';
import type { Waiter } from './queue.js';
import type { LobbyState } from './state.js';
import { openingSummaryOf } from './summaries.js';
import type { LobbyTable } from './tables.js';

export interface RestoredWays {
  /** Connected players of the table attach again. */
  comeBack(table: LobbyTable): void;
  /** The table closed, or did not come back. */
  gone(tableId: string): void;
}

/** Tables that are opened again from what is stored: after their shard was lost, or their node has ended. */
export class RestoredTables {
  constructor(
    private readonly state: LobbyState,
    private readonly lobby: Lobby,
    private readonly matchmaking: Matchmaking,
    private readonly ways: RestoredWays,
  ) {}

  /**
   * Restores these tables of the shard, with all players disconnected. The shard's other tables do not come back.
   * Returns the restored tables. Returns these.
   */
  restore(shard: number, openings: readonly TableOpening[]): LobbyTable[] {
    const { tables, directory, queue, scopes } = this.state;
    const before = tables.all().filter((table) => table.shard === shard);
    const reopened = openings.map((opening) => this.#reopen(shard, opening));
    const kept = new Set(reopened.map((table) => table.tableId));
    for (const table of reopened) this.ways.comeBack(table);
    for (const [agentId, seatRoute] of directory.onShard(shard)) {
      if (tables.get(seatRoute.table)?.occupants.has(agentId) === true && kept.has(seatRoute.table)) continue;
      directory.leave(agentId, seatRoute.table);
      this.state.sendRoute(agentId);
      this.lobby.stayLost(agentId);
    }
    for (const table of before) if (!kept.has(table.tableId)) this.ways.gone(table.tableId);
    for (const waiter of queue.all()) {
      if (waiter.table === null || waiter.stage !== 'bound') continue;
      const table = tables.get(waiter.table);
      if (table?.occupants.has(waiter.agentId) === true) this.#boughtIn(waiter);
      else if (table === undefined || kept.has(table.tableId)) this.matchmaking.requeue(waiter);
    }
    scopes.season.shardRecovered();
    scopes.competitions.shardRecovered();
    this.matchmaking.touch();
    return reopened;
  }

  /** Opens tables that this node has of an ended one; resolves to those that are new here. */
  adopt(shard: number, openings: readonly TableOpening[]): LobbyTable[] {
    const { tables, shards, scopes } = this.state;
    const adopted: LobbyTable[] = [];
    for (const opening of openings) {
      if (tables.get(opening.tableId) !== undefined) continue;
      shards.send(shard, { t: 'open', opening, restored: true });
      const table = this.#reopen(shard, opening);
      this.ways.comeBack(table);
      adopted.push(table);
    }
    // Busts that the end of the node swallowed.
    scopes.season.shardRecovered();
    scopes.competitions.shardRecovered();
    this.matchmaking.touch();
    return adopted;
  }

  #reopen(shard: number, opening: TableOpening): LobbyTable {
    const { tableId, poolId, rules, sittings } = opening;
    const { seats, smallBlind, bigBlind } = rules;
    const { scope } = this.state.options.rulesOf(poolId);
    const blinds = { smallBlind, bigBlind };
    const table = this.state.tables.add({ tableId, poolId, scope, shard, seats, ...blinds, state: 'open' });
    table.summary = openingSummaryOf(opening);
    for (const stay of sittings) {
      const { agentId, isHouse } = stay.player;
      table.incoming.set(agentId, { house: isHouse, owner: [] });
      this.matchmaking.occupy(table, agentId, stay);
    }
    return table;
  }

  /**
   * The word of the buy-in was lost. An agent that is gone never learned of the seat, so the seat is not held (see
   * `sat`).
   */
  #boughtIn(waiter: Waiter): void {
    this.state.queue.delete(waiter);
    if (this.state.agents.of(waiter.agentId) === undefined) this.state.giveUpSeat(waiter.agentId);
  }
}
