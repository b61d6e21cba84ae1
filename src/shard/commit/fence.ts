import { assertWhole } from '../../ops/assert.js';
import type { Queryable } from '../../store/database.js';
import { codeOf } from '../../store/database.js';
import { REQUIREMENT, UNIQUE_VIOLATION } from '../../store/sqlstate.js';

/** The right to write a shard's rows. A statement under an older epoch than the stored one changes nothing. */
export interface Fence {
  shard: number;
  epoch: number;
}

/** The shard belongs to a newer incarnation: this one must stop writing and end. */
export class Fenced extends Error {
  override name = 'Fenced';

  constructor() {
    super('this shard was taken over by a newer incarnation');
  }
}

/** Why a statement's condition did not hold. */
export type WriteRefusal =
  /** Buy-in: the balance is below the amount. */
  | 'balance'
  /** Buy-in: the agent sits at a table already. */
  | 'seated'
  /** Buy-in: the agent has no entry in the pool. */
  | 'no_entry'
  | 'seat_taken'
  /** The table is not open, or is another shard's; or it shall open as a fresh one, and has been played at. */
  | 'table'
  /** The phase of the pool takes no table or no player. */
  | 'pool'
  /** Cash-out: there is no such stay, nor was there one that was cashed out. Buy-in: the stay is over. */
  | 'sitting'
  /** Cash-out: the stay is stored with another stack. */
  | 'stack'
  /** Closing: somebody sits there. */
  | 'occupied'
  /** Commit: see the message. */
  | 'hand';

/** A condition did not hold: nothing was changed, and repeating does not help. */
export class WriteRefused extends Error {
  override name = 'WriteRefused';

  constructor(
    readonly reason: WriteRefusal,
    message: string = reason,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A batch of hands contradicts what is stored, which is a bug. Find the bad hand by committing them one by one. */
export class CommitRefused extends WriteRefused {
  override name = 'CommitRefused';

  constructor(message: string, cause?: unknown) {
    super('hand', message, { cause });
  }
}

/**
 * The fence as a column of a statement that has the CTE `locked`: the shard's row, locked for share. Raising the epoch
 * waits for that lock, so a statement is either finished before or sees the new epoch.
 */
export function fencedIn(sql: Queryable, { epoch }: Fence) {
  assertWhole(epoch, 'the epoch of a shard');
  return sql`require((select epoch from locked) = ${epoch}::bigint, 'fenced')`;
}

/** Runs a statement, with what it raises in our terms. */
export async function guarded<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    throw translated(error);
  }
}

function translated(error: unknown): unknown {
  const code = codeOf(error);
  if (code === REQUIREMENT && error instanceof Error) {
    return error.message === 'fenced' ? new Fenced() : new WriteRefused(error.message as WriteRefusal);
  }
  const taken = code === UNIQUE_VIOLATION && (error as { constraint_name?: string }).constraint_name === 'entries_seat';
  return taken ? new WriteRefused('seat_taken') : error;
}
