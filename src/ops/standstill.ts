import { performance } from 'node:perf_hooks';
import { hrtime } from 'node:process';

/** How often a thread shows that it runs, and from which gap between two signs on it counts as having stood still. */
export const TICK_MS = 50;
export const GAP_MS = 100;

/** The machine's steady clock, the same for all threads and processes, in ms. */
export const steadyMs = (): number => Number(hrtime.bigint()) / 1e6;

/** Told of a time (steady ms) in which the thread ran nothing. */
export type OnStood = (from: number, to: number) => void;

/**
 * Notices when the thread that made it stood still: blocked by code of its own, stopped, or without a CPU. Ask for the
 * time by `now` before anything is judged by it: then a standstill is told before what waited behind it is read.
 */
export class Standstill {
  readonly #toSteady = steadyMs() - performance.now();
  readonly #onStood: OnStood;
  readonly #timer: NodeJS.Timeout;
  /** The time of the last sign, by performance.now. */
  #at = performance.now();

  constructor(onStood: OnStood) {
    this.#onStood = onStood;
    this.#timer = setInterval(() => {
      this.#at = this.now();
    }, TICK_MS).unref();
  }

  /** performance.now. */
  now(): number {
    const now = performance.now();
    if (now - this.#at > GAP_MS) this.#stood(now);
    return now;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The next sign was due a tick after the last one: only what came after that was lost. */
  #stood(now: number): void {
    const from = this.#at + TICK_MS;
    this.#at = now;
    this.#onStood(this.#toSteady + from, this.#toSteady + now);
  }
}
