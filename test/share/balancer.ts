import { createHash } from 'node:crypto';
import type { Dice } from '../sim/dice.js';
import type { ShareNode } from './node.js';

/**
 * Which node a client's socket opens at. `hash`: by its key, so that a client comes to the same node unless that is down
 * (rendezvous hashing, like HAProxy's consistent hash). `any`: by chance, as where processes share a port.
 */
export class Balancer {
  readonly #nodes = new Map<number, ShareNode>();
  readonly #weights = new Map<string, number>();

  constructor(
    private readonly by: 'hash' | 'any',
    private readonly dice: Dice,
  ) {}

  add(node: ShareNode): void {
    if (node.listens) this.#nodes.set(node.slot, node);
  }

  delete(node: ShareNode): void {
    if (this.#nodes.get(node.slot) === node) this.#nodes.delete(node.slot);
  }

  /** Undefined: no node is there. */
  nodeFor(key: string): ShareNode | undefined {
    const nodes = [...this.#nodes.values()];
    if (nodes.length === 0) return undefined;
    if (this.by === 'any') return this.dice.pick(nodes);
    return nodes.reduce((best, node) => (this.#weight(key, node) > this.#weight(key, best) ? node : best));
  }

  #weight(key: string, { slot }: ShareNode): number {
    const name = `${key} ${slot}`;
    const known = this.#weights.get(name);
    if (known !== undefined) return known;
    const weight = createHash('sha256').update(name).digest().readUInt32BE(0);
    this.#weights.set(name, weight);
    return weight;
  }
}
