import { assert } from '../../ops/assert.js';
import type { Queryable } from '../../store/database.js';

export interface Challenge {
  challengeId: string;
  agentId: string;
  /** Checksummed. */
  address: string;
  message: string;
  expiresAt: Date;
}

export interface ProofRow {
  proof_id: number;
  address: string;
  agent_id: string;
  proven_at: Date;
  /** Head of the chain at that time. */
  proven_block: number;
}

/** Takes a challenge down, and forgets those that are over. */
export async function insertChallenge(sql: Queryable, challenge: Challenge): Promise<void> {
  await sql`delete from wallet_challenges where expires_at <= now()`;
  await sql`
    insert into wallet_challenges (challenge_id, agent_id, address, message, expires_at)
    values (${challenge.challengeId}, ${challenge.agentId}, ${challenge.address}, ${challenge.message},
      ${challenge.expiresAt})`;
}

/** The challenge of this agent with exactly this text, while it is good. */
export async function selectChallenge(
  sql: Queryable,
  agentId: string,
  message: string,
): Promise<{ challenge_id: string; address: string } | undefined> {
  const [row] = await sql<{ challenge_id: string; address: string }[]>`
    select challenge_id, address from wallet_challenges
    where agent_id = ${agentId} and message = ${message} and expires_at > now()`;
  return row;
}

/** Uses a challenge up; false where somebody has already, or its time is over. */
export async function takeChallenge(sql: Queryable, challengeId: string): Promise<boolean> {
  const rows = await sql`
    delete from wallet_challenges where challenge_id = ${challengeId} and expires_at > now() returning 1`;
  assert(rows.length <= 1, 'one challenge has the id', challengeId);
  return rows.length > 0;
}

const columns = (sql: Queryable) => sql`proof_id, address, agent_id, proven_at, proven_block`;

/** The proof of the address that holds: the new one, or the one before it, perhaps another agent's. */
export async function insertProof(
  sql: Queryable,
  { address, agentId, block }: { address: string; agentId: string; block: number },
): Promise<ProofRow> {
  await sql`
    insert into wallet_proofs (address, agent_id, proven_block) values (${address}, ${agentId}, ${block})
    on conflict (address) where ended_at is null do nothing`;
  const [row] = await sql<ProofRow[]>`
    select ${columns(sql)} from wallet_proofs where address = ${address} and ended_at is null`;
  assert(row !== undefined, 'a proof holds once it is stored', address);
  return row;
}

/** The known facts of an address that has sent tokens to the treasury. */
export interface SenderRow {
  address: string;
  /** The asking agent's proof; null without one. */
  proof_id: number | null;
  proven_block: number | null;
  /** Another agent has it proven now; has ever had. */
  of_another: boolean;
  ever_of_another: boolean;
}

/** The proven owners of these addresses, from an agent's view. */
export async function selectSenders(
  sql: Queryable,
  agentId: string,
  addresses: readonly string[],
): Promise<SenderRow[]> {
  return sql<SenderRow[]>`
    select s.address, own.proof_id, own.proven_block, coalesce(others.now, false) as of_another,
      coalesce(others.ever, false) as ever_of_another
    from unnest(${addresses as string[]}::text[]) as s (address)
    left join wallet_proofs own on own.address = s.address and own.agent_id = ${agentId} and own.ended_at is null
    left join lateral (
      select bool_or(ended_at is null) as now, count(*) > 0 as ever from wallet_proofs p
      where p.address = s.address and p.agent_id <> ${agentId}) others on true`;
}

export async function hasProof(sql: Queryable, agentId: string): Promise<boolean> {
  const rows = await sql`select 1 from wallet_proofs where agent_id = ${agentId} and ended_at is null limit 1`;
  return rows.length > 0;
}

/** Registers the address as the agent's wallet if it has none. Returns the stored row, or undefined. */
export async function nameFirstWallet(
  sql: Queryable,
  agentId: string,
  address: string,
): Promise<{ email: string; name: string } | undefined> {
  const [row] = await sql<{ email: string; name: string }[]>`
    update agents set wallet_address = ${address} where agent_id = ${agentId} and wallet_address is null
    returning email, name`;
  return row;
}
