import { setTimeout as sleep } from 'node:timers/promises';
import { Bot } from './bot.js';
import { isLeanBot } from './frames.js';
import type { OrderAnswer, Coming, CrowdOptions } from './orders.js';
import { LoadPace } from './pace.js';
import { LoadTally } from './tally.js';

/** Handshakes under way at a time: more would only wait in the server's queue. */
const CONNECTING = 100;

/** Reads along on one socket. */
export interface Witness {
  /** Frames so far. */
  readonly checked: number;
  readonly done: boolean;
  /** Throws an Error that tells what is wrong with the frame. */
  see(text: string): void;
}

/** All bots of a process. */
export class Crowd {
  readonly #tally = new LoadTally();
  readonly #pace = new LoadPace();
  readonly #bots: Bot[] = [];
  readonly #gone = new Set<Bot>();
  /** Bots that were greeted once, and seated once. */
  #greeted = 0;
  #seated = 0;
  /** Bots that `sit` has sent to the lobby. */
  #joined = 0;
  #closing = false;
  #late = false;
  readonly #waiting = new Set<() => void>();

  constructor(
    private readonly options: CrowdOptions,
    private readonly witness: Witness | null = null,
  ) {}

  /** Resolves when every bot is connected and was greeted; rejects when one is refused. */
  static async connect(options: CrowdOptions, witness: Witness | null = null): Promise<Crowd> {
    const crowd = new Crowd(options, witness);
    const { length } = options.apiKeys;
    for (let first = 0; first < length; first += CONNECTING) {
      const last = Math.min(length, first + CONNECTING);
      for (let i = first; i < last; i++) crowd.#add(i).open();
      await crowd.#until(() => crowd.#greeted >= last || crowd.#failed);
      if (crowd.#failed) {
        crowd.close();
        throw new Error(`a socket was refused: ${Object.keys(crowd.#tally.values.refusals).join(', ')}`);
      }
    }
    return crowd;
  }

  /**
   * Bots join one after the other, so that tables fill in the order of numbers. Players that come together are spread
   * over more tables than needed. Only the second at a new table is not waited for by the first. `next`: so many of the
   * bots that have not joined yet, by default all. Resolves when they sit.
   */
  async sit(next = this.#bots.length): Promise<void> {
    const last = Math.min(this.#bots.length, this.#joined + next);
    for (; this.#joined < last; this.#joined++) {
      this.#bots[this.#joined]!.join();
      await this.#until(() => this.#seated >= this.#joined);
    }
    await this.#until(() => this.#seated >= last);
  }

  /** They connect over a while, join as soon as they may, and go on whatever comes. */
  async come({ rampMs, inOrder }: Coming): Promise<void> {
    const { length } = this.options.apiKeys;
    const began = performance.now();
    for (let i = 0; i < length && !this.#closing; i++) {
      const bot = this.#add(i);
      bot.open();
      if (inOrder) await this.#until(() => bot.isUp || this.#closing);
      bot.join();
      if (inOrder) await this.#until(() => this.#seated >= i || this.#closing);
      const wait = began + ((i + 1) * rampMs) / length - performance.now();
      if (wait > 0) await sleep(wait);
    }
  }

  /** Up to now no turn was answered. */
  play(): void {
    this.#pace.start();
  }

  /** No turn is answered until they play again. */
  halt(): void {
    this.#pace.halt();
  }

  /** Calls `listener` for every frame of every bot. */
  tap(listener: (bot: number, text: string) => void): void {
    for (const [index, bot] of this.#bots.entries()) bot.tap = (text) => listener(index, text);
  }

  /** Hands finished since the beginning. */
  get hands(): number {
    return this.#tally.hands;
  }

  pace(handsPerSecond: number): void {
    this.#tally.countUncorrected();
    this.#pace.hold(handsPerSecond, () => this.#tally);
  }

  think(ms: number): void {
    this.#pace.think(ms);
  }

  begin(): void {
    if (this.#bots[0] !== undefined) this.#bots[0].tap = null;
    this.#pace.settle();
    this.#tally.begin();
  }

  /** Resolves when nobody has a seat any more, or when the patience is over; the sockets are still open. */
  async leave(patienceMs: number): Promise<void> {
    this.#closing = true;
    this.#pace.end();
    const late = setTimeout(() => this.#progress(() => (this.#late = true)), patienceMs);
    for (const bot of this.#bots) bot.leave();
    await this.#until(() => this.#gone.size === this.#bots.length || this.#late);
    clearTimeout(late);
  }

  close(): void {
    this.#closing = true;
    this.#pace.end();
    for (const bot of this.#bots) bot.close();
  }

  answer(withTally: boolean): OrderAnswer {
    return {
      tally: withTally ? this.#tally.values : null,
      up: this.#bots.filter((bot) => bot.isUp).length,
      seated: this.#bots.filter((bot) => bot.isSeated).length,
      checked: this.witness?.checked ?? 0,
    };
  }

  get #failed(): boolean {
    return this.#tally.hasRefusals;
  }

  #add(index: number): Bot {
    const { apiKeys, target, seed, first, from, tableOf, leanPercent } = this.options;
    const address = from[index % from.length];
    const bot: Bot = new Bot({
      target,
      apiKey: apiKeys[index]!,
      ...(address === undefined ? {} : { from: address }),
      number: first + index,
      lean: isLeanBot(first + index, leanPercent),
      seed,
      tally: this.#tally,
      pace: this.#pace,
      tableKey: tableOf === null ? (id) => id : () => String(Math.floor(index / tableOf)),
      onGreeted: once(() => this.#progress(() => this.#greeted++)),
      onSeated: once(() => this.#progress(() => this.#seated++)),
      onRefused: () => this.#progress(),
      onGone: () => this.#progress(() => this.#gone.add(bot)),
    });
    if (index === 0 && this.witness !== null) this.#readAlong(bot, this.witness);
    this.#bots.push(bot);
    return bot;
  }

  #readAlong(bot: Bot, witness: Witness): void {
    bot.tap = (text) => {
      try {
        witness.see(text);
      } catch (error) {
        this.#tally.note('faults', (error as Error).message);
      }
      if (witness.done) bot.tap = null;
    };
  }

  #progress(step?: () => void): void {
    step?.();
    for (const look of this.#waiting) look();
  }

  #until(reached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!reached()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}

/** The same, but for the first time only. */
function once(step: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    step();
  };
}
