import { createHash, timingSafeEqual } from 'node:crypto';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { ipLimitKey } from './ip.js';
import { SlidingWindow } from './sliding-window.js';
import { tooManyRequests } from './unknown-keys.js';

/** Wrong keys, a minute and address: more than anybody's typing errors. */
export const MAX_WRONG_KEYS = 10;
const WINDOW_MS = 60_000;

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether an Authorization header carries the key, in a time that tells nothing of it. */
export function bearerOf(adminKey: string): (authorization: string) => boolean {
  const expected = digest(`Bearer ${adminKey}`);
  return (authorization) => timingSafeEqual(digest(authorization), expected);
}

/**
 * The operator's rights: they belong to the bearer of ADMIN_KEY, and to a user signed in as the platform's own agent
 * (the router checks that). Without the setting nobody has them. An address with too many wrong keys waits before any
 * further key, so guessing is no faster.
 */
export class OperatorKey {
  /** Whether there is anything for an operator at all. */
  readonly isSet: boolean;
  readonly #isRight: (authorization: string) => boolean;
  /** By address. */
  readonly #wrong = new Map<string, SlidingWindow>();
  readonly #sweep: NodeJS.Timeout;

  constructor(
    adminKey: string | undefined,
    /** ms of a clock that never goes back. */
    private readonly now: () => number,
  ) {
    this.isSet = adminKey !== undefined;
    this.#isRight = adminKey === undefined ? () => false : bearerOf(adminKey);
    this.#sweep = setInterval(() => this.#forget(), WINDOW_MS).unref();
  }

  /** Throws HttpError 401, or 429 where that came too often. */
  require(ip: string, authorization: string): void {
    const address = ipLimitKey(ip);
    const wrong = this.#wrong.get(address) ?? new SlidingWindow(MAX_WRONG_KEYS, WINDOW_MS);
    const waitMs = wrong.wait(this.now());
    if (waitMs > 0) throw tooManyRequests(waitMs);
    if (this.#isRight(authorization)) return;
    wrong.take(this.now());
    this.#wrong.set(address, wrong);
    throw new HttpError(401, Detail.unauthorized, { 'www-authenticate': 'Bearer' });
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  #forget(): void {
    for (const [address, wrong] of this.#wrong) if (wrong.isEmpty(this.now())) this.#wrong.delete(address);
  }
}
