import { Detail, HttpError } from '../protocol/rest/errors.js';
import { ipLimitKey } from './ip.js';
import { SlidingWindow } from './sliding-window.js';
import { Turns } from './turns.js';

/** Keys that nobody holds, a minute and address: more than anybody's typing errors. */
export const MAX_UNKNOWN_KEYS = 30;
const WINDOW_MS = 60_000;
/** Look-ups for strangers under way, of one address and of all together. */
const OF_ADDRESS = 2;
const OF_ALL = 16;
/** The most look-ups of one address that wait: each holds its request meanwhile. */
export const MAX_WAITING = 1000;
/** So long at most: what is slow then is the database. */
const TURN_MS = 15_000;
/** When it is worth trying again where so many wait. */
const CROWDED_MS = 1000;

export interface UnknownKeysOptions {
  /** Whether the key or token was found good before: its holder is no stranger, wherever it comes from. */
  known(credential: string): boolean;
  /** ms of a clock that never goes back. */
  now(): number;
  /** ms that a look-up waits for its turn at most. */
  turnMs?: number;
}

interface Address {
  /** Keys that nobody holds. */
  unknown: SlidingWindow;
  turns: Turns;
}

/**
 * Look-ups of unknown keys. Each costs a query. So an address has a limit of look-ups at a time, and a limit of unknown
 * keys a minute, over REST and WebSocket together. Beyond it, only known keys are let through from there.
 */
export class UnknownKeys {
  readonly #byAddress = new Map<string, Address>();
  readonly #turns: Turns;
  readonly #sweep: NodeJS.Timeout;

  constructor(private readonly options: UnknownKeysOptions) {
    this.#turns = this.#turnsOf(OF_ALL);
    this.#sweep = setInterval(() => this.#forget(), WINDOW_MS).unref();
  }

  /** ms until the address may ask about this key; 0: now. */
  wait(ip: string, credential: string): number {
    const wait = this.#byAddress.get(ipLimitKey(ip))?.unknown.wait(this.options.now()) ?? 0;
    return wait > 0 && this.options.known(credential) ? 0 : wait;
  }

  /**
   * Resolves to the result of the look-up. An unknown key counts. Throws HttpError 429 if too many were unknown, or too
   * many wait. It checks again when the turn has come, since earlier look-ups may have used up the limit. Throws 503 if
   * the turn does not come.
   */
  async ask<T>(ip: string, credential: string, lookUp: (credential: string) => Promise<T | null>): Promise<T | null> {
    this.#require(this.wait(ip, credential));
    const look = async () => {
      const found = await lookUp(credential);
      if (found === null) this.#addressOf(ip).unknown.take(this.options.now());
      return found;
    };
    if (this.options.known(credential)) return look();
    const { turns } = this.#addressOf(ip);
    this.#require(turns.waiting < MAX_WAITING ? 0 : CROWDED_MS);
    return turns.take(() =>
      this.#turns.take(() => {
        this.#require(this.wait(ip, credential));
        return look();
      }),
    );
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  #turnsOf(atOnce: number): Turns {
    return new Turns(atOnce, this.options.turnMs ?? TURN_MS, tooSlow);
  }

  #require(waitMs: number): void {
    if (waitMs > 0) throw tooManyRequests(waitMs);
  }

  #addressOf(ip: string): Address {
    const key = ipLimitKey(ip);
    let address = this.#byAddress.get(key);
    if (address === undefined) {
      address = { unknown: new SlidingWindow(MAX_UNKNOWN_KEYS, WINDOW_MS), turns: this.#turnsOf(OF_ADDRESS) };
      this.#byAddress.set(key, address);
    }
    return address;
  }

  #forget(): void {
    const now = this.options.now();
    for (const [key, { unknown, turns }] of this.#byAddress) {
      if (unknown.isEmpty(now) && turns.isIdle) this.#byAddress.delete(key);
    }
  }
}

export function tooManyRequests(waitMs: number): HttpError {
  return new HttpError(429, Detail.tooManyRequests, { 'retry-after': String(Math.ceil(waitMs / 1000)) });
}

const tooSlow = () => new HttpError(503, Detail.databaseAway, { 'retry-after': '1' });
