import { setTimeout as sleep } from 'node:timers/promises';
import { mergeSeen, refuseFaults, type Load } from '../../src/load/load.js';
import type { Steps } from '../benches.js';
import { registerBots } from '../host/accounts.js';
import { cpuTimes } from '../host/cpu.js';
import { RESUMED_MS } from '../host/scenario.js';
import { startPlatform, type Server } from '../host/servers.js';
import { number } from '../report.js';
import { BenchCluster, connectCrowd, refuseRelays, SEATS, stopAll, takeSeats, takeSeatsLocally } from './cluster.js';

/*
 * CPU a hand of n nodes on one database beside n platforms with databases of their own. They take turns on the same
 * cores with the same tables. All bots stay connected, and those of one side are halted while the other side plays.
 * Then some players of the nodes connect to another node, and both sides play again.
 */

/** So many of a hundred players are relayed in the second part. */
export const RELAYED_PERCENT = 5;
/** A halted bot keeps its turn and its seat. */
const HELD_MS = 3_600_000;
const SETTINGS = {
  THREADS: 1,
  ACTION_TIMEOUT_MS: HELD_MS,
  DISCONNECT_HOLD_MS: HELD_MS,
  ANALYTICS_REFRESH_MS: 0,
  TIME_BANK: 'off',
};

export interface SidesOptions {
  nodes: number;
  tables: number;
  rounds: number;
  seconds: number;
  /** Each side's warm-up. */
  warmUpSeconds: number;
}

/** CPU in ms a hand. */
export interface Cost {
  nodes: number;
  database: number;
  handsPerSecond: number;
  p50: number;
}

/**
 * The costs of each round. The platforms alone and the nodes without relays, then the platforms again and the nodes
 * with relays.
 */
export type SideCosts = Record<'alone' | 'local' | 'aloneAgain' | 'relayed', Cost[]>;

interface Side {
  servers: readonly Server[];
  /** All bots of each server. */
  loads: Load[];
  databaseMs: () => number;
}

export const stepsOfSides = (rounds: number): number => 2 + 2 * rounds;

export async function playSides(options: SidesOptions, steps: Steps): Promise<SideCosts> {
  const { nodes, tables } = options;
  const bots = (tables / nodes) * SEATS;
  const costs: SideCosts = { alone: [], local: [], aloneAgain: [], relayed: [] };
  const platforms: Server[] = [];
  const loads: Load[] = [];
  steps.next(`${nodes} nodes and as many platforms: bots register and sit down`);
  const cluster = await BenchCluster.start(nodes, SETTINGS);
  try {
    for (let i = 0; i < nodes; i++) platforms.push(await startPlatform(SETTINGS));
    const [aloneKeys, keys] = await Promise.all([
      Promise.all(platforms.map(({ url }) => registerBots(url, bots))),
      cluster.register(tables * SEATS),
    ]);
    await Promise.all([
      ...platforms.map((server, i) => takeSeats(server, aloneKeys[i]!)),
      takeSeatsLocally(cluster, keys),
    ]);
    /** The bots of each group that move, or the others, at their server. */
    const connected = async (servers: readonly Server[], groups: readonly (readonly string[])[], moving: boolean) => {
      const own = servers.map((server, i) => ({ server, keys: groups[i]!.filter((_, n) => moves(n) === moving) }));
      const crowd = await Promise.all(own.map(({ server, keys: some }) => connectCrowd(server, some)));
      loads.push(...crowd);
      await Promise.all(crowd.map((load) => load.seat()));
      return crowd;
    };
    const alone: Side = {
      servers: platforms,
      loads: [...(await connected(platforms, aloneKeys, false)), ...(await connected(platforms, aloneKeys, true))],
      databaseMs: () => platforms.reduce((sum, { pid }) => sum + cpuTimes(pid).children, 0),
    };
    const staying = await connected(cluster.nodes, keys, false);
    const moving = await connected(cluster.nodes, keys, true);
    const together = { servers: cluster.nodes, databaseMs: () => cluster.database.cpuMs() };
    const local: Side = { ...together, loads: [...staying, ...moving] };
    for (const side of [alone, local]) await turn(side, { seconds: options.warmUpSeconds });
    await inTurns(options, [alone, costs.alone], [local, costs.local], (round) =>
      steps.next(`${nodes} nodes, round ${round}`),
    );
    await refuseRelays(cluster);

    steps.next(`${nodes} nodes: ${RELAYED_PERCENT} % of the players come to another node`);
    await stopAll(moving);
    const moved = await connected([...cluster.nodes.slice(1), cluster.nodes[0]!], keys, true);
    const relayed: Side = { ...together, loads: [...staying, ...moved] };
    await inTurns(options, [alone, costs.aloneAgain], [relayed, costs.relayed], (round) =>
      steps.next(`${nodes} nodes with relays, round ${round}`),
    );
  } finally {
    await Promise.all(loads.map((load) => load.end()));
    await Promise.all(platforms.map((server) => server.stop()));
    await cluster.stop();
  }
  return costs;
}

/** One bot of so many moves, so moving bots are at many tables. */
const moves = (bot: number): boolean => bot % (100 / RELAYED_PERCENT) === 0;

type Played = readonly [side: Side, costs: Cost[]];

/** The first side begins each other round, so that a server that grows faster helps neither. */
async function inTurns(
  { rounds, seconds }: SidesOptions,
  first: Played,
  second: Played,
  announce: (round: number) => void,
): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    announce(round);
    for (const [side, costs] of round % 2 === 1 ? [first, second] : [second, first]) {
      costs.push(await turn(side, { seconds }));
    }
    console.log(`  alone: ${describeCost(first[1].at(-1)!)}`);
    console.log(`  together: ${describeCost(second[1].at(-1)!)}`);
  }
}

const describeCost = ({ nodes, database, handsPerSecond, p50 }: Cost): string =>
  `${number(handsPerSecond)} hands/s, ${number(nodes)} ms, the database ${number(database)} ms, p50 ${number(p50)} ms`;

async function turn(side: Side, { seconds }: Pick<SidesOptions, 'seconds'>): Promise<Cost> {
  await Promise.all(side.loads.map((load) => load.start()));
  await sleep(RESUMED_MS);
  const cost = await measured(side, seconds);
  await Promise.all(side.loads.map((load) => load.halt()));
  return cost;
}

async function measured({ servers, loads, databaseMs }: Side, seconds: number): Promise<Cost> {
  const nodesMs = () => servers.reduce((sum, { pid }) => sum + cpuTimes(pid).process, 0);
  const [began, nodes, database] = [performance.now(), nodesMs(), databaseMs()];
  await Promise.all(loads.map((load) => load.begin()));
  await sleep(1000 * seconds);
  const seen = mergeSeen(await Promise.all(loads.map((load) => load.tell())));
  const used = { nodes: nodesMs() - nodes, database: databaseMs() - database };
  refuseFaults(seen);
  return {
    nodes: used.nodes / seen.hands,
    database: used.database / seen.hands,
    handsPerSecond: (1000 * seen.hands) / (performance.now() - began),
    p50: seen.latencies.quantile(0.5),
  };
}
