import type { MatchSituation } from './plan.js';
import type { LobbyState } from '../state.js';
import { isSettled, takesPlayers, viewOf, type LobbyTable } from '../tables.js';

/** The lobby's present state as match-making reads it. */

/** How many play on each shard where tables may be opened, in whatever pool. */
export function playersOfShards({ tables, shards }: LobbyState): Map<number, number> {
  const players = new Map(shards.up.map((shard) => [shard, 0]));
  for (const table of tables.all()) {
    const count = players.get(table.shard);
    if (count !== undefined) players.set(table.shard, count + table.occupants.size + table.incoming.size);
  }
  return players;
}

/** Players that sit, buy in or wait, by pool. */
export function playersByPool({ tables, queue }: LobbyState): Map<string, number> {
  const players = new Map<string, number>();
  const add = (poolId: string, count: number) => players.set(poolId, (players.get(poolId) ?? 0) + count);
  for (const { poolId, occupants, incoming } of tables.all()) add(poolId, occupants.size + incoming.size);
  for (const { entry, stage } of queue.all()) if (entry !== null && stage === 'queued') add(entry.poolId, 1);
  return players;
}

/** The pool's players that wait and may be seated, and the seated ones. */
export function playersOf(
  state: LobbyState,
  poolId: string,
  now: number,
): Pick<MatchSituation, 'waiting' | 'tables' | 'opening' | 'returning'> {
  const { tables, queue, shards, paces, options } = state;
  const own = tables.ofPool(poolId);
  // Tables of even size may have to give players up, also where each of them is content.
  const even = options.rulesOf(poolId).table.duplicate !== null;
  const paceOf = (agentId: string) => (options.paceGroups ? paces.of(agentId) : null);
  const waiting = queue
    .all()
    .filter(({ stage, entry }) => stage === 'queued' && entry?.poolId === poolId)
    .filter(({ agent }) => state.freeAt(agent) <= now)
    .map(({ agentId, arrival, since, entry, agent: { identity, owner } }) => ({
      agentId,
      arrival,
      since,
      pace: identity.isHouse ? null : paceOf(agentId),
      pro: entry?.premium ?? false,
      house: identity.isHouse,
      owner,
    }));
  return {
    waiting,
    tables: own
      .filter((table) => (even || !isSettled(table)) && takesPlayers(table, now) && shards.isUp(table.shard))
      .map((table) => viewOf(table, paceOf, (agentId) => paces.mayPart(agentId, now))),
    // Tables of a shard that is down may never open.
    opening: own.filter((table) => table.state === 'opening' && shards.isUp(table.shard)).reduce(addFree, 0),
    returning: own.filter((table) => table.state === 'closing').reduce((sum, table) => sum + table.occupants.size, 0),
  };
}

const addFree = (sum: number, { seats, occupants, incoming }: LobbyTable): number =>
  sum + Math.max(0, seats - occupants.size - incoming.size);

/** When a table of the pool that refused may be tried again. */
export function retryAt({ tables }: LobbyState, poolId: string, now: number): number {
  const times = tables.ofPool(poolId).map((table) => table.refusedUntil);
  return Math.min(Infinity, ...times.filter((time) => time > now));
}

/** The earliest time at which another waiting player may be seated. */
export function nextFreeAt(state: LobbyState, now: number): number {
  const times = state.queue.all().map(({ stage, agent }) => (stage === 'queued' ? state.freeAt(agent) : 0));
  return Math.min(Infinity, ...times.filter((time) => time > now));
}
