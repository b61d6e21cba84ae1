import type { ServerMessageOf } from '../protocol/server.js';
import type { Fragment, Queryable } from '../store/database.js';

/** The chips of a rebuy in a pool, and its conditions. Chips whole, times in seconds. */
export interface RebuyTerms {
  chips: number;
  /** The highest balance that counts as out of chips. */
  outOfChipsAt: number;
  /** Before the 1st, 2nd, … rebuy; the last repeats. */
  cooldowns: readonly number[];
  cooldownsPro: readonly number[];
  /** How many an agent may have; null: any number. */
  most: number | null;
}

/** An agent as it stands, as far as its next rebuy is concerned. */
export interface RebuyStanding {
  chip_balance: number;
  /** Used so far. */
  rebuys: number;
  premium: boolean;
  out_of_chips: boolean;
  /** When the cooldown ends. */
  available_at: Date;
  /** ms from now until then by the database's clock; 0 or less when it is over. */
  wait_ms: number;
}

/** Which rebuy is confirmed: the id it was asked for with, if any, and whether it was confirmed before. */
export interface Request {
  id: string | null;
  replayed: boolean;
}

/** A pool in which rebuys are granted at present. */
export interface RebuyPool {
  readonly poolId: string;
  readonly terms: RebuyTerms;
  /**
   * For `from`: a row with its `pool_id`, held so that the pool stays open until the statement is done; none if it is
   * not.
   */
  open(sql: Queryable): Fragment;
  /** A condition on entry `e`: its agent plays in the pool. */
  plays(sql: Queryable): Fragment;
  /** The confirmation of a rebuy, from the agent's standing after it. */
  confirmation(standing: RebuyStanding, request: Request): ServerMessageOf['rebuy_confirmed'];
}

/** The pools of one feature. */
export interface RebuyPools {
  /** Undefined while no rebuys are granted there. */
  of(poolId: string): RebuyPool | undefined;
  all(): readonly RebuyPool[];
}

/** The score that ranks an entry of a pool: all its chips, less a penalty for each rebuy. In chips; may be negative. */
export function scoreOf(
  entry: { chip_balance: number; chips_at_table: number; rebuys: number },
  rebuyPenalty: number,
): number {
  return entry.chip_balance + entry.chips_at_table - entry.rebuys * rebuyPenalty;
}
