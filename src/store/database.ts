import { backOff } from '../ops/backoff.js';
import { dirname } from 'node:path';
import postgres from 'postgres';
import { DatabaseWire, type WireOptions } from './wire.js';

/**
 * The types of every connection. An int8 arrives as a number: chips, counters and table_seq stay far below 2^53. A
 * larger value is an error, never rounded. A uuid arrives as text, a timestamptz as Date, a bytea as Buffer.
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
/** The argument of a query function: a pool, or the transaction that it belongs to. */
export type Queryable = postgres.ISql<Types>;
/** A piece of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>;

/** Where the database is, and the right to enter: plain text, so that it can be passed to a worker. */
export interface DatabaseAddress {
  /** postgres://user:password@host:port/database; a folder as percent-encoded host, or ?host=, names a Unix socket. */
  url: string;
  /** The embedded one: the url says all, and no PG… variable of the environment says more. */
  embedded?: boolean;
}

export interface PoolOptions {
  /** Connections at most; opened when first needed. */
  max: number;
  /** Shown as application_name in pg_stat_activity. */
  name: string;
  /** Plan each statement once, by its indexes: for the few hot ones of a shard, which find rows by key in any table. */
  planOnce?: boolean;
  /** The server ends a statement that takes so many ms. */
  statementMs?: number;
  /** Called whenever a connection of the pool has closed. */
  onClose?: () => void;
  /** A server that takes no writes will do, as for a command that only reads. */
  standby?: boolean;
}

/** Opens a pool. Nothing is connected yet: the first query is. */
export function connect(address: DatabaseAddress, options: PoolOptions): Database {
  const { max, name, planOnce = false, statementMs, onClose, standby = false } = options;
  const { url, ...socket } = endpoint(address);
  const where = { ...socket, ...(address.embedded && OWN) };
  const settings = {
    TimeZone: 'UTC',
    // A host that vanished keeps its locks for half a minute and not for two hours.
    tcp_keepalives_idle: 15,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    // The plan may be made while tables are small, where reading all of one looks cheap, and must do when they are
    // large.
    ...(statementMs === undefined ? {} : { statement_timeout: statementMs }),
    ...(planOnce ? { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' } : {}),
  };
  return postgres(url, {
    ...where,
    max,
    types: { bigint },
    connect_timeout: 10,
    // Soon after the database is back, we are back: its own default waits up to 20 s.
    backoff: (attempt) => backOff(attempt, 0.05, 1),
    // Connections live as long as the process: a worker's prepared statements and a session's locks live with them.
    max_lifetime: null,
    onnotice: () => undefined,
    ...(onClose ? { onclose: onClose } : {}),
    connection: { application_name: `agent-poker ${name}` },
    ssl: false,
    ...wiring(postgres(url, { ...where, max: 1 }).options, { settings, standby }),
  });
}

/** Settings that postgres.js would otherwise take from the environment. */
const OWN = {
  port: 5432,
  ssl: false,
  idle_timeout: 0,
  max_pipeline: 100,
  keep_alive: 60,
  prepare: true,
  debug: false,
  fetch_types: true,
  target_session_attrs: 'read-write' as const,
};

/** An option of postgres.js that its types lack: makes each connection of a pool, to the next of several hosts. */
function wiring(to: postgres.ParsedOptions, how: Pick<WireOptions, 'settings' | 'standby'>): object {
  const { host, port, path, ssl } = to;
  const { sslnegotiation = null } = to as { sslnegotiation?: string | null };
  let turn = 0;
  const socket = () => {
    const n = turn++ % host.length;
    const at = path ? path : { host: host[n]!, port: port[n]! };
    return new DatabaseWire({ ...how, at, ssl, sslnegotiation });
  };
  return { socket };
}

/** postgres.js takes a Unix socket's folder, and its port, from options only, not from the URL as libpq does. */
function endpoint({ url }: DatabaseAddress): { url: string; host?: string; port?: number } {
  const [, parameter] = /[?&]host=([^&]+)/.exec(url) ?? [];
  const [, encoded] = /^\w+:\/\/(?:[^@/]*@)?(%2f[^:/?]*)/i.exec(url) ?? [];
  const folder = parameter ?? encoded;
  if (folder === undefined) return { url };
  const [, port] = /[?&]port=(\d+)/.exec(url) ?? [];
  // A URL with a user but no host, fine for libpq, is none for JavaScript.
  const withHost = url.replace(/^(\w+:\/\/[^/]*@)(?=\/)/, '$1localhost');
  const whole = withHost.replace(/([?&])host=[^&]+&?/, '$1').replace(/([?&])port=\d+&?/, '$1');
  return { url: whole, host: decodeURIComponent(folder), ...(port !== undefined && { port: Number(port) }) };
}

/** Where an address leads, without what opens it. */
export interface Where {
  host: string;
  /** host:port, or the folder of a Unix socket. */
  server: string;
  user: string;
  database: string;
}

/** Nothing is connected for it. */
export function whereOf(address: DatabaseAddress): Where {
  const { host, port, path, user, database } = connect(address, { max: 1, name: 'none' }).options;
  // If the password has an @, its rest must not be shown.
  const shown = host[0]!.split('@').at(-1)!;
  return { host: shown, server: path ? dirname(path) : `${shown}:${port[0]}`, user, database };
}

/**
 * Runs `work` in one transaction (mode e.g. 'read only'): committed when it resolves, rolled back when it throws.
 *
 * When the connection breaks in between, postgres.js replaces it. It would send the rest of the transaction over the
 * new one, outside of any transaction, or over none, which ends the process. So nothing does follow.
 */
export async function transaction<T>(sql: Database, work: (tx: Transaction) => Promise<T>, mode = ''): Promise<T> {
  let broken = false;
  const whole = (tx: Transaction) =>
    new Promise<T>((resolve, reject) => {
      // Neither commit nor rollback goes over a connection that is gone: `begin` itself has failed then.
      const unlessBroken = (end: () => void) => (broken ? undefined : end());
      const failed = (error: unknown) => {
        const end = () => unlessBroken(() => reject(error as Error));
        // The connection says so to its statement first.
        if (isConnectionError(error)) setImmediate(end);
        else end();
      };
      work(refusingIf(tx, () => broken)).then((value) => unlessBroken(() => resolve(value)), failed);
    });
  try {
    return (await sql.begin(mode, whole)) as T;
  } finally {
    broken = true;
  }
}

/** The connection of a transaction, which takes no more statements once that is over. */
function refusingIf(tx: Transaction, over: () => boolean): Transaction {
  return new Proxy(tx, {
    apply(target, self, args) {
      if (over()) throw Object.assign(new Error('the transaction is over'), { code: 'CONNECTION_CLOSED' });
      return Reflect.apply(target, self, args);
    },
  });
}

/** Codes of Node and postgres.js for a connection that broke or could not be made. */
const brokenConnection = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
  // bounded.ts
  'NO_ANSWER',
]);

/**
 * SQLSTATEs of a server that cannot work just now. They are connection exceptions (08), out of resources (53), and
 * shutting down or starting (57P01-57P03). Also a statement that took too long (57014), a standby after a failover
 * (25006) and failing storage (58).
 */
const serverAway = /^(08...|53...|57P0[1-3]|57014|25006|58...)$/;

/** Lost a race with another transaction, which repeating settles: serialisation failure, deadlock. */
const lostRace = /^40(001|P01)$/;

/** True when the database is away: what was asked is unknown to have happened or not, and may be asked again. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  return brokenConnection.has(code) || (error instanceof postgres.PostgresError && serverAway.test(code));
}

/** The SQLSTATE or system code of an error, or ''. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export interface RetryOptions {
  /** Called when an attempt failed because the database is away, with the error. */
  onAway?: (error: unknown) => void;
  /** Ends the waiting: the last error is thrown. */
  signal?: AbortSignal;
}

/**
 * Repeats an idempotent action until the database has answered it, with pauses from 50 ms to 1 s. Throws what is no
 * matter of the connection, and whatever comes after an abort.
 */
export async function retrying<T>(action: () => Promise<T>, { onAway, signal }: RetryOptions = {}): Promise<T> {
  for (let pause = 50; ; pause = Math.min(2 * pause, 1000)) {
    try {
      return await action();
    } catch (error) {
      const away = isConnectionError(error);
      if (signal?.aborted || (!away && !lostRace.test(codeOf(error)))) throw error;
      if (away) onAway?.(error);
    }
    await new Promise<void>((resume) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resume();
      };
      const timer = setTimeout(end, pause);
      signal?.addEventListener('abort', end);
    });
  }
}
