import { openCursor, portions } from '../store/cursor.js';
import { transaction, type Database, type Queryable, type Transaction } from '../store/database.js';
import type { RatedTotals } from './model.js';

/** SQL of ratings and bot versions. */

/** Rated hands of one version of an agent's bot: sums of its results, and of its flows by the other guest. */
export interface RatedHands {
  version: string;
  totals: RatedTotals;
  pairs: ReadonlyMap<string, { weight: number; flow: number }>;
}

/** Hands of an agent that are added to its ratings, from where its counting stands. */
export interface CountedRatings {
  agentId: string;
  lastHandId: string;
  hands: number;
  versions: readonly RatedHands[];
}

/**
 * Adds the rated hands of agents with a count that still stands where it was read. The caller's transaction has locked
 * the counts, and moves them.
 */
export async function addRatings(tx: Transaction, poolId: string, steps: readonly CountedRatings[]): Promise<void> {
  const totals = steps.flatMap(({ agentId: agent_id, lastHandId: since, hands: since_hands, versions }) =>
    versions.map(({ version, totals }) => ({ agent_id, since, since_hands, version, ...totals })),
  );
  const pairs = steps.flatMap(({ agentId: agent_id, lastHandId: since, hands: since_hands, versions }) =>
    versions.flatMap(({ version, pairs }) =>
      [...pairs].map(([other_id, sums]) => ({ agent_id, since, since_hands, version, other_id, ...sums })),
    ),
  );
  const standing = tx`
    join analytics a on a.pool_id = ${poolId} and a.agent_id = s.agent_id and a.last_hand_id = s.since
      and a.hands = s.since_hands`;
  await tx`
    insert into rating_totals as r (pool_id, agent_id, version, hands, result, squares)
    select ${poolId}, s.agent_id, version, s.hands, result, squares
    from json_to_recordset(${JSON.stringify(totals)}::text::json) as s (agent_id uuid, since uuid, since_hands integer,
      version text, hands integer, result float8, squares float8) ${standing}
    on conflict (pool_id, agent_id, version) do update set hands = r.hands + excluded.hands,
      result = r.result + excluded.result, squares = r.squares + excluded.squares`;
  await tx`
    insert into rating_pairs as r (pool_id, agent_id, version, other_id, weight, flow)
    select ${poolId}, s.agent_id, version, other_id, weight, flow
    from json_to_recordset(${JSON.stringify(pairs)}::text::json) as s (agent_id uuid, since uuid, since_hands integer,
      version text, other_id uuid, weight float8, flow float8) ${standing}
    on conflict (pool_id, agent_id, version, other_id) do update set weight = r.weight + excluded.weight,
      flow = r.flow + excluded.flow`;
}

export interface TotalsRow extends RatedTotals {
  agentId: string;
  version: string;
}

export interface RatedPairRow {
  agentId: string;
  version: string;
  otherId: string;
  weight: number;
  flow: number;
}

/** All sums of a pool, as of one moment. `takePairs` gets the pairs in portions. */
export function readSums(
  sql: Database,
  poolId: string,
  takePairs: (rows: readonly RatedPairRow[]) => Promise<void>,
): Promise<TotalsRow[]> {
  const read = async (tx: Transaction) => {
    const totals = await tx<TotalsRow[]>`
      select agent_id as "agentId", version, hands, result, squares from rating_totals
      where pool_id = ${poolId} order by agent_id, version`;
    const pairs = tx`select agent_id as "agentId", version, other_id as "otherId", weight, flow from rating_pairs
      where pool_id = ${poolId} order by agent_id, version, other_id`;
    const fetch = await openCursor<RatedPairRow[]>(tx, 'pairs', pairs);
    for await (const rows of portions(() => fetch(1000))) await takePairs(rows);
    return totals;
  };
  return transaction(sql, read, 'isolation level repeatable read read only');
}

/** Notes the version of the agent's bot from now on, if it is another than so far. */
export async function insertVersion(sql: Queryable, agentId: string, version: string): Promise<void> {
  await sql`
    insert into bot_versions (agent_id, version)
    select ${agentId}, ${version} where ${version} <> coalesce(
      (select version from bot_versions where agent_id = ${agentId} order by since desc limit 1), '')`;
}

/** Changes of the versions of an agent's bot, in order. */
export type VersionChanges = readonly { since: number; version: string }[];

/** The changes of some agents. `since` is in epoch ms. */
export async function selectBotVersions(
  sql: Queryable,
  agentIds: readonly string[],
): Promise<Map<string, { since: number; version: string }[]>> {
  const rows = await sql<{ agentId: string; since: Date; version: string }[]>`
    select agent_id as "agentId", since, version from bot_versions
    where agent_id = any(${agentIds as string[]}::uuid[]) order by agent_id, since`;
  const changes = new Map<string, { since: number; version: string }[]>();
  for (const { agentId, since, version } of rows) {
    const known = changes.get(agentId) ?? [];
    known.push({ since: since.getTime(), version });
    changes.set(agentId, known);
  }
  return changes;
}

/** The version that sat in a hand which began then. '' if none was told. */
export const versionAt = (changes: VersionChanges | undefined, startedAt: number): string =>
  changes?.findLast(({ since }) => since <= startedAt)?.version ?? '';
