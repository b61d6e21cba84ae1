import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from './database.js';

/** What `skip` of a test that needs Redis is to be. */
export const withoutRedis: false | string =
  spawnSync('redis-server', ['--version']).status === 0 ? false : 'no redis-server here';

export interface TestRedis {
  /** Its Unix socket: the client takes it in the place of a URL. */
  path: string;
  process: ChildProcess;
}

/** A Redis of the test's own, which ends with it. */
export async function openRedis(t: Scope): Promise<TestRedis> {
  const dir = mkdtempSync(join(tmpdir(), 'agent-poker-redis-'));
  const path = join(dir, 'redis.sock');
  const redis = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--save', '', '--dir', dir], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const gone = once(redis, 'exit');
  t.teardown(async () => {
    redis.kill('SIGKILL');
    await gone;
    rmSync(dir, { recursive: true });
  });
  let said = '';
  redis.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('ready to accept connections')) await once(redis.stdout, 'data');
  return { path, process: redis };
}

/** The address of a Redis as REDIS_URL has it: a port of the system's choice leads to the Unix socket. */
export async function redisUrl(t: Scope, { path }: TestRedis): Promise<string> {
  const server = createServer((client) => {
    const target = connect(path);
    client.pipe(target).pipe(client);
    // Whatever breaks on one side ends the other.
    client.on('error', () => target.destroy()).on('close', () => target.destroy());
    target.on('error', () => client.destroy()).on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => void server.close());
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
