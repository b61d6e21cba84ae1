import type { Carrier, CarrierListener } from '../../src/nodes/carrier.js';
import type { NodeId } from '../../src/nodes/peer.js';

/** A bus between nodes within a test: as faithful, or as bad, as the test says. */
export class MemoryBus {
  readonly #listeners = new Map<NodeId, CarrierListener>();
  /** Given each post: how many copies of it arrive. */
  copies: (to: NodeId, post: Buffer) => number = () => 1;
  /** Whether those who publish hear that nobody was reached. */
  admits = true;
  up = true;

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
      publish: async (to, post) => {
        if (!this.up) throw new Error('the bus is away');
        const listener = this.#listeners.get(to);
        const copies = listener === undefined ? 0 : this.copies(to, post);
        for (let i = 0; i < copies; i++) setImmediate(() => this.#listeners.get(to)?.post(Buffer.from(post)));
        return this.admits && copies === 0 ? 0 : 1;
      },
      close: async () => void this.#listeners.delete(own),
    };
  }

  /** What nobody of them sent. */
  inject(to: NodeId, bytes: Buffer): void {
    this.#listeners.get(to)?.post(bytes);
  }
}
