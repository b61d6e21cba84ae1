import type { ToShard } from '../shard/messages.js';
import type { Line } from './line.js';
import type { LentShard, NodeMessage } from './node-messages.js';
import type { NodeId, Peer } from './peer.js';

export interface Lent extends LentShard {
  peer: Peer<NodeMessage>;
  line: Line<ToShard>;
  /** asked: another leader's before, and what is there is not known yet. */
  state: 'starting' | 'asked' | 'up';
  /** Since when its link is broken. */
  brokenAt: number | null;
  /** Its node leaves. */
  retires: boolean;
  drained: () => void;
}

/** Which node has which shard, by number. */
export class LentShards {
  readonly #lent = new Map<number, Lent>();
  #waiting: (() => void)[] = [];

  get size(): number {
    return this.#lent.size;
  }

  has(shard: number): boolean {
    return this.#lent.has(shard);
  }

  get(shard: number): Lent | undefined {
    return this.#lent.get(shard);
  }

  /** The one of this epoch, if the node has it. */
  find({ id }: Peer<NodeMessage>, { shard, epoch }: LentShard): Lent | undefined {
    const lent = this.#lent.get(shard);
    return lent?.epoch === epoch && lent.peer.id === id ? lent : undefined;
  }

  add(lent: Lent): void {
    this.#lent.set(lent.shard, lent);
  }

  delete(shard: number): void {
    this.#lent.delete(shard);
  }

  get all(): Lent[] {
    return [...this.#lent.values()];
  }

  /** Those of a node. */
  of(id: NodeId): Lent[] {
    return this.all.filter(({ peer }) => peer.id === id);
  }

  /** Those whose tables are known. */
  get playing(): Lent[] {
    return this.all.filter(({ state }) => state === 'up');
  }

  /** Resolves when it is so; `changed` looks again. */
  when(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#waiting = this.#waiting.filter((other) => other !== look);
        resolve();
      };
      this.#waiting = [...this.#waiting, look];
      look();
    });
  }

  changed(): void {
    for (const look of this.#waiting) look();
  }
}
