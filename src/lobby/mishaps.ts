import { MAX_FRAME_TEXT, type Mishap } from '../protocol/mishap.js';

/** Kept of one agent, at most. */
const EACH = 100;
/**
 * About so many characters are kept for all agents together. Those of the agent with the oldest mishap or question go
 * first.
 */
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** The bytes of a mishap besides its texts. */
const FIXED_COST = 200;
const DAY_MS = 86_400_000;

/** With the time at which the main thread heard of it, in epoch ms. */
export type NotedMishap = Mishap & { at: number };

interface Kept {
  mishaps: NotedMishap[];
  characters: number;
  /** The time of the last mishap or question. */
  touched: number;
}

/**
 * Recent mishaps of agents, in memory: the last hundred of each. They are forgotten after a day without a mishap or a
 * question.
 */
export class Mishaps {
  /** The one that was touched longest ago first. */
  readonly #of = new Map<string, Kept>();
  #characters = 0;

  constructor(private readonly most = MOST_CHARACTERS) {}

  note(agentId: string, mishap: Mishap, now: number): void {
    const kept = this.#touch(agentId, now) ?? { mishaps: [], characters: 0, touched: now };
    this.#of.set(agentId, kept);
    const noted = { ...mishap, at: now, sent: cut(mishap.sent), received: cut(mishap.received) };
    kept.mishaps.push(noted);
    this.#add(kept, costOf(noted));
    if (kept.mishaps.length > EACH) this.#add(kept, -costOf(kept.mishaps.shift()!));
    this.#forget(now);
  }

  /** The newest first. */
  of(agentId: string, now: number): readonly NotedMishap[] {
    this.#forget(now);
    return this.#touch(agentId, now)?.mishaps.toReversed() ?? [];
  }

  /** How many agents there is something of. */
  get size(): number {
    return this.#of.size;
  }

  #touch(agentId: string, now: number): Kept | undefined {
    const kept = this.#of.get(agentId);
    if (kept === undefined) return undefined;
    kept.touched = now;
    this.#of.delete(agentId);
    this.#of.set(agentId, kept);
    return kept;
  }

  #add(kept: Kept, characters: number): void {
    kept.characters += characters;
    this.#characters += characters;
  }

  #forget(now: number): void {
    for (const [agentId, kept] of this.#of) {
      if (kept.touched > now - DAY_MS && this.#characters <= this.most) return;
      this.#of.delete(agentId);
      this.#characters -= kept.characters;
    }
  }
}

const costOf = ({ message, sent, received }: Mishap) =>
  FIXED_COST + message.length + (sent?.length ?? 0) + (received?.length ?? 0);

/** A frame that is too long ends in an ellipsis. */
const cut = (text: string | null) =>
  text === null || text.length <= MAX_FRAME_TEXT ? text : `${text.slice(0, MAX_FRAME_TEXT)}…`;
