import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../ops/settings.js';
import type { Logger } from '../ops/log.js';
import { bounded } from './bounded.js';
import { connect, type Database, type DatabaseAddress, type Queryable } from './database.js';
import { openEmbedded } from './embedded.js';
import { migrate } from './migrate.js';
import { Leadership } from './node/leadership.js';
import { beginNode, type OwnNode } from './node/own-node.js';
import { databaseRefusal } from './refusal.js';
import { ConfigError } from '../ops/config.js';

const REFUSAL =
  'DATABASE_URL leads to a pooler in transaction mode. Use session mode (PgBouncer: pool_mode = session), or PostgreSQL itself.';

/**
 * Throws ConfigError where a connection does not keep its session: locks, settings and prepared statements live there.
 * Needs two connections. Each transaction of the first is to have the same backend, and no transaction of the other.
 */
export async function refuseTransactionPooler(sql: Database): Promise<void> {
  const first = await sql.reserve();
  const second = await sql.reserve();
  // Simple queries: without a session's prepared statements.
  const backend = async (of: typeof first) => {
    const [row] = await of.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid');
    return row!.pid;
  };
  try {
    const own = [await backend(first), await backend(first)];
    // A pooler of single statements closes the connection that begins a transaction.
    await second.unsafe('begin').catch((cause: unknown) => {
      throw new ConfigError(REFUSAL, { cause });
    });
    const other = await backend(second);
    own.push(await backend(first));
    await second.unsafe('commit');
    if (new Set(own).size > 1 || own.includes(other)) throw new ConfigError(REFUSAL);
  } finally {
    first.release();
    second.release();
  }
}

/** The database of a running platform. */
export interface Store {
  /** For answers that a client waits for: a statement that takes long fails as if the database were away. */
  sql: Database;
  /** For look-ups of unknown keys: whatever strangers do, `sql` has its connections for others. */
  admission: Database;
  /** For work that no client waits for. */
  background: Database;
  /** For the shards, which have connections of their own. */
  address: DatabaseAddress;
  /** This process among all that ever work on the database. */
  node: OwnNode;
  /** Its right to write what only the leader may. */
  leadership: Leadership;
  /** Names the database: the same for all who use it, another one for every other. */
  installation: string;
  /** Folder of the embedded database, null with DATABASE_URL. */
  folder: string | null;
  /** Whether the database answers within a second. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
  /** Ends an embedded database at once: its next start repairs what that leaves. */
  abandon(): void;
}

/** A statement that takes longer, by the server's own clock, is ended; without a word for longer still it is given up. */
const STATEMENT_MS = 10_000;
const MUTE_MS = 15_000;
/** Statements under way have so many seconds at the end. */
const CLOSE_SECONDS = 5;
/** Statements that may wait at a time. */
const STATEMENTS = 10_000;
const BACKGROUND_CONNECTIONS = 3;

type StoreConfig = Pick<Config, 'DATABASE_URL' | 'DATA_DIR' | 'DATABASE_CONNECTIONS'>;

export interface StoreOptions {
  /** Where other nodes reach this one, `host:port`; null: it serves the database by itself. */
  internal: string | null;
  /** Another process has taken over. */
  fatal: (error: Error) => void;
}

const ADMISSION_CONNECTIONS = 2;

/**
 * Opens DATABASE_URL, or the embedded PostgreSQL without one, begins this node's life on it and brings the schema up to
 * date. Throws ConfigError where the settings lead to no database, RoleTaken where a node lives that cannot be beside
 * this one.
 */
export async function openStore(config: StoreConfig, log: Logger, options: StoreOptions): Promise<Store> {
  const { internal, fatal } = options;
  const embedded =
    config.DATABASE_URL === undefined ? await openEmbedded({ dataDir: config.DATA_DIR, log: plain(log) }) : null;
  const address = embedded?.address ?? { url: config.DATABASE_URL! };
  try {
    const background = connect(address, { max: BACKGROUND_CONNECTIONS, name: 'background' });
    if (embedded === null) await refuseTransactionPooler(background);
    const node = await beginNode({
      address,
      internal,
      name: nodeName(),
      alone: embedded !== null,
      migrate: () => migrated(background, log),
      onLost: (error) => log.warn({ error: error.message }, "the database does not answer for this node's lease"),
      onRegained: () => log.info({}, "this node's lease is renewed again"),
      onEnded: fatal,
      onDrain: () => leaveAsAsked(log),
      clockLog: log,
    });
    const installation = await installationOf(background);
    const stopSweeping = keepSweeping(background, node.clock, log);
    const pool = (name: string, max: number) =>
      bounded(() => connect(address, { max, name, statementMs: STATEMENT_MS }), {
        statementMs: MUTE_MS,
        statements: STATEMENTS,
      });
    const sql = pool('front', config.DATABASE_CONNECTIONS);
    const admission = pool('admission', ADMISSION_CONNECTIONS);
    return {
      sql,
      admission,
      background,
      address,
      node,
      installation,
      leadership: new Leadership(() => node.epoch, fatal),
      folder: embedded?.folder ?? null,
      answers: () => Promise.race([asked(sql), sleep(1000, false, { ref: false })]),
      abandon: () => embedded?.kill(),
      close: async () => {
        stopSweeping();
        await Promise.all([sql, admission, background].map((pool) => pool.end({ timeout: CLOSE_SECONDS })));
        await node.leave();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw (embedded === null ? databaseRefusal(error, address) : null) ?? error;
  }
}

/** Brings the schema up to date. */
async function migrated(sql: Database, log: Logger): Promise<void> {
  const applied = await migrate(sql);
  if (applied.length > 0) log.info({ applied }, 'database schema is up to date');
}

/** By `npx agent-poker admin drain`, from wherever: whoever started the platform in this process hears what SIGTERM says. */
function leaveAsAsked(log: Logger): void {
  log.info({}, 'the operator asks this node to leave');
  process.kill(process.pid, 'SIGTERM');
}

/** As people know a node. */
const nodeName = (): string => `process ${process.pid} on ${hostname()}`;

/** By the cluster's own number, which its replicas share, and the database within. */
async function installationOf(sql: Database): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select 'agent-poker:' || system_identifier || ':' || current_database() as name from pg_control_system()`;
  return row!.name;
}

const asked = (sql: Database) =>
  sql`select 1`.then(
    () => true,
    () => false,
  );

const plain = (log: Logger) => ({
  info: (message: string) => log.info({}, message),
  warn: (message: string) => log.warn({}, message),
  error: (message: string) => log.error({}, message),
});

/** A request that is repeated after this time is done anew. */
const KEPT = '7 days';
const EVERY_MS = 3_600_000;
/** Rows that go in one statement, so that none holds many locks. */
const AT_ONCE = 5000;

/** Deletes the first answers that are kept no longer; returns how many. */
export async function sweepAnswers(sql: Queryable): Promise<number> {
  for (let swept = 0; ;) {
    const { count } = await sql`
      delete from idempotency_keys where (agent_id, operation, key) in (
        select agent_id, operation, key from idempotency_keys
        where created_at < now() - ${KEPT}::interval order by created_at limit ${AT_ONCE})`;
    swept += count;
    if (count < AT_ONCE) return swept;
  }
}

/** Sweeps now and every hour while the clock is certain, until what it returns is called. */
function keepSweeping(sql: Database, clock: { certain: boolean }, log: Pick<Logger, 'warn'>): () => void {
  const sweep = () =>
    clock.certain &&
    void sweepAnswers(sql).catch((error: unknown) =>
      log.warn({ err: error }, 'old idempotency keys could not be deleted'),
    );
  sweep();
  const timer = setInterval(sweep, EVERY_MS).unref();
  return () => clearInterval(timer);
}
