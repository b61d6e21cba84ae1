import type { Matchmaking } from './matchmaking.js';
import type { LobbyState } from './state.js';
import type { LobbyTable } from './tables.js';

/** So long relayed players stay at a table before they go to their own node, in ms. */
const RELAYED_MS = 60_000;

/**
 * Players with sockets at other nodes. Two of one node at a table are company for each other: they leave it together
 * and sit down at their own node. Every relayed player leaves a table that was reopened, or that is of the time when its pool
 * gathered here. A player stays while its join would come back to this node at once. Everybody leaves a table of a pool
 * that gathers at another node: its newcomers wait there.
 */
export class RelayedPlayers {
  /** Tables that every relayed player leaves, once. */
  readonly #mixed = new Set<LobbyTable>();
  /** Since when players of a table could leave it, epoch ms. */
  readonly #since = new Map<LobbyTable, number>();

  constructor(
    private readonly state: LobbyState,
    private readonly matchmaking: Matchmaking,
  ) {}

  /** The table was open at another node, or in an earlier life of its shard. */
  reopened(table: LobbyTable): void {
    this.#mixed.add(table);
  }

  /** Call it every few seconds. */
  look(): void {
    const { tables, options } = this.state;
    const now = options.clock.now();
    for (const known of [this.#mixed, this.#since]) {
      for (const table of known.keys()) if (tables.get(table.tableId) !== table) known.delete(table);
    }
    for (const table of tables.all()) {
      const leaving = table.state === 'open' ? this.#leaving(table) : [];
      const since = this.#since.get(table) ?? now;
      if (leaving.length === 0) this.#since.delete(table);
      else this.#since.set(table, since);
      if (leaving.length === 0 || now - since < RELAYED_MS) continue;
      this.#since.delete(table);
      // A player that comes back later had no company at its node.
      this.#mixed.delete(table);
      this.#sendAway(table, leaving);
    }
  }

  #leaving(table: LobbyTable): string[] {
    const { others } = this.state.options;
    if (others !== undefined && this.#goesFrom(table, others.nodeId)) {
      return [...table.occupants.keys()].filter((agentId) => this.state.agents.of(agentId) !== undefined);
    }
    const byEdge = new Map<string, string[]>();
    for (const [agentId, { house }] of table.occupants) {
      const edge = this.state.agents.of(agentId)?.edge ?? null;
      // House bots always meet at the host.
      if (edge !== null && !house) byEdge.set(edge, [...(byEdge.get(edge) ?? []), agentId]);
    }
    const leaving = [...byEdge].filter(([edge]) => this.#goesFrom(table, edge));
    if (leaving.length < byEdge.size) this.#mixed.add(table);
    const least = this.#mixed.has(table) ? 1 : 2;
    return leaving.flatMap(([, agentIds]) => (agentIds.length >= least ? agentIds : []));
  }

  /** Whether a join of the pool from that node would go there, or to another one. */
  #goesFrom({ poolId }: LobbyTable, edge: string): boolean {
    const { others, rulesOf } = this.state.options;
    const gathers = rulesOf(poolId).table.duplicate !== null;
    return others?.placeOf({ poolId, gathers, edge, handedOver: false, waitedMs: 0 }).at === 'node';
  }

  /** These players leave the table together once their hand is over. It closes where one of the others would be left alone. */
  #sendAway(table: LobbyTable, agentIds: readonly string[]): void {
    const { directory, agents, shards } = this.state;
    const staying = [...table.occupants.keys()].filter((id) => !agentIds.includes(id) && agents.of(id) !== undefined);
    if (staying.length < 2) return this.matchmaking.close(table, 'insufficient_players', false);
    for (const agentId of agentIds) {
      const seat = directory.seatOf(agentId);
      if (seat?.table !== table.tableId) continue;
      const { sitting, shard } = seat;
      table.retiring.add(agentId);
      shards.send(shard, { t: 'part', table: table.tableId, agentId, sitting, reason: 'insufficient_players' });
    }
  }
}
