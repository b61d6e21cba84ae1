import { command, seed as seedOption, whole } from '../../src/command/options.js';
import { Dice } from '../sim/dice.js';
import {
  describeEnd,
  describeKill,
  describeLoss,
  describeOutage,
  returnsOf,
  seconds,
  spread,
  tally,
} from './figures.js';
import { killAgainAndAgain, type Kill } from './kills.js';
import { loseDatabase, type Outage, type OutageKind } from './outages.js';
import { program, scoped } from './program.js';
import { endWithoutShards, type LateEnd } from './season-end.js';
import { FATES, loseThreads, type Fate, type ThreadLoss } from './threads.js';

const { values } = command({
  name: 'npm run campaign -- chaos',
  purpose:
    'kill -9 of the whole platform under load, the end of shard threads, a database that goes away; each time all that\n' +
    'anybody was sent is held against the database. Exit code 1: something is wrong, printed with the seed.',
  takes: '5 to 10 s a kill, as long a thread, half a minute an outage; twice that on a slow machine',
  options: {
    kills: whole('kills, every fourth of them on the embedded database', 20),
    threads: whole('threads to end', undefined, { shown: 'a fifth of the kills' }),
    ends: whole('season ends without a shard', undefined, { shown: 'a twentieth of the kills' }),
    outages: whole('times that the database goes away', undefined, { shown: 'a fortieth of the kills' }),
    thinks: whole('that a bot thinks at most before it acts; ms', 0, { most: 5000 }),
    seed: seedOption(),
  },
});
const { kills, thinks: thinksMs, seed } = values;
const threads = values.threads ?? Math.ceil(kills / 5);
const ends = values.ends ?? Math.ceil(kills / 20);
const outages = values.outages ?? Math.ceil(kills / 40);

/** One of four kills is on the embedded database. */
const own = Math.floor(kills / 4);
/** The freeze of 20 s outlasts the limit of a statement, so statements are repeated during the first ones. */
const OUTAGES: readonly { kind: OutageKind; ms: number }[] = [
  { kind: 'stop', ms: 10_000 },
  { kind: 'freeze', ms: 20_000 },
  { kind: 'crash', ms: 0 },
  { kind: 'freeze', ms: 10_000 },
];

/** The shard threads to lose when a season ends without any. */
const LOSSES: readonly Fate[] = ['exits', 'spins', 'throws', 'sleeps'];

const began = performance.now();
const say = (line: string) => console.log(`${seconds(performance.now() - began).padStart(10)}  ${line}`);

await program(async () => {
  const findings: string[] = [];
  const part = async (count: number, campaign: () => Promise<string[]>) => {
    if (count === 0) return;
    findings.push(...(await campaign().catch((error: unknown) => [(error as Error).stack ?? String(error)])));
  };
  await part(kills - own, () => killed('rented', kills - own, seed));
  await part(own, () => killed('own', own, seed + 1));
  await part(threads, () => threadsLost(threads, seed + 2));
  await part(ends, () => lateEnds(ends, seed + 4));
  await part(outages, () => databaseLost(outages, seed + 3));
  for (const finding of findings) console.log(`\nFOUND ${finding}`);
  const again = `npm run campaign -- chaos --kills ${kills} --threads ${threads} --ends ${ends} --outages ${outages} --thinks ${thinksMs} --seed ${seed}`;
  console.log(findings.length === 0 ? `\nseed ${seed}: all is well` : `\nRepeat with: ${again}`);
  return findings.length === 0;
});

async function killed(home: 'rented' | 'own', count: number, from: number): Promise<string[]> {
  console.log(`\nkill -9, ${home === 'own' ? 'on the embedded database' : 'with DATABASE_URL'}, seed ${from}`);
  const onKill = (kill: Kill, n: number) => say(`kill ${n}/${count} ${describeKill(kill)}`);
  const campaign = await scoped((t) => killAgainAndAgain(t, { home, kills: count, seed: from, thinksMs, onKill }));
  const { findings, truth, kills: all } = campaign;
  console.log(`${all.length} kills: ${tally(all.map(({ moment }) => moment))}`);
  console.log(`hands sent and found as sent: ${truth.hands}; void: ${truth.voided.size}`);
  for (const line of returnsOf(all)) console.log(line);
  return findings;
}

async function threadsLost(count: number, from: number): Promise<string[]> {
  console.log(`\nshard threads, seed ${from}`);
  const dice = new Dice(from);
  const names = Object.keys(FATES) as Fate[];
  // Each in its turn, then at random.
  const fates = Array.from({ length: count }, (_, n) => names[n] ?? dice.pick(names));
  const onLoss = (loss: ThreadLoss, n: number) => say(`thread ${n}/${count} ${describeLoss(loss)}`);
  const { findings, losses, truth, voided } = await scoped((t) =>
    loseThreads(t, { fates, seed: from, thinksMs, onLoss }),
  );
  const lost = losses.filter(({ fate }) => fate !== 'stalls');
  const [given, played] = [lost.map(({ lostMs }) => lostMs), lost.map(({ playMs }) => playMs)];
  console.log(`${losses.length} threads: ${tally(losses.map(({ fate }) => fate))}`);
  console.log(`hands sent and found as sent: ${truth.hands}; void: ${voided}`);
  console.log(`${spread('given up', given)}\n${spread('every table of theirs has played on', played)}`);
  return findings;
}

async function lateEnds(count: number, from: number): Promise<string[]> {
  console.log(`\nseason ends without shards, seed ${from}`);
  const fates = Array.from({ length: count }, (_, n) => LOSSES[n % LOSSES.length]!);
  const onEnd = (end: LateEnd) => say(`season ${describeEnd(end)}`);
  const { findings, ends, truth } = await scoped((t) => endWithoutShards(t, { fates, seed: from, onEnd }));
  const last = ends.map(({ lastMs }) => lastMs);
  console.log(`hands sent and found as sent: ${truth.hands}\n${spread('everybody sent the end', last)}`);
  return findings;
}

async function databaseLost(count: number, from: number): Promise<string[]> {
  console.log(`\ndatabase away, seed ${from}`);
  const outages = Array.from({ length: count }, (_, n) => OUTAGES[n % OUTAGES.length]!);
  const onOutage = (outage: Outage, n: number) => say(`outage ${n}/${count} ${describeOutage(outage)}`);
  const { findings, truth } = await scoped((t) => loseDatabase(t, { outages, seed: from, thinksMs, onOutage }));
  console.log(`hands sent and found as sent: ${truth.hands}; void: ${truth.voided.size}`);
  return findings;
}
