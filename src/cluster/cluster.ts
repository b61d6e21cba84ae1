import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbedded } from '../store/embedded.js';
import { Balancer } from './balancer.js';
import { ClusterNode } from './node.js';
import { startRedis } from './redis.js';

export interface ClusterOptions {
  nodes: number;
  /** Of the load balancer; 0 takes a free one. */
  port: number;
  /**
   * Of the nodes. DATABASE_URL and REDIS_URL in it are taken in the place of servers of our own, and DATA_DIR is where
   * ours keeps its data.
   */
  env: NodeJS.ProcessEnv;
  /** What a node, or the database, has to say. */
  say(name: string, line: string): void;
  /** What all need has ended: the cluster cannot go on. */
  fatal(reason: string): void;
}

export interface Cluster {
  /** Of the load balancer. */
  url: string;
  nodes: readonly ClusterNode[];
  stop(): Promise<void>;
}

/**
 * Nodes as processes of this machine behind a load balancer, with one PostgreSQL and one Redis. Throws what keeps one of
 * these from starting, and leaves nothing running then.
 */
export async function startCluster({ nodes: count, port, env, say, fatal }: ClusterOptions): Promise<Cluster> {
  const ends: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  };
  try {
    // First what needs something of the machine, and says so in a line where that is missing.
    const redisUrl = env['REDIS_URL'] ?? (await ownRedis(ends, fatal));
    const databaseUrl = env['DATABASE_URL'] ?? (await ownDatabase(ends, env['DATA_DIR'] ?? '.data', say));
    const nodes: ClusterNode[] = [];
    const balancer = new Balancer(nodes);
    const url = `http://127.0.0.1:${await balancer.listen('127.0.0.1', port)}`;
    ends.push(() => balancer.close());
    const quiet = env['LOG_LEVEL'] === undefined;
    const shared = { PUBLIC_URL: url, ...env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
    for (let number = 1; number <= count; number++) {
      const name = `node-${number}`;
      // Each listens on a port of its own, and the balancer on the one that people know.
      const settings = { ...shared, HOST: '127.0.0.1', PORT: '0' };
      nodes.push(new ClusterNode({ name, env: settings, quiet, say: (line) => say(name, line) }));
    }
    ends.push(() => Promise.all(nodes.map((node) => node.stop())));
    // The first makes the tables of a new database; the others find them.
    for (const node of nodes) await node.start();
    // One that does not lead serves once it has found the one that does.
    while (!(await allReady(nodes))) await sleep(READY_POLL_MS);
    return { url, nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const READY_POLL_MS = 500;

async function allReady(nodes: readonly ClusterNode[]): Promise<boolean> {
  const asked = nodes.map(({ port }) =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(({ status }) => status !== 503),
  );
  return (await Promise.all(asked)).every((ok) => ok);
}

type Ends = (() => Promise<unknown>)[];

async function ownRedis(ends: Ends, fatal: (reason: string) => void): Promise<string> {
  const redis = await startRedis();
  ends.push(() => redis.stop());
  void redis.ended.then(fatal);
  return redis.url;
}

async function ownDatabase(ends: Ends, dataDir: string, say: ClusterOptions['say']): Promise<string> {
  const tell = (line: string) => say('database', line);
  const database = await openEmbedded({ dataDir, log: { info: () => undefined, warn: tell, error: tell } });
  ends.push(() => database.stop());
  return database.address.url;
}
