import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { startRedis } from '../../src/cluster/redis.js';
import { temporaryFolder } from '../../src/command/folders.js';
import { scrape, seriesOf } from '../../src/load/metrics.js';
import { connect, type Database } from '../../src/store/database.js';
import { openEmbedded } from '../../src/store/embedded.js';
import { CLUSTER } from '../../src/store/embedded/location.js';
import { serverOf } from '../../src/store/embedded/server.js';
import { cpuTimes } from '../host/cpu.js';
import { ADMIN_KEY, startPlatform, type Server, type Settings } from '../host/servers.js';
import { redisCpu } from './redis-cpu.js';

const POLL_MS = 100;
/** From when a node has its shard, as the database has it, until its thread is up. */
const SHARD_MS = 1500;

/** Some nodes, the leader first. */
export interface Nodes {
  nodes: readonly Server[];
  /** Their database. */
  sql: Database;
  stop(): Promise<void>;
}

/** Which nodes play. */
export interface Cast {
  /** Each with a shard; one is a process without Redis. */
  nodes: number;
}

/** The database and the Redis that all nodes use: processes of their own, so that what they cost is counted apart. */
export class Stage {
  private constructor(
    private readonly database: Awaited<ReturnType<typeof openEmbedded>>,
    private readonly redis: Awaited<ReturnType<typeof startRedis>>,
    private readonly client: Redis,
  ) {}

  /** Commits are synced to the disk as ever. */
  static async open(): Promise<Stage> {
    const log = { info: () => undefined, warn: console.warn, error: console.error };
    const database = await openEmbedded({ dataDir: temporaryFolder('bench-nodes'), log });
    const redis = await startRedis();
    return new Stage(database, redis, new Redis(redis.url));
  }

  async close(): Promise<void> {
    this.client.disconnect();
    await this.redis.stop();
    await this.database.stop();
  }

  /** CPU so far, ms. */
  async cpu(): Promise<{ database: number; redis: number }> {
    const pid = serverOf(join(this.database.folder, CLUSTER));
    if (pid === null) throw new Error('the database is gone');
    const { process, children } = cpuTimes(pid);
    return { database: process + children, redis: await redisCpu(this.client) };
  }

  /** Nodes on a new database, once all of them serve. */
  async start({ nodes: count }: Cast): Promise<Nodes> {
    const name = `bench_${randomBytes(4).toString('hex')}`;
    await this.#admin(`create database ${name}`);
    const nodes: Server[] = [];
    const url = this.database.address.url.replace(/[^/]+$/, name);
    const sql = connect({ url }, { max: 1, name: 'bench' });
    const stop = async () => {
      // Their database goes with them: nothing is left to be finished or handed over.
      await Promise.all(nodes.splice(0).map((node) => node.kill()));
      await sql.end();
      await this.#admin(`drop database ${name} with (force)`);
    };
    const settings: Settings = {
      DATABASE_URL: url,
      THREADS: 1,
      // Hands of bots that have gone need not be finished.
      DRAIN_MS: 0,
      // Tables stay where they were opened.
      ...(count > 1 && { REDIS_URL: this.redis.url, NODE_SHARDS: 1, REBALANCE: 'off' }),
    };
    try {
      // The first one leads, and lays the database out; the others come at once.
      nodes.push(await startPlatform(settings));
      await until(async () => (await sql`select from shards`).length === 1);
      const others = Array.from({ length: count - 1 }, async () => nodes.push(await startPlatform(settings)));
      await Promise.all(others);
      await until(async () => (await sql`select from shards`).length === count);
      await until(async () => (await Promise.all(nodes.map(isReady))).every((ready) => ready));
      if (count > 1) {
        await byShard(nodes, sql);
        await sleep(SHARD_MS);
      }
    } catch (error) {
      await stop();
      throw error;
    }
    return { nodes: [...nodes], sql, stop };
  }

  async #admin(statement: string): Promise<void> {
    const sql = connect(this.database.address, { max: 1, name: 'bench' });
    await sql.unsafe(statement);
    await sql.end();
  }
}

const metricsOf = ({ url }: Server): Promise<string> => scrape(`${url}/metrics`, ADMIN_KEY);

/** Puts them in the order of their shards, each of which has one: those that came at once were given numbers as they came. */
async function byShard(nodes: Server[], sql: Database): Promise<void> {
  const holders = await sql<{ holder: string }[]>`select holder from shards order by shard_no`;
  const shards = new Map<Server, number>();
  for (const node of nodes) {
    const [[labels] = ['']] = seriesOf(await metricsOf(node), 'poker_node_info');
    shards.set(
      node,
      holders.findIndex(({ holder }) => labels.includes(holder)),
    );
  }
  if ([...shards.values()].includes(-1)) throw new Error('not each node has one shard');
  nodes.sort((a, b) => shards.get(a)! - shards.get(b)!);
}

async function isReady({ url }: Server): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`);
  await answer.body?.cancel();
  return answer.status !== 503;
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  while (!(await reached())) await sleep(POLL_MS);
}

/** Throws unless tables are where they should be: at shard after shard, as they were opened. */
export async function checkTables({ sql, nodes }: Nodes, tables: number): Promise<void> {
  const open = await sql<{ shard_no: number }[]>`
    select shard_no from tables where status = 'open' order by table_id`;
  const found = Array.from({ length: nodes.length }, (_, n) => open.filter(({ shard_no }) => shard_no === n).length);
  const wanted = found.map((_, n) => Math.ceil((tables - n) / nodes.length));
  if (open.length !== tables || found.join() !== wanted.join()) {
    throw new Error(`${open.length} tables are open, by node ${found.join(', ')} and not ${wanted.join(', ')}`);
  }
}

/** Posts that all nodes sent, and their bytes. */
export async function busSent({ nodes }: Nodes): Promise<{ posts: number; bytes: number }> {
  const texts = await Promise.all(nodes.map(metricsOf));
  const sent = (name: string) =>
    texts
      .flatMap((text) => seriesOf(text, name))
      .filter(([labels]) => labels.includes('direction="sent"'))
      .reduce((sum, [, count]) => sum + count, 0);
  return { posts: sent('poker_bus_posts_total'), bytes: sent('poker_bus_bytes_total') };
}
