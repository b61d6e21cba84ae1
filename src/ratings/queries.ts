import { openCursor, portions } from '../store/cursor.js';
import { transaction, type Database, type Queryable, type Transaction } from '../store/database.js';
import type { RatedTotals } from './model.js';
import { boundedVersions, type RatedHands } from './versions.js';

/** SQL of ratings and bot versions. */

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
export async function addRatings(tx: Transaction, poolId: string, counted: readonly CountedRatings[]): Promise<void> {
  const steps = await withinLimit(tx, poolId, counted);
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

/** The same hands, by versions that count apart: see boundedVersions. */
async function withinLimit(
  tx: Transaction,
  poolId: string,
  steps: readonly CountedRatings[],
): Promise<readonly CountedRatings[]> {
  const versioned = steps.filter(({ versions }) => versions.some(({ version }) => version !== ''));
  if (versioned.length === 0) return steps;
  const rows = await tx<{ agentId: string; known: string[] }[]>`
    select agent_id as "agentId", array_agg(version) as known from rating_totals
    where pool_id = ${poolId} and agent_id = any(${versioned.map(({ agentId }) => agentId)}::uuid[]) and version <> ''
    group by agent_id`;
  const known = new Map(rows.map((row) => [row.agentId, row.known]));
  return steps.map((step) => ({ ...step, versions: boundedVersions(step.versions, known.get(step.agentId) ?? []) }));
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

/** Changes of versions that are kept of each agent. A bot that tells another version with each join writes no more rows. */
export const KEPT_CHANGES = 1000;

/**
 * Notes the version of the agent's bot from now on, if it is another than so far. The latest changes are kept: hands before
 * the first of them that are not counted yet count without a version.
 */
export async function insertVersion(sql: Queryable, agentId: string, version: string): Promise<void> {
  await sql`
    with added as (
      insert into bot_versions (agent_id, version)
      select ${agentId}, ${version} where ${version} <> coalesce(
        (select version from bot_versions where agent_id = ${agentId} order by since desc limit 1), '')
      returning since
    )
    delete from bot_versions where agent_id = ${agentId} and exists (select from added) and since <= (
      select since from bot_versions where agent_id = ${agentId} order by since desc offset ${KEPT_CHANGES - 1} limit 1)`;
}

/** Changes of the versions of an agent's bot, in order. */
export type VersionChanges = readonly { since: number; version: string }[];

/** The changes of some agents that hands from a time on (epoch ms) need. `since` is in epoch ms. */
export async function selectBotVersions(
  sql: Queryable,
  agentIds: readonly string[],
  from: number,
): Promise<Map<string, { since: number; version: string }[]>> {
  const rows = await sql<{ agentId: string; since: Date; version: string }[]>`
    select agent_id as "agentId", since, version from bot_versions v
    where agent_id = any(${agentIds as string[]}::uuid[]) and since >= coalesce(
      (select max(since) from bot_versions b where b.agent_id = v.agent_id and b.since <= ${new Date(from)}), '-infinity')
    order by agent_id, since`;
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
