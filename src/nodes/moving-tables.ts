import type { NodeId } from './peer.js';

interface Holding {
  /** Have not said yet that they hold. */
  missing: Set<NodeId>;
  then: () => void;
}

/** Tables whose shard was others' not long ago; a node that was not heard since then may not know. */
const REMEMBERED = 1000;

/**
 * Tables that move between shards, for the leader: which nodes hold what their sockets say to them, and where the tables
 * went. A node that was not heard meanwhile is told so when it is heard again.
 */
export class MovingTables {
  readonly #holding = new Map<string, Holding>();
  readonly #lately = new Map<string, number>();
  /** From `hold` until it has moved, or stays. */
  readonly #underWay = new Set<string>();

  /** `then` is called once all of these nodes hold; not where the table has moved, or stayed, before that. */
  hold(table: string, nodes: Iterable<NodeId>, then: () => void): void {
    this.#underWay.add(table);
    const missing = new Set(nodes);
    if (missing.size === 0) return then();
    this.#holding.set(table, { missing, then });
  }

  /** False where the table is not under way: the node holds for a leader before this one, or heard late. */
  holds(table: string, node: NodeId): boolean {
    const holding = this.#holding.get(table);
    if (holding?.missing.delete(node) === true && holding.missing.size === 0) {
      this.#holding.delete(table);
      holding.then();
    }
    return this.#underWay.has(table);
  }

  /** What a node has to hold that comes now. */
  get underWay(): ReadonlySet<string> {
    return this.#underWay;
  }

  /** It is that shard's, from now on or still. */
  moved(table: string, shard: number): void {
    this.#holding.delete(table);
    this.#underWay.delete(table);
    this.#lately.delete(table);
    this.#lately.set(table, shard);
    const [oldest] = this.#lately.keys();
    if (this.#lately.size > REMEMBERED) this.#lately.delete(oldest!);
  }

  get lately(): ReadonlyMap<string, number> {
    return this.#lately;
  }

  /** Tables that wait for a node which cannot be heard any more. */
  waitingFor(node: NodeId): string[] {
    return [...this.#holding].flatMap(([table, { missing }]) => (missing.has(node) ? [table] : []));
  }
}
