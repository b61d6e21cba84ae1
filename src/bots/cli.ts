import { parseArgs } from 'node:util';
import { STRATEGY_NAMES } from './strategies/index.js';
import { BANDS, measureStyles, outside, type Figures } from './styles.js';

/** npm run styles -- --hands 20000 --seed 1: how the templates play, and whether that is what their names say. */

const { values } = parseArgs({
  options: { hands: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const [hands, seed] = [Number(values.hands), Number(values.seed)];
if (!Number.isSafeInteger(hands) || hands < 1 || !Number.isSafeInteger(seed)) {
  console.error('--hands and --seed are whole numbers, hands at least 1');
  process.exit(2);
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
const plain = (value: number) => value.toFixed(2);
const COLUMNS: readonly [figure: keyof Figures, write: (value: number) => string][] = [
  ['vpip', percent],
  ['pfr', percent],
  ['aggression', plain],
];

const measured = measureStyles(hands, seed);
console.log(`${hands} hands of all six at one table, seed ${seed}; figures with their bands\n`);
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
