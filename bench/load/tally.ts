import { Histogram } from './histogram.js';

/** What the bots of one process saw in a stretch of time, as plain values. */
export interface TallyValues {
  hands: number;
  actions: number;
  frames: number;
  /** On the wire, frame headers included. */
  bytes: number;
  /** Counts of a Histogram: ms from action to action_ack. */
  acks: number[];
  /** CPU time of the bots' process. */
  cpuMs: number;
  /** How often what went wrong. */
  faults: Record<string, number>;
}

/** Counts for all bots of a process. */
export class Tally {
  hands = 0;
  actions = 0;
  frames = 0;
  bytes = 0;
  readonly acks = new Histogram();
  readonly #faults = new Map<string, number>();
  #cpu = process.cpuUsage();

  /** What went wrong is never forgotten by `clear`. */
  fault(what: string): void {
    this.#faults.set(what, (this.#faults.get(what) ?? 0) + 1);
  }

  clear(): void {
    this.hands = this.actions = this.frames = this.bytes = 0;
    this.acks.clear();
    this.#cpu = process.cpuUsage();
  }

  get values(): TallyValues {
    const { hands, actions, frames, bytes } = this;
    const { user, system } = process.cpuUsage(this.#cpu);
    const faults = Object.fromEntries(this.#faults);
    return { hands, actions, frames, bytes, acks: this.acks.counts, cpuMs: (user + system) / 1000, faults };
  }
}
