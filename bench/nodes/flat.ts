import { setTimeout as sleep } from 'node:timers/promises';
import { mergeSeen, refuseFaults, type Load } from '../../src/load/load.js';
import type { Steps } from '../benches.js';
import { BenchCluster, connectCrowd, refuseRelays, SEATS, takeSeatsLocally } from './cluster.js';

/*
 * Statements and messages a hand, of the same tables on 1, 2, 4 and 8 nodes. All have as many shards in all, since the
 * hands of a group commit are those of a shard. A node has statements of its own, hands or no hands: they are counted
 * while nobody plays, and told apart.
 */

export interface FlatOptions {
  counts: readonly number[];
  tables: number;
  handsPerSecond: number;
  seconds: number;
}

export interface OfNodes {
  nodes: number;
  handsPerSecond: number;
  /** Beyond those of nodes where nobody plays. */
  statementsPerHand: number;
  /** Of a node where nobody plays. */
  statementsPerSecond: number;
  messagesPerHand: number;
}

/** Until the pace is found. */
const PACE_SECONDS = 5;
const HELD_MS = 3_600_000;

export async function playFlat(options: FlatOptions, steps: Steps): Promise<OfNodes[]> {
  const results: OfNodes[] = [];
  for (const count of options.counts) {
    steps.next(`${options.tables} tables on ${count} ${count === 1 ? 'node' : 'nodes'}`);
    results.push(await onNodes(count, options));
  }
  return results;
}

async function onNodes(count: number, options: FlatOptions): Promise<OfNodes> {
  const { counts, tables, handsPerSecond, seconds } = options;
  const settings = {
    THREADS: Math.max(...counts) / count,
    ...{ ACTION_TIMEOUT_MS: HELD_MS, DISCONNECT_HOLD_MS: HELD_MS, TIME_BANK: 'off' },
  };
  const cluster = await BenchCluster.start(count, settings, { countStatements: true });
  const loads: Load[] = [];
  try {
    const keys = await cluster.register((tables * SEATS) / count);
    await takeSeatsLocally(cluster, keys);
    for (const [i, node] of cluster.nodes.entries()) loads.push(await connectCrowd(node, keys[i]!, SEATS));
    await Promise.all(loads.map((load) => load.seat()));
    await refuseRelays(cluster);
    const idle = await counted(cluster, seconds);
    await Promise.all(loads.map((load) => load.pace(handsPerSecond / count)));
    await Promise.all(loads.map((load) => load.start()));
    await sleep(1000 * PACE_SECONDS);
    await Promise.all(loads.map((load) => load.begin()));
    const busy = await counted(cluster, seconds);
    const seen = mergeSeen(await Promise.all(loads.map((load) => load.tell())));
    refuseFaults(seen);
    const result = {
      nodes: count,
      handsPerSecond: seen.hands / seconds,
      statementsPerHand: (busy.statements - idle.statements) / seen.hands,
      statementsPerSecond: idle.statements / count / seconds,
      messagesPerHand: busy.messages / seen.hands,
    };
    console.log(`  ${JSON.stringify(result)}`);
    return result;
  } finally {
    await Promise.all(loads.map((load) => load.end()));
    await cluster.stop();
  }
}

/** Statements and messages to other nodes, of all nodes. */
async function counted(cluster: BenchCluster, seconds: number): Promise<{ statements: number; messages: number }> {
  const read = async () => ({
    statements: await cluster.database.statements(),
    messages: (await cluster.figures()).reduce((sum, { messages }) => sum + messages, 0),
  });
  const before = await read();
  await sleep(1000 * seconds);
  const after = await read();
  return { statements: after.statements - before.statements, messages: after.messages - before.messages };
}
