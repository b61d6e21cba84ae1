import { Bot } from './bot.js';
import type { Answer, CrowdOptions } from './orders.js';
import { Pace } from './pace.js';
import { Tally } from './tally.js';
import { Witness } from './witness.js';

/** Handshakes under way at a time: more would only wait in the server's queue. */
const CONNECTING = 100;

/** All bots of a process. */
export class Crowd {
  readonly #tally = new Tally();
  readonly #pace = new Pace();
  readonly #bots: Bot[] = [];
  readonly #witness: Witness | null;
  #greeted = 0;
  #seated = 0;
  #onProgress: () => void = () => undefined;

  private constructor(private readonly options: CrowdOptions) {
    this.#witness = options.witness === null ? null : new Witness(options.witness.hash);
  }

  /** Resolves when every bot is connected and was greeted. */
  static async connect(options: CrowdOptions): Promise<Crowd> {
    const crowd = new Crowd(options);
    for (let first = 0; first < options.apiKeys.length; first += CONNECTING) {
      const group = options.apiKeys.slice(first, first + CONNECTING);
      await Promise.all(group.map((apiKey, i) => crowd.#add(apiKey, first + i).opened));
    }
    await crowd.#until(() => crowd.#greeted === options.apiKeys.length);
    return crowd;
  }

  /**
   * Joins one after the other, so that tables are filled in the order of numbers: players who come together are dealt
   * out to more tables than need be. Only the second at a new table is not waited for by the first. Resolves when all
   * sit.
   */
  async sit(): Promise<void> {
    for (const [index, bot] of this.#bots.entries()) {
      bot.join();
      await this.#until(() => this.#seated >= index);
    }
    await this.#until(() => this.#seated >= this.#bots.length);
  }

  /** Up to now no turn was answered. */
  play(): void {
    this.#pace.start();
  }

  /** Calls `listener` for every frame of every bot. */
  tap(listener: (bot: number, text: string) => void): void {
    for (const [index, bot] of this.#bots.entries()) bot.tap = (text) => listener(index, text);
  }

  /** Hands finished since it began to count. */
  get hands(): number {
    return this.#tally.hands;
  }

  pace(handsPerSecond: number): void {
    this.#pace.hold(handsPerSecond, () => this.hands);
  }

  begin(): void {
    if (this.#bots[0] !== undefined) this.#bots[0].tap = null;
    // The mean is settled by now; to count from zero would confuse it.
    this.#pace.settle();
    this.#tally.clear();
  }

  leave(): void {
    for (const bot of this.#bots) bot.close();
  }

  answer(withTally: boolean): Answer {
    const open = this.#bots.filter((bot) => bot.isOpen).length;
    return { tally: withTally ? this.#tally.values : null, open, checked: this.#witness?.checked ?? 0 };
  }

  #add(apiKey: string, index: number): Bot {
    const { target, seed, first, from } = this.options;
    const address = from[index % from.length];
    const bot = new Bot({
      target,
      apiKey,
      ...(address === undefined ? {} : { from: address }),
      number: first + index,
      seed,
      tally: this.#tally,
      think: this.#pace.think,
      onGreeted: () => this.#progress(() => this.#greeted++),
      onSeated: () => this.#progress(() => this.#seated++),
    });
    if (index === 0 && this.#witness !== null) this.#readAlong(bot, this.#witness);
    this.#bots.push(bot);
    return bot;
  }

  #readAlong(bot: Bot, witness: Witness): void {
    bot.tap = (text) => {
      try {
        witness.see(text);
      } catch (error) {
        this.#tally.fault((error as Error).message);
      }
      if (witness.done) bot.tap = null;
    };
  }

  #progress(step: () => void): void {
    step();
    this.#onProgress();
  }

  #until(reached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#onProgress = () => {
        if (reached()) resolve();
      };
      this.#onProgress();
    });
  }
}
