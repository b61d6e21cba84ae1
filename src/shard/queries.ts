import type { Queryable, Database } from '../store/database.js';
import type { HandRecord, Sitting, TableOpening } from '../table/api.js';

/** The writer of a shard's rows: a statement of an older epoch than the stored one changes nothing and throws Fenced. */
export interface Fence {
  shard: number;
  epoch: number;
}

/** The shard belongs to a newer incarnation: this one must stop writing and end. */
export class Fenced extends Error {}

/** Why a statement's condition did not hold. */
export type Refusal =
  /** Buy-in: balance below the amount. */
  | 'balance'
  /** Buy-in: the agent sits at a table already. */
  | 'seated'
  /** Buy-in: no entry in the pool. */
  | 'no_entry'
  | 'seat_taken'
  /** The table is not open, or another shard's. */
  | 'table'
  /** Cash-out: there is no such stay, nor was there one. */
  | 'sitting'
  /** Cash-out: the stay is stored with another stack. */
  | 'stack'
  /** closeTable: somebody sits there. */
  | 'occupied'
  /** reserveSeq, commitHands: see CommitRefused. */
  | 'hand';

/** A condition did not hold; nothing was changed. Repeating does not help. */
export class Refused extends Error {
  constructor(
    readonly reason: Refusal,
    message = reason as string,
  ) {
    super(message);
  }
}

/** A batch of hands contradicts what is stored (a bug): find the bad one by committing the halves. */
export class CommitRefused extends Refused {}

export interface BuyIn {
  poolId: string;
  agentId: string;
  tableId: string;
  seat: number;
  /** A fresh UUID that names the stay; repeating the call with it is harmless. */
  sitting: string;
  /** Chips from the balance to the table. */
  amount: number;
}

export interface CashOut {
  poolId: string;
  agentId: string;
  sitting: string;
  /** The stack as the table knows it; it must be the stored one. */
  stack: number;
}

/** A table as it is stored: an opening but for the rules. */
export type StoredTable = Omit<TableOpening, 'rules'>;

export type { Sitting };

export declare function claimShard(sql: Queryable, shard: number): Promise<number>;
/** Every record or none; at most one hand a table in a call. Hands already stored are left alone. */
export declare function commitHands(sql: Queryable, fence: Fence, records: readonly HandRecord[]): Promise<void>;
/** Resolves to the balance after. Throws Refused: balance, seated, no_entry, seat_taken, table. */
export declare function buyIn(sql: Queryable, fence: Fence, what: BuyIn): Promise<number>;
/** Resolves to the balance after. */
export declare function cashOut(sql: Queryable, fence: Fence, what: CashOut): Promise<number>;
/** Inserts a fresh table. */
export declare function openTable(
  sql: Queryable,
  fence: Fence,
  table: { tableId: string; poolId: string; seqReserved: number },
): Promise<void>;
/** Takes a stored open table over to this shard and reserves table_seq up to the given number. */
export declare function adoptTable(sql: Queryable, fence: Fence, tableId: string, seqReserved: number): Promise<void>;
export declare function closeTable(sql: Database, fence: Fence, tableId: string): Promise<void>;
export declare function reserveSeq(sql: Queryable, fence: Fence, tableId: string, upTo: number): Promise<void>;
/** Open tables with whom they seat, at boot. */
export declare function storedTables(sql: Queryable, shard?: number): Promise<StoredTable[]>;
/** Closes open tables where nobody sits; returns their number. */
export declare function closeAbandoned(sql: Queryable): Promise<number>;
