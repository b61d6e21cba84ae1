import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** One measured number. `goal` and `met` are null for a figure that is only told, not judged. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  goal: number | null;
  met: boolean | null;
  /** The least and the most of all rounds, where `value` is the middle one. */
  spread?: readonly [number, number];
}

/**
 * The result of a run. A run writes bench/results/last/NAME.json. A committed result is bench/results/NAME.json:
 * `npm run generate` makes the tables of docs/explanation/performance.md of it.
 */
export interface BenchResult {
  date: string;
  command: string;
  machine: { cpu: string; cores: number; node: string };
  figures: Figure[];
}

/** A figure without a goal. */
export const told = (name: string, value: number, unit: string): Figure => ({
  name,
  value,
  unit,
  goal: null,
  met: null,
});

/** A figure that should reach `goal` or more. */
export const atLeast = (name: string, value: number, unit: string, goal: number): Figure => ({
  name,
  value,
  unit,
  goal,
  met: value >= goal,
});

/** A figure that should stay at `goal` or below. */
export const atMost = (name: string, value: number, unit: string, goal: number): Figure => ({
  name,
  value,
  unit,
  goal,
  met: value <= goal,
});

/** The middle one of some rounds, with their spread. Judged is the middle. */
export function ofRounds(values: readonly number[], figure: (middle: number) => Figure): Figure {
  const judged = figure(median(values));
  return values.length < 2 ? judged : { ...judged, spread: [Math.min(...values), Math.max(...values)] };
}

/** The middle value (the mean of the two middle ones); NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** The value that a share `q` of all does not exceed; NaN of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

const machine = () => ({ cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version });

/** Prints the figures as a text table, without keeping them: for a part of a bench. Returns whether every goal is met. */
export function show(name: string, figures: readonly Figure[]): boolean {
  const { cpu, cores, node } = machine();
  console.log(`\n${name}: ${cpu}, ${cores} cores, Node ${node}\n\n${table(figures)}`);
  return figures.every((figure) => figure.met !== false);
}

/**
 * Prints the figures as a text table and writes them to bench/results/last/`name`.json, with command and machine.
 * Returns whether every goal is met. Compiled benches run from dist/bench, hence the two steps up to the project.
 */
export function report(name: string, figures: readonly Figure[]): boolean {
  const command = ['npx agent-poker bench', name, ...process.argv.slice(2)].join(' ');
  const result: BenchResult = { date: new Date().toISOString(), command, machine: machine(), figures: [...figures] };
  const folder = join(import.meta.dirname, '..', '..', 'bench', 'results', 'last');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  return show(name, figures);
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    number(figure.value),
    figure.unit,
    figure.spread === undefined ? '' : figure.spread.map(number).join(' to '),
    figure.goal === null ? '' : number(figure.goal),
    figure.met === null ? '' : figure.met ? 'met' : 'MISSED',
  ]);
  return columns([['figure', 'value', 'unit', 'rounds', 'goal', ''], ...rows], [1, 3, 4]);
}

/** Rows of text in columns, a line below the first; the columns of `numbers` are set to the right. */
export function columns(all: readonly (readonly string[])[], numbers: readonly number[]): string {
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (numbers.includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [line(all[0]!), rule, ...all.slice(1).map(line)].join('\n');
}

/** Four significant digits are more than a bench can promise; large numbers get thousands marks instead. */
export function number(value: number): string {
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(4)));
}
