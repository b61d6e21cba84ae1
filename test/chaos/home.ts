import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, retrying, type Database } from '../../src/store/database.js';
import { findRunning, removeWhenWeAreGone } from '../../src/store/embedded.js';
import { serverOf } from '../../src/store/embedded/server.js';
import type { Scope } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import type { Env, TestPlatform } from '../support/platform.js';
import { PATIENCE_MS } from '../support/limits.js';

/** A platform, and access to its database while it does not run. */
export interface Home {
  platform: ForkedPlatform;
  sql: Database;
  /** kill -9. `all`: also of the platform's own database server at the same time, if it has one. */
  kill(all: boolean): Promise<void>;
  /** True if the database can be read only after the platform has started it again. */
  readonly dark: boolean;
}

/** Starts a platform; `main` is another program than the product's. */
export async function startPlatform(t: Scope, env: Env, main?: string): Promise<ForkedPlatform> {
  const platform = await ForkedPlatform.prepare(t, env);
  platform.main = main ?? platform.main;
  await platform.launch();
  return platform;
}

/** A platform on a separate database, which stays up when the platform is killed. */
export async function rentedHome(t: Scope, env: Env, main?: string): Promise<Home> {
  const platform = await startPlatform(t, env, main);
  return { platform, sql: platform.sql!, dark: false, kill: async () => void (await platform.kill()) };
}

/**
 * A platform on the embedded database, as `npm start` has it. Its server is an orphan after a kill, or is killed as
 * well.
 */
export async function ownHome(t: Scope, env: Env, main?: string): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-poker-chaos-'));
  // Removes the server that the killed platform left behind, also if this process is killed.
  const remover = removeWhenWeAreGone([folder]);
  t.teardown(async () => {
    remover.ref();
    const gone = once(remover, 'exit');
    remover.stdin?.end();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  const platform = await startPlatform(t, { ...env, DATA_DIR: folder }, main);
  const address = await findRunning(folder);
  if (address === null) throw new Error(`nobody runs the database of ${folder}`);
  const sql = connect(address, { max: 2, name: 'chaos' });
  t.teardown(() => sql.end({ timeout: 1 }));
  return {
    platform,
    sql,
    dark: true,
    kill: async (all) => {
      const server = all ? serverOf(join(folder, 'postgres')) : null;
      const gone = platform.kill();
      if (server !== null) process.kill(server, 'SIGKILL');
      await gone;
    },
  };
}

/** Resolves when the database answers. After a restart of its server a pool must notice first. */
export async function answering(sql: Database): Promise<void> {
  await retrying(async () => sql`select 1`);
}

/** Polls /health/ready until it answers with the status. Resolves to the time that this took, in ms. */
export async function untilReady(platform: TestPlatform, status: 200 | 503, patienceMs = PATIENCE_MS): Promise<number> {
  const started = performance.now();
  for (;;) {
    const answer = await platform.api('GET', '/health/ready');
    const ms = performance.now() - started;
    if (answer.status === status) return ms;
    if (ms > patienceMs) throw new Error(`/health/ready stayed ${answer.status}: ${JSON.stringify(answer.body)}`);
    await sleep(10);
  }
}
