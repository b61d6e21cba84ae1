const WIDTH = 30;
/** On a terminal the bar is drawn so often, in ms; elsewhere every tenth of the way is a line. */
const REDRAW_MS = 100;
/** For work that is mostly over before anybody wonders. */
export const QUIET_MS = 5000;

/** Tells on stderr how far a long work has come. */
export class Progress {
  readonly #started = performance.now();
  #drawn = -Infinity;
  #lines = 0;

  /** `unit`: of what there are so many to do, such as hands. A task that ends within `quietMs` is not reported. */
  constructor(
    private readonly all: number,
    private readonly unit: string,
    private readonly quietMs = 0,
    private readonly out: NodeJS.WriteStream = process.stderr,
  ) {}

  show(done: number): void {
    const now = performance.now();
    if (now - this.#started < this.quietMs) return;
    const shown = Math.min(done, this.all);
    if (!this.out.isTTY) {
      const tenths = Math.floor((10 * shown) / this.all);
      if (tenths > this.#lines) this.out.write(`${shown} of ${this.all} ${this.unit}\n`);
      this.#lines = Math.max(this.#lines, tenths);
    } else if (now - this.#drawn >= REDRAW_MS || shown === this.all) {
      this.#drawn = now;
      this.out.write(`\r\x1b[K${this.#bar(shown, (now - this.#started) / 1000)}`);
    }
  }

  /** A line of its own, above the bar. */
  note(text: string): void {
    this.clear();
    this.out.write(`${text}\n`);
  }

  clear(): void {
    if (this.out.isTTY) this.out.write('\r\x1b[K');
  }

  #bar(shown: number, seconds: number): string {
    const full = Math.round((WIDTH * shown) / this.all);
    const speed = seconds > 0 ? shown / seconds : 0;
    const left = speed > 0 ? `, ${Math.ceil((this.all - shown) / speed)} s left` : '';
    return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${shown}/${this.all} ${this.unit}, ${speed.toFixed(0)}/s${left}`;
  }
}
