import type { NodeId } from '../../src/nodes/peer.js';

/** So much was sent from one node to another: the sender's term of their link, and words within it. */
export type Cause = readonly [from: NodeId, to: NodeId, term: number, sent: number];

/** What was said before what a node says now, by whomever, as far as it has read what tells of it. */
export class Causes {
  readonly #known = new Map<string, Cause>();

  add(cause: Cause): void {
    const [from, to, term, sent] = cause;
    const way = `${from} ${to}`;
    const before = this.#known.get(way);
    if (before === undefined || before[2] < term || (before[2] === term && before[3] < sent)) {
      this.#known.set(way, cause);
    }
  }

  get all(): readonly Cause[] {
    return [...this.#known.values()];
  }
}
