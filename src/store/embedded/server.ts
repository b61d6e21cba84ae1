import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SystemAccount } from './account.js';
import { hasCode, type Programs } from './binaries.js';
import { childEnv } from './cluster.js';
import { insistOnEnd, isAlive, killTree } from './processes.js';

export interface DatabaseLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface ServerOptions {
  programs: Programs;
  account: SystemAccount;
  /** The cluster's folder. */
  cluster: string;
  socketFolder: string;
  logFile: string;
  /** Nothing is synced to disk and the end is abrupt: what was written is not wanted later. */
  temporary: boolean;
  /** Sessions at a time, if others than its settings say. */
  connections?: number | undefined;
  log: DatabaseLog;
}

/** Settings for a machine that mostly does something else; commits stay synchronous, since they are promised. */
const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '64MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '128MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '10min',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  autovacuum_naptime: '15s',
  io_method: 'sync',
  jit: 'off',
  random_page_cost: '1.1',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
  log_line_prefix: '%m [%p] ',
};
const temporarySettings = { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB', max_connections: '60' };

/** The socket, and who listens on it; one port, so one name. */
const SOCKET = '.s.PGSQL.5432';
const SOCKET_LOCK = `${SOCKET}.lock`;
/** A process number that no system gives. */
const NOBODY = 2 ** 31 - 1;

/** A running PostgreSQL of ours. Should it die, it is started again; meanwhile connections fail. */
export class PostgresServer {
  #child: ChildProcess | null = null;
  #stopping = false;
  readonly #options: ServerOptions;
  // Our own exit by any way but SIGKILL takes the server along.
  readonly #onExit = () => this.#child?.kill('SIGINT');

  private constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Starts the server and waits until it accepts connections. An orphan of an earlier run is stopped first. */
  static async start(options: ServerOptions): Promise<PostgresServer> {
    const server = new PostgresServer(options);
    await stopOrphan(options);
    process.on('exit', server.#onExit);
    try {
      await server.#startPatiently();
    } catch (error) {
      process.off('exit', server.#onExit);
      throw error;
    }
    return server;
  }

  /** Ends all sessions and shuts down cleanly. */
  async stop(): Promise<void> {
    this.#stopping = true;
    process.off('exit', this.#onExit);
    const child = this.#child;
    if (!child || hasExited(child)) return;
    child.ref();
    const { log, temporary } = this.#options;
    const exited = once(child, 'exit');
    const insistence = insistOnEnd(child.pid!, temporary ? 'SIGQUIT' : 'SIGINT', log);
    await exited;
    clearTimeout(insistence.timer);
  }

  /** Ends it at once, however it is: the next start repairs what that leaves. */
  kill(): void {
    this.#stopping = true;
    if (this.#child && !hasExited(this.#child)) killTree(this.#child.pid!);
  }

  /** Sessions of a server that was killed may outlive it for a moment, and PostgreSQL rightly refuses beside them. */
  async #startPatiently(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#start();
      } catch (error) {
        if (attempt === 100 || !String(error).includes('shared memory block')) throw error;
        await sleep(100);
      }
    }
  }

  async #start(): Promise<void> {
    disownLeft(this.#options);
    const child = launch(this.#options);
    this.#child = child;
    await untilReady(child, this.#options);
    child.once('exit', (code, signal) => {
      if (!this.#stopping) void this.#revive(code, signal);
    });
    child.unref();
  }

  /** Code 0: told to stop, as by systemd, which tells all processes of a unit. Draining still needs it. */
  async #revive(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    const { log } = this.#options;
    if (code === 0) log.warn('another program stopped PostgreSQL; starting it again, since it is needed until the end');
    else log.error(`PostgreSQL ended unexpectedly (${signal ?? `code ${code}`}); starting it again`);
    for (let pause = 100; !this.#stopping; pause = Math.min(2 * pause, 5000)) {
      try {
        await this.#start();
        return log.info('PostgreSQL runs again');
      } catch (error) {
        if (!this.#stopping) log.error(String(error));
        await sleep(pause, undefined, { ref: false });
      }
    }
  }
}

/** In a session of its own: Ctrl-C in our terminal is for us to handle, hands in progress need the database yet. */
function launch(options: ServerOptions): ChildProcess {
  const { programs, account, cluster, socketFolder, logFile, temporary, connections } = options;
  const chosen = {
    ...settings,
    ...(temporary ? temporarySettings : {}),
    ...(connections === undefined ? {} : { max_connections: String(connections) }),
    unix_socket_directories: socketFolder,
  };
  const flags = Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = openSync(logFile, 'a', 0o600);
  try {
    const { uid, gid } = account;
    const stdio: ['ignore', number, number] = ['ignore', output, output];
    return spawn(programs.postgres, ['-D', cluster, ...flags], {
      uid,
      gid,
      cwd: '/',
      env: childEnv,
      detached: true,
      stdio,
    });
  } finally {
    closeSync(output);
  }
}

/** The file of the server says that it is ready, and its socket takes connections. */
async function untilReady(child: ChildProcess, { cluster, socketFolder, logFile, log }: ServerOptions): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`PostgreSQL did not start (code ${code}):\n${tail(logFile)}`)));
  });
  failed.catch(() => undefined);
  const ready = async () => {
    const deadline = performance.now() + 5000;
    let patient = false;
    while (!hasExited(child)) {
      const status = readPidFile(cluster);
      if (status?.pid === child.pid && status?.ready && (await takesConnections(socketFolder))) return;
      if (!patient && performance.now() > deadline) {
        patient = true;
        log.info('PostgreSQL is still starting, and recovers from a crash');
      }
      await sleep(5);
    }
    return failed;
  };
  await Promise.race([ready(), failed]);
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function tail(logFile: string): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
}

/** The lines of postmaster.pid: 1 the process, 8 its state. */
function readPidFile(cluster: string): { pid: number; ready: boolean } | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready' };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Stops a server that a killed parent left behind: we hold the folder's lock, so nobody uses it. Throws where the server
 * belongs to another container, which shares the folder and not the process numbers.
 */
async function stopOrphan({ cluster, socketFolder, log }: ServerOptions): Promise<void> {
  const server = serverOf(cluster);
  if (server !== null) {
    log.info(`stopping PostgreSQL (process ${server}) that an earlier run left behind`);
    const insistence = insistOnEnd(server, 'SIGINT', log);
    while (isAlive(server) && isServerOf(server, cluster)) await sleep(10);
    clearTimeout(insistence.timer);
  } else if (await takesConnections(socketFolder)) {
    throw new Error(`a PostgreSQL of another container still runs on ${cluster}: stop that container first`);
  }
}

/**
 * Before each start: the process number that a killed server left means nothing. Another program may have it by now,
 * and in a new container the new server itself. The rest stays: it tells PostgreSQL how to find sessions that outlived
 * the killed server.
 */
function disownLeft({ cluster, socketFolder }: ServerOptions): void {
  rmSync(join(socketFolder, SOCKET_LOCK), { force: true });
  const pidFile = join(cluster, 'postmaster.pid');
  if (readPidFile(cluster) === null) return;
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n');
  writeFileSync(pidFile, [NOBODY, ...rest].join('\n'));
}

/** Whether a server takes connections on its socket. */
function takesConnections(socketFolder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(socketFolder, SOCKET));
    const answered = (takes: boolean) => {
      socket.destroy();
      resolve(takes);
    };
    socket.once('connect', () => answered(true)).once('error', () => answered(false));
  });
}

/** The live process that runs the cluster, or null. Its pid file alone says little: it may be old, or empty yet. */
export function serverOf(cluster: string): number | null {
  const left = readPidFile(cluster);
  return left && isServerOf(left.pid, cluster) ? left.pid : null;
}

/** True when the live process is a postmaster of this cluster: its command line names the folder. */
function isServerOf(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(
      `-D ${cluster} `,
    );
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return false;
    throw error;
  }
}
