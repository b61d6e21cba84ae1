import { assert, assertWhole } from '../../ops/assert.js';
import { DECISIONS, LONGEST_COUNTED_MS, paceOf, type Pace } from './pace.js';

/** The known decision times of an agent, for a table that it joins. Times in ms. Times in ms. */
export interface KnownTempo {
  decisions: number;
  meanMs: number;
  /** The ms left in its time bank. */
  bankMs: number;
}

/** Added to the time bank of a player with each hand that it is dealt into. */
const REFILL_MS = 3_000;

/** How long a player's decisions take, and its time bank (protocol.md, "Time"). */
export class Tempo {
  /** How long its decisions took since the last summary, in whole ms. */
  fresh: number[] = [];
  bankMs: number;
  #decisions: number;
  #meanMs: number;

  constructor({ decisions, meanMs, bankMs }: KnownTempo) {
    assertWhole(decisions, 'the number of decisions');
    assert(bankMs >= 0, 'a time bank is not overdrawn', bankMs);
    this.#decisions = decisions;
    this.#meanMs = meanMs;
    this.bankMs = bankMs;
  }

  /** ms; null before its first decision. */
  get meanMs(): number | null {
    return this.#decisions === 0 ? null : this.#meanMs;
  }

  get pace(): Pace | null {
    return this.#decisions === 0 ? null : paceOf(this.#meanMs);
  }

  /** A decision took so long. The mean covers the last fifty decisions. The older ones count as their own mean. */
  decided(ms: number): void {
    assert(ms >= 0, 'a decision takes time', ms);
    const counted = Math.min(LONGEST_COUNTED_MS, Math.round(ms));
    this.#decisions = Math.min(DECISIONS, this.#decisions + 1);
    this.#meanMs += (counted - this.#meanMs) / this.#decisions;
    if (this.fresh.length < DECISIONS) this.fresh.push(counted);
  }

  refill(most: number): void {
    this.bankMs = Math.min(most, this.bankMs + REFILL_MS);
  }

  pack(): KnownTempo {
    return { decisions: this.#decisions, meanMs: this.#meanMs, bankMs: this.bankMs };
  }
}
