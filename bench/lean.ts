import { whole } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { leanRatios } from './host/ratios.js';
import type { Result } from './host/run.js';
import { middles, overview, runScenarios, type Scenario } from './host/scenario.js';
import { startPlatform } from './host/servers.js';
import { report, show, told, type Figure } from './report.js';

/*
 * The gain of lean frames (protocol.md, "Lean") for fast bots. The same tables of six play with all players lean and
 * with none, in turns, with the same random numbers. Commits, hashes for those who read them and fair deals as in
 * production.
 */

const SIX = 6;
/** As many as the goals are for. */
const TABLES = 20;
/** A run takes so long beside warming up and measuring: a server is started, bots register and sit down. */
const AROUND_SECONDS = 7;

const options = bench(
  'lean',
  {
    seconds: whole('measured, of each run', 8, { least: 1 }),
    'warm-up': whole('warm-up seconds before those, up to twice as long on a slow machine', 8),
    rounds: whole('runs of each', 3, { least: 1 }),
    tables: whole('tables of six; with other numbers nothing is written', TABLES, { least: 1 }),
  },
  ({ seconds, rounds, 'warm-up': warmUp }) => 2 * rounds * (AROUND_SECONDS + 1.5 * warmUp + seconds),
);

function scenario(name: string, lean: boolean): Scenario {
  const { tables, seconds, 'warm-up': warmUpSeconds } = options;
  const drill = { tables, players: SIX, seconds, warmUpSeconds, shards: true, lean, witness: null };
  return { name, start: () => startPlatform({ THREADS: 1 }), drill };
}

const figuresOf = (name: string, { cpu, latencies, ...result }: Result): Figure[] => [
  told(`${name}: committed hands`, result.handsPerSecond, '1/s'),
  told(`${name}: frames a hand`, result.framesPerHand, ''),
  told(`${name}: received a hand`, result.bytesPerHand / 1000, 'kB'),
  told(`${name}: server CPU a hand`, cpu.server, 'ms'),
  told(`${name}: action to ack, p50`, latencies.quantile(0.5), 'ms'),
  told(`${name}: action to ack, p99`, latencies.quantile(0.99), 'ms'),
];

const scenarios = [scenario('ordinary', false), scenario('lean', true)];
const rounds = await runScenarios(scenarios, options.rounds, new Steps(2 * options.rounds));
const results = middles(rounds);
console.log(`\nCPU in ms a hand:\n\n${overview(results)}`);
const absolute = [...results].flatMap(([name, result]) => figuresOf(name, result));
const figures = [...leanRatios(rounds), ...absolute];
process.exitCode = (options.tables === TABLES ? report : show)('lean', figures) ? 0 : 1;
