import type { Database, Queryable } from '../store/database.js';
import type { RebuyPool, RebuyTerms, RebuyStanding } from './pool.js';

/** Everything that decides about a rebuy, as it is this moment. */
export interface RebuyState extends RebuyStanding {
  auto_rebuy: boolean;
  seated: boolean;
  email_verified: boolean;
  rebuy_due_at: Date | null;
}

/**
 * Whether entry `e` is a house bot's. They always have chips, so that a newcomer finds a table at any hour: no
 * cooldown, and their rebuys are not counted (protocol.md, "Match-making"). They have no rank either.
 */
const ofHouse = (sql: Queryable) => sql`(select h.is_house from agents h where h.agent_id = e.agent_id)`;

/** End of the cooldown of entry `e`: it runs from the last rebuy, that of the first from the registration. */
const availableAt = (sql: Queryable, terms: RebuyTerms) => {
  const cooldowns = sql`case when e.premium then ${terms.cooldownsPro as number[]}::int[]
    else ${terms.cooldowns as number[]}::int[] end`;
  return sql`case when ${ofHouse(sql)} then e.registered_at else coalesce(e.last_rebuy_at, e.registered_at)
    + (${cooldowns})[least(e.rebuys + 1, cardinality(${cooldowns}))] * interval '1 second' end`;
};

const standing = (sql: Queryable, terms: RebuyTerms) => sql`chip_balance, rebuys, premium,
  chip_balance <= ${terms.outOfChipsAt} as out_of_chips, available_at,
  (extract(epoch from available_at - now()) * 1000)::float8 as wait_ms`;

/** Whether entry `e` has not had all of its rebuys. */
const someLeft = (sql: Queryable, { most }: RebuyTerms) =>
  sql`(${most}::integer is null or e.rebuys < ${most}::integer)`;

/**
 * Grants a rebuy with its ledger row if every condition holds. It is a single statement, so of any number of racing
 * calls exactly one succeeds, on whatever nodes. `scheduled`: only if it is a scheduled one that is due. The id it was
 * asked for with, if any, is kept; rejects with a unique violation where it was used already. Undefined when refused.
 */
export async function grantRebuy(
  sql: Database,
  pool: RebuyPool,
  agentId: string,
  { scheduled, requestId = null }: { scheduled: boolean; requestId?: string | null },
): Promise<RebuyStanding | undefined> {
  const { terms } = pool;
  const due = scheduled ? sql`and e.auto_rebuy and e.rebuy_due_at <= now()` : sql``;
  const [row] = await sql<RebuyStanding[]>`
    with e as (
      update entries e set chip_balance = e.chip_balance + ${terms.chips}, rebuys = e.rebuys + case when a.is_house then 0 else 1 end,
        last_rebuy_at = now(), rebuy_due_at = null
      from agents a, ${pool.open(sql)} s
      where e.pool_id = s.pool_id and e.agent_id = ${agentId} and a.agent_id = ${agentId}
        and a.email_verified_at is not null and ${pool.plays(sql)}
        and e.table_id is null and e.chip_balance <= ${terms.outOfChipsAt} and ${someLeft(sql, terms)}
        and ${availableAt(sql, terms)} <= now() ${due}
      returning e.*
    ), booked as (
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
      select pool_id, agent_id, 'rebuy', ${terms.chips}, chip_balance from e
    ), noted as (
      insert into rebuy_requests (pool_id, agent_id, request_id, rebuy)
      select pool_id, agent_id, ${requestId}::text, rebuys from e where ${requestId}::text is not null
    )
    select ${standing(sql, terms)} from (select e.*, ${availableAt(sql, terms)} as available_at from e) granted`;
  return row;
}

/** Whether a rebuy was granted that the agent had asked for with this id. */
export async function wasGranted(sql: Database, poolId: string, agentId: string, requestId: string): Promise<boolean> {
  const [row] = await sql`
    select from rebuy_requests where pool_id = ${poolId} and agent_id = ${agentId} and request_id = ${requestId}`;
  return row !== undefined;
}

/** Undefined without an entry in the pool. */
export async function selectRebuyState(
  sql: Database,
  { poolId, terms }: RebuyPool,
  agentId: string,
): Promise<RebuyState | undefined> {
  const [row] = await sql<RebuyState[]>`
    select ${standing(sql, terms)}, auto_rebuy, rebuy_due_at, table_id is not null as seated,
      email_verified_at is not null as email_verified
    from (select e.*, ${availableAt(sql, terms)} as available_at from entries e) entry join agents using (agent_id)
    where pool_id = ${poolId} and agent_id = ${agentId}`;
  return row;
}

/**
 * Gives every entry that shall be rebought by itself, is out of chips and has no date yet, its date. With an agent,
 * only that one's. Resolves to the dates given. A second call, on whatever node, finds nothing left to do.
 */
export async function scheduleRebuys(
  sql: Database,
  pool: RebuyPool,
  agentId: string | null = null,
): Promise<{ agent_id: string; rebuy_due_at: Date }[]> {
  const { terms } = pool;
  return sql<{ agent_id: string; rebuy_due_at: Date }[]>`
    update entries e set rebuy_due_at = greatest(now(), ${availableAt(sql, terms)})
    from agents a, ${pool.open(sql)} s
    where e.pool_id = s.pool_id
      and (${agentId}::uuid is null or e.agent_id = ${agentId}::uuid)
      and a.agent_id = e.agent_id and a.email_verified_at is not null and ${pool.plays(sql)}
      and e.auto_rebuy and e.table_id is null and e.rebuy_due_at is null and e.chip_balance <= ${terms.outOfChipsAt}
      and ${someLeft(sql, terms)}
    returning e.agent_id, e.rebuy_due_at`;
}

/** Which scheduled rebuys a node grants: those of agents at home there; the leader also those of agents without a home. */
export interface RebuyShare {
  nodeId: string;
  leads: boolean;
}

/** A condition on entry `e` and its home `h`. */
const within = (sql: Queryable, { nodeId, leads }: RebuyShare) =>
  sql`(h.node_id = ${nodeId} or ${leads}::boolean and h.agent_id is null)`;

/** The pools' agents with a due scheduled rebuy, the earliest first. */
export async function selectDue(
  sql: Database,
  poolIds: readonly string[],
  share: RebuyShare,
): Promise<{ pool_id: string; agent_id: string }[]> {
  return sql<{ pool_id: string; agent_id: string }[]>`
    select e.pool_id, e.agent_id from entries e left join homes h using (agent_id)
    where e.pool_id = any(${poolIds as string[]}::uuid[]) and e.rebuy_due_at <= now() and ${within(sql, share)}
    order by e.rebuy_due_at limit 500`;
}

/** ms until the next scheduled rebuy of the pools is due, or null when none is scheduled. */
export async function selectNextDue(
  sql: Database,
  poolIds: readonly string[],
  share: RebuyShare,
): Promise<number | null> {
  const [row] = await sql<{ wait_ms: number | null }[]>`
    select (extract(epoch from min(e.rebuy_due_at) - now()) * 1000)::float8 as wait_ms
    from entries e left join homes h using (agent_id)
    where e.pool_id = any(${poolIds as string[]}::uuid[]) and e.rebuy_due_at is not null and ${within(sql, share)}`;
  return row?.wait_ms ?? null;
}

/**
 * A scheduled rebuy that is due but not called for any more lapses; one that still cools down gets its new date.
 */
export async function settleDue(sql: Database, { poolId, terms }: RebuyPool, agentId: string): Promise<void> {
  await sql`
    update entries e set rebuy_due_at = case when e.auto_rebuy and e.table_id is null
      and e.chip_balance <= ${terms.outOfChipsAt} and ${someLeft(sql, terms)}
      and ${availableAt(sql, terms)} > now() then ${availableAt(sql, terms)} end
    where e.pool_id = ${poolId} and e.agent_id = ${agentId} and e.rebuy_due_at <= now()`;
}

/**
 * Sets the preference. Off, a scheduled rebuy lapses: `cancelled` tells whether there was one; `rebuys` how many were
 * used. Undefined without an entry.
 */
export async function updateAutoRebuy(
  sql: Database,
  poolId: string,
  agentId: string,
  enabled: boolean,
): Promise<{ cancelled: boolean; rebuys: number } | undefined> {
  const [row] = await sql<{ cancelled: boolean; rebuys: number }[]>`
    with before as (
      select rebuy_due_at from entries where pool_id = ${poolId} and agent_id = ${agentId} for update
    )
    update entries e set auto_rebuy = ${enabled},
      rebuy_due_at = case when ${enabled}::boolean then e.rebuy_due_at end
    from before
    where e.pool_id = ${poolId} and e.agent_id = ${agentId}
    returning e.rebuys, before.rebuy_due_at is not null and not ${enabled}::boolean as cancelled`;
  return row;
}
