import postgres from 'postgres';

/**
 * The habit of every connection: int8 arrives as a number (chips, counters and table_seq stay far below 2^53, and a
 * value beyond it is an error, never rounded), uuid as text, timestamptz as Date, bytea as Buffer.
 */
const bigint = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (raw: string) => {
    const value = Number(raw);
    if (!Number.isSafeInteger(value)) throw new RangeError(`int8 out of the range of a number: ${raw}`);
    return value;
  },
};

type Types = { bigint: number };

/** A pool of connections. */
export type Database = postgres.Sql<Types>;
/** The one connection of a transaction. */
export type Transaction = postgres.TransactionSql<Types>;
/** What a query function needs: a pool, or the transaction it shall be part of. */
export type Queryable = postgres.ISql<Types>;

/** Where the database is, and the right to enter: plain text, so that it can be passed to a worker. */
export interface DatabaseAddress {
  /** postgres://user:password@host:port/database; a directory as percent-encoded host names a Unix socket. */
  url: string;
}

export interface PoolOptions {
  /** Connections at most; opened when first needed. */
  max: number;
  /** Shown as application_name in pg_stat_activity. */
  name: string;
  /** Plan each prepared statement once and never again: for the few hot statements of a shard. */
  planOnce?: boolean;
}

/** Opens a pool. Nothing is connected yet: the first query is. */
export function connect(address: DatabaseAddress, { max, name, planOnce = false }: PoolOptions): Database {
  return postgres(address.url, {
    max,
    types: { bigint },
    connect_timeout: 10,
    onnotice: () => undefined,
    connection: {
      application_name: `agent-poker ${name}`,
      TimeZone: 'UTC',
      ...(planOnce ? { plan_cache_mode: 'force_generic_plan' } : {}),
    },
  });
}
