import { assert, assertWhole } from '../ops/assert.js';
import type { Queryable } from '../store/database.js';

/** The platform's own accounts; see sql/003_credits.sql for what each holds. */
export type PlatformAccount = 'deposits' | 'in_flight' | 'withdrawn' | 'passes' | 'prizes' | 'remainders' | 'rake';
export type CreditAccount = { agent: string } | PlatformAccount;

export interface Posting {
  type: 'deposit' | 'dev_deposit' | 'withdraw' | 'withdraw_refund' | 'season_pass' | 'prize' | 'sponsor';
  /** Names what may happen only once; null where it may be repeated. */
  once: string | null;
  reference: string | null;
  /** Together zero, and none of them zero; what an account gains is positive. */
  legs: readonly { account: CreditAccount; ucents: number }[];
}

/** already: `once` was posted before. insufficient: an account would be overdrawn. Either way nothing has changed. */
export type PostingResult = 'posted' | 'already' | 'insufficient';

/** The name of what may happen once, and once more after each time that it was taken back. */
export const onceMore = (name: string, reversals: number): string => (reversals === 0 ? name : `${name}:${reversals}`);

/**
 * Moves credits, as part of the caller's transaction. Legs that do not sum to zero are refused by the database when
 * that commits.
 */
export async function postCredits(sql: Queryable, { type, once, reference, legs }: Posting): Promise<PostingResult> {
  assert(legs.length >= 2, 'credits move between two accounts', type);
  for (const { ucents } of legs) {
    assert(Number.isSafeInteger(ucents), 'credits are whole ucents', ucents);
    assert(ucents !== 0, 'an account of a posting gains or loses', type);
  }
  assert(legs.reduce((sum, { ucents }) => sum + ucents, 0) === 0, 'a posting sums to zero', type);
  const kinds = legs.map(({ account }) => (typeof account === 'string' ? account : 'agent'));
  const agents = legs.map(({ account }) => (typeof account === 'string' ? null : account.agent));
  const amounts = legs.map(({ ucents }) => ucents);
  const [row] = await sql<{ result: PostingResult }[]>`
    select post_credits(${type}, ${once}, ${reference}, ${kinds}::text[], ${agents}::uuid[], ${amounts}::bigint[])
      as result`;
  assert(row !== undefined, 'a posting has a result', type);
  return row.result;
}

/** An agent's credits in ucents; 0 where it never had any. */
export async function balanceOf(sql: Queryable, agentId: string): Promise<number> {
  const [row] = await sql<{ balance: number }[]>`select balance from credit_accounts where agent_id = ${agentId}`;
  const balance = row?.balance ?? 0;
  assertWhole(balance, 'the balance of an agent');
  return balance;
}
