import type { TableSummary } from '../table/api.js';
import type { OpenTable, Seated } from './matchmaker.js';
import type { Left, Scope } from './ports.js';

/** A player whose seat the registry knows of: bought in, not yet cashed out. */
export interface Occupant {
  house: boolean;
  owner: readonly string[];
}

/** One table as the lobby knows it. */
export interface TableRecord {
  readonly tableId: string;
  readonly poolId: string;
  readonly scope: Scope;
  readonly shard: number;
  readonly seats: number;
  readonly smallBlind: number;
  readonly bigBlind: number;
  /** opening: not yet confirmed by the shard. closing: told to close; nobody new sits down. */
  state: 'opening' | 'open' | 'closing';
  /** Exact, from the shard's `sat` and `left`. */
  readonly occupants: Map<string, Occupant>;
  /** On the way to a seat: sent to the shard, or waiting for the table to open. */
  readonly incoming: Map<string, Occupant>;
  /** House bots that were asked to leave. */
  readonly retiring: Set<string>;
  /** Cashed out because the table closes. They count as seated until they have read table_closed. */
  readonly cashedOut: Left[];
  /** The table's own last word; it may be a moment behind `occupants`. */
  summary: TableSummary | null;
  /** It refused a seat though it seemed to have one: not asked again before this time (ms). */
  refusedUntil: number;
}

export class Tables {
  readonly #byId = new Map<string, TableRecord>();
  readonly #byPool = new Map<string, Map<string, TableRecord>>();

  add(
    table: Omit<TableRecord, 'occupants' | 'incoming' | 'retiring' | 'cashedOut' | 'summary' | 'refusedUntil'>,
  ): TableRecord {
    const record: TableRecord = {
      ...table,
      occupants: new Map(),
      incoming: new Map(),
      retiring: new Set(),
      cashedOut: [],
      summary: null,
      refusedUntil: 0,
    };
    this.#byId.set(table.tableId, record);
    const pool = this.#byPool.get(table.poolId) ?? new Map<string, TableRecord>();
    this.#byPool.set(table.poolId, pool.set(table.tableId, record));
    return record;
  }

  get(tableId: string): TableRecord | undefined {
    return this.#byId.get(tableId);
  }

  delete(tableId: string): void {
    const record = this.#byId.get(tableId);
    if (record === undefined) return;
    this.#byId.delete(tableId);
    const pool = this.#byPool.get(record.poolId);
    pool?.delete(tableId);
    if (pool?.size === 0) this.#byPool.delete(record.poolId);
  }

  all(): TableRecord[] {
    return [...this.#byId.values()];
  }

  ofPool(poolId: string): TableRecord[] {
    return [...(this.#byPool.get(poolId)?.values() ?? [])];
  }

  /** Those with an open table. */
  get pools(): IterableIterator<string> {
    return this.#byPool.keys();
  }

  get size(): number {
    return this.#byId.size;
  }
}

/** Whether a newcomer may be sent there. */
export function takesPlayers(table: TableRecord, now: number): boolean {
  return table.state === 'open' && table.summary?.closing !== true && now >= table.refusedUntil;
}

/** Seated players, those on their way, and those leaving: everybody who needs a seat there. */
function seatsTaken(table: TableRecord): number {
  const ids = new Set([...table.occupants.keys(), ...table.incoming.keys()]);
  for (const { agentId } of table.summary?.players ?? []) ids.add(agentId);
  return ids.size;
}

/**
 * Whether match-making can have anything to do there. Most tables are full of guests, and with many tables it pays not
 * to look at them closer.
 */
export function isSettled(table: TableRecord): boolean {
  if (table.occupants.size + table.incoming.size < table.seats) return false;
  for (const { house } of table.occupants.values()) if (house) return false;
  return true;
}

/**
 * The table as match-making sees it. An occupant that the summary does not list yet has just sat down; somebody the
 * summary lists without being an occupant has just been cashed out (the next summary comes without him).
 */
export function viewOf(table: TableRecord): OpenTable {
  const told = new Map((table.summary?.players ?? []).map((player) => [player.agentId, player]));
  const players: Seated[] = [];
  let leaving = 0;
  for (const [agentId, { house, owner }] of table.occupants) {
    const player = told.get(agentId);
    if (player?.leaving === true || table.retiring.has(agentId)) leaving++;
    else players.push({ agentId, house, owner, connected: player?.connected ?? true });
  }
  for (const [agentId, { house, owner }] of table.incoming) players.push({ agentId, house, owner, connected: true });
  for (const agentId of told.keys()) if (!table.occupants.has(agentId) && !table.incoming.has(agentId)) leaving++;
  const { tableId, shard, seats } = table;
  return { tableId, shard, seats, players, leaving, free: Math.max(0, seats - seatsTaken(table)) };
}
