import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../src/command/folders.js';
import { flag, text, whole, wholes } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { recordScript } from './ceiling/record.js';
import { ratiosOf } from './host/ratios.js';
import type { Result } from './host/run.js';
import { middles, overview, runQuickly, runScenarios, type Rounds, type Scenario } from './host/scenario.js';
import { report, show, told, type Figure } from './report.js';
import { fullTables, headsUp, ofTables, paced, sweep, UNPACED, type Times } from './served/scenarios.js';

/*
 * Hands served over real sockets: the server in its own process, bots in another. It plays every frame of the protocol,
 * commits synced to the disk, without a pause between hands, with bots that answer at once. Beside the platform the
 * ordinary way (`naive`), and what the sockets alone cost (`ceiling`: the same bytes to the same sockets, no game). CPU
 * is counted by process and thread, the bots' apart. Judged are ratios, round by round.
 */

const HANDS_OF_SCRIPT = 40;
/** Each server is warmed up once, for longer than V8 compiles what play takes. */
const QUICK = { rounds: 3, times: { seconds: 3, warmUpSeconds: 10 }, takesSeconds: 85 };
/** A run takes so long beside warming up and measuring: a server is started, bots register and sit down. */
const AROUND_SECONDS = 7;
const folder = temporaryFolder('bench-served');
const scriptFile = (players: number) => join(folder, `script-${players}.json`);

interface Asked {
  seconds: number;
  'warm-up': number;
  rounds: number;
  scenarios: string | undefined;
  tables: readonly number[];
  quick: boolean;
}

interface Plan {
  times: Times;
  /** Compared in turns, so many rounds. */
  inTurns: Scenario[];
  once: Scenario[];
  /** Whether tables are paced at half of what the run found they can do. */
  paced: boolean;
  /** Nothing is written. */
  partial: boolean;
}

function planOf({ seconds, 'warm-up': warmUpSeconds, scenarios: word = '', tables }: Asked): Plan {
  const times = { seconds, warmUpSeconds };
  const partial = word !== '' || tables.length > 0;
  if (tables.length > 0) return { times, inTurns: [], once: ofTables(times, tables), paced: false, partial };
  const wanted = ({ name }: Scenario) => name.includes(word);
  const isPaced = paced(times, scriptFile, 1).some(wanted);
  return {
    times,
    partial,
    paced: isPaced,
    inTurns: [...fullTables(times, scriptFile), ...headsUp(times, scriptFile)].filter(wanted),
    once: sweep(times).filter((scenario) => wanted(scenario) || (isPaced && scenario.name === UNPACED)),
  };
}

const runsOf = ({ inTurns, once, paced: isPaced }: Plan, rounds: number): number =>
  (inTurns.length + (isPaced ? 2 : 0)) * rounds + once.length;

const options = bench(
  'served',
  {
    seconds: whole('measured, of each run', 8, { least: 1 }),
    'warm-up': whole('warm-up seconds before those, up to twice as long on a slow machine', 8),
    rounds: whole('runs of the compared parts', 3, { least: 1 }),
    scenarios: text('only parts with this text in their names, and nothing is written', 'WORD'),
    tables: wholes('only these numbers of tables, and nothing is written', []),
    quick: flag('a daily check with 20 tables and the compared parts, in less than 90 s; nothing is written'),
  },
  (asked) => {
    if (asked.quick) return QUICK.takesSeconds;
    return runsOf(planOf(asked), asked.rounds) * (AROUND_SECONDS + 1.5 * asked['warm-up'] + asked.seconds);
  },
);

/** The frames for a ceiling are recorded beforehand. */
async function recordScripts(scenarios: readonly Scenario[], steps: Steps): Promise<void> {
  const ceilings = scenarios.filter(({ name }) => name.startsWith('ceiling'));
  const players = new Set(ceilings.map(({ drill }) => drill.players));
  steps.next('what the ceiling plays is recorded');
  for (const count of players) {
    writeFileSync(scriptFile(count), JSON.stringify(await recordScript(count, HANDS_OF_SCRIPT)));
  }
}

async function quickly(): Promise<Rounds> {
  const scenarios = fullTables(QUICK.times, scriptFile);
  const steps = new Steps(2 + QUICK.rounds);
  await recordScripts(scenarios, steps);
  return runQuickly(scenarios, QUICK.rounds, steps);
}

async function wholly({ times, inTurns, once, paced: isPaced }: Plan): Promise<Rounds> {
  const { rounds } = options;
  const steps = new Steps(1 + runsOf({ times, inTurns, once, paced: isPaced, partial: true }, rounds));
  await recordScripts([...inTurns, ...(isPaced ? paced(times, scriptFile, 1) : [])], steps);
  const compared = await runScenarios(inTurns, rounds, steps);
  const alone = await runScenarios(once, 1, steps);
  const capacity = alone.get(UNPACED)?.[0]?.handsPerSecond;
  if (!isPaced || capacity === undefined) return new Map([...compared, ...alone]);
  const atHalf = paced(times, scriptFile, capacity / 2);
  return new Map([...compared, ...alone, ...(await runScenarios(atHalf, rounds, steps))]);
}

/** The figures of every scenario. */
function figuresOf(name: string, { cpu, latencies, commit, ...result }: Result): Figure[] {
  const latency = (quantile: number, label: string) =>
    told(`${name}: action to ack, ${label}`, latencies.quantile(quantile), 'ms');
  return [
    told(`${name}: committed hands`, result.handsPerSecond, '1/s'),
    told(`${name}: frames`, result.framesPerSecond, '1/s'),
    told(`${name}: server CPU a hand`, cpu.server, 'ms'),
    told(`${name}: of that in the kernel`, cpu.kernel, 'ms'),
    told(`${name}: front CPU a hand`, cpu.front, 'ms'),
    ...(commit === null ? [] : [told(`${name}: shards CPU a hand`, cpu.shards, 'ms')]),
    told(`${name}: helper threads CPU a hand`, cpu.helpers, 'ms'),
    told(`${name}: database CPU a hand`, cpu.database, 'ms'),
    ...(commit === null ? [] : [told(`${name}: time with a commit under way`, 100 * commit.share, '%')]),
    latency(0.5, 'p50'),
    latency(0.99, 'p99'),
    latency(0.999, 'p99.9'),
  ];
}

/** The capacity that follows from what a full table costs. */
function capacities(results: ReadonlyMap<string, Result>): Figure[] {
  const own = results.get('20 tables');
  if (own === undefined) return [];
  const { server, front, shards, database } = own.cpu;
  return [
    told('database, of all CPU but the bots', (100 * database) / (server + database), '%'),
    told('capacity of a core for all of it', 1000 / (server + database), 'hands/s'),
    told('capacity of a front thread', 1000 / front, 'hands/s'),
    told('capacity of a shard thread', 1000 / shards, 'hands/s'),
  ];
}

const plan = planOf(options);
const rounds = options.quick ? await quickly() : await wholly(plan);
const results = middles(rounds);
console.log(`\nCPU in ms a hand:\n\n${overview(results)}`);
const absolute = [...capacities(results), ...[...results].flatMap(([name, result]) => figuresOf(name, result))];
const figures = [...ratiosOf(rounds), ...(options.quick ? [] : absolute)];
process.exitCode = (plan.partial || options.quick ? show : report)('served', figures) ? 0 : 1;
