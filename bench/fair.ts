import { whole } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { drill, type Drill, type Result } from './host/run.js';
import { startPlatform } from './host/servers.js';
import { atMost, median, report, told, type Figure } from './report.js';
import { BenchTable } from './table-play.js';

/*
 * The cost of fair deals: hands with FAIR_DEALS=on beside hands with it off, in one run. The first part is a table
 * without sockets and database (table-play.ts), in microseconds. The second part is two platforms at the same time over
 * real sockets, 10 tables of six each: the share of a served hand's cost.
 */

const options = bench(
  'fair',
  {
    seconds: whole('measured, of each served run', 6, { least: 1 }),
    rounds: whole('pairs of served runs', 4, { least: 1 }),
  },
  ({ seconds, rounds }) => 10 + rounds * (seconds + 14),
);
const steps = new Steps(1 + options.rounds);

const TABLE_ROUNDS = 21;
const HANDS_A_ROUND = 400;

/** CPU µs a hand that fair deals add at a table, and bytes of frames. */
function atTable(): { added: number; bytes: number } {
  const [off, on] = [new BenchTable({ fairDeals: false }), new BenchTable({ fairDeals: true })];
  const cpuOf = (table: BenchTable) => {
    const before = table.played.cpuMs;
    table.play(HANDS_A_ROUND);
    return (1000 * (table.played.cpuMs - before)) / HANDS_A_ROUND;
  };
  for (const table of [off, on, off, on]) table.play(HANDS_A_ROUND);
  const differences = Array.from({ length: TABLE_ROUNDS }, (_, round) => {
    if (round % 2 === 1) return -cpuOf(off) + cpuOf(on);
    return cpuOf(on) - cpuOf(off);
  });
  const bytesOf = ({ played }: BenchTable) => played.bytes / played.hands;
  return { added: median(differences), bytes: bytesOf(on) - bytesOf(off) };
}

const SERVED: Drill = {
  tables: 10,
  players: 6,
  warmUpSeconds: 4,
  seconds: options.seconds,
  witness: { hash: true },
  shards: true,
};

/** Both at the same time, so that whatever else the machine does hits both alike. */
async function served(rounds: number): Promise<Record<'on' | 'off', Result[]>> {
  const results: Record<'on' | 'off', Result[]> = { on: [], off: [] };
  for (let round = 0; round < rounds; round++) {
    steps.next(`served, round ${round + 1}`);
    const [first, second] = round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const);
    const start = (fair: 'on' | 'off') => startPlatform({ THREADS: 1, FAIR_DEALS: fair });
    const servers = [await start(first), await start(second)] as const;
    const [one, other] = await Promise.all(servers.map((server) => drill(server, SERVED)));
    results[first].push(one!);
    results[second].push(other!);
    const told = [first, second].map((fair) => `${fair} ${results[fair].at(-1)!.cpu.server.toFixed(3)}`);
    console.log(`  FAIR_DEALS, ms server CPU a hand: ${told.join(', ')}`);
  }
  return results;
}

steps.next('at a table');
const table = atTable();
const { on, off } = await served(options.rounds);
const cpu = (results: readonly Result[]) => median(results.map((result) => result.cpu.server));
const all = (results: readonly Result[]) => median(results.map(({ cpu }) => cpu.server + cpu.database));
const ratios = on.map((result, i) => result.cpu.server / off[i]!.cpu.server);
const figures: Figure[] = [
  told('added at the table', table.added, 'µs a hand'),
  told('added frames', table.bytes, 'bytes a hand'),
  told('served, off: server CPU', cpu(off), 'ms a hand'),
  told('served, on: server CPU', cpu(on), 'ms a hand'),
  told('served, with the database, on to off', all(on) / all(off), ''),
  atMost('served, on to off: middle of the pairs', median(ratios), '', 1.05),
  atMost('added at the table, of a served hand', (0.1 * table.added) / cpu(off), '%', 5),
];
process.exitCode = report('fair', figures) ? 0 : 1;
