import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../src/command/folders.js';
import type { Target } from '../../src/load/socket.js';
import { Child, type ChildOptions } from '../../src/command/child.js';

interface Ready {
  event: 'ready';
  url: string;
  port: number;
}

/** A server under load, in a process of its own. */
export interface Server {
  url: string;
  target: Target;
  pid: number;
  /** Where it keeps what is its own. */
  folder: string;
  stop(): Promise<void>;
  /** Ends it at once, whatever it does. */
  kill(): Promise<void>;
}

const script = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const END_WITH_PARENT = new URL('../../src/arena/end-with-parent.js', import.meta.url).href;
/** The processes of bots of the benches. */
export const BOTS = script('bench/host/bots.js');
export const ADMIN_KEY = 'the-admin-key-of-the-benches';

/** As fast as it can go, with chips that last; everything else as in production. */
const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: 0,
  HOUSE_BOTS: 0,
  LOG_LEVEL: 'warn',
  ADMIN_KEY,
  BETWEEN_HANDS_MS: 0,
  STARTING_CHIPS: 1_000_000,
  LOBBY_CAPACITY: 1_000_000,
  REGISTRATIONS_PER_MINUTE: 1_000_000,
  CONNECTIONS_PER_ADDRESS: 1_000_000,
  WS_CONNECTS_PER_MINUTE: 1_000_000,
  WS_MESSAGES_PER_SECOND: 1_000_000,
  SEATS_PER_MINUTE: 1_000_000,
} as const;

export type Settings = Readonly<Record<string, string | number>>;

/** Starts the platform with its own embedded PostgreSQL. Commits are synced to the disk as usual. */
export const startPlatform = (settings: Settings = {}, execArgv: readonly string[] = []): Promise<Server> =>
  startIn('platform', 'src/main.js', (folder) => ({
    env: environment({ ...SETTINGS, ...settings, DATA_DIR: folder }),
    execArgv: ['--import', END_WITH_PARENT, ...execArgv],
  }));

/** The ordinary way, with the same database. */
export const startNaive = (): Promise<Server> =>
  startIn('naive', 'bench/naive/main.js', (folder) => ({ args: [folder] }));

/** Starts a server that only plays `script` to its sockets. */
export const startCeiling = (scriptFile: string): Promise<Server> =>
  startIn('ceiling', 'bench/ceiling/main.js', () => ({ args: [scriptFile] }));

/** Starts a script in an empty folder that goes with it; it says when it is ready. */
async function startIn(name: string, path: string, options: (folder: string) => ChildOptions): Promise<Server> {
  const folder = temporaryFolder(`bench-${name}`);
  const child = new Child<never, Ready>(name, script(path), { cwd: folder, ...options(folder) });
  const { url, port } = await child.next();
  const end = async (gone: Promise<void>) => {
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    url,
    target: { host: '127.0.0.1', port },
    pid: child.pid,
    folder,
    stop: () => end(child.stop()),
    kill: () => end(child.stop('SIGKILL')),
  };
}

/** Nothing of ours but what programs need to run at all: a setting of the caller must not change what is measured. */
function environment(settings: Settings): NodeJS.ProcessEnv {
  const { PATH = '', HOME = tmpdir() } = process.env;
  return { PATH, HOME, ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])) };
}
