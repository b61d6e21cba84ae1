import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../src/command/folders.js';
import { text, whole, wholes } from '../src/command/options.js';
import { bench } from './benches.js';
import { recordScript } from './ceiling/record.js';
import type { Drill, Result } from './host/run.js';
import { overview, runScenarios, type Scenario } from './host/scenario.js';
import { startCeiling, startNaive, startPlatform, type Settings } from './host/servers.js';
import { atLeast, atMost, report, show, told, type Figure } from './report.js';

/*
 * Hands served over real sockets: the server in its own process, bots in another, every frame of the protocol, commits
 * synced to the disk, no pause between hands, bots that answer at once. Beside the platform the ordinary way (`naive`),
 * and what the sockets alone cost (`ceiling`: the same bytes to the same sockets, no game). CPU is counted by process
 * and thread, the bots' apart.
 */

const options = bench('served', {
  seconds: whole('measured, of each run', 8, { least: 1 }),
  'warm-up': whole('seconds before those', 4),
  rounds: whole('runs of what is compared', 3, { least: 1 }),
  scenarios: text('only those whose name contains it; nothing is written then', 'WORD'),
  tables: wholes('only these numbers of tables; nothing is written then', []),
});

const SIX = 6;
const HANDS_OF_SCRIPT = 40;
const COMPARED = 20;
const PACED = { tables: 100, handsPerSecond: 250 };
/** The pace is found meanwhile. */
const PACED_WARM_UP = 8;
const folder = temporaryFolder('bench-served');

const drillOf = (tables: number, players: number, more: Partial<Drill> = {}): Drill => ({
  tables,
  players,
  warmUpSeconds: options['warm-up'],
  seconds: options.seconds,
  witness: { hash: true },
  shards: true,
  ...more,
});

const served = (name: string, drill: Drill, settings: Settings = {}): Scenario => ({
  name,
  start: () => startPlatform({ THREADS: 1, ...settings }),
  drill,
});

const tablesOf = (tables: number) => `${tables} ${tables === 1 ? 'table' : 'tables'}`;
const unhashed = { witness: { hash: false } };

/** What is compared in turns: the platform, the ordinary way, the sockets alone. */
function compared(): Scenario[] {
  const naive = (name: string, drill: Drill): Scenario => ({
    name,
    start: startNaive,
    drill: { ...drill, shards: false },
  });
  const ceiling = (name: string, players: number, drill: Drill): Scenario => ({
    name,
    start: () => startCeiling(scriptFile(players)),
    drill: { ...drill, shards: false, witness: null },
  });
  const full = drillOf(COMPARED, SIX);
  const pair = drillOf(1, 2);
  return [
    served('20 tables', full),
    naive('naive, 20 tables', full),
    ceiling('ceiling, 20 tables', SIX, full),
    served('heads-up', pair),
    naive('naive, heads-up', pair),
    ceiling('ceiling, heads-up', 2, pair),
  ];
}

/** How it grows, and what the switches make of it. */
function sweep(): Scenario[] {
  const threads = [];
  for (let n = 2; n <= Math.max(2, availableParallelism() / 2); n *= 2) {
    const drill = drillOf(COMPARED * n, SIX, { processes: Math.max(1, availableParallelism() >> 2) });
    threads.push(served(`${COMPARED * n} tables, ${n} fronts, ${n} shards`, drill, { THREADS: n, FRONTS: n }));
  }
  const paced = drillOf(PACED.tables, SIX, { pace: PACED.handsPerSecond, warmUpSeconds: PACED_WARM_UP });
  return [
    ...[1, 5, 100].map((tables) => served(tablesOf(tables), drillOf(tables, SIX))),
    served('100 tables, paced', paced),
    ...threads,
    served('20 tables, no hash', drillOf(COMPARED, SIX, unhashed), { STATE_HASH: 'off' }),
    served('heads-up, no hash', drillOf(1, 2, unhashed), { STATE_HASH: 'off' }),
  ];
}

const scriptFile = (players: number) => join(folder, `script-${players}.json`);

async function recordScripts(scenarios: readonly Scenario[]): Promise<void> {
  const ceilings = scenarios.filter(({ name }) => name.startsWith('ceiling'));
  for (const players of new Set(ceilings.map(({ drill }) => drill.players))) {
    writeFileSync(scriptFile(players), JSON.stringify(await recordScript(players, HANDS_OF_SCRIPT)));
  }
}

/** What is told of every scenario. */
function figuresOf(name: string, { cpu, acks, commit, ...result }: Result): Figure[] {
  const goals = GOALS[name] ?? {};
  const latency = (quantile: number, label: string, goal: number | undefined) => {
    const value = acks.quantile(quantile);
    const figure = `${name}: action to ack, ${label}`;
    return goal === undefined ? told(figure, value, 'ms') : atMost(figure, value, 'ms', goal);
  };
  const rate = `${name}: committed hands`;
  const { hands } = goals;
  return [
    hands === undefined ? told(rate, result.handsPerSecond, '1/s') : atLeast(rate, result.handsPerSecond, '1/s', hands),
    told(`${name}: frames`, result.framesPerSecond, '1/s'),
    goals.cpu === undefined
      ? told(`${name}: server CPU a hand`, cpu.server, 'ms')
      : atMost(`${name}: server CPU a hand`, cpu.server, 'ms', goals.cpu),
    told(`${name}: of that in the kernel`, cpu.kernel, 'ms'),
    told(`${name}: front CPU a hand`, cpu.front, 'ms'),
    ...(commit === null ? [] : [told(`${name}: shards CPU a hand`, cpu.shards, 'ms')]),
    told(`${name}: helper threads CPU a hand`, cpu.helpers, 'ms'),
    told(`${name}: database CPU a hand`, cpu.database, 'ms'),
    ...(commit === null ? [] : [told(`${name}: time with a commit under way`, 100 * commit.share, '%')]),
    latency(0.5, 'p50', goals.p50),
    latency(0.99, 'p99', goals.p99),
    latency(0.999, 'p99.9', undefined),
  ];
}

interface Goals {
  hands?: number;
  cpu?: number;
  p50?: number;
  p99?: number;
}

const GOALS: Readonly<Record<string, Goals>> = {
  '20 tables': { hands: 1100, cpu: 0.9, p50: 0.7, p99: 2.5 },
  '100 tables, paced': { p50: 0.3, p99: 3 },
  'heads-up': { hands: 900, p50: 0.11, p99: 0.5 },
};

/** What one scenario is to another, and the capacity that follows. */
function comparisons(results: ReadonlyMap<string, Result>): Figure[] {
  const [own, naive, ceiling] = ['20 tables', 'naive, 20 tables', 'ceiling, 20 tables'].map((name) =>
    results.get(name),
  );
  if (own === undefined) return [];
  const { server, front, shards, database } = own.cpu;
  return [
    ...(naive ? [atMost('server CPU a hand, of naive', server / naive.cpu.server, '', 0.25)] : []),
    ...(ceiling ? [atLeast('CPU of the ceiling, of the server', ceiling.cpu.server / server, '', 0.5)] : []),
    told('database, of all CPU but the bots', (100 * database) / (server + database), '%'),
    told('capacity of a core for all of it', 1000 / (server + database), 'hands/s'),
    told('capacity of a front thread', 1000 / front, 'hands/s'),
    told('capacity of a shard thread', 1000 / shards, 'hands/s'),
  ];
}

function ofTables(counts: readonly number[]): Scenario[] {
  return counts.map((tables) => served(tablesOf(tables), drillOf(tables, SIX)));
}

const wanted = ({ name }: Scenario) => name.includes(options.scenarios ?? '');
const partial = options.scenarios !== undefined || options.tables.length > 0;
const inTurns = options.tables.length === 0 ? compared().filter(wanted) : [];
const once = options.tables.length === 0 ? sweep().filter(wanted) : ofTables(options.tables);
await recordScripts(inTurns);
const results = new Map([...(await runScenarios(inTurns, options.rounds)), ...(await runScenarios(once, 1))]);
console.log(`\nCPU in ms a hand:\n\n${overview(results)}`);
const figures = [...comparisons(results), ...[...results].flatMap(([name, result]) => figuresOf(name, result))];
process.exitCode = (partial ? show : report)('served', figures) ? 0 : 1;
