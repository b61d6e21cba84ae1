import postgres from 'postgres';
import { ConfigError } from '../ops/config.js';
import { codeOf, whereOf, type DatabaseAddress, type Where } from './database.js';

/** Explanations of errors with the advice, by SQLSTATE or system code. */
const REASONS: readonly [codes: readonly string[], says: (at: Where) => string][] = [
  [
    ['ENOTFOUND', 'EAI_AGAIN'],
    ({ host }) => `the host ${host} is unknown: correct it, or leave DATABASE_URL out for the embedded PostgreSQL`,
  ],
  [['ECONNREFUSED'], ({ server }) => `nothing listens on ${server}: start PostgreSQL there, or correct the address`],
  [['ENOENT'], ({ server }) => `no PostgreSQL has its socket in ${server}: start it, or correct the folder`],
  [
    ['CONNECT_TIMEOUT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
    ({ server }) => `${server} does not answer: correct the address, or let this machine reach it`,
  ],
  [
    ['CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE'],
    ({ server }) => `${server} closed the connection: see that it is PostgreSQL, and its log`,
  ],
  [
    ['28P01', '28000'],
    ({ user }) => `PostgreSQL refuses the user ${user} or the password: correct it, or DATABASE_PASSWORD`,
  ],
  [['3D000'], ({ database }) => `there is no database ${database}: create it, or correct the name`],
  [['42501'], ({ user }) => `the user ${user} may not do that: let it create tables in the schema public`],
  [['53300'], () => 'PostgreSQL has no connection left: raise its max_connections, or end others'],
  [['25006'], ({ server }) => `${server} takes no writes: name the primary, or end its read-only mode`],
  [['57P03'], ({ server }) => `PostgreSQL on ${server} is starting or stopping: try again`],
];

const NO_ADDRESS =
  'DATABASE_URL is not of the form postgres://user:password@host:port/database: a password with @, / or % goes into ' +
  'DATABASE_PASSWORD.';

/** One line for the operator where DATABASE_URL cannot be worked on; null where the error is about something else. */
export function databaseRefusal(error: unknown, address: DatabaseAddress): ConfigError | null {
  const code = codeOf(error);
  if (code === 'ERR_INVALID_URL' || error instanceof URIError) return new ConfigError(NO_ADDRESS);
  const says = REASONS.find(([codes]) => codes.includes(code))?.[1];
  if (says === undefined) return null;
  const words = error instanceof postgres.PostgresError ? error.message : code;
  return new ConfigError(`DATABASE_URL: ${says(whereOf(address))} (${words}).`, { cause: error });
}

/** The same where DATA_DIR cannot be worked in: what the system refuses is named with its path. */
export async function inDataDir<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const advice = 'name a folder on a local disk that this account may write to';
    throw new ConfigError(`DATA_DIR=${dataDir} cannot hold the database: ${advice} (${error.message}).`, {
      cause: error,
    });
  }
}
