/** Lets so much work be under way at a time; what is beyond waits its turn, in order, and not for ever. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #underWay = 0;

  /** A turn that waits for `waitMs` gets the error. */
  constructor(
    private readonly atOnce: number,
    private readonly waitMs: number,
    private readonly late: () => Error,
  ) {}

  /** How many wait their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay >= this.atOnce) await this.#turn();
    else this.#underWay++;
    try {
      return await work();
    } finally {
      // The next in line takes the place over, so no other turn slips in.
      const [next] = this.#waiting;
      if (next === undefined) this.#underWay--;
      else next();
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(mine);
        reject(this.late());
      }, this.waitMs);
      const mine = () => {
        clearTimeout(timer);
        this.#waiting.delete(mine);
        resolve();
      };
      this.#waiting.add(mine);
    });
  }
}
