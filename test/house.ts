/** `npm run house`: how large the house is, beside its goals. Exit code 0 always: CI prints it as a report. */
import { columns } from '../src/command/columns.js';
import { command, flag } from '../src/command/options.js';
import { house } from './house-figures.js';

const { values } = command({
  name: 'npm run house',
  purpose: 'Tells how large the project is, beside its goals.',
  takes: 'a second',
  options: { names: flag('names what stands behind the figures') },
});

const { figures, names } = house();
const text = (number: number) => number.toLocaleString('en-US', { maximumFractionDigits: 2 });
const rows = figures.map(({ name, value, goal, least = false }) => [
  name,
  text(value),
  `${least ? '≥' : '≤'} ${text(goal)}`,
  (least ? value >= goal : value <= goal) ? '' : 'missed',
]);
console.log(columns(rows, 1).join('\n'));
if (values.names) console.log(['', ...names.twice, '', ...names.small].join('\n'));
