import { DECISIONS, paceOf, type Pace } from '../table/seats/pace.js';
import type { KnownTempo } from '../table/seats/tempo.js';
import { Memory } from './memory.js';

const REMEMBERED = 20_000;
/** Nobody is parted from others by fewer decisions, unless they took so long together. */
const LEAST_DECISIONS = 3;
const LEAST_MS = 10_000;
/** An agent is parted from others once in so long at most. */
const PART_EVERY_MS = 300_000;
/** A time bank is full again for an agent that has not played for so long. */
const BANK_KEPT_MS = 600_000;

/** The pace of one agent. Times in epoch ms. */
export interface KnownPace {
  /** How long its last decisions took, the latest last, and their sum. */
  last: number[];
  sum: number;
  bankMs: number;
  /** When it was heard of last, and when it was parted from others last. */
  at: number;
  partedAt: number;
}

const NOTHING: KnownPace = { last: [], sum: 0, bankMs: 0, at: -Infinity, partedAt: -Infinity };

/** How fast agents decide, and what is left of their time banks (protocol.md, "Match-making", "Time"). Times in ms. */
export class Paces {
  readonly #of = new Memory<KnownPace>(REMEMBERED);

  /** Returns whether the agent's pace has changed. Whether its pace is another than before. */
  note(agentId: string, decisionsMs: readonly number[], bankMs: number, now: number): boolean {
    if (decisionsMs.length === 0) return false;
    const before = this.of(agentId);
    const known = this.#of.of(agentId) ?? NOTHING;
    const last = [...known.last, ...decisionsMs].slice(-DECISIONS);
    const sum = last.reduce((all, ms) => all + ms, 0);
    this.#of.set(agentId, { last, sum, bankMs, at: now, partedAt: known.partedAt });
    return this.of(agentId) !== before;
  }

  /** By the mean of its last decisions; null for an agent that has not decided anything yet. */
  of(agentId: string): Pace | null {
    const known = this.#of.of(agentId);
    return known === undefined || known.last.length === 0 ? null : paceOf(known.sum / known.last.length);
  }

  /** Whether it may be parted from players of another pace. */
  mayPart(agentId: string, now: number): boolean {
    const { last, sum, partedAt } = this.#of.of(agentId) ?? NOTHING;
    return (last.length >= LEAST_DECISIONS || sum >= LEAST_MS) && now - partedAt >= PART_EVERY_MS;
  }

  parted(agentId: string, now: number): void {
    this.#of.set(agentId, { ...(this.#of.of(agentId) ?? NOTHING), partedAt: now });
  }

  /** All that is known of an agent, for another node. */
  memoryOf(agentId: string): KnownPace | null {
    return this.#of.of(agentId) ?? null;
  }

  /** Takes over the memory of another node. */
  recall(agentId: string, known: KnownPace): void {
    this.#of.set(agentId, known);
  }

  /** For its next table, which begins a time bank with so much; null where nothing is known. */
  tempoOf(agentId: string, fullBankMs: number | null, now: number): KnownTempo | null {
    const known = this.#of.of(agentId);
    if (known === undefined || known.last.length === 0) return null;
    const { last, sum, at } = known;
    const full = fullBankMs ?? 0;
    const bankMs = now - at < BANK_KEPT_MS ? Math.min(full, known.bankMs) : full;
    return { decisions: last.length, meanMs: sum / last.length, bankMs };
  }
}

/** Whether two may be partners; whoever is not known yet fits everybody. */
export const alike = (a: Pace | null, b: Pace | null): boolean => a === null || b === null || a === b;
