import { createHash } from 'node:crypto';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { transaction, type Database, type Transaction } from './database.js';

export interface IdempotentRequest {
  agentId: string;
  operation: string;
  /** The Idempotency-Key header; undefined: do it, whatever was before. */
  key: string | undefined;
  body: unknown;
}

/** A success: what failed left nothing behind, so that its key is free again. */
export interface StoredAnswer<B> {
  status: number;
  body: B;
}

/**
 * Does the work in one transaction, once for each key: a repetition, also one at the same moment, gets the first
 * answer. HttpError 409 where the key was used with another body; or what the work throws.
 */
export function idempotent<B>(
  sql: Database,
  request: IdempotentRequest,
  work: (tx: Transaction) => Promise<StoredAnswer<B>>,
): Promise<StoredAnswer<B>> {
  const { agentId, operation, body } = request;
  if (request.key === undefined) return transaction(sql, work);
  // A key may be as long as a header.
  const key = digest(request.key).toString('base64url');
  const hash = digest(JSON.stringify(body ?? null));
  return transaction(sql, async (tx) => {
    const [fresh] = await tx`
      insert into idempotency_keys (agent_id, operation, key, body_hash)
      values (${agentId}, ${operation}, ${key}, ${hash})
      on conflict do nothing returning 1`;
    if (fresh === undefined) return firstAnswer<B>(tx, { agentId, operation, key }, hash);
    const answer = await work(tx);
    await tx`
      update idempotency_keys set status = ${answer.status}, answer = ${JSON.stringify(answer.body)}::text::jsonb
      where agent_id = ${agentId} and operation = ${operation} and key = ${key}`;
    return answer;
  });
}

async function firstAnswer<B>(
  tx: Transaction,
  { agentId, operation, key }: { agentId: string; operation: string; key: string },
  hash: Buffer,
): Promise<StoredAnswer<B>> {
  const [first] = await tx<{ body_hash: Buffer; status: number; answer: B }[]>`
    select body_hash, status, answer from idempotency_keys
    where agent_id = ${agentId} and operation = ${operation} and key = ${key}`;
  if (first === undefined || !first.body_hash.equals(hash)) throw new HttpError(409, Detail.keyReused);
  return { status: first.status, body: first.answer };
}

const digest = (text: string) => createHash('sha256').update(text).digest();
