import { setTimeout as sleep } from 'node:timers/promises';
import { Load, mergeSeen, refuseFaults } from '../../src/load/load.js';
import type { Histogram } from '../../src/load/histogram.js';
import { registerBots } from '../host/accounts.js';
import { cpuTimes } from '../host/cpu.js';
import { BOTS } from '../host/servers.js';
import { busSent, checkTables, type Cast, type Nodes, type Stage } from './stage.js';

/** Of bots, whatever plays: a third of each table's players is of each. */
const GROUPS = 3;
/** Of a table of six. */
const OF_A_GROUP = 2;
/** After so many hands of each node, which compiles for itself, what is compiled is compiled. */
const WARM_HANDS = 1500;
/** What is under way when bots begin to think is over by then. */
const SETTLE_MS = 500;

export interface Drill {
  tables: number;
  warmUpSeconds: number;
  /** On a busy machine it takes longer until all is compiled, but no longer than this. */
  longestWarmUpSeconds: number;
  /** Each of the two parts. */
  seconds: number;
  /** Of the second part: a turn, in the mean. */
  thinkMs: number;
}

/** CPU time a hand, in ms. */
export interface NodesCpu {
  /** Of all nodes' processes together. */
  nodes: number;
  /** The main thread of the one that leads, and those of all others together. */
  leader: number;
  others: number;
  database: number;
  redis: number;
}

/** What was seen in one part of a drill. */
export interface Part {
  handsPerSecond: number;
  cpu: NodesCpu;
  /** ms from action to action_ack: of players whose table is on the node that they are connected to… */
  local: Histogram;
  /** …and of those whose table is on another. (In one process as if there were three nodes.) */
  remote: Histogram;
  /** Through Redis, a hand. */
  posts: number;
  bytes: number;
}

export interface Result {
  /** As fast as they go. */
  full: Part;
  /** With bots that think, so that nobody waits for a core. */
  light: Part;
  /** Played before, at all nodes together. */
  warmHands: number;
}

/** Players of one process of bots: all of them with a node, at its tables or at those of others. */
interface Group {
  load: Load;
  isLocal: boolean;
  isAt: (table: number) => boolean;
}

/** Plays with nodes that were started for it, and stops them. Throws when anything went wrong in play. */
export async function drill(stage: Stage, cast: Cast, options: Drill): Promise<Result> {
  const nodes = await stage.start(cast);
  const groups: Group[] = [];
  try {
    await seat(nodes, groups, options.tables);
    const loads = groups.map(({ load }) => load);
    await Promise.all(loads.map((load) => load.start()));
    const warmHands = await warmUp(loads, options, WARM_HANDS * cast.nodes);
    const full = await measure(stage, nodes, groups, options.seconds);
    await Promise.all(loads.map((load) => load.think(options.thinkMs)));
    await sleep(SETTLE_MS);
    return { full, light: await measure(stage, nodes, groups, options.seconds), warmHands };
  } finally {
    await Promise.all(groups.map(({ load }) => load.stop()));
    await nodes.stop();
  }
}

/** Where there are fewer nodes than groups, the last node has the rest of the groups. */
async function seat(all: Nodes, groups: Group[], tables: number): Promise<void> {
  const { nodes } = all;
  const keys = await registerBots(nodes[0]!.url, GROUPS * OF_A_GROUP * tables);
  // Tables are opened at shard after shard, since these are emptier each time.
  const places = nodes.length === 1 ? GROUPS : nodes.length;
  let first = 0;
  for (let group = 0; group < GROUPS; group++) {
    const { target } = nodes[Math.min(group, nodes.length - 1)]!;
    for (const isLocal of [true, false]) {
      const isAt = (table: number) => (table % places === Math.min(group, places - 1)) === isLocal;
      const count = OF_A_GROUP * Array.from({ length: tables }, (_, n) => n).filter(isAt).length;
      const apiKeys = keys.slice(first, first + count);
      // Held to the protocol is one whose table is on another node, where there is one.
      const witness = group === 1 && !isLocal ? { hash: true } : null;
      groups.push({ isLocal, isAt, load: await Load.connect({ target, apiKeys, first, witness, script: BOTS }) });
      first += count;
    }
  }
  for (let table = 0; table < tables; table++) {
    for (const { load, isAt } of groups) if (isAt(table)) await load.seat(OF_A_GROUP);
    await checkTables(all, table + 1);
  }
}

/** Resolves to how many hands were played. */
async function warmUp(loads: readonly Load[], options: Drill, enough: number): Promise<number> {
  const end = performance.now() + 1000 * options.longestWarmUpSeconds;
  for (let seconds = options.warmUpSeconds; ; seconds = 1) {
    await sleep(1000 * seconds);
    const { hands } = mergeSeen(await Promise.all(loads.map((load) => load.tell())));
    if (hands >= enough || performance.now() >= end) return hands;
  }
}

async function measure(stage: Stage, nodes: Nodes, groups: readonly Group[], seconds: number): Promise<Part> {
  const busBefore = await busSent(nodes);
  const before = await read(stage, nodes);
  await Promise.all(groups.map(({ load }) => load.begin()));
  await sleep(1000 * seconds);
  const seen = await Promise.all(groups.map(({ load }) => load.tell()));
  const after = await read(stage, nodes);
  const busAfter = await busSent(nodes);
  const all = mergeSeen(seen);
  refuseFaults(all);
  if (all.hands === 0) throw new Error('no hand was finished while it was measured');
  const aHand = (of: keyof NodesCpu) => (after[of] - before[of]) / all.hands;
  const latenciesOf = (isLocal: boolean) => mergeSeen(seen.filter((_, n) => groups[n]!.isLocal === isLocal)).latencies;
  return {
    handsPerSecond: (1000 * all.hands) / (after.at - before.at),
    cpu: {
      nodes: aHand('nodes'),
      leader: aHand('leader'),
      others: aHand('others'),
      database: aHand('database'),
      redis: aHand('redis'),
    },
    local: latenciesOf(true),
    remote: latenciesOf(false),
    posts: (busAfter.posts - busBefore.posts) / all.hands,
    bytes: (busAfter.bytes - busBefore.bytes) / all.hands,
  };
}

/** So far. */
async function read(stage: Stage, { nodes }: Nodes): Promise<NodesCpu & { at: number }> {
  const [leader, ...others] = nodes.map(({ pid }) => cpuTimes(pid));
  const sum = (of: 'process' | 'main') => others.reduce((all, times) => all + times[of], 0);
  return {
    at: performance.now(),
    nodes: leader!.process + sum('process'),
    leader: leader!.main,
    others: sum('main'),
    ...(await stage.cpu()),
  };
}
