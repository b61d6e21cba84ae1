import type { Database } from '../store/database.js';
import { activeSeason } from './queries.js';
import { outOfChipsAt, type SeasonRules } from './rules.js';

/** Everything that decides about a rebuy, as it is this moment. */
export interface RebuyState {
  chip_balance: number;
  rebuys: number;
  premium: boolean;
  auto_rebuy: boolean;
  seated: boolean;
  out_of_chips: boolean;
  email_verified: boolean;
  /** When the cooldown ends. */
  available_at: Date;
  /** ms from now until then by the database's clock; 0 or less when it is over. */
  wait_ms: number;
  rebuy_due_at: Date | null;
}

export interface Granted {
  chip_balance: number;
  rebuys: number;
  premium: boolean;
}

/** End of the cooldown of entry `e`: it runs from the last rebuy, that of the first from the registration. */
const availableAt = (sql: Database, rules: SeasonRules) => {
  const cooldowns = sql`case when e.premium then ${rules.rebuyCooldownsPro as number[]}::int[]
    else ${rules.rebuyCooldowns as number[]}::int[] end`;
  return sql`coalesce(e.last_rebuy_at, e.registered_at)
    + (${cooldowns})[least(e.rebuys + 1, cardinality(${cooldowns}))] * interval '1 second'`;
};

/**
 * Grants a rebuy if every condition holds, with its ledger row: a single statement, so that of any number that race
 * exactly one succeeds. `scheduled`: only if it is a scheduled one that is due. Undefined when refused.
 */
export async function grantRebuy(
  sql: Database,
  poolId: string,
  agentId: string,
  rules: SeasonRules,
  { scheduled }: { scheduled: boolean },
): Promise<Granted | undefined> {
  const [row] = await sql<Granted[]>`
    with e as (
      update entries e set chip_balance = e.chip_balance + ${rules.rebuyChips}, rebuys = e.rebuys + 1,
        last_rebuy_at = now(), rebuy_due_at = null
      from agents a, ${activeSeason(sql, poolId)} s
      where e.pool_id = s.season_id and e.agent_id = ${agentId} and a.agent_id = ${agentId}
        and a.email_verified_at is not null
        and e.table_id is null and e.chip_balance <= ${outOfChipsAt(rules)}
        and ${availableAt(sql, rules)} <= now()
        and (not ${scheduled}::boolean or (e.auto_rebuy and e.rebuy_due_at <= now()))
      returning e.*
    ), booked as (
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
      select pool_id, agent_id, 'rebuy', ${rules.rebuyChips}, chip_balance from e
    )
    select chip_balance, rebuys, premium from e`;
  return row;
}

/** Undefined without an entry in the season. */
export async function selectRebuyState(
  sql: Database,
  poolId: string,
  agentId: string,
  rules: SeasonRules,
): Promise<RebuyState | undefined> {
  const [row] = await sql<RebuyState[]>`
    select chip_balance, rebuys, premium, auto_rebuy, rebuy_due_at, table_id is not null as seated,
      chip_balance <= ${outOfChipsAt(rules)} as out_of_chips,
      email_verified_at is not null as email_verified, available_at,
      (extract(epoch from available_at - now()) * 1000)::float8 as wait_ms
    from (select e.*, ${availableAt(sql, rules)} as available_at from entries e) entry join agents using (agent_id)
    where pool_id = ${poolId} and agent_id = ${agentId}`;
  return row;
}

/**
 * Gives every entry that shall be rebought by itself, is out of chips and has no date yet, its date. With an agent, only
 * that one's. Resolves to the dates given.
 */
export async function scheduleRebuys(
  sql: Database,
  poolId: string,
  rules: SeasonRules,
  agentId: string | null = null,
): Promise<{ agent_id: string; rebuy_due_at: Date }[]> {
  return sql<{ agent_id: string; rebuy_due_at: Date }[]>`
    update entries e set rebuy_due_at = greatest(now(), ${availableAt(sql, rules)})
    from agents a, ${activeSeason(sql, poolId)} s
    where e.pool_id = s.season_id
      and (${agentId}::uuid is null or e.agent_id = ${agentId}::uuid)
      and a.agent_id = e.agent_id and a.email_verified_at is not null
      and e.auto_rebuy and e.table_id is null and e.rebuy_due_at is null and e.chip_balance <= ${outOfChipsAt(rules)}
    returning e.agent_id, e.rebuy_due_at`;
}

/** Agents of the pool whose scheduled rebuy is due, the earliest first. */
export async function selectDue(sql: Database, poolId: string): Promise<{ agent_id: string }[]> {
  return sql<{ agent_id: string }[]>`
    select agent_id from entries where pool_id = ${poolId} and rebuy_due_at <= now() order by rebuy_due_at limit 500`;
}

/** ms until the next scheduled rebuy of the pool is due, or null when none is scheduled. */
export async function selectNextDue(sql: Database, poolId: string): Promise<number | null> {
  const [row] = await sql<{ wait_ms: number | null }[]>`
    select (extract(epoch from min(rebuy_due_at) - now()) * 1000)::float8 as wait_ms
    from entries where pool_id = ${poolId} and rebuy_due_at is not null`;
  return row?.wait_ms ?? null;
}

/** A scheduled rebuy that is due but not called for any more lapses; one that still cools down gets its new date. */
export async function settleDue(sql: Database, poolId: string, agentId: string, rules: SeasonRules): Promise<void> {
  await sql`
    update entries e set rebuy_due_at = case when e.auto_rebuy and e.table_id is null
      and e.chip_balance <= ${outOfChipsAt(rules)} and ${availableAt(sql, rules)} > now() then ${availableAt(sql, rules)} end
    where e.pool_id = ${poolId} and e.agent_id = ${agentId} and e.rebuy_due_at <= now()`;
}
