import type { TableSummary } from '../table/api.js';
import type { Pace } from '../table/seats/pace.js';
import type { OpenTable, SeatedPlayer } from './matching/plan.js';
import type { Left, Scope } from './ports.js';

/** A player with a seat in the registry: bought in, not yet cashed out. */
export interface Occupant {
  house: boolean;
  owner: readonly string[];
}

/** One table as the lobby knows it. */
export interface LobbyTable {
  readonly tableId: string;
  readonly poolId: string;
  readonly scope: Scope;
  readonly shard: number;
  readonly seats: number;
  readonly smallBlind: number;
  readonly bigBlind: number;
  /** opening: not yet confirmed by the shard. closing: asked to close; nobody new sits down. */
  state: 'opening' | 'open' | 'closing';
  /** Exact, from the shard's `sat` and `left`. */
  readonly occupants: Map<string, Occupant>;
  /** On the way to a seat: sent to the shard, or waiting for the table to open. */
  readonly incoming: Map<string, Occupant>;
  /** House bots that were asked to leave, and players who are to go where others of their pace are. */
  readonly retiring: Set<string>;
  /** Cashed out because the table closes. They count as seated until they have read table_closed. */
  readonly cashedOut: Left[];
  /** Some of its players decide faster than others, as far as that is known. */
  mixed: boolean;
  /** When match-making has to look at a mixed table again (ms): some of its players may be parted by then. */
  lookAt: number;
  /** The table's own last word; it may be a moment behind `occupants`. */
  summary: TableSummary | null;
  /** It refused a seat though it seemed to have one: not asked again before this time (ms). */
  refusedUntil: number;
}

export class Tables {
  readonly #byId = new Map<string, LobbyTable>();
  readonly #byPool = new Map<string, Map<string, LobbyTable>>();

  add(
    table: Omit<
      LobbyTable,
      'occupants' | 'incoming' | 'retiring' | 'cashedOut' | 'mixed' | 'lookAt' | 'summary' | 'refusedUntil'
    >,
  ): LobbyTable {
    const record: LobbyTable = {
      ...table,
      occupants: new Map(),
      incoming: new Map(),
      retiring: new Set(),
      cashedOut: [],
      mixed: false,
      lookAt: 0,
      summary: null,
      refusedUntil: 0,
    };
    this.#byId.set(table.tableId, record);
    const pool = this.#byPool.get(table.poolId) ?? new Map<string, LobbyTable>();
    this.#byPool.set(table.poolId, pool.set(table.tableId, record));
    return record;
  }

  get(tableId: string): LobbyTable | undefined {
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

  all(): LobbyTable[] {
    return [...this.#byId.values()];
  }

  ofPool(poolId: string): LobbyTable[] {
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
export function takesPlayers(table: LobbyTable, now: number): boolean {
  return table.state === 'open' && table.summary?.closing !== true && now >= table.refusedUntil;
}

/** Seated players, those on their way, and those leaving: everybody who needs a seat there. */
function seatsTaken(table: LobbyTable): number {
  const ids = new Set([...table.occupants.keys(), ...table.incoming.keys()]);
  for (const { agentId } of table.summary?.players ?? []) ids.add(agentId);
  return ids.size;
}

/**
 * Whether match-making can have anything to do there. Most tables are full of guests who are there, and with many
 * tables it pays not to look at them closer. Tables of mixed pace may be parted.
 */
export function isSettled(table: LobbyTable): boolean {
  if (table.mixed || table.occupants.size + table.incoming.size < table.seats) return false;
  if (table.summary?.players.every(({ connected }) => connected) !== true) return false;
  for (const { house } of table.occupants.values()) if (house) return false;
  return true;
}

/**
 * The table as match-making sees it. An occupant that the summary lacks has just sat down. A player of the summary that
 * is no occupant was just cashed out, and the next summary lacks it. Bots of the house have no pace: among themselves
 * they take their time, and with guests they do not.
 */
export function viewOf(
  table: LobbyTable,
  paceOf: (agentId: string) => Pace | null,
  mayPart: (agentId: string) => boolean,
): OpenTable {
  const reported = new Map((table.summary?.players ?? []).map((player) => [player.agentId, player]));
  const players: SeatedPlayer[] = [];
  const add = (agentId: string, house: boolean, owner: readonly string[], connected: boolean) =>
    players.push({
      agentId,
      house,
      owner,
      connected,
      pace: house ? null : paceOf(agentId),
      parts: table.mixed && !house && table.occupants.has(agentId) && mayPart(agentId),
    });
  let leaving = 0;
  for (const [agentId, { house, owner }] of table.occupants) {
    const player = reported.get(agentId);
    if (player?.leaving === true || table.retiring.has(agentId)) leaving++;
    else add(agentId, house, owner, player?.connected ?? true);
  }
  for (const [agentId, { house, owner }] of table.incoming) add(agentId, house, owner, true);
  for (const agentId of reported.keys()) if (!table.occupants.has(agentId) && !table.incoming.has(agentId)) leaving++;
  const { tableId, shard, seats } = table;
  const inHand = table.summary?.inHand ?? false;
  return { tableId, shard, seats, players, leaving, inHand, free: Math.max(0, seats - seatsTaken(table)) };
}
