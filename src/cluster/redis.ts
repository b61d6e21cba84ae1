import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Tail } from '../arena/tail.js';
import { temporaryFolder } from '../command/folders.js';
import { Misuse } from '../command/options.js';
import { freePort } from '../ops/port-check.js';

const PROGRAM = 'redis-server';
/** Sharded channels, over which nodes speak, came with it. */
const LEAST_MAJOR = 7;
const READY = /ready to accept connections/i;

const HOW =
  'install Redis 7 or later (Debian, Ubuntu: apt-get install redis-server), or name one of yours in REDIS_URL';

export interface LocalRedis {
  /** With its password: not for logs. */
  url: string;
  /** Resolves when it has ended by itself, to what it said last. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/** What keeps us from starting one, in a line; null where nothing does. */
export function redisMissing(): string | null {
  const { status, stdout } = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' });
  if (status !== 0) return `A cluster needs Redis, and no ${PROGRAM} is found: ${HOW}.`;
  const version = /v=(\d+)\.([\d.]+)/.exec(stdout);
  if (version !== null && Number(version[1]) >= LEAST_MAJOR) return null;
  return `A cluster needs Redis ${LEAST_MAJOR}, and ${PROGRAM} is ${version?.[0].slice(2) ?? 'unknown'}: ${HOW}.`;
}

/**
 * Starts Redis with the settings that come first on the input, and ends it with the end of the input, which is our end,
 * also by SIGKILL. A process group of its own: a Ctrl-C at a terminal is for us, and the nodes still need it then.
 */
const script = `
exec 3<&0
settings=$(head -n "$1" <&3)
printf '%s\\n' "$settings" | ${PROGRAM} - &
redis=$!
{ cat <&3 >/dev/null; kill -TERM $redis; } &
wait $redis`;

/**
 * A Redis of our own on a free port of the loopback, behind a password that nobody else knows. It stores nothing: it
 * carries what nodes say to each other, and counts for rate limits. Throws Misuse where this machine has none.
 */
export async function startRedis(): Promise<LocalRedis> {
  const missing = redisMissing();
  if (missing !== null) throw new Misuse(missing);
  const [port, password, dir] = [
    await freePort('127.0.0.1'),
    randomBytes(24).toString('hex'),
    temporaryFolder('redis'),
  ];
  const settings = { port, bind: '127.0.0.1', requirepass: password, save: '""', appendonly: 'no', dir };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  const redis = spawn('/bin/sh', ['-c', script, 'redis', String(lines.length)], { detached: true, stdio: 'pipe' });
  const tail = new Tail().read(redis.stdout).read(redis.stderr);
  let stopping = false;
  const gone = once(redis, 'exit').then(() => `${PROGRAM} ended:\n${tail.prefixed('redis')}`);
  const ready = new Promise<null>((resolve) => {
    createInterface({ input: redis.stdout }).on('line', (line) => READY.test(line) && resolve(null));
  });
  // By its input: arguments are there for everybody to read.
  redis.stdin.write(lines.join(''));
  const failure = await Promise.race([ready, gone]);
  if (failure !== null) throw new Error(failure);
  const ended = new Promise<string>((resolve) => void gone.then((said) => stopping || resolve(said)));
  const stop = async () => {
    stopping = true;
    redis.stdin.end();
    await gone;
  };
  return { url: `redis://:${password}@127.0.0.1:${port}`, ended, stop };
}
