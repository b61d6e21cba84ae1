import { oneOf, whole, wholes } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { play, type Drill, type Result } from './host/run.js';
import { middle, middles, overview, runScenarios, type Scenario } from './host/scenario.js';
import { startPlatform, type Server } from './host/servers.js';
import { storeHands } from './host/stored.js';
import { atMost, number, report, show, told, type Figure } from './report.js';

/*
 * Whether a hand costs the same however large the house is: from one table to thousands (from twenty on at the same
 * number of hands a second; fewer cannot be held to one and play as fast as they go), and with an empty database or
 * millions of stored hands, in turns. Ratios within one run: a busy machine moves them less.
 */

/** Seconds that a table takes to be seated, and a thousand hands to be stored, on a slow machine. */
const SLOW = { table: 0.15, thousandHands: 0.04 };
/** Around a run: a server is started and stopped. */
const AROUND_SECONDS = 8;

const options = bench(
  'growth',
  {
    tables: wholes('numbers of tables', [1, 20, 100, 500, 2000]),
    pace: whole('hands a second over all tables', 100, { least: 1 }),
    hands: whole('stored hands, in the second part', 5_000_000, { least: 1 }),
    seconds: whole('measured, of each run', 10, { least: 1 }),
    rounds: whole('turns of the second part', 3, { least: 1 }),
    part: oneOf('only this one; nothing is written then', ['tables', 'stored'], null),
  },
  ({ tables, pace, hands, seconds, rounds, part }) => {
    const run = (count: number) =>
      AROUND_SECONDS + warmUpOf(count) + 2 * Math.max(seconds, count / pace) + SLOW.table * count;
    const byCount = tables.reduce((sum, count) => sum + run(count), 0);
    const byHands = (SLOW.thousandHands * hands) / 1000 + 2 * (rounds + 1) * run(20);
    return (part === 'stored' ? 0 : byCount) + (part === 'tables' ? 0 : byHands);
  },
);

const SIX = 6;
/** What the others are compared with, and what plays beside the stored hands. */
const BASE = 20;
/** Longer where there are more tables: each has played a few hands by then. */
function warmUpOf(tables: number): number {
  return 6 + tables / 100;
}
/** A hand of each table, or longer: they begin together, and what is played of one is not alike all through. */
const secondsOf = (tables: number, { seconds, pace } = options) => Math.max(seconds, Math.ceil(tables / pace));

const paced = (tables: number): Partial<Drill> => ({
  pace: options.pace,
  paceSeconds: secondsOf(tables),
  seconds: secondsOf(tables),
});

/** Tables that one process of bots can answer for. */
const TABLES_A_PROCESS = 1000;
const SPREAD = 0.2;
/** At the most tables a hand may cost this much more. */
const MOST_TABLES = { tables: 2000, spread: 0.1 };
/** Else what was played while they warmed up would be counted for analytics meanwhile, and more of it where more was. */
const UNCOUNTED = { ANALYTICS_REFRESH_MS: 0 };
/** To seat thousands one after the other takes minutes, in which the first ones' turns must not run out. */
const SEATING_MS = 3_600_000;

const drillOf = (tables: number, more: Partial<Drill>): Drill => ({
  tables,
  players: SIX,
  warmUpSeconds: warmUpOf(tables),
  seconds: options.seconds,
  processes: Math.ceil(tables / TABLES_A_PROCESS),
  witness: { hash: true },
  shards: true,
  ...more,
});

const nameOf = (tables: number) => `${tables} ${tables === 1 ? 'table' : 'tables'}`;
const costOf = ({ cpu }: Result) => cpu.server + cpu.database;

/** Both ways: a cost that falls by more is no more flat than one that rises. */
function flatTo(name: string, ratio: number, spread = SPREAD): Figure {
  return { ...atMost(name, ratio, '', 1 + spread), met: ratio >= 1 - SPREAD && ratio <= 1 + spread };
}

const spreadOf = (name: string) => (name === nameOf(MOST_TABLES.tables) ? MOST_TABLES.spread : SPREAD);

async function byTables(): Promise<Figure[]> {
  const counts = [...new Set([BASE, ...options.tables])].sort((a, b) => a - b);
  const scenarios = counts.map((tables): Scenario => ({
    name: nameOf(tables),
    start: () => startPlatform({ THREADS: 1, ACTION_TIMEOUT_MS: SEATING_MS, ...UNCOUNTED }),
    drill: drillOf(tables, tables < BASE ? {} : paced(tables)),
  }));
  const results = middles(await runScenarios(scenarios, 1, new Steps(scenarios.length)));
  console.log(`\nCPU in ms a hand:\n\n${overview(results)}`);
  const base = results.get(nameOf(BASE))!;
  return [...results].flatMap(([name, result]) => [
    told(`${name}: server CPU a hand`, result.cpu.server, 'ms'),
    ...(result === base
      ? []
      : [flatTo(`${name}: server CPU a hand, of ${BASE} tables`, result.cpu.server / base.cpu.server, spreadOf(name))]),
    told(`${name}: action to ack, p50`, result.latencies.quantile(0.5), 'ms'),
    told(`${name}: action to ack, p99`, result.latencies.quantile(0.99), 'ms'),
  ]);
}

async function fill(server: Server): Promise<number> {
  const began = performance.now();
  let last = 0;
  const wanted = options.hands;
  return storeHands(server, wanted, (count) => {
    if (count - last < wanted / 10) return;
    last = count;
    console.log(`  ${number(count)} hands stored after ${Math.round((performance.now() - began) / 1000)} s`);
  });
}

async function byStoredHands(): Promise<Figure[]> {
  // Seats of those who are gone are free at once: each crowd shall have the tables for itself.
  const settings = { THREADS: 1, DISCONNECT_HOLD_MS: 0, LOBBY_GRACE_MS: 0 };
  const servers: Server[] = [];
  try {
    servers.push(await startPlatform(settings), await startPlatform(settings));
    const [few, many] = servers as [Server, Server];
    const steps = new Steps(2 * options.rounds + 2);
    steps.next('hands are played, to be copied');
    for (const server of servers) await play(server, drillOf(BASE, { names: 'first' }));
    steps.next(`copies are stored, up to ${number(options.hands)}`);
    const stored = await fill(many);
    const results: Result[][] = [[], []];
    for (let round = 1; round <= options.rounds; round++) {
      for (const [i, server] of [few, many].entries()) {
        steps.next(`round ${round}, ${i === 0 ? 'hardly any' : number(stored)} stored`);
        results[i]!.push(await play(server, drillOf(BASE, { names: `round_${round}` })));
      }
    }
    const [without, full] = results.map(middle) as [Result, Result];
    const much = `${number(stored)} stored`;
    console.log(`\nCPU in ms a hand:\n\n${overview(new Map([['hardly any stored', without], [much, full]]))}`); // prettier-ignore
    return [
      told('hardly any stored: server and database CPU a hand', costOf(without), 'ms'),
      told(`${much}: server and database CPU a hand`, costOf(full), 'ms'),
      flatTo(`${much}: CPU a hand, of hardly any stored`, costOf(full) / costOf(without)),
      told('hardly any stored: committed hands', without.handsPerSecond, '1/s'),
      told(`${much}: committed hands`, full.handsPerSecond, '1/s'),
    ];
  } finally {
    for (const server of servers) await server.stop();
  }
}

const wanted = (part: string) => options.part === null || options.part === part;
const figures = [...(wanted('tables') ? await byTables() : []), ...(wanted('stored') ? await byStoredHands() : [])];
process.exitCode = (options.part === null ? report : show)('growth', figures) ? 0 : 1;
