import { PACES, type Pace } from '../table/seats/pace.js';
import { Memory } from './memory.js';

/** Of how many of its last decisions an agent's pace is the median. */
const DECISIONS = 50;
const REMEMBERED = 20_000;

/** How fast agents decide (PROTOCOL.md, "Match-making"). */
export class Paces {
  readonly #last = new Memory<Pace[]>(REMEMBERED);

  note(agentId: string, paces: readonly Pace[]): void {
    if (paces.length > 0) this.#last.set(agentId, [...(this.#last.of(agentId) ?? []), ...paces].slice(-DECISIONS));
  }

  /** Null for an agent that has not decided anything yet. Of an even number the faster middle counts. */
  of(agentId: string): Pace | null {
    const last = this.#last.of(agentId) ?? [];
    let upTo = 0;
    for (const pace of PACES) {
      upTo += last.filter((one) => one === pace).length;
      if (upTo > 0 && 2 * upTo >= last.length) return pace;
    }
    return null;
  }
}

/** Whether two may be partners; whoever is not known yet fits everybody. */
export const alike = (a: Pace | null, b: Pace | null): boolean => a === null || b === null || a === b;
