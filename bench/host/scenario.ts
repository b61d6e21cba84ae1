import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Histogram } from '../../src/load/histogram.js';
import type { Load } from '../../src/load/load.js';
import { columns, median, number } from '../report.js';
import type { Steps } from '../benches.js';
import { drill, measure, seat, type Drill, type HandCpu, type Result } from './run.js';
import type { Server } from './servers.js';

/** A drill by its name, with the server it is for. */
export interface Scenario {
  name: string;
  start: () => Promise<Server>;
  drill: Drill;
}

/** Between two servers, so that the disk has written what the last one left. */
const PAUSE_MS = 1000;

/** The results of each scenario, round by round. */
export type Rounds = ReadonlyMap<string, readonly Result[]>;

/** Runs the scenarios in turns, so many times each. */
export async function runScenarios(scenarios: readonly Scenario[], rounds: number, steps: Steps): Promise<Rounds> {
  const results = new Map<string, Result[]>(scenarios.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, start, drill: options } of scenarios) {
      steps.next(name);
      await sleep(PAUSE_MS);
      const load = loadBefore();
      const result = await drill(await start(), options);
      results.get(name)!.push(result);
      console.log(`  ${name}: ${shortly(result)}${offPace(result, options)} (${load})`);
    }
  }
  return results;
}

export const loadBefore = () => `load before: ${loadavg()[0]!.toFixed(1)}`;

/** The warning about a scenario that does not keep the pace: it is not to be compared. */
export const offPace = ({ handsPerSecond }: Result, { pace }: Drill): string =>
  pace === undefined || Math.abs(handsPerSecond - pace) < 0.1 * pace ? '' : `, NOT THE PACE of ${number(pace)}`;

/** Bots that were halted have all been asked, and all of them answer at once: so long it takes until they play as ever. */
export const RESUMED_MS = 500;

/**
 * The same in less time: each server is started and warmed up once, and then they are played at in turns. A server
 * without players has nothing to do.
 */
export async function runQuickly(scenarios: readonly Scenario[], rounds: number, steps: Steps): Promise<Rounds> {
  const results = new Map<string, Result[]>(scenarios.map(({ name }) => [name, []]));
  const inTurns = async (step: string, play: (load: Load, server: Server, scenario: Scenario) => Promise<void>) => {
    steps.next(step);
    for (const [i, scenario] of scenarios.entries()) {
      await loads[i]!.start();
      await play(loads[i]!, servers[i]!, scenario);
      await loads[i]!.halt();
    }
  };
  const servers = await Promise.all(scenarios.map(({ start }) => start()));
  const loads: Load[] = [];
  try {
    loads.push(...(await Promise.all(scenarios.map(({ drill: options }, i) => seat(servers[i]!, options)))));
    await inTurns('each is warmed up', (_load, _server, { drill: options }) => sleep(1000 * options.warmUpSeconds));
    for (let round = 1; round <= rounds; round++) {
      await inTurns(`round ${round}`, async (load, server, { name, drill: options }) => {
        await sleep(RESUMED_MS);
        const result = await measure(server, load, options);
        results.get(name)!.push(result);
        console.log(`  ${name}: ${shortly(result)}`);
      });
    }
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
    await Promise.all(servers.map((server) => server.stop()));
  }
  return results;
}

export const shortly = ({ handsPerSecond, cpu, latencies }: Result): string =>
  `${number(handsPerSecond)} hands/s, ${number(cpu.server)} ms, p50 ${number(latencies.quantile(0.5))} ms`;

export const middles = (rounds: Rounds): Map<string, Result> =>
  new Map([...rounds].map(([name, list]) => [name, middle(list)]));

/** Medians of the values; latencies of all rounds together. */
export function middle(results: readonly Result[]): Result {
  const of = (pick: (result: Result) => number) => median(results.map(pick));
  const parts: (keyof HandCpu)[] = ['server', 'kernel', 'front', 'shards', 'helpers', 'database', 'bots'];
  const cpu = Object.fromEntries(parts.map((part) => [part, of((result) => result.cpu[part])])) as unknown as HandCpu;
  return {
    handsPerSecond: of((result) => result.handsPerSecond),
    framesPerSecond: of((result) => result.framesPerSecond),
    actionsPerHand: of((result) => result.actionsPerHand),
    framesPerHand: of((result) => result.framesPerHand),
    bytesPerHand: of((result) => result.bytesPerHand),
    cpu,
    commit: results.some(({ commit }) => commit === null)
      ? null
      : { share: of(({ commit }) => commit!.share), hands: of(({ commit }) => commit!.hands) },
    latencies: results.reduce((all, { latencies }) => all.merge(latencies), new Histogram()),
    checked: Math.min(...results.map(({ checked }) => checked)),
  };
}

const HEADS = [
  ...[
    '',
    'hands/s',
    'frames/s',
    'actions',
    'frames',
    'kB',
    'server ms',
    'kernel',
    'front',
    'shards',
    'helpers',
    'database',
  ],
  ...['bots', 'ack p50', 'p99', 'p99.9', 'commit', 'hands'],
];

/** One line a scenario: rates, then a hand's actions, frames, kB and CPU ms, latencies in ms, share of time in commits. */
export function overview(results: ReadonlyMap<string, Result>): string {
  const rows = [...results].map(([name, { cpu, latencies, commit, ...result }]) => [
    name,
    ...[result.handsPerSecond, result.framesPerSecond].map((value) => number(Math.round(value))),
    ...[result.actionsPerHand, result.framesPerHand, result.bytesPerHand / 1000].map((value) => value.toFixed(0)),
    ...[cpu.server, cpu.kernel, cpu.front, cpu.shards, cpu.helpers, cpu.database, cpu.bots].map((value) =>
      value.toFixed(2),
    ),
    ...[0.5, 0.99, 0.999].map((q) => latencies.quantile(q).toFixed(2)),
    ...(commit === null ? ['', ''] : [`${Math.round(100 * commit.share)} %`, commit.hands.toFixed(1)]),
  ]);
  return columns([HEADS, ...rows], [...HEADS.keys()].slice(1));
}
