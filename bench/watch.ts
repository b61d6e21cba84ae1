import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { whole, wholes } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { registerBots } from './host/accounts.js';
import { Child } from '../src/command/child.js';
import { cpuTimes } from './host/cpu.js';
import { ADMIN_KEY, startPlatform, type Server } from './host/servers.js';
import { Load } from '../src/load/load.js';
import { atMost, median, number, report, show, told, type Figure } from './report.js';
import type { WatchAnswer, WatchOrder } from './watch/orders.js';

/*
 * Spectators of one table beside tables that play at a pace: in turns without and with them, in one run. The players'
 * cost is judged. The time of writing to spectators is a figure of its own. At a pace both turns play as many hands.
 * With --pace 0 they play as fast as they can: on few cores that measures mostly the spectators' own process.
 */

const options = bench('watch', {
  watchers: wholes('spectators of the one table', [1000, 5000]),
  tables: whole('tables that play', 20, { least: 1 }),
  pace: whole('hands a second over all tables; 0: as fast as possible', 200, { least: 0 }),
  seconds: whole('measured, each time', 6, { least: 1 }),
  rounds: whole('times without and with them', 5, { least: 1 }),
});
const steps = new Steps(options.watchers.length * options.rounds);

const SIX = 6;
const WARM_UP_MS = 6000;
const SETTLE_MS = 1500;
const PROCESS = fileURLToPath(new URL('watch/process.js', import.meta.url));

interface Measured {
  /** ms, the p99 of each round: what disturbs one of them is not taken for the spectators' doing. */
  acks: number[];
  /** ms of CPU of the server a hand, and of the time that went to spectators. */
  cpu: number[];
  watch: number[];
  handsPerSecond: number[];
}

const empty = (): Measured => ({ acks: [], cpu: [], watch: [], handsPerSecond: [] });

/** ms of turns that wrote to spectators. */
async function watchMs(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
  return 1000 * Number(/^poker_watch_seconds_total ([\d.e+-]+)$/m.exec(await answer.text())?.[1] ?? NaN);
}

async function measure(server: Server, load: Load, into: Measured): Promise<void> {
  const readings: { cpu: number; watch: number }[] = [];
  const seen = await load.measure(options.seconds, async () => {
    readings.push({ cpu: cpuTimes(server.pid).process, watch: await watchMs(server.url) });
  });
  const [before, after] = readings as [(typeof readings)[0], (typeof readings)[0]];
  into.acks.push(seen.latencies.quantile(0.99));
  into.cpu.push((after.cpu - before.cpu) / seen.hands);
  into.watch.push((after.watch - before.watch) / seen.hands);
  into.handsPerSecond.push(seen.hands / options.seconds);
}

async function compare(count: number): Promise<Figure[]> {
  const server = await startPlatform({ THREADS: 1, TRUSTED_PROXY: 1, WATCHERS: 1_000_000 });
  const spectators = new Child<WatchOrder, WatchAnswer>('spectators', PROCESS);
  const apiKeys = await registerBots(server.url, options.tables * SIX);
  const load = await Load.connect({ target: server.target, apiKeys, players: SIX });
  const [without, beside] = [empty(), empty()];
  let read = 0;
  try {
    await load.play();
    if (options.pace > 0) await load.pace(options.pace);
    await sleep(WARM_UP_MS);
    const [{ table_id: table }] = (await (await fetch(`${server.url}/api/tables`)).json()) as [{ table_id: string }];
    for (let round = 1; round <= options.rounds; round++) {
      steps.next(`round ${round}, without and with ${count} spectators`);
      await measure(server, load, without);
      await spectators.ask({ order: 'watch', ...server.target, table, count });
      await sleep(SETTLE_MS);
      const before = await spectators.ask({ order: 'count' });
      await measure(server, load, beside);
      const after = await spectators.ask({ order: 'count' });
      if (after.open < count) throw new Error(`${count - after.open} of ${count} spectators were sent away`);
      read += after.bytes - before.bytes;
      await spectators.ask({ order: 'leave' });
      await sleep(SETTLE_MS);
      const last = ({ cpu, acks }: Measured) => `${number(cpu.at(-1)!)} ms a hand, p99 ${number(acks.at(-1)!)} ms`;
      console.log(`  ${count}: ${last(without)}; with them ${last(beside)}`);
    }
  } finally {
    await load.stop();
    await spectators.stop();
    await server.stop();
  }
  const own = median(beside.cpu) - median(beside.watch);
  const name = (what: string) => `${count} spectators: ${what}`;
  const p99 = (of: Measured) => median(of.acks);
  return [
    told(name('players’ action to ack without, p99'), p99(without), 'ms'),
    told(name('with them'), p99(beside), 'ms'),
    atMost(name('p99 with, of without'), p99(beside) / p99(without), '', 1.1),
    told(name('server CPU a hand without'), median(without.cpu), 'ms'),
    told(name('with them'), median(beside.cpu), 'ms'),
    told(name('of that, time of turns that wrote to them'), median(beside.watch), 'ms'),
    atMost(name('the rest, of without'), own / median(without.cpu), '', 1.1),
    told(name('committed hands without'), median(without.handsPerSecond), '1/s'),
    told(name('with them'), median(beside.handsPerSecond), '1/s'),
    told(name('read by one of them'), read / options.rounds / options.seconds / count / 1000, 'kB/s'),
  ];
}

const figures: Figure[] = [];
for (const count of options.watchers) figures.push(...(await compare(count)));
// A part of the bench writes nothing.
process.exitCode = (options.watchers.length > 1 ? report : show)('watch', figures) ? 0 : 1;
