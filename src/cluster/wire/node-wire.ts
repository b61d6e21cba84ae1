import type { Answerer } from '../../gateway/ports.js';
import type { RelayedSockets, Relays } from '../../gateway/relay/ports.js';
import type { HttpRequest, Log } from '../../gateway/transport.js';
import { Forwarder, FORWARD_PATH, forwardService } from './forwarder.js';
import { InternalPort, type NodeCertificates } from './internal-port.js';
import { NOTICE_PATH, Notices } from './notices.js';
import { Peers } from './peers.js';
import { RELAY_PATH, RelayEdges } from './relay-edge.js';
import { RelayHomes } from './relay-home.js';
import { TABLE_VIEW_PATH, tableViewService, type AskedView } from './table-views.js';
import { Signatures } from './signature.js';

export interface NodeWireOptions {
  nodeId: string;
  /** CLUSTER_SECRET. */
  secret: string;
  /** `port` 0 takes a free one. */
  address: { host: string; port: number };
  tls?: NodeCertificates;
  /** Time of the database, epoch ms. */
  now: () => number;
  /** Whether this node's lease is good, and its gateway listens. */
  serves: () => boolean;
  /** The gateway's hub. */
  sockets: RelayedSockets;
  /** The gateway, asked once it listens. */
  answerer: () => Pick<Answerer, 'http'>;
  clientIp: (request: HttpRequest) => string;
  /** A view of a table of this node, as JSON text; null: there is no such table for spectators. */
  tableView: (asked: AskedView) => Promise<string | null>;
  /** Unsent bytes of one relay at most: above SOCKET_BUFFER_BYTES. */
  bufferLimit: number;
  log: Log;
  /** How often a relay is pinged, in ms; default RELAY_BEAT_MS. */
  beatMs?: number;
}

/** Messages to other nodes since the start: of relays from home to edge, from edge to home, and calls. */
export interface SentToNodes {
  frame: number;
  message: number;
  call: number;
}

/** All that passes between this node and the others. */
export class NodeWire {
  private constructor(
    /** Messages to other nodes, by their kind. */
    readonly sent: () => SentToNodes,
    readonly port: InternalPort,
    readonly peers: Peers,
    readonly notices: Notices,
    readonly forwarder: Forwarder,
    readonly relays: Relays,
  ) {}

  /** Rejects where the address cannot be had. */
  static async listen(options: NodeWireOptions): Promise<NodeWire> {
    const { nodeId, secret, now, tls, log, sockets, bufferLimit, beatMs } = options;
    const signatures = new Signatures({ secret, nodeId, now });
    const peers = new Peers({ signatures, ...(tls && { tls }) });
    const notices = new Notices(peers, log);
    const beat = beatMs === undefined ? {} : { beatMs };
    const homes = new RelayHomes({ sockets, bufferLimit, log, ...beat });
    const edges = new RelayEdges({ peers, log, ...beat });
    const port = await InternalPort.listen({
      address: options.address,
      signatures,
      serves: options.serves,
      log,
      ...(tls && { tls }),
      calls: {
        [NOTICE_PATH]: notices.serve,
        [FORWARD_PATH]: forwardService(options.answerer),
        [TABLE_VIEW_PATH]: tableViewService(options.tableView),
      },
      sockets: { [RELAY_PATH]: homes.serve },
    });
    const relays: Relays = {
      nodeId,
      open: (node, opening, listener) => edges.open(node, opening, listener),
      publish: (topic, frames) => homes.publish(topic, frames),
    };
    const sent = () => ({ frame: homes.sent.count, message: edges.sent.count, call: peers.calls });
    return new NodeWire(sent, port, peers, notices, new Forwarder(peers, options.clientIp), relays);
  }

  /** Ends all calls and relays. Sockets end before, with a code of their own. */
  async close(): Promise<void> {
    this.peers.close();
    await this.port.close();
  }
}
