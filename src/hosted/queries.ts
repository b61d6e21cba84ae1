import type { Runtime } from '../accounts/index.js';
import { mailbox, publicAddress } from '../lobby/index.js';
import type { BotStrategy } from '../protocol/rest/hosted.js';
import type { Queryable, Transaction } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';

/** An agent with its bot, if it ever had one. */
export interface BotRow {
  agent_id: string;
  runtime: Runtime;
  runtime_generation: number;
  strategy: BotStrategy | null;
  saved_at: Date | null;
  deployed_at: Date | null;
  last_error: string | null;
  /** Hands of the season since the last deployment. */
  hands_played: number;
}

/** An agent's hands of all seasons. */
const handsOf = (sql: Queryable) => sql`(
  select coalesce(sum(e.hands_played), 0)::bigint from seasons s join entries e on e.pool_id = s.season_id
  where e.agent_id = a.agent_id)`;

export async function selectBot(sql: Queryable, agentId: string): Promise<BotRow | undefined> {
  const [row] = await sql<BotRow[]>`
    select agent_id, runtime, runtime_generation, strategy, saved_at, deployed_at, last_error,
      case when deployed_at is null then 0 else ${handsOf(sql)} - hands_before end as hands_played
    from agents a left join bots b using (agent_id) where agent_id = ${agentId}`;
  return row;
}

/** All hosted bots that are deployed. */
export async function selectHosted(
  sql: Queryable,
): Promise<Pick<BotRow, 'agent_id' | 'runtime_generation' | 'strategy'>[]> {
  return sql<Pick<BotRow, 'agent_id' | 'runtime_generation' | 'strategy'>[]>`
    select agent_id, runtime_generation, strategy from agents join bots using (agent_id)
    where runtime = 'hosted' and deployed_at is not null and banned_at is null order by agent_id`;
}

/**
 * Hosted bots other than the agent's: all, and those of its owner. An owner is a mailbox without +tags, or a public
 * address of a registration (an IPv6 /48 is one). No other transaction counts until this one ends.
 */
export async function countHosted(tx: Transaction, agentId: string): Promise<{ ofOwner: number; inAll: number }> {
  await tx`select pg_advisory_xact_lock(hashtext('agent-poker hosted bots'))`;
  const [own] = await tx<{ email: string; ip: string | null }[]>`
    select email, host(registered_ip) as ip from agents where agent_id = ${agentId}`;
  const box = mailbox(own!.email);
  const address = own!.ip !== null && publicAddress(own!.ip) !== null ? own!.ip : null;
  const [row] = await tx<{ ofOwner: number; inAll: number }[]>`
    select count(*) as "inAll", count(*) filter (where lower(regexp_replace(email, '^([^+@]*)[^@]*@', '\\1@')) = ${box}
      or registered_ip <<= network(set_masklen(${address}::inet, case family(${address}::inet) when 4 then 32 else 48 end))
    ) as "ofOwner"
    from agents join bots using (agent_id)
    where runtime = 'hosted' and deployed_at is not null and banned_at is null and agent_id <> ${agentId}`;
  return row!;
}

export async function upsertStrategy(sql: Queryable, agentId: string, strategy: BotStrategy): Promise<void> {
  await sql`
    insert into bots (agent_id, strategy, saved_at)
    values (${agentId}, ${JSON.stringify(strategy)}::text::jsonb, now())
    on conflict (agent_id) do update set strategy = excluded.strategy, saved_at = excluded.saved_at`;
}

/** A deployment begins. */
export async function upsertDeployment(sql: Queryable, agentId: string, at: Date): Promise<void> {
  await sql`
    insert into bots (agent_id, deployed_at, hands_before)
    select agent_id, ${at}, ${handsOf(sql)} from agents a where agent_id = ${agentId}
    on conflict (agent_id) do update
      set deployed_at = excluded.deployed_at, hands_before = excluded.hands_before, last_error = null`;
}

/** Part of a change that ends a deployment. */
export async function setLastError(tx: Transaction, agentId: string, error: string): Promise<void> {
  await tx`update bots set last_error = ${error} where agent_id = ${agentId}`;
}

/** Notes what went wrong, unless the deployment is over. Only the leader's: throws Displaced. */
export async function updateLastError(
  sql: Queryable,
  leadership: Leadership,
  { agentId, generation, error }: { agentId: string; generation: number; error: string },
): Promise<void> {
  await leadership.guarded(sql`
    update bots b set last_error = ${error} from agents a
    where b.agent_id = ${agentId} and a.agent_id = b.agent_id and a.runtime_generation = ${generation}
      and ${leadership.required(sql)}`);
}
