import { setTimeout as sleep } from 'node:timers/promises';
import { Load, mergeSeen, refuseFaults, type Seen } from '../../src/load/load.js';
import type { Histogram } from '../../src/load/histogram.js';
import { registerBots } from '../host/accounts.js';
import { cpuTimes } from '../host/cpu.js';
import { BOTS } from '../host/servers.js';
import { busSent, checkTables, type Cast, type Nodes, type Stage } from './stage.js';

/** Processes of bots, whatever plays: a third of each table's players is of each. */
const GROUPS = 3;
/** Of a table of six. */
const OF_A_GROUP = 2;
/** After so many hands what is compiled is compiled; on a busy machine they take longer than the seconds asked for… */
const WARM_HANDS = 1500;
/** …but no longer than so many times that. */
const LONGEST_WARM_UP = 5;
/** What is under way when bots begin to think is over by then. */
const SETTLE_MS = 500;

export interface Drill {
  tables: number;
  warmUpSeconds: number;
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
  /** ms from action to action_ack: of the third of the players that is connected to the leader… */
  local: Histogram;
  /** …and of the others, who are with another node where there is one. */
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
}

/** Plays with nodes that were started for it, and stops them. Throws when anything went wrong in play. */
export async function drill(stage: Stage, cast: Cast, options: Drill): Promise<Result> {
  const nodes = await stage.start(cast);
  const loads: Load[] = [];
  try {
    await seat(nodes, loads, options.tables);
    await checkTables(nodes, options.tables, cast);
    await Promise.all(loads.map((load) => load.start()));
    await warmUp(loads, options.warmUpSeconds);
    const full = await measure(stage, nodes, loads, options.seconds);
    await Promise.all(loads.map((load) => load.think(options.thinkMs)));
    await sleep(SETTLE_MS);
    return { full, light: await measure(stage, nodes, loads, options.seconds) };
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
    await nodes.stop();
  }
}

/** Where there are fewer nodes than groups, the last node has the rest of the groups. */
async function seat({ nodes }: Nodes, loads: Load[], tables: number): Promise<void> {
  const count = tables * OF_A_GROUP;
  const keys = await registerBots(nodes[0]!.url, GROUPS * count);
  for (let group = 0; group < GROUPS; group++) {
    const { target } = nodes[Math.min(group, nodes.length - 1)]!;
    const first = group * count;
    const apiKeys = keys.slice(first, first + count);
    // Held to the protocol is one who plays from another node, where there is one.
    const witness = group === 1 ? { hash: true } : null;
    loads.push(await Load.connect({ target, apiKeys, first, witness, script: BOTS }));
  }
  for (let table = 0; table < tables; table++) for (const load of loads) await load.seat(OF_A_GROUP);
}

async function warmUp(loads: readonly Load[], seconds: number): Promise<void> {
  for (let time = 0; time < LONGEST_WARM_UP; time++) {
    await sleep(1000 * seconds);
    if (mergeSeen(await Promise.all(loads.map((load) => load.tell()))).hands >= WARM_HANDS) return;
  }
}

async function measure(stage: Stage, nodes: Nodes, loads: readonly Load[], seconds: number): Promise<Part> {
  const busBefore = await busSent(nodes);
  const before = await read(stage, nodes);
  await Promise.all(loads.map((load) => load.begin()));
  await sleep(1000 * seconds);
  const seen = await Promise.all(loads.map((load) => load.tell()));
  const after = await read(stage, nodes);
  const busAfter = await busSent(nodes);
  const all = mergeSeen(seen);
  refuseFaults(all);
  if (all.hands === 0) throw new Error('no hand was finished while it was measured');
  const aHand = (of: keyof NodesCpu) => (after[of] - before[of]) / all.hands;
  const [local, ...remote] = seen as [Seen, ...Seen[]];
  return {
    handsPerSecond: (1000 * all.hands) / (after.at - before.at),
    cpu: {
      nodes: aHand('nodes'),
      leader: aHand('leader'),
      others: aHand('others'),
      database: aHand('database'),
      redis: aHand('redis'),
    },
    local: local.latencies,
    remote: mergeSeen(remote).latencies,
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
