import { setTimeout as sleep } from 'node:timers/promises';
import type { Histogram } from '../../src/load/histogram.js';
import { Load, refuseFaults } from '../../src/load/load.js';
import { registerBots } from './accounts.js';
import { cpuTimes, type CpuTimes } from './cpu.js';
import { scrape, shardCounters, type ShardCounters } from '../../src/load/metrics.js';
import { ADMIN_KEY, BOTS, type Server } from './servers.js';

/**
 * After so many hands the code is compiled. At 20 tables V8's helper threads take 0.24 ms a hand in the first three
 * seconds and 0.17 in the next three. From the seventh second on they take 0.04.
 */
const WARM_HANDS = 5000;
/** Times the seconds that were asked for. */
const LONGEST_WARM_UP = 2;

/** The work of a server in a measurement. */
export interface Drill {
  tables: number;
  /** Players a table. */
  players: number;
  /** At least; up to twice as long while few hands were played. */
  warmUpSeconds: number;
  seconds: number;
  /** Hands a second over all tables; as fast as they go without. */
  pace?: number;
  /** Seconds at the pace before it is measured, where all warm up as fast as hands go: how long hands are is known then. */
  paceSeconds?: number;
  /** Processes of bots. */
  processes?: number;
  /** Whether all bots read lean frames. */
  lean?: boolean;
  /** Hold one socket to the protocol meanwhile; `hash`: with state_hash. */
  witness: { hash: boolean } | null;
  /** Whether the server tells counters of shards. */
  shards: boolean;
  /** The bots' names, if others played there before. */
  names?: string;
}

/** CPU time a hand, in ms. */
export interface HandCpu {
  /** The server's process. */
  server: number;
  /** The kernel's part. */
  kernel: number;
  /** By threads: the main one, which holds the sockets… */
  front: number;
  /** …the threads of the shards… */
  shards: number;
  /** …and what Node starts by itself: garbage collection, compilation. */
  helpers: number;
  /** PostgreSQL's part. Its processes are the server's children. */
  database: number;
  /** The bots' processes. */
  bots: number;
}

/** The result of a measurement. */
export interface Result {
  handsPerSecond: number;
  framesPerSecond: number;
  actionsPerHand: number;
  framesPerHand: number;
  bytesPerHand: number;
  cpu: HandCpu;
  /** Share of the time in which a shard had a commit under way, and hands a commit; null where no shards are told. */
  commit: { share: number; hands: number } | null;
  /** ms from action to action_ack, as the bots see it. */
  latencies: Histogram;
  /** Frames checked by the witness. */
  checked: number;
}

interface Reading {
  at: number;
  cpu: CpuTimes;
  shards: ShardCounters | null;
}

/** Plays at a fresh server, stops it, and tells what was measured. Throws when anything went wrong in play. */
export async function drill(server: Server, options: Drill): Promise<Result> {
  try {
    return await play(server, options);
  } finally {
    await server.stop();
  }
}

/** The same without the stop. */
export const play = async (server: Server, options: Drill): Promise<Result> =>
  playSeated(server, await seat(server, options), options);

/** Registers and seats the bots of a drill; of bots that are `known` they take the seats they have. Nobody plays yet. */
export async function seat({ url, target }: Server, options: Drill, known?: readonly string[]): Promise<Load> {
  const { tables, players, processes = 1, witness, lean = false } = options;
  const apiKeys = known ?? (await registerBots(url, tables * players, options.names));
  const load = await Load.connect({
    target,
    apiKeys,
    players,
    processes,
    witness,
    leanPercent: lean ? 100 : 0,
    script: BOTS,
  });
  await load.seat();
  return load;
}

/** Lets them play, measures, and ends them. Throws when anything went wrong in play. */
export async function playSeated(server: Server, load: Load, options: Drill): Promise<Result> {
  const { pace, paceSeconds, warmUpSeconds } = options;
  try {
    if (pace !== undefined && paceSeconds === undefined) await load.pace(pace);
    await load.start();
    for (let round = 0; round < LONGEST_WARM_UP; round++) {
      await sleep(warmUpSeconds * 1000);
      if ((await load.hands()) >= WARM_HANDS) break;
    }
    if (pace !== undefined && paceSeconds !== undefined) {
      await load.pace(pace);
      await sleep(paceSeconds * 1000);
    }
    return await measure(server, load, options);
  } finally {
    await load.stop();
  }
}

/** Tells what a server does at which bots play. Throws when anything went wrong in play. */
export async function measure(server: Server, load: Load, { seconds, shards }: Drill): Promise<Result> {
  const readings: Reading[] = [];
  const seen = await load.measure(seconds, async () => {
    readings.push(await read(server, shards));
  });
  refuseFaults(seen);
  if (seen.hands === 0) throw new Error('no hand was finished while it was measured');
  const [before, after] = readings as [Reading, Reading];
  const perSecond = 1000 / (after.at - before.at);
  const { hands, frames, actions, bytes, latencies, checked, cpuMs } = seen;
  return {
    handsPerSecond: hands * perSecond,
    framesPerSecond: frames * perSecond,
    actionsPerHand: actions / hands,
    framesPerHand: frames / hands,
    bytesPerHand: bytes / hands,
    cpu: cpuOf(before, after, hands, cpuMs / hands),
    commit: commitOf(before, after),
    latencies,
    checked,
  };
}

async function read(server: Server, shards: boolean): Promise<Reading> {
  const counters = shards ? shardCounters(await scrape(`${server.url}/metrics`, ADMIN_KEY)) : null;
  return { at: performance.now(), cpu: cpuTimes(server.pid), shards: counters };
}

function cpuOf(before: Reading, after: Reading, hands: number, bots: number): HandCpu {
  const used = (of: keyof CpuTimes) => (after.cpu[of] - before.cpu[of]) / hands;
  const server = used('process');
  const front = used('main');
  const shards = threadCpu(before, after);
  return {
    server,
    kernel: used('kernel'),
    front,
    shards,
    helpers: Math.max(0, server - front - shards),
    database: used('children'),
    bots,
  };
}

/** By the shards' own count of hands, since threads report now and then only. */
function threadCpu({ shards: before }: Reading, { shards: after }: Reading): number {
  if (before === null || after === null) return 0;
  return (after.cpuMs - before.cpuMs) / Math.max(1, after.committedHands - before.committedHands);
}

function commitOf({ shards: before, at: start }: Reading, { shards: after, at: end }: Reading): Result['commit'] {
  if (before === null || after === null) return null;
  const hands = (after.committedHands - before.committedHands) / Math.max(1, after.commits - before.commits);
  return { share: (after.commitMs - before.commitMs) / (end - start) / after.shards, hands };
}
