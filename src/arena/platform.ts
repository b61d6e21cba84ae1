import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, type Database } from '../store/database.js';
import { openEmbedded } from '../store/embedded.js';
import { killAtExit } from '../command/children.js';
import { Tail } from '../command/tail.js';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const END_WITH_PARENT = new URL('end-with-parent.js', import.meta.url).href;
const NOTHING = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** A database that does not answer within so many ms is given up: the platform is then, too. */
const START_MS = 60_000;
const STOP_MS = 10_000;

/** Settings of the private platform: full speed, no limits, rebuys without end. The caller may set the others. */
const SETTINGS = {
  NODE_ENV: 'development',
  HOST: '127.0.0.1',
  PORT: '0',
  REDIS_URL: '',
  METRICS_PORT: '',
  HOUSE_BOTS: '0',
  BETWEEN_HANDS_MS: '0',
  // Short tables merge soon: bots that come one by one shall end up at full ones.
  LOBBY_GRACE_MS: '100',
  SEPARATE_OWNERS: 'false',
  REBUY_COOLDOWNS: '0',
  REBUY_COOLDOWNS_PRO: '',
  REGISTRATION: 'open',
  REGISTRATIONS_PER_MINUTE: '1000000',
  CONNECTIONS_PER_ADDRESS: '1000000',
  WS_CONNECTS_PER_MINUTE: '1000000',
  WS_MESSAGES_PER_SECOND: '1000000',
  SEATS_PER_MINUTE: '1000000',
  // All bots of the match play with each other.
  PACE_GROUPS: 'off',
  DRAIN_MS: '5000',
  LOG_LEVEL: 'warn',
} as const;

/** Short, so that a bot which hangs or went away does not stop the game for two minutes. The environment may differ. */
const ACTION_TIMEOUT_MS = '10000';

/** A platform of the arena's own, in a folder that goes with it. */
export interface PrivatePlatform {
  url: string;
  wsUrl: string;
  /** The database, which lives until `close`, also when the platform itself has stopped. */
  sql: Database;
  /** Resolves when the platform's process is gone, for whatever reason. */
  gone: Promise<void>;
  /** The process's last words. */
  tail: Tail;
  /** Hands in progress finish, no new ones begin, the process ends. */
  stop(): Promise<void>;
  /** Removes every trace. */
  close(): Promise<void>;
}

/** Starts database and platform. `env` is the environment of the caller: its rules of play apply, its database does not. */
export async function openPlatform(threads: number, env: NodeJS.ProcessEnv): Promise<PrivatePlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-poker-arena-'));
  const database = await openEmbedded({ dataDir: folder, log: NOTHING, temporary: true });
  const sql = connect(database.address, { max: 1, name: 'arena' });
  const closeDatabase = async () => {
    await sql.end({ timeout: 1 });
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const tail = new Tail();
  const child = fork(MAIN, {
    execArgv: ['--import', END_WITH_PARENT],
    // Away from the caller's .env.
    cwd: folder,
    env: {
      ACTION_TIMEOUT_MS,
      ...env,
      ...SETTINGS,
      THREADS: String(threads),
      DATA_DIR: folder,
      DATABASE_URL: database.address.url,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  tail.read(child.stdout).read(child.stderr);
  const release = killAtExit(() => child.kill('SIGKILL'));
  const gone = once(child, 'exit').then(release);
  try {
    const { url, wsUrl } = await ready(child, gone, tail);
    return {
      url,
      wsUrl,
      sql,
      gone,
      tail,
      stop: () => stop(child, gone),
      close: async () => {
        await stop(child, gone);
        await closeDatabase();
      },
    };
  } catch (error) {
    await stop(child, gone);
    await closeDatabase();
    throw error;
  }
}

async function ready(child: ChildProcess, gone: Promise<void>, tail: Tail): Promise<{ url: string; wsUrl: string }> {
  const late = AbortSignal.timeout(START_MS);
  const said = once(child, 'message', { signal: late }) as Promise<[{ event: string; url: string; wsUrl: string }]>;
  const first = await Promise.race([said, gone]);
  if (first === undefined) throw new Error(`the platform did not start:\n${tail.prefixed('platform')}`);
  return first[0];
}

async function stop(child: ChildProcess, gone: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(late);
}
