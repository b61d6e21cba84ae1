import type { Database, Queryable } from '../store/database.js';
import { agentSlugOf } from './names.js';

/** An agent as the account routes show it. */
export interface AgentRow {
  agent_id: string;
  email: string;
  name: string;
  wallet_address: string | null;
  /** Withdrawals wait until then, since the wallet has changed; null where they do not wait. */
  wallet_held_until: Date | null;
  avatar_url: string | null;
  created_at: Date;
  email_verified: boolean;
  onboarded_at: Date | null;
  execution_mode: ExecutionMode | null;
  runtime: Runtime;
  runtime_generation: number;
  /** Null for rows that no registration has made. */
  public_profile_slug: string | null;
  /** Whether frames and pages show the slug. */
  public_profile: boolean;
  /** The slug where it is shown. */
  shown_slug: string | null;
}

/** Whether the platform runs the agent's bot, or its owner does. */
export type ExecutionMode = 'hosted' | 'byo';
/** The runtime of the agent. */
export type Runtime = 'self_hosted' | 'browser' | 'hosted' | 'stopped';

/** An agent as its key finds it. */
export interface KeyHolderRow {
  agent_id: string;
  email: string;
  email_verified: boolean;
  name: string;
  avatar_url: string | null;
  shown_slug: string | null;
  is_house: boolean;
  is_platform: boolean;
}

export interface NewAgent {
  agentId: string;
  email: string;
  name: string;
  wallet: string | null;
  avatarUrl: string | null;
  keyHash: Buffer;
  isHouse: boolean;
  emailVerified: boolean;
  ip: string | null;
}

export interface ProfileChange {
  name?: string;
  wallet?: string | null;
  avatarUrl?: string | null;
  publicProfile?: boolean;
}

const agentColumns = (sql: Queryable) => sql`
  agent_id, email, name, wallet_address, avatar_url, created_at,
  case when wallet_held_until > now() then wallet_held_until end as wallet_held_until, email_verified_at is not null as email_verified,
  onboarded_at, execution_mode, runtime, runtime_generation, public_profile_slug, public_profile, shown_slug`;

/** The slug of its name gets a suffix where it is taken. Rejects with a unique violation. */
export async function insertAgent(sql: Queryable, agent: NewAgent): Promise<void> {
  const slug = agentSlugOf(agent.name);
  await sql`
    insert into agents (agent_id, email, name, wallet_address, avatar_url, key_hash, is_house, email_verified_at,
      terms_accepted_at, registered_ip, public_profile_slug)
    values (${agent.agentId}, ${agent.email}, ${agent.name}, ${agent.wallet}, ${agent.avatarUrl}, ${agent.keyHash},
      ${agent.isHouse}, case when ${agent.emailVerified}::boolean then now() end, now(), ${agent.ip}::inet,
      ${slug}::text || case when exists (select from agents where public_profile_slug = ${slug})
        then '-' || left(md5(${agent.agentId}), 6) else '' end)`;
}

export async function selectAgent(sql: Database, agentId: string): Promise<AgentRow | undefined> {
  const [row] = await sql<AgentRow[]>`select ${agentColumns(sql)} from agents where agent_id = ${agentId}`;
  return row;
}

/** The owner of a key. */
export async function selectHolder(sql: Database, hash: Buffer): Promise<KeyHolderRow | 'banned' | undefined> {
  const [row] = await sql<(KeyHolderRow & { banned: boolean })[]>`
    select agent_id, email, email_verified_at is not null as email_verified, name, avatar_url, shown_slug, is_house,
      is_platform, banned_at is not null as banned
    from agents where key_hash = ${hash}`;
  if (row === undefined) return undefined;
  const { banned, ...holder } = row;
  return banned ? 'banned' : holder;
}

export async function selectNotBanned(
  sql: Database,
  agentId: string,
): Promise<Pick<KeyHolderRow, 'name' | 'is_platform'> | undefined> {
  const [row] = await sql<Pick<KeyHolderRow, 'name' | 'is_platform'>[]>`
    select name, is_platform from agents where agent_id = ${agentId} and banned_at is null`;
  return row;
}

/** Changes the fields that are given. Rejects with a unique violation. */
export async function updateProfile(
  sql: Queryable,
  agentId: string,
  change: ProfileChange,
): Promise<AgentRow | undefined> {
  const { name = null, wallet = null, avatarUrl = null, publicProfile = null } = change;
  const [row] = await sql<AgentRow[]>`
    update agents set
      name = coalesce(${name}, name),
      wallet_address = case when ${change.wallet !== undefined}::boolean then ${wallet} else wallet_address end,
      avatar_url = case when ${change.avatarUrl !== undefined}::boolean then ${avatarUrl} else avatar_url end,
      public_profile = coalesce(${publicProfile}::boolean, public_profile)
    where agent_id = ${agentId}
    returning ${agentColumns(sql)}`;
  return row;
}

/**
 * The first call marks the agent as onboarded and fixes its mode; every call sets the name. Rejects with a unique
 * violation.
 */
export async function updateOnboarding(
  sql: Queryable,
  agentId: string,
  { name, mode }: { name: string; mode: ExecutionMode },
): Promise<AgentRow | undefined> {
  const [row] = await sql<AgentRow[]>`
    update agents set name = ${name}, onboarded_at = coalesce(onboarded_at, now()),
      execution_mode = coalesce(execution_mode, ${mode})
    where agent_id = ${agentId}
    returning ${agentColumns(sql)}`;
  return row;
}

export interface RuntimeChange {
  runtime: Runtime;
  expectedGeneration: number | null;
  /** Also to the runtime that it has: a new generation of it. */
  anew?: boolean;
}

/** Hands the agent over to a runtime; to the one it has changes nothing. Undefined when the generation is another. */
export async function updateRuntime(
  sql: Queryable,
  agentId: string,
  { runtime, expectedGeneration, anew = false }: RuntimeChange,
): Promise<Pick<AgentRow, 'runtime' | 'runtime_generation'> | undefined> {
  const [row] = await sql<Pick<AgentRow, 'runtime' | 'runtime_generation'>[]>`
    update agents set runtime = ${runtime},
      runtime_generation = runtime_generation + case when runtime = ${runtime} and not ${anew}::boolean then 0 else 1 end
    where agent_id = ${agentId} and runtime_generation = coalesce(${expectedGeneration}::integer, runtime_generation)
    returning runtime, runtime_generation`;
  return row;
}

/** Resolves to when the old key ended. */
export async function updateKey(sql: Queryable, agentId: string, hash: Buffer, verified: boolean): Promise<Date> {
  const [row] = await sql<{ at: Date }[]>`
    update agents set key_hash = ${hash}, key_reset_at = clock_timestamp(),
      email_verified_at = case when ${verified}::boolean then coalesce(email_verified_at, now()) else email_verified_at end
    where agent_id = ${agentId} returning key_reset_at as at`;
  if (row === undefined) throw new Error(`there is no agent ${agentId}`);
  return row.at;
}

/** A new key for a house bot that exists; its id, or undefined when the name is nobody's or another's. */
export async function updateHouseKey(sql: Queryable, name: string, hash: Buffer): Promise<string | undefined> {
  const [row] = await sql<{ agent_id: string }[]>`
    update agents set key_hash = ${hash} where lower(name) = lower(${name}) and is_house returning agent_id`;
  return row?.agent_id;
}
