import type { Queryable } from '../store/database.js';
import { VALUE_FUNCTION_SHA256 } from './value-function.js';

/** Puts this release's value function into the record of a new pool: before its first hand. */
export async function recordValueFunction(tx: Queryable, poolId: string): Promise<void> {
  await tx`update pools set value_function_sha256 = ${VALUE_FUNCTION_SHA256} where pool_id = ${poolId}`;
}

/**
 * Whether luck is measured in a pool: with the function that its record names, or not at all. Not in duplicate
 * competitions: their cards come again, so what comes next is not equally likely for a player that remembers.
 */
export async function hasValueFunction(sql: Queryable, poolId: string): Promise<boolean> {
  const [row] = await sql<{ same: boolean }[]>`
    select coalesce(value_function_sha256 = ${VALUE_FUNCTION_SHA256}, false)
      and not exists (select from competitions where competition_id = pool_id and duplicate) as same
    from pools where pool_id = ${poolId}`;
  return row?.same ?? false;
}
