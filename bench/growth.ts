import { oneOf, whole, wholes } from '../src/command/options.js';
import { bench } from './benches.js';
import { play, type Drill, type Result } from './host/run.js';
import { middle, overview, runScenarios, type Scenario } from './host/scenario.js';
import { startPlatform, type Server } from './host/servers.js';
import { storeHands } from './host/stored.js';
import { atMost, number, report, show, told, type Figure } from './report.js';

/*
 * Whether a hand costs the same however large the house is: from one table to thousands (from twenty on at the same
 * number of hands a second; fewer cannot be held to one and play as fast as they go), and with an empty database or
 * millions of stored hands, in turns. Ratios within one run: a busy machine moves them less.
 */

const options = bench('growth', {
  tables: wholes('numbers of tables', [1, 20, 100, 500, 2000]),
  pace: whole('hands a second over all tables', 100, { least: 1 }),
  hands: whole('stored hands, in the second part', 5_000_000, { least: 1 }),
  seconds: whole('measured, of each run', 10, { least: 1 }),
  rounds: whole('turns of the second part', 3, { least: 1 }),
  part: oneOf('only this one; nothing is written then', ['tables', 'stored'], null),
});

const SIX = 6;
/** What the others are compared with, and what plays beside the stored hands. */
const BASE = 20;
/** Longer where there are more tables: the pace has to be found meanwhile. */
const warmUpOf = (tables: number) => 6 + tables / 100;
/** Tables that one process of bots can answer for. */
const TABLES_A_PROCESS = 1000;
const SPREAD = 0.2;
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
function flatTo(name: string, ratio: number): Figure {
  return { ...atMost(name, ratio, '', 1 + SPREAD), met: Math.abs(ratio - 1) <= SPREAD };
}

async function byTables(): Promise<Figure[]> {
  const counts = [...new Set([BASE, ...options.tables])].sort((a, b) => a - b);
  const scenarios = counts.map((tables): Scenario => ({
    name: nameOf(tables),
    start: () => startPlatform({ THREADS: 1, ACTION_TIMEOUT_MS: SEATING_MS }),
    drill: drillOf(tables, tables < BASE ? {} : { pace: options.pace }),
  }));
  const results = await runScenarios(scenarios, 1);
  console.log(`\nCPU in ms a hand:\n\n${overview(results)}`);
  const base = results.get(nameOf(BASE))!;
  return [...results].flatMap(([name, result]) => [
    told(`${name}: server CPU a hand`, result.cpu.server, 'ms'),
    ...(result === base
      ? []
      : [flatTo(`${name}: server CPU a hand, of ${BASE} tables`, result.cpu.server / base.cpu.server)]),
    told(`${name}: action to ack, p50`, result.acks.quantile(0.5), 'ms'),
    told(`${name}: action to ack, p99`, result.acks.quantile(0.99), 'ms'),
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
    for (const server of servers) await play(server, drillOf(BASE, { names: 'first' }));
    const stored = await fill(many);
    const results: Result[][] = [[], []];
    for (let round = 1; round <= options.rounds; round++) {
      for (const [i, server] of [few, many].entries()) {
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
