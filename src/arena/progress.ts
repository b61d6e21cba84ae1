const WIDTH = 30;
/** On a terminal the bar is drawn so often, in ms; elsewhere every tenth of the way is a line. */
const REDRAW_MS = 100;

/** Tells on stderr how far a match has come. */
export class Progress {
  #started = 0;
  #drawn = -Infinity;
  #lines = 0;

  constructor(
    private readonly hands: number,
    private readonly out: NodeJS.WriteStream,
  ) {}

  show(done: number): void {
    const now = performance.now();
    if (this.#started === 0) this.#started = now;
    const shown = Math.min(done, this.hands);
    if (!this.out.isTTY) {
      const tenths = Math.floor((10 * shown) / this.hands);
      if (tenths > this.#lines) this.out.write(`${shown} of ${this.hands} hands\n`);
      this.#lines = Math.max(this.#lines, tenths);
    } else if (now - this.#drawn >= REDRAW_MS || shown === this.hands) {
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
    const full = Math.round((WIDTH * shown) / this.hands);
    const speed = seconds > 0 ? shown / seconds : 0;
    const left = speed > 0 ? `, ${Math.ceil((this.hands - shown) / speed)} s left` : '';
    return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${shown}/${this.hands} hands, ${speed.toFixed(0)}/s${left}`;
  }
}
