import { NodeWire } from '../../src/cluster/wire/node-wire.js';
import { credentialHash, credentialOf } from '../../src/gateway/credentials.js';
import { transportOptions, type Gateway, type GatewayConfig } from '../../src/gateway/gateway.js';
import { clientIp, ipLimitKey } from '../../src/gateway/ip.js';
import { chooseTransport } from '../../src/gateway/listen.js';
import type { Registry } from '../../src/gateway/ports.js';
import { SocketHub } from '../../src/gateway/sockets.js';
import { WATCH_PATHS, type HttpRequest, type Log, type Transport } from '../../src/gateway/transport.js';
import { CLOSE_REASONS, CloseCode } from '../../src/protocol/codes.js';

const isLoopback = (address: string) => /^((::ffff:)?127\.|::1$)/.test(address);

/** Two nodes: a gateway with all sessions, and an edge with all clients. */

export const [HOME, EDGE] = ['a', 'b'].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`) as [
  string,
  string,
];

interface EdgeOptions {
  config: GatewayConfig;
  home: Gateway;
  log: Log;
  now: () => number;
}

export class Edge {
  #transport: Transport | null = null;
  #wires: NodeWire[] = [];
  readonly hub: SocketHub;

  constructor(private readonly options: EdgeOptions) {
    const { config, log, now } = options;
    this.hub = new SocketHub({
      messagesPerSecond: config.WS_MESSAGES_PER_SECOND,
      bufferBytes: config.SOCKET_BUFFER_BYTES,
      deferMs: config.COALESCE_MS,
      delayHands: config.SPECTATE_DELAY_HANDS,
      clientIp: (request) => this.#ip(request),
      now,
      log,
    });
  }

  #ip(request: HttpRequest): string {
    return clientIp(request, this.options.config.TRUSTED_PROXY);
  }

  async #wire(nodeId: string, sockets: SocketHub): Promise<NodeWire> {
    const wire = await NodeWire.listen({
      nodeId,
      secret: 'secret',
      address: { host: '127.0.0.1', port: 0 },
      now: Date.now,
      serves: () => true,
      sockets,
      answerer: () => this.options.home.answerer,
      tableView: () => Promise.resolve(null),
      clientIp: (request) => this.#ip(request),
      bufferLimit: this.options.config.SOCKET_BUFFER_BYTES + 16 * 1024 * 1024,
      log: this.options.log,
    });
    this.#wires.push(wire);
    return wire;
  }

  /** Begins before the home listens. Resolves to the wire for the home. */
  async begin(): Promise<NodeWire> {
    const { home } = this.options;
    const [homeWire, edgeWire] = [await this.#wire(HOME, home.hub), await this.#wire(EDGE, this.hub)];
    const nodes = [
      { nodeId: HOME, address: `127.0.0.1:${homeWire.port.port}` },
      { nodeId: EDGE, address: `127.0.0.1:${edgeWire.port.port}` },
    ];
    for (const wire of this.#wires) wire.peers.set(nodes);
    const registry: Registry = {
      opened: (socket) => this.hub.relay(socket, HOME, null),
      watching: (socket) => this.hub.relayWatch(socket, HOME, { agentId: null }),
      message: () => undefined,
      mishap: () => undefined,
      closed: () => undefined,
    };
    const publish = (topic: string, frames: readonly Uint8Array[]) => this.#transport?.publish(topic, frames);
    this.hub.serve({ registry, link: noShard, relays: edgeWire.relays }, publish);
    return homeWire;
  }

  /** Starts the edge, once the home listens. */
  async listen(): Promise<void> {
    const { config, home, log } = this.options;
    const open = chooseTransport(config.TRANSPORT, log);
    this.#transport = await open(
      { ...transportOptions(config), port: 0, log },
      {
        http: (request) => home.answerer.http(request),
        admit: (request) =>
          home.answerer.admit(this.#ip(request), credentialOf(request), WATCH_PATHS.includes(request.path)),
        clientKey: (request) => (isLoopback(request.remote) ? null : ipLimitKey(this.#ip(request))),
        open: (socket, request) => this.hub.open(socket, request),
      },
    );
  }

  get port(): number {
    return this.#transport?.port ?? 0;
  }

  /** Closes after the home, which has ended all sessions. */
  async close(): Promise<void> {
    const [homeWire, edgeWire] = this.#wires;
    await homeWire?.close();
    await this.#transport?.close(CloseCode.draining, CLOSE_REASONS[CloseCode.draining]);
    this.hub.stop();
    await edgeWire?.close();
  }
}

const noShard = () => {
  throw new Error('the edge has no shards');
};

const keys = new Map(Array.from({ length: 1000 }, (_, n) => [credentialHash(`key-${n}`).hash, `key-${n}`]));

/** The key `key-N` with this hash, or the hash itself. */
export const keyOf = (hash: string): string => keys.get(hash) ?? hash;
