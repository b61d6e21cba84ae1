import { seededRandom } from '../src/cards/shuffle.js';
import { seed as seedOption, whole } from '../src/command/options.js';
import { Progress, QUIET_MS } from '../src/command/progress.js';
import { bench } from './benches.js';
import { FIRST_FIXED, halfWidths, playLeague, playResults } from './coverage/leagues.js';
import { atLeast, report, told, type Figure } from './report.js';

/**
 * How often the true mean stays in the interval at all looks: leagues of the house's styles, with a look after each
 * hand. The results of each style are played once and drawn with replacement, so their mean is the true one.
 */

const { leagues, hands, played, seed } = bench(
  'coverage',
  {
    leagues: whole('leagues, a sixth of them for each style', 10_000, { least: 6 }),
    hands: whole('hands of a league', 2000, { least: FIRST_FIXED }),
    played: whole('hands of all six styles that the results are drawn from', 20_000, { least: 1000 }),
    seed: seedOption('repeats a run', 1),
  },
  ({ leagues, hands }) => 10 + leagues * hands * 2e-6,
);

const styles = playResults(played, seed);
const random = seededRandom(seed + 100);
const progress = new Progress(leagues, 'leagues', QUIET_MS);
const held = { anytime: 0, fixed: 0 };
const byStyle = styles.map(() => ({ leagues: 0, held: 0 }));
for (let league = 0; league < leagues; league++) {
  const style = league % styles.length;
  const left = playLeague(styles[style]!, hands, random);
  held.anytime += Number(!left.anytime);
  held.fixed += Number(!left.fixed);
  byStyle[style]!.leagues++;
  byStyle[style]!.held += Number(!left.anytime);
  progress.show(league + 1);
}
progress.clear();

const percent = (part: number, whole: number) => (100 * part) / whole;
const worst = Math.min(...byStyle.map((style) => percent(style.held, style.leagues)));
const means = styles.map(({ style, mean }) => `${style} ${(100 * mean).toFixed(1)}`);
console.log(`${leagues} leagues of ${hands} hands, a look after each; true means in bb/100: ${means.join(', ')}`);

const figures: Figure[] = [
  atLeast('leagues whose interval held the true mean at all looks', percent(held.anytime, leagues), '%', 95),
  atLeast('the same of the style with the fewest', worst, '%', 95),
  told(`a fixed-n interval at all looks from hand ${FIRST_FIXED} on`, percent(held.fixed, leagues), '%'),
];
for (const count of [300, 1000, 10_000, 100_000, 300_000]) {
  const widths = styles.map((style) => halfWidths(style, count));
  const mean = (which: 'anytime' | 'fixed') => widths.reduce((sum, width) => sum + width[which], 0) / widths.length;
  const after = `after ${count.toLocaleString('en-US')} hands`;
  figures.push(
    told(`half the width ${after}, mean of the styles`, mean('anytime'), 'bb/100'),
    told(`half the fixed-n width ${after}`, mean('fixed'), 'bb/100'),
  );
}
process.exitCode = report('coverage', figures) ? 0 : 1;
