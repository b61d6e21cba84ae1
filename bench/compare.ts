import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { whole } from '../src/command/options.js';
import type { DealResult } from '../src/compare/deal.js';
import { Judge, type Verdict } from '../src/compare/judge.js';
import { playCompare, type CompareOptions } from '../src/compare/match.js';
import { CompareTally, Z_POWER } from '../src/compare/tally.js';
import { BIG_BLIND } from '../src/memory/memory-table.js';
import { entrantsOf } from '../src/selfplay/minds.js';
import { LINE_LIMITS } from '../src/selfplay/match.js';
import { bench, Steps } from './benches.js';
import { atMost, report, told, type Figure } from './report.js';

/*
 * Measures how often the verdicts of `npx agent-poker compare` are false. A bot is compared with itself, with dice of
 * its own: each verdict "better" or "worse" is false. Pairs of a known distance play until the verdict. A test of a
 * fixed number of independent hands on raw chips stands beside them, with the same error and 80 % power.
 */

const { runs, looks, pairs, deals } = bench('compare', {
  runs: whole('comparisons of a bot with itself', 1000, { least: 1 }),
  looks: whole('deals of each, with a look after each', 300, { least: 1 }),
  pairs: whole('comparisons of each pair', 30, { least: 1 }),
  deals: whole('deals from which the distance of a pair is known', 1500, { least: 100 }),
});
const ALPHA = 0.05;
/** So close that a run of these lengths never ends with "no difference". */
const WITHIN = 0.0001;
const FIELD = ['shark', 'rock', 'gambler', 'bluffer', 'gto_lite'];

const version = (name: string) => fileURLToPath(new URL(`compare/${name}.js`, import.meta.url));
const PAIRS = [
  { name: 'a shark that calls more, of the same author', bots: [version('first'), version('calls')] },
  { name: 'a shark that bluffs more, of the same author', bots: [version('first'), version('bluffs')] },
  { name: 'shark and calling_station', bots: ['shark', 'calling_station'] },
];

const optionsOf = (bots: readonly string[], field: readonly string[], seed: number): CompareOptions => ({
  bots: entrantsOf([...bots, ...field].join(), (path) => path),
  seed,
  stack: 100 * BIG_BLIND,
  repeats: 4,
  threads: availableParallelism(),
  tables: 1,
  folder: process.cwd(),
  limits: LINE_LIMITS,
});

const play = (options: CompareOptions, onDeal: (deal: DealResult) => boolean) =>
  playCompare(options, onDeal, new AbortController().signal);

const newJudge = () => new Judge({ within: WITHIN, alpha: ALPHA });

/** Runs with a verdict, of so many comparisons of a bot with itself. */
async function falseVerdicts(): Promise<{ false: number; parted: number }> {
  let [run, wrong, parted, all] = [0, 0, 0, 0];
  let judge = newJudge();
  let verdict: Verdict = 'unknown';
  const options = { ...optionsOf([version('dice'), version('dice')], [version('dice')], 7), repeats: 2, isApart: true };
  await play(options, (deal) => {
    parted += deal.parted;
    all += deal.pairs;
    if (verdict === 'unknown') verdict = judge.add(deal.difference / BIG_BLIND);
    else judge.sample.add(0);
    if (judge.sample.count < looks) return true;
    if (verdict !== 'unknown') wrong++;
    [judge, verdict] = [newJudge(), 'unknown'];
    return ++run < runs;
  });
  return { false: wrong, parted: parted / all };
}

/** A long match of both: their distance, and what a test of a fixed size needs. */
async function distanceOf(bots: readonly string[]): Promise<{ tally: CompareTally; low: number; high: number }> {
  const tally = new CompareTally(FIELD.length + 1, { within: WITHIN, alpha: ALPHA }, false);
  await play(optionsOf(bots, FIELD, 1), (deal) => {
    tally.add(deal);
    return tally.judge.sample.count < deals;
  });
  const { mean, variance, count } = tally.judge.sample;
  const reach = 1.96 * Math.sqrt(variance / count);
  return { tally, low: mean - reach, high: mean + reach };
}

/** Hands to each verdict, of both bots together; and verdicts on the wrong side. */
async function handsNeeded(bots: readonly string[], sign: number): Promise<{ hands: number[]; wrong: number }> {
  const hands: number[] = [];
  let [played, wrong] = [0, 0];
  let judge = newJudge();
  await play(optionsOf(bots, FIELD, 2), (deal) => {
    played += deal.hands;
    const verdict = judge.add(deal.difference / BIG_BLIND);
    if (verdict === 'unknown') return true;
    if ((verdict === 'better' ? 1 : -1) !== sign) wrong++;
    hands.push(played);
    [played, judge] = [0, newJudge()];
    return hands.length < pairs;
  });
  return { hands, wrong };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const steps = new Steps(1 + 2 * PAIRS.length);
steps.next('a bot and itself');
const self = await falseVerdicts();
const figures: Figure[] = [
  atMost(`false verdicts of ${runs} comparisons of a bot with itself, ${looks} looks each`, (100 * self.false) / runs, '%', 100 * ALPHA), // prettier-ignore
  told('hands in which the bot and itself part', 100 * self.parted, '%'),
];
for (const { name, bots } of PAIRS) {
  steps.next(`${name}: the distance`);
  const { tally, low, high } = await distanceOf(bots);
  const { mean } = tally.judge.sample;
  const fixed = tally.rawHandsNeeded!;
  steps.next(`${name}: ${pairs} comparisons`);
  const began = performance.now();
  const { hands, wrong } = await handsNeeded(bots, Math.sign(mean));
  const seconds = (performance.now() - began) / 1000 / pairs;
  figures.push(
    { ...told(`${name}: distance`, 100 * mean, 'bb/100'), spread: [100 * low, 100 * high] },
    {
      ...told(`${name}: hands to a verdict, mean`, meanOf(hands), ''),
      spread: [Math.min(...hands), Math.max(...hands)],
    },
    told(`${name}: hands of a fixed number in raw chips`, fixed, ''),
    atMost(`${name}: hands of a fixed-n test`, meanOf(hands) / fixed, '×', 0.2),
    atMost(`${name}: verdicts on the wrong side`, (100 * wrong) / pairs, '%', 100 * ALPHA),
    atMost(`${name}: time to a verdict, mean`, seconds, 's', 600),
  );
}
process.stderr.write(`fixed numbers: error ${ALPHA}, power 80 %, (${Z_POWER.toFixed(3)})² variances\n`);
process.exitCode = report('compare', figures) ? 0 : 1;
