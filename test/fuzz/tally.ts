/** Counts by code and by the state of whoever asked, and what went wrong. */
export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();
  /** Violations, each with all that is needed to repeat it. At most LIMIT are kept. */
  readonly findings: string[] = [];
  total = 0;
  /** Dropped by a rate limit, so that no validator saw them. */
  limited = 0;

  count(code: string, state: string): void {
    let row = this.#counts.get(code);
    if (row === undefined) this.#counts.set(code, (row = new Map()));
    row.set(state, (row.get(state) ?? 0) + 1);
    this.total++;
    if (code === 'error rate_limited' || code === '429') this.limited++;
  }

  found(finding: string): void {
    if (this.findings.length < LIMIT) this.findings.push(finding);
  }

  /** Too much is wrong to go on. */
  get hopeless(): boolean {
    return this.findings.length >= LIMIT;
  }

  /** The part that reached a validator, 0–1. */
  get reached(): number {
    return this.total === 0 ? 0 : 1 - this.limited / this.total;
  }

  /** How often, by whoever asked or by those of one state. */
  of(code: string, state?: string): number {
    const row = this.#counts.get(code);
    return state === undefined ? sum(row?.values() ?? []) : (row?.get(state) ?? 0);
  }

  /** All states of askers and of asked things. */
  get states(): Set<string> {
    return new Set([...this.#counts.values()].flatMap((row) => [...row.keys()]));
  }

  /** A table with a row a code and a column a state, most frequent first; or the other way round. */
  table(turned = false): string {
    const states = new Map<string, Map<string, number>>();
    for (const [code, row] of this.#counts) {
      for (const [state, count] of row)
        states.set(state, (states.get(state) ?? new Map<string, number>()).set(code, count));
    }
    return turned ? tabulated('asked of', states) : tabulated('answered by', this.#counts);
  }
}

type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>;

function tabulated(corner: string, counts: Counts): string {
  const columns = [...new Set([...counts.values()].flatMap((row) => [...row.keys()]))].sort();
  const rows = [...counts]
    .map(([name, row]) => ({ name, row, all: sum(row.values()) }))
    .sort((a, b) => b.all - a.all || (a.name < b.name ? -1 : 1));
  const cells = rows.map(({ name, row, all }) => [name, ...columns.map((column) => row.get(column) ?? 0), all]);
  const totals = columns.map((column) => sum(rows.map(({ row }) => row.get(column) ?? 0)));
  return aligned([[corner, ...columns, 'all'], ...cells, ['all', ...totals, sum(totals)]]);
}

const LIMIT = 20;
const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, n) => total + n, 0);

/** Words to the left, numbers to the right. */
function aligned(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell)));
  const widths = texts[0]!.map((_, column) => Math.max(...texts.map((row) => row[column]!.length)));
  return texts
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '))
    .join('\n');
}
