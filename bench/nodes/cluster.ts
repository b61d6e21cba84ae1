import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Load } from '../../src/load/load.js';
import { scrape, seriesOf } from '../../src/load/metrics.js';
import { registerBots } from '../host/accounts.js';
import { ADMIN_KEY, BOTS, startPlatform, type Server, type Settings } from '../host/servers.js';
import { SharedDatabase } from './database.js';

/** Connections of all nodes' front threads together, as with NODES=n. */
const CONNECTIONS = 48;

/** Messages of a node to other nodes so far, and its relayed sockets. */
export interface NodeFigures {
  nodeId: string;
  messages: number;
  relayed: number;
}

/** Nodes on one database, each in a process of its own. The first one leads. */
export class BenchCluster {
  private constructor(
    readonly nodes: Server[],
    readonly database: SharedDatabase,
    private readonly settings: Settings,
  ) {}

  static async start(count: number, settings: Settings = {}, options = {}): Promise<BenchCluster> {
    const database = await SharedDatabase.open(options);
    const cluster = new BenchCluster([], database, {
      DATABASE_URL: database.url,
      DATABASE_CONNECTIONS: Math.max(2, Math.min(10, Math.floor(CONNECTIONS / count))),
      NODE_ADDRESS: '127.0.0.1:0',
      CLUSTER_SECRET: randomBytes(32).toString('base64url'),
      ...settings,
    });
    try {
      for (let i = 0; i < count; i++) cluster.nodes.push(await startPlatform(cluster.settings));
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** Keys of new bots for each node, at least `first` for the first one. They have numbers in this order. */
  async register(bots: number, first = 0): Promise<string[][]> {
    const { nodes } = this;
    const own = Math.max(first, bots / nodes.length);
    const others = (bots - own) / (nodes.length - 1);
    const keys = await registerBots(nodes[0]!.url, bots);
    return nodes.map((_, i) => (i === 0 ? keys.slice(0, own) : keys.slice(own + (i - 1) * others, own + i * others)));
  }

  /** By node. */
  figures(): Promise<NodeFigures[]> {
    return Promise.all(this.nodes.map(figuresOf));
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
    await this.database.stop();
  }
}

async function figuresOf({ url }: Server): Promise<NodeFigures> {
  const text = await scrape(`${url}/metrics`, ADMIN_KEY);
  const sumOf = (name: string) => seriesOf(text, name).reduce((sum, [, value]) => sum + value, 0);
  const [[labels] = ['']] = seriesOf(text, 'poker_node_info');
  return {
    nodeId: /node="([^"]*)"/.exec(labels)?.[1] ?? '',
    messages: sumOf('poker_node_messages_total'),
    relayed: sumOf('poker_relayed_sockets'),
  };
}

/** A node reads the players of the others so often, and a bit (src/cluster/company.ts). */
const POOLS_READ_MS = 1500;
/** The seats of a table. */
export const SEATS = 6;
let bots = 0;

/** Connects bots to a server, from a process of their own. A bot with a seat gets it again when it sits down. */
export function connectCrowd({ target }: Server, apiKeys: readonly string[], players = 1): Promise<Load> {
  const first = bots;
  bots += apiKeys.length;
  return Load.connect({ target, apiKeys, players, first, script: BOTS });
}

export async function takeSeats(server: Server, keys: readonly string[]): Promise<void> {
  const load = await connectCrowd(server, keys, SEATS);
  await load.seat();
  await load.stop();
}

/**
 * At the host first: a pool with enough players there is local everywhere else, once the others have read how many
 * there are.
 */
export async function takeSeatsLocally(
  { nodes, database: { sql } }: BenchCluster,
  keys: readonly (readonly string[])[],
): Promise<void> {
  await takeSeats(nodes[0]!, keys[0]!);
  if (nodes.length === 1) return;
  const told = async () => (await sql`select from node_pools where players >= ${keys[0]!.length}`).count > 0;
  while (!(await told())) await sleep(100);
  await sleep(POOLS_READ_MS);
  await Promise.all(nodes.slice(1).map((server, i) => takeSeats(server, keys[i + 1]!)));
}

export async function stopAll(loads: readonly Load[]): Promise<void> {
  await Promise.all(loads.map((load) => load.stop()));
}

/** Throws where a socket is relayed: what is measured then is something else. */
export async function refuseRelays(cluster: BenchCluster): Promise<void> {
  const relayed = (await cluster.figures()).reduce((sum, figures) => sum + figures.relayed, 0);
  if (relayed > 0) throw new Error(`${relayed / 2} sockets are relayed`);
}
