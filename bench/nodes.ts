import { loadavg } from 'node:os';
import { flag, whole } from '../src/command/options.js';
import { redisMissing } from '../src/cluster/redis.js';
import { bench, Steps } from './benches.js';
import { BUS_STEPS, measureBus } from './nodes/bus.js';
import { drill, type Drill, type Result } from './nodes/drill.js';
import { figuresOf, middles, ONE, overview, ratiosOf, THREE, TWO } from './nodes/figures.js';
import { figuresOfMany, manyMachines, type Case } from './nodes/many.js';
import { Stage, type Cast } from './nodes/stage.js';
import { summary } from './nodes/summary.js';
import { number, report, show, type Figure } from './report.js';

/*
 * Several nodes on the cores of this machine. First the bus alone; then the platform: one process beside two and three
 * nodes, each with a shard, with the same bots at the same tables: of these each node has as many, and of the players at
 * each a third is with each node (with two nodes two thirds are with the second). Few tables, at which little is gathered,
 * and as many as bench:served plays, at each of three nodes. Each case plays as fast as it goes, for what a hand costs,
 * and then with bots that think, for how long an answer takes where nobody waits for a core. Judged are ratios, round by
 * round. What the larger load means for one, some and many machines is reckoned at the end.
 */

const CASES: readonly (readonly [string, Cast])[] = [
  [ONE, { nodes: 1 }],
  [TWO, { nodes: 2 }],
  [THREE, { nodes: 3 }],
];
/** In all. */
const FEW = 12;
const MANY = 60;
const THINK_MS = 10;
/** Of the machines on paper. */
const CORES = 4;
const QUICK = { rounds: 1, seconds: 1, warmUpSeconds: 2, longestWarmUpSeconds: 6, bus: { seconds: 1, pings: 1000 } };
/** Of as many seconds as are asked for. */
const LONGEST_WARM_UP = 8;
/** A case takes so long beside warming up and measuring: nodes are started, bots register and sit down. */
const AROUND_SECONDS = 9;

const options = bench(
  'nodes',
  {
    seconds: whole('measured, of each kind of post and of each part of a case', 5, { least: 1 }),
    'warm-up': whole(`seconds before those, and up to ${LONGEST_WARM_UP} times as many until each node is warm`, 5),
    rounds: whole('runs of each case', 3, { least: 1 }),
    pings: whole('messages that are answered, one after the other', 10_000, { least: 100 }),
    quick: flag('one short round, for every day; nothing is written then'),
  },
  ({ seconds, 'warm-up': warmUp, rounds, quick }) => {
    const [bus, cases] = [quick ? 6 : 5 + 3 * seconds, 2 * CASES.length * (quick ? QUICK.rounds : rounds)];
    const part = quick ? QUICK.longestWarmUpSeconds + 2 * QUICK.seconds : 4 * warmUp + 2 * seconds;
    return bus + cases * (AROUND_SECONDS + part);
  },
);
const missing = redisMissing();
if (missing !== null) {
  console.error(missing);
  process.exit(1);
}

const { rounds, bus, ...times } = options.quick
  ? QUICK
  : {
      rounds: options.rounds,
      ...{ seconds: options.seconds, warmUpSeconds: options['warm-up'] },
      longestWarmUpSeconds: LONGEST_WARM_UP * options['warm-up'],
      bus: { seconds: options.seconds, pings: options.pings },
    };

/** Plays a case, and says what came of it. */
async function play(stage: Stage, [name, cast]: (typeof CASES)[number], part: Drill): Promise<Result> {
  steps.next(`${part.tables} tables: ${name}`);
  const load = loadavg()[0]!.toFixed(1);
  const result = await drill(stage, cast, part);
  const { handsPerSecond, cpu } = result.full;
  const p50 = number(result.light.remote.quantile(0.5));
  const said = `${number(handsPerSecond)} hands/s, ${number(cpu.nodes)} ms; bots that think: p50 ${p50} ms`;
  const before = `${Math.round(result.warmHands / cast.nodes)} hands a node before; load before: ${load}`;
  console.log(`  ${part.tables} tables, ${name}: ${said} (${before})`);
  return result;
}

const steps = new Steps(BUS_STEPS + 2 * rounds * CASES.length);
const ofBus = await measureBus(bus, steps);
const stage = await Stage.open();
const [few, many] = [FEW, MANY].map((tables) => ({
  tables,
  played: new Map<string, Result[]>(CASES.map(([name]) => [name, []])),
}));
for (let round = 0; round < rounds; round++) {
  for (const { tables, played } of [few!, many!]) {
    for (const each of CASES) {
      played.get(each[0])!.push(await play(stage, each, { ...times, tables, thinkMs: THINK_MS }));
    }
  }
}
await stage.close();
const figures: Figure[] = [];
const cases: Case[] = [];
for (const { tables, played } of [few!, many!]) {
  const results = middles(played);
  cases.push({ tables, results });
  console.log(`\n${tables} tables, CPU in ms a hand:\n\n${overview(results)}`);
  figures.push(...ratiosOf(played, tables), ...(options.quick ? [] : figuresOf(results, tables)));
}
console.log(`\nLatencies from action to ack in ms, what passes Redis:\n\n${summary([few!, many!])}`);
const [fewest, most] = cases as [Case, Case];
const warm = Math.round(most.results.get(THREE)!.warmHands / 3);
const young = options.quick ? ': YOUNG, these are no figures to keep' : '';
const from = `by ${most.tables} tables as fast as they go, after ${number(warm)} hands of each node${young}`;
console.log(`\nOn paper, machines of ${CORES} cores, ${from}:\n\n${manyMachines(fewest, most, CORES)}`);
figures.push(...(options.quick ? [] : figuresOfMany(fewest, most, CORES)));
process.exitCode = (options.quick ? show : report)('nodes', [...figures, ...ofBus]) ? 0 : 1;
