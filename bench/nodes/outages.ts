import { setTimeout as sleep } from 'node:timers/promises';
import { Crowd } from '../../src/load/crowd.js';
import type { Steps } from '../benches.js';
import { Balancer } from './balancer.js';
import { BenchCluster, SEATS, takeSeatsLocally } from './cluster.js';

/*
 * A node of three is killed, or stopped as by SIGSTOP, while bots that think play local hands on all of them. Read are
 * the times of every hand by the bots. A load balancer leads bots of the lost node to another one.
 */

const NODES = 3;
const THINK_MS = 120;
/** The record begins: bots play a few hands before a node is lost. */
const WARM_UP_MS = 5000;
const TYPES = { start: '"type":"hand_start"', result: '"type":"hand_result"' };

export interface Outage {
  name: string;
  node: number;
  signal: 'SIGKILL' | 'SIGSTOP';
}

/** The first node leads and hosts the pool. */
export const OUTAGES: readonly Outage[] = [
  { name: 'the leader is killed', node: 0, signal: 'SIGKILL' },
  { name: 'a follower is killed', node: 1, signal: 'SIGKILL' },
  { name: 'the leader is frozen', node: 0, signal: 'SIGSTOP' },
  { name: 'a follower is frozen', node: 2, signal: 'SIGSTOP' },
];

export interface OutageOptions {
  tables: number;
  /** Watched before the outage, and from it on. */
  seconds: number;
}

/** All in ms. */
export interface OutageSeen {
  outage: Outage;
  /** Players of the other nodes: each one's longest gap between two hands, before the outage and from it on. */
  longestBefore: number[];
  longestDuring: number[];
  gapsBefore: number[];
  gapsDuring: number[];
  /** Until the tables of the lost node began a hand again; Infinity: not while they were watched. */
  again: number[];
}

export async function playOutages(
  outages: readonly Outage[],
  options: OutageOptions,
  steps: Steps,
): Promise<OutageSeen[]> {
  const seen: OutageSeen[] = [];
  for (const outage of outages) {
    steps.next(outage.name);
    seen.push(await played(outage, options));
  }
  return seen;
}

/** Times (ms) at which each player read the results of its hands, in rising order. */
export type HandTimes = readonly (readonly number[])[];

/** A stretch of time, in ms. */
export interface Span {
  from: number;
  until: number;
}

/** The longest time between two hands that reaches into the span, of each player; `end` is when the record ends. */
export const longestGaps = (players: HandTimes, { from, until }: Span, end: number): number[] =>
  players.map((times) => {
    const ends = [...times, end];
    return Math.max(...ends.map((at, i) => (i > 0 && at > from && ends[i - 1]! < until ? at - ends[i - 1]! : 0)));
  });

/** All times between two hands that reach into the span. */
export const gapsIn = (players: HandTimes, { from, until }: Span): number[] =>
  players.flatMap((times) =>
    times.flatMap((at, i) => (i > 0 && at > from && times[i - 1]! < until ? [at - times[i - 1]!] : [])),
  );

async function played(outage: Outage, { tables, seconds }: OutageOptions): Promise<OutageSeen> {
  const cluster = await BenchCluster.start(NODES, { THREADS: 1 });
  const { balancer, targets } = await Balancer.open(cluster.nodes.map(({ target }) => target.port));
  const crowds: Crowd[] = [];
  try {
    const keys = await cluster.register(tables * SEATS);
    await takeSeatsLocally(cluster, keys);
    const records: Records[] = [];
    for (const [node, target] of targets.entries()) {
      const crowd = await Crowd.connect({
        target,
        apiKeys: keys[node]!,
        seed: 7,
        first: node * keys[node]!.length,
        tableOf: SEATS,
        witness: null,
        leanPercent: 0,
        from: [],
      });
      crowd.think(THINK_MS);
      crowds.push(crowd);
      records.push(new Records(crowd, keys[node]!.length));
    }
    await Promise.all(crowds.map((crowd) => crowd.sit()));
    for (const crowd of crowds) crowd.play();
    await sleep(WARM_UP_MS + 1500 * seconds);
    const at = performance.now();
    process.kill(cluster.nodes[outage.node]!.pid, outage.signal);
    await sleep(1000 * seconds);
    // Gaps that are open then come to their ends.
    await sleep(500 * seconds);
    const end = performance.now();
    const others = records.filter((_, node) => node !== outage.node).flatMap(({ results }) => results);
    const before: Span = { from: at - 1500 * seconds, until: at - 500 * seconds };
    const during: Span = { from: at, until: at + 1000 * seconds };
    const calm: HandTimes = others.map((times) => times.filter((time) => time <= at));
    return {
      outage,
      longestBefore: longestGaps(calm, before, at),
      longestDuring: longestGaps(others, during, end),
      gapsBefore: gapsIn(calm, before),
      gapsDuring: gapsIn(others, during),
      again: records[outage.node]!.begunSince(at),
    };
  } finally {
    for (const crowd of crowds) crowd.close();
    balancer.close();
    // A frozen process ends by nothing else.
    await cluster.nodes[outage.node]!.kill();
    await cluster.stop();
  }
}

/** The frames that the bots of one node read. */
class Records {
  /** By bot. */
  readonly results: number[][];
  readonly #started = new Map<string, number[]>();

  constructor(crowd: Crowd, bots: number) {
    this.results = Array.from({ length: bots }, () => []);
    crowd.tap((bot, text) => {
      if (text.includes(TYPES.result)) this.results[bot]!.push(performance.now());
      else if (text.includes(TYPES.start)) this.#begins(/"table_id":"([^"]*)"/.exec(text)![1]!);
    });
  }

  #begins(table: string): void {
    const times = this.#started.get(table) ?? [];
    times.push(performance.now());
    this.#started.set(table, times);
  }

  /** For each table that played before: the time until it began a hand. */
  begunSince(time: number): number[] {
    return [...this.#started.values()]
      .filter((times) => times.some((at) => at <= time && at > time - RECENT_MS))
      .map((times) => (times.find((at) => at > time) ?? Infinity) - time);
  }
}

/** A table without a hand for so long had closed before. */
const RECENT_MS = 5000;
