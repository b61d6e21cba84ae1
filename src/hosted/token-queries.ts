import type { Queryable, Transaction } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';

/** A token as it is looked up when a socket opens. */
export interface TokenRow {
  agent_id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  shown_slug: string | null;
  season_id: string;
  generation: number;
  expires_at: Date;
  /** Neither revoked nor of another season, runtime or key; it may have expired. */
  good: boolean;
}

export interface NewToken {
  hash: Buffer;
  agentId: string;
  generation: number;
}

/** Undefined for a token that was never given, or of a banned agent. */
export async function selectToken(sql: Queryable, hash: Buffer): Promise<TokenRow | undefined> {
  const [row] = await sql<TokenRow[]>`
    select agent_id, email, name, avatar_url, shown_slug, t.season_id, generation, expires_at,
      revoked_at is null and s.status = 'active' and generation = runtime_generation and t.key_hash = a.key_hash as good
    from bot_tokens t join agents a using (agent_id) join seasons s on s.season_id = t.season_id
    where token_hash = ${hash} and banned_at is null`;
  return row;
}

/**
 * Stores tokens for the active season, which replace those that their agents had. A banned agent, or one with a runtime
 * of another generation, gets none. Without an active season none is given. Resolves to the rows made.
 */
export async function insertTokens(
  tx: Transaction,
  tokens: readonly NewToken[],
  expiresAt: Date,
): Promise<{ agent_id: string; season_id: string }[]> {
  const agents = tokens.map(({ agentId }) => agentId);
  await tx`
    update bot_tokens set revoked_at = now()
    where agent_id = any (${agents}::uuid[]) and revoked_at is null`;
  // Kept for a while: who comes with an old one reads that it is over, not that it never was.
  await tx`
    delete from bot_tokens where agent_id = any (${agents}::uuid[]) and expires_at < now() - interval '1 day'`;
  return tx<{ agent_id: string; season_id: string }[]>`
    insert into bot_tokens (token_hash, agent_id, season_id, generation, key_hash, expires_at)
    select decode(hash, 'hex'), agent_id, season_id, generation, key_hash, ${expiresAt}
    from unnest(${tokens.map(({ hash }) => hash.toString('hex'))}::text[], ${agents}::uuid[],
      ${tokens.map(({ generation }) => generation)}::integer[]) given (hash, agent_id, generation)
    join agents a using (agent_id) join seasons s on s.status = 'active'
    where a.runtime_generation = generation and a.banned_at is null
    returning agent_id, season_id`;
}

/** The tokens that are still good, with their ends. */
export async function selectGood(sql: Queryable, hashes: readonly Buffer[]): Promise<{ hash: Buffer; until: Date }[]> {
  return sql<{ hash: Buffer; until: Date }[]>`
    select token_hash as hash, expires_at as until
    from bot_tokens t join agents a using (agent_id) join seasons s on s.season_id = t.season_id
    where token_hash in (select decode(h, 'hex') from unnest(${hashes.map((hash) => hash.toString('hex'))}::text[]) h)
      and revoked_at is null and s.status = 'active' and generation = runtime_generation and t.key_hash = a.key_hash
      and banned_at is null`;
}

/**
 * Changes the end of these agents' present tokens. Resolves to the agents with such a token. Only the leader's: throws
 * Displaced.
 */
export async function extendTokens(
  sql: Queryable,
  leadership: Leadership,
  agents: readonly string[],
  expiresAt: Date,
): Promise<string[]> {
  const rows = await leadership.guarded(sql<{ agent_id: string }[]>`
    update bot_tokens t set expires_at = ${expiresAt} from agents a, seasons s
    where t.agent_id = any (${[...agents]}::uuid[]) and revoked_at is null and a.agent_id = t.agent_id
      and a.runtime_generation = generation and s.season_id = t.season_id and s.status = 'active'
      and expires_at > now() and ${leadership.required(sql)}
    returning t.agent_id`);
  return rows.map(({ agent_id }) => agent_id);
}
