import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMessage } from '../../src/protocol/server.js';
import type { HandResult } from '../support/bot.js';
import type { ForkedPlatform } from '../support/forked-platform.js';
import type { Env, TestPlatform } from '../support/platform.js';
import { ANOTHER_LIFE, CALM, Guest, type Manners } from './guest.js';
import type { Cup } from '../support/cup.js';
import { PATIENCE_MS } from '../support/limits.js';

/** Stacks run out now and then, and rebuys never end. So buy-ins, cash-outs and rebuys are always under way. */
export const LOAD: Env = { THREADS: 2, STARTING_CHIPS: 5000, REBUY_COOLDOWNS: 0 };

/** Guests at several tables, and the hands with a result that any guest got. */
export class Crowd<P extends TestPlatform = ForkedPlatform> {
  readonly guests: Guest[] = [];
  /** The table of each hand with a sent result. */
  readonly sent = new Map<string, string>();
  /** Tables that were opened again, by a jump of their table_seq. A test clears the set before the next restart. */
  readonly reopened = new Set<string>();
  /** Called with every frame of every guest. Set it before the crowd gathers. */
  onFrame: ((guest: Guest, frame: ServerMessage, text: string) => void) | null = null;
  readonly #highest = new Map<string, number>();
  readonly #listeners = new Set<(result: HandResult) => void>();

  constructor(
    readonly platform: P,
    private readonly seed: number,
    private readonly manners: Manners = CALM,
  ) {}

  /** Adds `size` guests, which come in and play. `cup`: in a competition, where each becomes a participant first. */
  async gather(size: number, cup: Pick<Cup, 'id' | 'enroll'> | null = null): Promise<void> {
    for (let n = 0; n < size; n++) {
      const account = await this.platform.register('bot');
      await cup?.enroll(account);
      const seed = this.seed + this.guests.length;
      const guest = new Guest(this.platform, account, seed, this.manners, cup?.id ?? null);
      guest.onResult = (result) => {
        this.sent.set(result.hand_id, result.table_id);
        for (const listener of [...this.#listeners]) listener(result);
      };
      const { onFrame: note } = guest;
      guest.onFrame = (frame, text) => {
        note?.(frame, text);
        if ('table_seq' in frame) this.#follow(frame.table_id, frame.table_seq);
        this.onFrame?.(guest, frame, text);
      };
      this.guests.push(guest);
    }
    await Promise.all(this.guests.slice(-size).map((guest) => guest.connect()));
  }

  /** Everybody comes in. */
  async connect(): Promise<void> {
    await Promise.all(this.guests.map((guest) => guest.connect()));
  }

  /** Resolves after `count` more sent hands. */
  async moreHands(count: number): Promise<void> {
    const goal = this.sent.size + count;
    await this.untilSent(`${goal} hands`, () => this.sent.size >= goal);
  }

  /** Calls `enough` after every result, and resolves when it holds. Rejects when play has stopped. */
  async untilSent(what: string, enough: () => boolean): Promise<void> {
    let sent = -1;
    while (!enough() && sent !== this.sent.size) {
      sent = this.sent.size;
      await this.#enoughWithin(PATIENCE_MS, enough);
    }
    if (!enough()) throw new Error(`play stopped at ${sent} hands, on the way to ${what}\n${this.describe()}`);
  }

  async #enoughWithin(ms: number, enough: () => boolean): Promise<void> {
    const stop = new AbortController();
    const listener = () => {
      if (enough()) stop.abort();
    };
    this.#listeners.add(listener);
    await sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined);
    this.#listeners.delete(listener);
  }

  /** Resolves with the close codes once every socket is closed. */
  closed(): Promise<number[]> {
    return Promise.all(this.guests.map((guest) => guest.gone()));
  }

  /** The highest table_seq of each table that any guest has read. */
  highest(): Map<string, number> {
    return new Map(this.#highest);
  }

  #follow(table: string, seq: number): void {
    const highest = this.#highest.get(table) ?? seq;
    if (seq - highest > ANOTHER_LIFE) this.reopened.add(table);
    this.#highest.set(table, Math.max(highest, seq));
  }

  /** Faults of frames or sockets since the last call. */
  faults(): string[] {
    return this.platform.faults.splice(0).map(({ message }) => message);
  }

  /** Actions refused since the last call without a fault of the guests. */
  refusals(): string[] {
    return this.guests.flatMap(({ refusals }) => refusals.splice(0));
  }

  /** The crowd's state, for the report of a failure. */
  describe(): string {
    const last = this.guests.map(({ player }) => player.describe()).join('\n');
    return `${last}\n  the log of the platform:\n${this.platform.output.slice(-4000)}`;
  }
}
