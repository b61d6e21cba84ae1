import { Redis } from 'ioredis';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from './database.js';

/** The `skip` option of a test that needs Redis. */
export const withoutRedis: false | string =
  spawnSync('redis-server', ['--version']).status === 0 ? false : 'no redis-server here';

export interface TestRedis {
  /** Its Unix socket. The client takes it in place of a URL. */
  path: string;
  process: ChildProcess;
  /** Starts it again after a kill, at the same socket. */
  again(): Promise<void>;
}

/** A Redis of the test's own, which ends with it. */
export async function openRedis(t: Scope): Promise<TestRedis> {
  const dir = folder(t);
  const path = join(dir, 'redis.sock');
  const start = () => started(['--port', '0', '--unixsocket', path, '--save', '', '--dir', dir]);
  const redis: TestRedis = {
    path,
    process: await start(),
    again: async () => {
      if (redis.process.exitCode === null && redis.process.signalCode === null) await once(redis.process, 'exit');
      redis.process = await start();
    },
  };
  t.teardown(() => ended(redis.process));
  return redis;
}

/** A Cluster of one server with all slots. */
export async function openCluster(t: Scope): Promise<{ port: number }> {
  const dir = folder(t);
  const [port, bus] = [await freePort(), await freePort()];
  const options = [
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    String(bus),
    '--cluster-announce-ip',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    dir,
  ];
  const redis = await started(['--port', String(port), '--bind', '127.0.0.1', ...options]);
  t.teardown(() => ended(redis));
  const client = new Redis(port);
  await client.cluster('ADDSLOTSRANGE', 0, 16_383);
  while (!String(await client.cluster('INFO')).includes('cluster_state:ok')) await sleep(20);
  client.disconnect();
  return { port };
}

/** A Sentinel that knows one master by a name. */
export async function openSentinel(t: Scope, name: string): Promise<{ port: number }> {
  const dir = folder(t);
  const [port, master] = [await freePort(), await freePort()];
  const redis = await started(['--port', String(master), '--bind', '127.0.0.1', '--save', '', '--dir', dir]);
  t.teardown(() => ended(redis));
  const file = join(dir, 'sentinel.conf');
  writeFileSync(file, `port ${port}\nbind 127.0.0.1\ndir ${dir}\nsentinel monitor ${name} 127.0.0.1 ${master} 1\n`);
  const sentinel = await started([file, '--sentinel'], '+monitor');
  t.teardown(() => ended(sentinel));
  return { port };
}

/**
 * A port that was free a moment ago, because these servers need a given port. It is below the ports that systems give
 * out, so that a killed server finds it free again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer();
    const free = once(server, 'listening').then(() => true, () => false); // prettier-ignore
    server.listen(port, '127.0.0.1');
    if (!(await free)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

export function folder(t: Scope): string {
  const dir = mkdtempSync(join(tmpdir(), 'agent-poker-redis-'));
  t.teardown(async () => rmSync(dir, { recursive: true }));
  return dir;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const redis of running) redis.kill('SIGKILL');
});

/** Starts a server that ends with this process, unless the process is killed. */
export async function started(options: readonly string[], until = 'eady to accept connections'): Promise<ChildProcess> {
  const redis = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  running.add(redis);
  redis.once('exit', () => running.delete(redis));
  let said = '';
  redis.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const gone = once(redis, 'exit').then(() => Promise.reject(new Error(`Redis ended: ${said}`)));
  gone.catch(() => undefined);
  while (!said.includes(until)) await Promise.race([once(redis.stdout, 'data'), gone]);
  return redis;
}

export async function ended(redis: ChildProcess): Promise<void> {
  if (redis.exitCode !== null || redis.signalCode !== null) return;
  const gone = once(redis, 'exit');
  redis.kill('SIGKILL');
  await gone;
}

/** The address of a Redis in the form of REDIS_URL. A port of the system's choice leads to the Unix socket. */
export async function redisUrl(t: Scope, { path }: TestRedis): Promise<string> {
  const server = createServer((client) => {
    const target = connect(path);
    client.pipe(target).pipe(client);
    // A break on one side ends the other side.
    client.on('error', () => target.destroy()).on('close', () => target.destroy());
    target.on('error', () => client.destroy()).on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => void server.close());
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
