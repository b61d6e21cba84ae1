import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { whole } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { registerBots } from './host/accounts.js';
import { cpuTimes, residentMb } from './host/cpu.js';
import { BOTS, startPlatform, type Server } from './host/servers.js';
import { Load, refuseFaults, type Seen } from '../src/load/load.js';
import { atLeast, atMost, report, show, told } from './report.js';

/*
 * Many authenticated silent sockets beside tables that play as fast as they can: their memory, and their effect on
 * play.
 */

const {
  sockets: idle,
  tables,
  seconds,
} = bench(
  'connections',
  {
    sockets: whole('silent sockets', 10_000, { least: 1 }),
    tables: whole('tables that play', 50, { least: 1 }),
    seconds: whole('measured, each time', 8, { least: 1 }),
  },
  (asked) => 60 + asked.sockets / 250 + 2 * asked.seconds,
);
const steps = new Steps(4);

const SIX = 6;
const WARM_UP_MS = 4000;
/** By then the server has asked every socket for a sign of life. */
const PINGED_MS = 35_000;
/** Files that a process has open beside its sockets. */
const OTHER_FILES = 100;
/** A few addresses of loopback, since one has ports for some 28,000 sockets only. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];

/** Node raises its limit as far as it may by itself; a process of root's may have been given more by the shell. */
function checkOpenFiles(): void {
  const limits = readFileSync('/proc/self/limits', 'latin1');
  const hard = Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  const needed = idle + tables * SIX + OTHER_FILES;
  if (hard < needed) throw new Error(`${needed} open files are needed, ${hard} allowed: raise ulimit -n`);
}

interface Stretch extends Seen {
  handsPerSecond: number;
  cpuMsPerHand: number;
  memoryMb: number;
}

/** Lets them play on and looks. */
async function watch(server: Server, playing: Load): Promise<Stretch> {
  await sleep(WARM_UP_MS);
  const cpu: number[] = [];
  const seen = await playing.measure(seconds, async () => void cpu.push(cpuTimes(server.pid).process));
  refuseFaults(seen);
  return {
    ...seen,
    handsPerSecond: seen.hands / seconds,
    cpuMsPerHand: (cpu[1]! - cpu[0]!) / seen.hands,
    memoryMb: residentMb(server.pid),
  };
}

interface Measured {
  alone: Stretch;
  beside: Stretch;
  /** The open idle sockets. */
  open: number;
  connectSeconds: number;
}

async function measure(server: Server): Promise<Measured> {
  const { target, url } = server;
  steps.next(`${tables} tables play alone`);
  const players = await registerBots(url, tables * SIX);
  const playing = await Load.connect({ target, apiKeys: players, players: SIX, witness: { hash: true }, script: BOTS });
  await playing.play();
  const alone = await watch(server, playing);
  console.log(`  ${tables} tables alone: ${Math.round(alone.handsPerSecond)} hands/s`);

  steps.next(`${idle} bots register and connect`);
  const silent = await registerBots(url, idle, 'idle');
  const began = performance.now();
  const crowd = await Load.connect({ target, apiKeys: silent, from: ADDRESSES });
  const connectedAt = performance.now();
  console.log(`  ${idle} sockets connected in ${((connectedAt - began) / 1000).toFixed(1)} s`);
  steps.next('play beside them');
  const beside = await watch(server, playing);
  steps.next('until every socket was asked for a sign of life');
  await sleep(Math.max(0, connectedAt + PINGED_MS - performance.now()));
  const { up: open } = await crowd.tell();
  await Promise.all([crowd.stop(), playing.stop()]);
  return { alone, beside, open, connectSeconds: (connectedAt - began) / 1000 };
}

checkOpenFiles();
const server = await startPlatform({ THREADS: 1 });
const { alone, beside, open, connectSeconds } = await measure(server).finally(() => server.stop());

const figures = [
  atLeast('idle sockets still open at the end', open, '', idle),
  atMost('memory of the server with them', beside.memoryMb, 'MB', 1000),
  told('memory before they came', alone.memoryMb, 'MB'),
  told('memory an idle socket', ((beside.memoryMb - alone.memoryMb) * 1024) / idle, 'kB'),
  told('sockets greeted a second, beside play', idle / connectSeconds, '1/s'),
  told(`${tables} tables alone`, alone.handsPerSecond, 'hands/s'),
  told(`${tables} tables beside them`, beside.handsPerSecond, 'hands/s'),
  atLeast('play beside them, of play alone', beside.handsPerSecond / alone.handsPerSecond, '', 0.8),
  told('server CPU a hand, alone', alone.cpuMsPerHand, 'ms'),
  told('server CPU a hand, beside them', beside.cpuMsPerHand, 'ms'),
  told('action to ack beside them, p50', beside.latencies.quantile(0.5), 'ms'),
  told('action to ack beside them, p99', beside.latencies.quantile(0.99), 'ms'),
];
const full = idle >= 10_000 && tables >= 50;
process.exitCode = (full ? report : show)('connections', figures) ? 0 : 1;
