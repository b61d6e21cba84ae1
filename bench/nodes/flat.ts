import { setTimeout as sleep } from 'node:timers/promises';
import { mergeSeen, refuseFaults, type Load } from '../../src/load/load.js';
import type { Steps } from '../benches.js';
import type { Statements } from './database.js';
import { number } from '../report.js';
import { BenchCluster, connectCrowd, refuseRelays, SEATS, takeSeatsLocally } from './cluster.js';

/*
 * Statements and messages a hand, of the same tables on 1, 2, 4 and 8 nodes. All have as many shards in all, since the
 * hands of a group commit are those of a shard. A node has statements of its own, hands or no hands: they are counted
 * while nobody plays, and told apart.
 */

export interface FlatOptions {
  counts: readonly number[];
  tables: number;
  /** A bot's mean time before an action. */
  thinkMs: number;
  seconds: number;
}

export interface OfNodes {
  nodes: number;
  handsPerSecond: number;
  /** Statements a hand, without the kinds that idle nodes send. */
  statementsPerHand: number;
  /** Statements a second of an idle node. */
  statementsPerSecond: number;
  messagesPerHand: number;
}

/** Bots do not act in step any more. */
const WARM_UP_SECONDS = 5;
/** A pool with so many players at its host is local elsewhere (src/cluster/company.ts). */
const LOCAL_PLAYERS = 48;
const HELD_MS = 3_600_000;

interface Counted {
  nodes: number;
  hands: number;
  idle: Statements;
  busy: Statements;
  messages: number;
}

export async function playFlat(options: FlatOptions, steps: Steps): Promise<OfNodes[]> {
  const all: Counted[] = [];
  for (const count of options.counts) {
    steps.next(`${options.tables} tables on ${count} ${count === 1 ? 'node' : 'nodes'}`);
    all.push(await onNodes(count, options));
  }
  // A rare kind may be missing in one of the times without play.
  const ofIdle = new Set(all.flatMap(({ idle }) => [...idle.keys()]));
  return all.map(({ nodes, hands, idle, busy, messages }) => ({
    nodes,
    handsPerSecond: hands / options.seconds,
    statementsPerHand: sumOf([...busy].map(([text, calls]) => (ofIdle.has(text) ? 0 : calls))) / hands,
    statementsPerSecond: sumOf(idle.values()) / nodes / options.seconds,
    messagesPerHand: messages / hands,
  }));
}

async function onNodes(count: number, options: FlatOptions): Promise<Counted> {
  const { counts, tables, thinkMs, seconds } = options;
  const settings = {
    THREADS: Math.max(...counts) / count,
    ACTION_TIMEOUT_MS: HELD_MS,
    DISCONNECT_HOLD_MS: HELD_MS,
    TIME_BANK: 'off',
  };
  const cluster = await BenchCluster.start(count, settings, { countStatements: true });
  const loads: Load[] = [];
  try {
    const keys = await cluster.register(tables * SEATS, Math.min(LOCAL_PLAYERS, tables * SEATS));
    await takeSeatsLocally(cluster, keys);
    for (const [i, node] of cluster.nodes.entries()) loads.push(await connectCrowd(node, keys[i]!));
    await Promise.all(loads.map((load) => load.seat()));
    await refuseRelays(cluster);
    const idle = await sentIn(cluster, seconds);
    await Promise.all(loads.map((load) => load.think(thinkMs)));
    await Promise.all(loads.map((load) => load.start()));
    await sleep(1000 * WARM_UP_SECONDS);
    await Promise.all(loads.map((load) => load.begin()));
    const busy = await sentIn(cluster, seconds);
    const seen = mergeSeen(await Promise.all(loads.map((load) => load.tell())));
    refuseFaults(seen);
    const counted = { nodes: count, hands: seen.hands, idle: idle.statements, ...busy, busy: busy.statements };
    console.log(`  ${number(seen.hands)} hands, ${sumOf(busy.statements.values())} statements`);
    return counted;
  } finally {
    await Promise.all(loads.map((load) => load.end()));
    await cluster.stop();
  }
}

/** The traffic of all nodes meanwhile: statements by kind, and messages to other nodes. */
async function sentIn(cluster: BenchCluster, seconds: number): Promise<{ statements: Statements; messages: number }> {
  const read = async () => ({
    statements: await cluster.database.statements(),
    messages: (await cluster.figures()).reduce((sum, { messages }) => sum + messages, 0),
  });
  const before = await read();
  await sleep(1000 * seconds);
  const after = await read();
  const statements = [...after.statements]
    .map(([text, calls]): [string, number] => [text, calls - (before.statements.get(text) ?? 0)])
    .filter(([, calls]) => calls > 0);
  return { statements: new Map(statements), messages: after.messages - before.messages };
}

const sumOf = (calls: Iterable<number>): number => [...calls].reduce((sum, count) => sum + count, 0);
