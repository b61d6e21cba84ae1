import { oneOf, whole, wholes } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { playInTurns, stepsOf } from './growth/in-turns.js';
import { ofEachRound } from './host/ratios.js';
import { play, type Drill, type Result } from './host/run.js';
import { middle, middles, overview, runScenarios, type Scenario } from './host/scenario.js';
import { startPlatform, type Server, type Settings } from './host/servers.js';
import { storeHands } from './host/stored.js';
import { atMost, number, ofRounds, report, show, told, type Figure } from './report.js';

/*
 * Does a hand cost the same in a large house? Compares one table with thousands, and an empty database with millions of
 * stored hands. From twenty tables on the number of hands a second is the same; fewer tables play as fast as they can.
 * Ratios within one run: a busy machine moves them less. The most tables and twenty play in turns, as the two databases
 * do. Their ratio is of each round. The numbers between are played once.
 */

/** Seconds that a table takes to be seated, to be connected again, and a thousand hands to be stored, on a slow machine. */
const SLOW = { table: 0.15, connect: 0.02, thousandHands: 0.04 };
/** Around a run: a server is started and stopped. */
const AROUND_SECONDS = 8;
/** The number of tables that the others are compared with. It also plays beside the stored hands. */
const BASE = 20;

/** Longer where there are more tables: each has played a few hands by then. */
function warmUpOf(tables: number): number {
  return 6 + tables / 100;
}

/** The numbers that are played once: all but the most and the base. The base too, if nothing else is asked for. */
function onceOf(tables: readonly number[]): number[] {
  const most = Math.max(BASE, ...tables);
  if (tables.every((count) => count === BASE)) return [BASE];
  const others = tables.filter((count) => count !== most && count !== BASE);
  return others.length === 0 ? [] : [...new Set([BASE, ...others])].sort((a, b) => a - b);
}

const options = bench(
  'growth',
  {
    tables: wholes('numbers of tables', [1, 20, 100, 500, 2000]),
    pace: whole('hands a second over all tables', 100, { least: 1 }),
    hands: whole('stored hands, in the second part', 5_000_000, { least: 1 }),
    seconds: whole('measured, of each run', 10, { least: 1 }),
    rounds: whole('turns of 20 tables and the most, and of the second part', 3, { least: 1 }),
    part: oneOf('only this one, and nothing is written', ['tables', 'stored'], null),
  },
  ({ tables, pace, hands, seconds, rounds, part }) => {
    const run = (count: number) =>
      AROUND_SECONDS + warmUpOf(count) + 2 * Math.max(seconds, count / pace) + SLOW.table * count;
    const most = Math.max(BASE, ...tables);
    const once = onceOf(tables).reduce((sum, count) => sum + run(count), 0);
    const turn = 3 * warmUpOf(most) + 4 * Math.max(seconds, most / pace) + SLOW.connect * most;
    const inTurns = 2 * AROUND_SECONDS + SLOW.table * most + rounds * turn;
    const byCount = once + (most > BASE ? inTurns : 0);
    const byHands = (SLOW.thousandHands * hands) / 1000 + 2 * (rounds + 1) * run(BASE);
    return (part === 'stored' ? 0 : byCount) + (part === 'tables' ? 0 : byHands);
  },
);

const SIX = 6;
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

const startOf = (more: Settings) => () =>
  startPlatform({ THREADS: 1, ACTION_TIMEOUT_MS: SEATING_MS, ...UNCOUNTED, ...more });

/** The figures of a number of tables beside its ratio. */
const latenciesOf = (name: string, { latencies }: Result): Figure[] => [
  told(`${name}: action to ack, p50`, latencies.quantile(0.5), 'ms'),
  told(`${name}: action to ack, p99`, latencies.quantile(0.99), 'ms'),
];

async function byTables(): Promise<Figure[]> {
  const most = Math.max(BASE, ...options.tables);
  return [...(most > BASE ? await mostInTurns(most) : []), ...(await once(onceOf(options.tables)))];
}

/** Both for as long, and warmed up as long. */
async function mostInTurns(most: number): Promise<Figure[]> {
  const drill = { ...paced(most), warmUpSeconds: warmUpOf(most) };
  const scenarios = [BASE, most].map((tables): Scenario => ({
    name: nameOf(tables),
    start: startOf({ DISCONNECT_HOLD_MS: SEATING_MS }),
    drill: drillOf(tables, drill),
  }));
  const { rounds } = options;
  const played = await playInTurns(scenarios, rounds, new Steps(stepsOf(scenarios.length, rounds)));
  const results = middles(played);
  console.log(`\nIn turns, CPU in ms a hand:\n\n${overview(results)}`);
  const [few, many] = [nameOf(BASE), nameOf(most)];
  const ratio = (of: (result: Result) => number, figure: (middle: number) => Figure) =>
    ofRounds(ofEachRound(played, many, few, of), figure);
  const spread = most === MOST_TABLES.tables ? MOST_TABLES.spread : SPREAD;
  const part = (what: string, of: (result: Result) => number) => ratio(of, (middle) => told(`… ${what}`, middle, ''));
  return [
    ratio(
      ({ cpu }) => cpu.server,
      (middle) => flatTo(`${many}: server CPU a hand, of ${few} in turns`, middle, spread),
    ),
    part('of that in the kernel', ({ cpu }) => cpu.kernel),
    part('front', ({ cpu }) => cpu.front),
    part('shards', ({ cpu }) => cpu.shards),
    part('database', ({ cpu }) => cpu.database),
    ...[few, many].flatMap((name) => {
      const of = (pick: (result: Result) => number, figure: (middle: number) => Figure) =>
        ofRounds(played.get(name)!.map(pick), figure);
      return [
        of(
          ({ cpu }) => cpu.server,
          (middle) => told(`${name}, in turns: server CPU a hand`, middle, 'ms'),
        ),
        of(
          ({ handsPerSecond }) => handsPerSecond,
          (middle) => told(`${name}, in turns: committed hands`, middle, '1/s'),
        ),
        ...latenciesOf(`${name}, in turns`, results.get(name)!),
      ];
    }),
  ];
}

async function once(counts: readonly number[]): Promise<Figure[]> {
  if (counts.length === 0) return [];
  const scenarios = counts.map((tables): Scenario => ({
    name: nameOf(tables),
    start: startOf({}),
    drill: drillOf(tables, tables < BASE ? {} : paced(tables)),
  }));
  const results = middles(await runScenarios(scenarios, 1, new Steps(scenarios.length)));
  console.log(`\nOnce, CPU in ms a hand:\n\n${overview(results)}`);
  const base = results.get(nameOf(BASE))!;
  return [...results].flatMap(([name, result]) => [
    told(`${name}: server CPU a hand`, result.cpu.server, 'ms'),
    ...(result === base
      ? []
      : [flatTo(`${name}: server CPU a hand, of ${BASE} tables`, result.cpu.server / base.cpu.server)]),
    ...latenciesOf(name, result),
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
  // Seats of gone players are free at once: each crowd has the tables for itself.
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
