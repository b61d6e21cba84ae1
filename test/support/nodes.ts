import { LinkedBus } from '../../src/nodes/bus.js';
import type { Carrier, CarrierListener, Outgoing } from '../../src/nodes/carrier.js';
import { isNodeMessage, type NodeMessage } from '../../src/nodes/node-messages.js';
import type { NodeId } from '../../src/nodes/peer.js';
import type { Log } from '../../src/gateway/transport.js';

/** What brings posts between nodes of one process: each arrives in a later turn, unless it is cut. */
export class Net {
  readonly #listeners = new Map<NodeId, CarrierListener>();
  /** Nothing gets through. */
  cut = false;
  /** So many posts from now on are lost. */
  losing = 0;

  bus(id: NodeId, log: Log, silentMs?: number): LinkedBus<NodeMessage> {
    return new LinkedBus({
      ...{ id, carrier: this.#carrier(id), check: isNodeMessage },
      log: { warn: (detail: object, message?: string) => log.warn(detail, message ?? '') } as never,
      ...(silentMs === undefined ? {} : { silentMs }),
    });
  }

  #carrier(id: NodeId): Carrier {
    return {
      up: true,
      deafMs: 0,
      begin: async (listener) => void this.#listeners.set(id, listener),
      publish: async (posts) => posts.map((post) => this.#publish(post)),
      close: async () => void this.#listeners.delete(id),
    };
  }
  #publish({ to, post }: Outgoing): number {
    const copy = Buffer.from(post);
    if (this.cut || this.losing > 0) {
      this.losing = Math.max(0, this.losing - 1);
      return 1;
    }
    const listener = this.#listeners.get(to);
    setImmediate(() => listener?.post(copy));
    return listener === undefined ? 0 : 1;
  }
}
