import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { number, type BenchResult, type Figure } from '../../bench/report.js';

/** Prints the table of committed bench results (bench/results/NAME.json) into docs/explanation/performance.md. */

const PAGE = 'docs/explanation/performance.md';
const BEGIN = '<!-- figures: written by npm run generate from bench/results; do not edit -->';
const END = '<!-- end of figures -->';

/** The order of the table: what a hand costs first. Results without a place follow by name. */
const ORDER = [
  'served',
  'served-paced',
  'lean',
  'engine',
  'selfplay',
  'fair',
  'growth',
  'growth-stored',
  'connections',
];

/** The page with its table written anew, by path from the project's folder `root`. */
export async function figurePages(root: string): Promise<Record<string, string>> {
  const page = await readFile(join(root, PAGE), 'utf8');
  const style = await resolveConfig(join(root, PAGE));
  return { [PAGE]: await format(withTable(page, await results(root)), { ...style, parser: 'markdown' }) };
}

async function results(root: string): Promise<BenchResult[]> {
  const folder = join(root, 'bench/results');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
  const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as BenchResult),
  );
}

/** Throws where the page has no place for the table. */
export function withTable(page: string, all: readonly BenchResult[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${PAGE} has no lines "${BEGIN}" and "${END}"`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${tableOf(all)}\n\n${page.slice(end)}`;
}

function tableOf(all: readonly BenchResult[]): string {
  const rows = all.flatMap(({ command, figures }) =>
    figures.map((figure, n) => [n === 0 ? `\`${short(command)}\`` : '', figure.name, valueOf(figure), goalOf(figure)]),
  );
  return [['command', 'figure', 'value', 'goal'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The page says once that benches are run by `npx agent-poker`. */
const short = (command: string) => command.replace(/^npx agent-poker /, '');

/** The value, with the least and the most of the rounds in brackets. */
function valueOf({ value, unit, spread }: Figure): string {
  const rounds = spread === undefined ? '' : ` (${spread.map(number).join(' to ')})`;
  return `${number(value)}${rounds} ${unit}`;
}

/** A result has no direction of its goal: `met` tells it, as a figure on the wrong side is not met. */
function goalOf({ value, goal, met }: Figure): string {
  if (goal === null) return '';
  const isLeast = met === value >= goal && value !== goal;
  return `${isLeast ? 'at least' : 'at most'} ${number(goal)}${met === true ? '' : ', missed'}`;
}
