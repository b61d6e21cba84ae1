import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../src/command/folders.js';
import { onInterrupt } from '../src/command/interrupt.js';
import { oneOf, whole } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { registerBots } from './host/accounts.js';
import { startPlatform, type Settings } from './host/servers.js';
import { Load } from '../src/load/load.js';
import { callTree, IDLE, selfTimes, walk, type Call, type CpuProfile } from './profile/cpuprofile.js';
import { columns } from './report.js';

/*
 * Where the time of a served hand goes: V8's sampling profiler in every thread of the platform, under the load of
 * bench served. Prints for each thread the functions that take most, and a flame graph as text. All times are µs a
 * hand; (program) is native code: sockets, the kernel, hashing. Not counted are the helper threads, which collect
 * garbage.
 */

const options = bench(
  'profile',
  {
    tables: whole('tables', 20, { least: 1 }),
    players: whole('players a table', 6, { least: 2, most: 6 }),
    seconds: whole('measured', 10, { least: 1 }),
    threads: whole('shard threads', 1, { least: 1, most: 64 }),
    hash: oneOf('STATE_HASH', ['on', 'off'], 'on'),
    top: whole('functions that are listed', 40),
  },
  ({ seconds }) => seconds + 20,
);
const steps = new Steps(3);

const WARM_UP_MS = 4000;
const INTERVAL_US = 250;
/** The least share of a thread's time in the flame graph. */
const LEAST_SHARE = 0.015;
const ROOT = resolve(import.meta.dirname, '..');

const nowUs = () => Number(process.hrtime.bigint() / 1000n);

/** Runs the load and leaves a profile of each thread in the folder; tells which stretch was measured. */
async function record(folder: string): Promise<{ from: number; to: number; hands: number }> {
  const { players } = options;
  const settings: Settings = { THREADS: options.threads, STATE_HASH: options.hash };
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${INTERVAL_US}`];
  const starting = startPlatform(settings, flags);
  // It writes its profiles when it ends: before the folder goes.
  onInterrupt(() => void starting.then((server) => server.stop()).finally(() => process.exit(130)));
  const server = await starting;
  try {
    steps.next(`${options.tables * players} bots come`);
    const apiKeys = await registerBots(server.url, options.tables * players);
    const load = await Load.connect({ target: server.target, apiKeys, players });
    await load.play();
    await sleep(WARM_UP_MS);
    steps.next(`measured for ${options.seconds} s`);
    const marks: number[] = [];
    const { hands } = await load.measure(options.seconds, () => Promise.resolve(void marks.push(nowUs())));
    await load.stop();
    return { from: marks[0]!, to: marks[1]!, hands };
  } finally {
    await server.stop();
  }
}

function print(thread: string, tree: Call, hands: number): void {
  const idle = selfTimes(tree).find(({ name }) => name === IDLE)?.self ?? 0;
  const busy = tree.total - idle;
  const perHand = (us: number) => (us / hands).toFixed(1);
  const share = (us: number) => `${((100 * us) / busy).toFixed(1)} %`;
  const busyShare = ((100 * busy) / tree.total).toFixed(0);
  console.log(`\n## ${thread}: ${perHand(busy)} µs a hand, busy ${busyShare} % of the time\n`);
  const top = selfTimes(tree)
    .filter(({ name, self }) => name !== IDLE && self > 0)
    .slice(0, options.top)
    .map(({ name, place, self }) => [perHand(self), share(self), name, place]);
  console.log(columns([['µs', 'share', 'function itself', 'where'], ...top], [0, 1]));
  console.log(`\nFrom the top down, what takes at least ${100 * LEAST_SHARE} % with all it calls:\n`);
  walk(tree, LEAST_SHARE * busy, ({ name, place, total }, depth) => {
    if (depth > 0 && name !== IDLE) {
      console.log(
        `${perHand(total).padStart(7)} ${share(total).padStart(7)} ${'  '.repeat(depth)}${name} ${place}`.trimEnd(),
      );
    }
  });
}

/** The file's name tells the thread: CPU.DATE.TIME.PROCESS.THREAD.NUMBER.cpuprofile, the main thread being 0. */
function threadOf(file: string): string {
  const thread = Number(file.split('.')[4]);
  return thread === 0 ? 'front (main thread)' : `shard ${thread - 1} (worker thread)`;
}

const folder = temporaryFolder('profile');
const { from, to, hands } = await record(folder);
steps.next('the profiles are read');
const rate = ((hands * 1e6) / (to - from)).toFixed(0);
console.log(
  `${options.tables} tables of ${options.players}, STATE_HASH=${options.hash}: ${rate} hands/s while profiled`,
);
for (const file of readdirSync(folder).sort((a, b) => threadOf(a).localeCompare(threadOf(b)))) {
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
  print(threadOf(file), callTree(profile, from, to, ROOT), hands);
}
