import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Histogram } from '../load/histogram.js';
import { columns, median, number } from '../report.js';
import { drill, type Drill, type HandCpu, type Result } from './run.js';
import type { Server } from './servers.js';

/** A drill by its name, with the server it is for. */
export interface Scenario {
  name: string;
  start: () => Promise<Server>;
  drill: Drill;
}

/** Between two servers, so that the disk has written what the last one left. */
const PAUSE_MS = 1000;

/** Runs the scenarios in turns, so many times each, and tells each one's middle result. */
export async function runScenarios(scenarios: readonly Scenario[], rounds: number): Promise<Map<string, Result>> {
  const results = new Map<string, Result[]>(scenarios.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, start, drill: options } of scenarios) {
      await sleep(PAUSE_MS);
      const load = loadavg()[0]!.toFixed(1);
      const result = await drill(await start(), options);
      results.get(name)!.push(result);
      const { handsPerSecond, cpu, acks } = result;
      const told = [
        `${number(handsPerSecond)} hands/s`,
        `${number(cpu.server)} ms`,
        `p50 ${number(acks.quantile(0.5))} ms`,
      ];
      console.log(`  ${name}: ${told.join(', ')} (load before: ${load})`);
    }
  }
  return new Map([...results].map(([name, list]) => [name, middle(list)]));
}

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
    acks: results.reduce((all, { acks }) => all.merge(acks), new Histogram()),
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
  const rows = [...results].map(([name, { cpu, acks, commit, ...result }]) => [
    name,
    ...[result.handsPerSecond, result.framesPerSecond].map((value) => number(Math.round(value))),
    ...[result.actionsPerHand, result.framesPerHand, result.bytesPerHand / 1000].map((value) => value.toFixed(0)),
    ...[cpu.server, cpu.kernel, cpu.front, cpu.shards, cpu.helpers, cpu.database, cpu.bots].map((value) =>
      value.toFixed(2),
    ),
    ...[0.5, 0.99, 0.999].map((q) => acks.quantile(q).toFixed(2)),
    ...(commit === null ? ['', ''] : [`${Math.round(100 * commit.share)} %`, commit.hands.toFixed(1)]),
  ]);
  return columns([HEADS, ...rows], [...HEADS.keys()].slice(1));
}
