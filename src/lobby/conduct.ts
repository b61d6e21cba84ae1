import { backOff } from '../ops/backoff.js';
import { Memory } from './memory.js';

const MINUTE_MS = 60_000;
/**
 * A removal so soon after another, or after what it had to wait for that, doubles the next wait (protocol.md,
 * "Match-making").
 */
const SOON_MS = 10 * MINUTE_MS;
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
const REMEMBERED = 20_000;

/** Removals running, and until when (ms) the last of them keeps the agent from a seat. */
interface Removals {
  count: number;
  until: number;
}

/** The conduct of one agent. Times in epoch ms. */
export interface ConductMemory {
  seated: number[];
  removed: Removals | null;
}

/** How agents came to their seats and lost them lately, and how long each waits for the next. Times in ms. */
export class Conduct {
  readonly #seated = new Memory<number[]>(REMEMBERED);
  readonly #removed = new Memory<Removals>(REMEMBERED);

  /** `seatsPerMinute`: what an agent may take; for more it waits its turn. */
  constructor(private readonly seatsPerMinute: number) {}

  seated(agentId: string, now: number): void {
    this.#seated.set(agentId, [...(this.#seated.of(agentId) ?? []), now].slice(-this.seatsPerMinute));
  }

  /** It did not come back to its seat, or missed too much there. */
  removed(agentId: string, now: number): void {
    const before = this.#removed.of(agentId);
    const count = before !== undefined && now - before.until <= SOON_MS ? before.count + 1 : 1;
    const wait = count === 1 ? 0 : backOff(count - 2, FIRST_WAIT_MS, LONGEST_WAIT_MS);
    this.#removed.set(agentId, { count, until: now + wait });
  }

  /** All that is remembered of an agent, for another node. */
  memoryOf(agentId: string): ConductMemory {
    return { seated: this.#seated.of(agentId) ?? [], removed: this.#removed.of(agentId) ?? null };
  }

  /** Takes over the memory of another node. */
  recall(agentId: string, { seated, removed }: ConductMemory): void {
    if (seated.length > 0) this.#seated.set(agentId, seated);
    if (removed !== null) this.#removed.set(agentId, removed);
  }

  /** When it may be seated again; in the past where it may at once. */
  freeAt(agentId: string): number {
    const times = this.#seated.of(agentId) ?? [];
    const turn = times.length < this.seatsPerMinute ? 0 : times[0]! + MINUTE_MS;
    return Math.max(turn, this.#removed.of(agentId)?.until ?? 0);
  }
}
