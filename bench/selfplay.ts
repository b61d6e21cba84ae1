import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { STRATEGY_NAMES } from '../src/bots/index.js';
import { flag, whole } from '../src/command/options.js';
import { entrantsOf } from '../src/selfplay/minds.js';
import { playSelfplay } from '../src/selfplay/match.js';
import { BIG_BLIND } from '../src/memory/memory-table.js';
import { bench, Steps } from './benches.js';
import { measure, seat, type Drill } from './host/run.js';
import { RESUMED_MS } from './host/scenario.js';
import { startPlatform } from './host/servers.js';
import { atLeast, ofRounds, report, show, told, type Figure } from './report.js';
import { overPipe, TRIVIAL, type PipeRates } from './selfplay/pipe.js';

/*
 * The gain of matches in memory for training. Measures hands of the house's six styles, and of bots that decide at
 * once. Compares them with the hands that 20 tables of six play over sockets on the same cores. In turns: while one
 * plays the other has nothing to do. And decisions of bots behind a pipe, for each second of CPU time that the engine
 * and the bot take together.
 */

const { seconds, rounds, ...options } = bench(
  'selfplay',
  {
    seconds: whole('measured, of each', 5, { least: 1 }),
    'warm-up': whole('seconds before the first round', 15),
    rounds: whole('of each', 5, { least: 1 }),
    pipe: flag('only the bots behind a pipe, and the result is not kept'),
  },
  (asked) => {
    const pipes = asked.rounds * 2 * (4 + asked.seconds);
    return asked.pipe ? pipes : 8 + asked['warm-up'] + asked.rounds * (5 + 3 * asked.seconds) + pipes;
  },
);
const DRILL: Drill = {
  tables: 20,
  players: 6,
  seconds,
  warmUpSeconds: options['warm-up'],
  witness: null,
  shards: true,
};

const AT_ONCE = fileURLToPath(new URL('selfplay/at-once.js', import.meta.url));
const atOnce = new Array<string>(STRATEGY_NAMES.length).fill(AT_ONCE);

/** Seconds in which the threads of a match start and compile, as the server has done before it is measured. */
const STARTING = 2;

/** Hands a second of a match that has started. */
async function inMemory(bots: readonly string[]): Promise<number> {
  const entrants = entrantsOf(bots.join(), (path) => path);
  const match = { entrants, deals: 1e9, duplicate: true, seed: 1, stack: 100 * BIG_BLIND };
  const stop = new AbortController();
  const begun = performance.now() + 1000 * STARTING;
  let from: { at: number; hands: number } | null = null;
  let to = { at: 0, hands: 0 };
  const onHands = (hands: number) => {
    to = { at: performance.now(), hands };
    if (to.at >= begun) from ??= to;
    if (to.at >= begun + 1000 * seconds) stop.abort();
  };
  await playSelfplay({ ...match, threads: availableParallelism() }, onHands, stop.signal);
  const { at, hands } = from ?? { at: 0, hands: 0 };
  return (1000 * (to.hands - hands)) / (to.at - at);
}

const LANGUAGES = Object.entries(TRIVIAL);
const steps = new Steps((options.pipe ? 0 : 1 + 3 * rounds) + LANGUAGES.length * rounds);
const pipes = await behindPipes();
if (options.pipe) process.exit(show('selfplay', pipes) ? 0 : 1);
const server = await startPlatform({ THREADS: 1 });
const served: number[] = [];
const styles: number[] = [];
const simple: number[] = [];
try {
  const load = await seat(server, DRILL);
  steps.next('the server is warmed up');
  await load.start();
  await sleep(1000 * DRILL.warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    steps.next('served');
    if (round > 0) await load.start();
    await sleep(RESUMED_MS);
    served.push((await measure(server, load, DRILL)).handsPerSecond);
    await load.halt();
    steps.next("the house's styles in memory");
    styles.push(await inMemory(STRATEGY_NAMES));
    steps.next('bots that decide at once in memory');
    simple.push(await inMemory(atOnce));
  }
  await load.stop();
} finally {
  await server.stop();
}

const ofServed = (hands: readonly number[]) => hands.map((each, round) => each / served[round]!);
const figures = [
  ofRounds(ofServed(styles), (middle) => atLeast("the house's styles, of served hands", middle, '×', 100)),
  ofRounds(ofServed(simple), (middle) => atLeast('bots that decide at once, of served hands', middle, '×', 100)),
  ofRounds(served, (middle) => told('20 tables of six, served: hands', middle, '1/s')),
  ofRounds(styles, (middle) => told("the house's styles in memory: hands", middle, '1/s')),
  ofRounds(simple, (middle) => told('bots that decide at once in memory: hands', middle, '1/s')),
  ...pipes,
];
process.exitCode = report('selfplay', figures) ? 0 : 1;

/** Two figures a language. */
async function behindPipes(): Promise<Figure[]> {
  const rates = new Map<string, PipeRates[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [language, command] of LANGUAGES) {
      steps.next(`a bot in ${language} behind a pipe`);
      rates.set(language, [...(rates.get(language) ?? []), await overPipe(command, seconds)]);
    }
  }
  return [...rates].flatMap(([language, each]) => [
    ofRounds(
      each.map(({ perCore }) => perCore),
      (middle) => atLeast(`a bot in ${language} behind a pipe: decisions a core`, middle, '1/s', 10_000),
    ),
    ofRounds(
      each.map(({ perSecond }) => perSecond),
      (middle) => told(`a bot in ${language} behind a pipe: decisions`, middle, '1/s'),
    ),
  ]);
}
