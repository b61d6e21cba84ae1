import type { Carrier, CarrierListener, Outgoing } from '../../src/nodes/carrier.js';
import type { NodeId } from '../../src/nodes/peer.js';

/** A bus between nodes within a test: as faithful, or as bad, as the test says. */
export class MemoryBus {
  readonly #listeners = new Map<NodeId, CarrierListener>();
  /** Given each post: how many copies of it arrive. */
  copies: (to: NodeId, post: Buffer) => number = () => 1;
  /** Whether those who publish hear that nobody was reached. */
  admits = true;
  up = true;
  /** Who publishes is answered then. */
  answers: Promise<void> | null = null;
  /** To whom the posts of each turn went. */
  readonly turns: NodeId[][] = [];

  carrier(own: NodeId): Carrier {
    const isUp = () => this.up;
    return {
      get up() {
        return isUp();
      },
      deafMs: 0,
      begin: async (listener) => {
        this.#listeners.set(own, listener);
        listener.up();
      },
      publish: async (posts) => {
        if (!this.up) throw new Error('the bus is away');
        this.turns.push(posts.map(({ to }) => to));
        const counts = posts.map((post) => this.#publish(post));
        await this.answers;
        return counts;
      },
      close: async () => void this.#listeners.delete(own),
    };
  }

  /** The node's connections have broken. */
  lose(id: NodeId): void {
    this.#listeners.get(id)?.lost();
  }

  #publish({ to, post }: Outgoing): number {
    const bytes = Buffer.from(post);
    const copies = this.#listeners.has(to) ? this.copies(to, bytes) : 0;
    for (let i = 0; i < copies; i++) setImmediate(() => this.#listeners.get(to)?.post(Buffer.from(bytes)));
    return this.admits && copies === 0 ? 0 : 1;
  }

  /** What nobody of them sent. */
  inject(to: NodeId, bytes: Buffer): void {
    this.#listeners.get(to)?.post(bytes);
  }
}
