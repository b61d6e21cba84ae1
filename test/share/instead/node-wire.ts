import type { NodeWire as RealWire, NodeWireOptions } from '../../../src/cluster/wire/node-wire.js';
import type { NodeNotice, NoticeKind } from '../../../src/cluster/wire/notice-messages.js';
import type { ShareNode } from '../node.js';

type Handler = (notice: NodeNotice) => void | Promise<void>;

/** src/cluster/wire/node-wire.ts without a network: notices are calls. Sockets are relayed by the world (sockets.ts). */
export class NodeWire {
  readonly #handlers = new Map<NoticeKind, Handler>();

  private constructor(private readonly node: ShareNode) {}

  static listen({ sockets }: NodeWireOptions): Promise<RealWire> {
    const node = sockets as unknown as ShareNode;
    const wire = new NodeWire(node);
    node.hears = (notice) => wire.#handlers.get(notice.kind)?.(notice);
    return Promise.resolve(wire as unknown as RealWire);
  }

  readonly peers = {
    set: (peers: readonly { nodeId: string }[]): void => {
      this.peers.ids = peers.map(({ nodeId }) => nodeId);
    },
    ids: [] as readonly string[],
  };

  readonly notices = {
    on: (kind: NoticeKind, handler: Handler): void => void this.#handlers.set(kind, handler),
    tell: (nodeId: string, notice: NodeNotice): Promise<boolean> => this.node.tell(nodeId, notice),
    tellAll: (notice: NodeNotice): Promise<boolean[]> =>
      Promise.all(this.peers.ids.map((nodeId) => this.node.tell(nodeId, notice))),
  };

  close(): Promise<void> {
    return Promise.resolve();
  }
}
