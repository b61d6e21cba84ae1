import { BANDS, measureStyles, outside, type Figures } from './styles/bands.js';
import { STRATEGY_NAMES } from '../src/bots/index.js';
import { seed as seedOption, whole } from '../src/command/options.js';
import { QUIET_MS, Progress } from '../src/command/progress.js';
import { bench } from './benches.js';

/** How the templates of the house's bots play, and whether that is what their names say. */

const { hands, seed } = bench('styles', {
  hands: whole('hands at one table', 20_000, { least: 1 }),
  seed: seedOption('repeats a run', 1),
});

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
const plain = (value: number) => value.toFixed(2);
const COLUMNS: readonly [figure: keyof Figures, write: (value: number) => string][] = [
  ['vpip', percent],
  ['pfr', percent],
  ['aggression', plain],
];

const progress = new Progress(hands, 'hands', QUIET_MS);
const measured = measureStyles(hands, seed, (played) => progress.show(played));
progress.clear();
console.log(`${hands} hands of all six at one table, seed ${seed}. Figures with their bands:
`);
console.log(`${'template'.padEnd(16)}${COLUMNS.map(([figure]) => figure.padEnd(26)).join('')}`);
for (const name of STRATEGY_NAMES) {
  const wrong = outside(measured[name], BANDS[name]);
  const cells = COLUMNS.map(([figure, write]) => {
    const [low, high] = BANDS[name][figure];
    const mark = wrong.includes(figure) ? ' !' : '';
    return `${write(measured[name][figure])} (${write(low)} to ${write(high)})${mark}`.padEnd(26);
  });
  console.log(`${name.padEnd(16)}${cells.join('')}`.trimEnd());
  if (wrong.length > 0) process.exitCode = 1;
}
if (process.exitCode === 1) console.log('\n! outside of its band');
