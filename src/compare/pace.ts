import { signed } from '../command/columns.js';
import type { CompareTally } from './tally.js';

/** A terminal is redrawn so often, in ms; elsewhere a line is written so often. */
const [REDRAW_MS, LINE_MS] = [200, 10_000];

/** Tells on stderr how a comparison stands, and what is left of it. */
export class ComparePace {
  #shown: number;
  readonly #began = performance.now();

  constructor(
    private readonly most: number,
    private readonly out: NodeJS.WriteStream = process.stderr,
  ) {
    this.#shown = this.#began;
  }

  show(tally: CompareTally): void {
    const now = performance.now();
    const { isTTY } = this.out;
    if (now - this.#shown < (isTTY ? REDRAW_MS : LINE_MS)) return;
    this.#shown = now;
    const text = this.#text(tally, (now - this.#began) / 1000);
    this.out.write(isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  }

  clear(): void {
    if (this.out.isTTY) this.out.write('\r\x1b[K');
  }

  #text(tally: CompareTally, seconds: number): string {
    const { hands, judge, handsLeft } = tally;
    const interval = judge.interval();
    const now = interval === null ? '' : `, ${signed(100 * interval.mean, 1)} bb/100 (${signed(100 * interval.low, 1)} to ${signed(100 * interval.high, 1)})`; // prettier-ignore
    const left = Math.min(this.most - hands, handsLeft ?? Infinity);
    const time = Math.ceil((left * seconds) / hands);
    const limit = left === this.most - hands ? ' to the limit' : '';
    return `${hands} hands${now}, about ${left} hands and ${time} s left${limit}`;
  }
}
