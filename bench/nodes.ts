import { loadavg } from 'node:os';
import { flag, whole } from '../src/command/options.js';
import { redisMissing } from '../src/cluster/redis.js';
import { bench, Steps } from './benches.js';
import { BUS_STEPS, measureBus } from './nodes/bus.js';
import { drill, type Drill, type Result } from './nodes/drill.js';
import { figuresOf, middles, ONE, overview, paper, ratiosOf, THREE, TWO, type Rounds } from './nodes/figures.js';
import { Stage, type Cast } from './nodes/stage.js';
import { number, report, show } from './report.js';

/*
 * Several nodes on the cores of this machine. First the bus alone; then the platform: one process beside two and three
 * nodes, each with a shard, with the same bots at the same tables: of these each node has as many, and of the players at
 * each a third is with each node (with two nodes two thirds are with the second). Each case plays as fast as it goes, for what a hand costs, and then with bots that think, for how long an answer takes where nobody waits for a
 * core. Judged are ratios, round by round. What that means for many machines is reckoned at the end.
 */

const CASES: readonly (readonly [string, Cast])[] = [
  [ONE, { nodes: 1 }],
  [TWO, { nodes: 2 }],
  [THREE, { nodes: 3 }],
];
/** As many at each node. */
const TABLES = 12;
const THINK_MS = 10;
/** Of the machines on paper. */
const CORES = 4;
const QUICK = { rounds: 2, seconds: 1, warmUpSeconds: 2, bus: { seconds: 1, pings: 1000 } };
/** A case takes so long beside warming up and measuring: nodes are started, bots register and sit down. */
const AROUND_SECONDS = 5;

const options = bench(
  'nodes',
  {
    seconds: whole('measured, of each kind of post and of each part of a case', 5, { least: 1 }),
    'warm-up': whole('seconds before those', 5),
    rounds: whole('runs of each case', 3, { least: 1 }),
    pings: whole('messages that are answered, one after the other', 10_000, { least: 100 }),
    quick: flag('two short rounds, for every day: under 90 s; nothing is written then'),
  },
  ({ seconds, 'warm-up': warmUp, rounds, quick }) => {
    const [bus, cases] = quick ? [6, QUICK.rounds * CASES.length] : [5 + 3 * seconds, rounds * CASES.length];
    const part = quick ? QUICK.warmUpSeconds + 2 * QUICK.seconds : warmUp + 2 * seconds;
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
      bus: { seconds: options.seconds, pings: options.pings },
    };

/** The cases in turns, so many times each. */
async function play(stage: Stage, part: Drill, steps: Steps): Promise<Rounds> {
  const results = new Map<string, Result[]>(CASES.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, cast] of CASES) {
      steps.next(name);
      const load = loadavg()[0]!.toFixed(1);
      const result = await drill(stage, cast, part);
      results.get(name)!.push(result);
      const { handsPerSecond, cpu } = result.full;
      const p50 = number(result.light.remote.quantile(0.5));
      const said = `${number(handsPerSecond)} hands/s, ${number(cpu.nodes)} ms; bots that think: p50 ${p50} ms`;
      console.log(`  ${name}: ${said} (load before: ${load})`);
    }
  }
  return results;
}

const steps = new Steps(BUS_STEPS + rounds * CASES.length);
const ofBus = await measureBus(bus, steps);
const stage = await Stage.open();
const played = await play(stage, { ...times, tables: TABLES, thinkMs: THINK_MS }, steps);
await stage.close();
const results = middles(played);
console.log(`\nCPU in ms a hand:\n\n${overview(results)}`);
console.log(`\nOn paper, machines of ${CORES} cores:\n\n${paper(results, CORES)}`);
const figures = [...ratiosOf(played), ...(options.quick ? [] : figuresOf(results)), ...ofBus];
process.exitCode = (options.quick ? show : report)('nodes', figures) ? 0 : 1;
