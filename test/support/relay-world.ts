import { NodeWire } from '../../src/cluster/wire/node-wire.js';
import { Gateway } from '../../src/gateway/gateway.js';
import type { HandOver, Hello, Registry, WatchHello } from '../../src/gateway/ports.js';
import type { ClientMessage } from '../../src/protocol/client.js';
import type { Mishap, SocketEnd } from '../../src/protocol/mishap.js';
import type { ToShard } from '../../src/shard/messages.js';
import type { SocketId } from '../../src/table/api.js';
import type { Scope } from './database.js';
import { keyOf } from './edge.js';
import { agentId, EventQueue, FakeLog, GATEWAY_CONFIG } from './gateway.js';

/** Nodes with a gateway each. Their registries know the home node of each key `key-N`. */

const SECRET = 'of the nodes in this test';
/** Short, so that a silent relay does not delay a test. */
const BEAT_MS = 100;

export interface RelayWorld {
  /** The home node by key. Without an entry the node itself is the home. */
  homes: Map<string, string>;
  clock: { now: number };
  log: FakeLog;
}

export interface RelayNode {
  nodeId: string;
  gateway: Gateway;
  registry: HomeRegistry;
  wire: NodeWire;
  lease: { good: boolean };
  shard: EventQueue<ToShard>;
  /** The URL of the public port. */
  url: string;
  close(): Promise<void>;
}

/** Welcomes or relays clients by `homes`, unless a test decides. */
export class HomeRegistry implements Registry {
  readonly openings = new EventQueue<{ socket: SocketId; hello: Hello }>();
  readonly watchings = new EventQueue<{ socket: SocketId; hello: WatchHello }>();
  readonly messages = new EventQueue<ClientMessage>();
  readonly mishaps = new EventQueue<Mishap>();
  readonly closings = new EventQueue<{ socket: SocketId; end: SocketEnd }>();
  decide = (socket: SocketId, hello: Hello): void => this.answer(socket, hello);
  gateway!: Gateway;

  constructor(
    private readonly nodeId: string,
    private readonly world: RelayWorld,
  ) {}

  opened(socket: SocketId, hello: Hello): void {
    this.openings.push({ socket, hello });
    this.decide(socket, hello);
  }

  answer(socket: SocketId, hello: Hello): void {
    const key = hello.shown === undefined ? (hello.apiKey ?? '') : keyOf(hello.shown.hash);
    const home = this.world.homes.get(key) ?? this.nodeId;
    const { sockets } = this.gateway;
    if (home !== this.nodeId) return sockets.relay(socket, home, hello.handOver ?? null);
    sockets.welcome(socket, { agentId: agentId(Number(key.slice(4))), name: key }, null);
  }

  watching(socket: SocketId, hello: WatchHello): void {
    this.watchings.push({ socket, hello });
  }

  message(_socket: SocketId, _agentId: string, message: ClientMessage): void {
    this.messages.push(message);
  }

  mishap(_agentId: string, mishap: Mishap): void {
    this.mishaps.push(mishap);
  }

  closed(socket: SocketId, _agentId: string | null, end: SocketEnd): void {
    this.closings.push({ socket, end });
  }
}

export const relayWorld = (): RelayWorld => ({ homes: new Map(), clock: { now: 1000 }, log: new FakeLog() });

export async function openRelayNode(
  t: Scope,
  nodeId: string,
  world: RelayWorld,
  { secret = SECRET, bufferBytes = 65_536 } = {},
): Promise<RelayNode> {
  const { clock, log } = world;
  const config = { ...GATEWAY_CONFIG, SOCKET_BUFFER_BYTES: bufferBytes };
  const gateway = new Gateway(config, { log, installation: 'test', now: () => clock.now });
  const registry = new HomeRegistry(nodeId, world);
  const lease = { good: true };
  const shard = new EventQueue<ToShard>();
  registry.gateway = gateway;
  const wire = await NodeWire.listen({
    nodeId,
    secret,
    address: { host: '127.0.0.1', port: 0 },
    now: Date.now,
    serves: () => lease.good,
    log,
    sockets: gateway.hub,
    answerer: () => gateway.answerer,
    tableView: () => Promise.resolve(null),
    clientIp: () => '',
    beatMs: BEAT_MS,
    bufferLimit: bufferBytes + 16 * 1024 * 1024,
  });
  const link = () => ({ send: (message: ToShard) => shard.push(message) });
  await gateway.listen({ registry, link, authenticate: async () => null, relays: wire.relays }, []);
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= gateway.close().then(() => wire.close()));
  t.teardown(close);
  return { nodeId, gateway, registry, wire, lease, shard, url: `ws://127.0.0.1:${gateway.port}/ws`, close };
}

/** Tells each node the internal ports of all, or `instead` in their place. */
export function acquaint(nodes: readonly RelayNode[], instead: ReadonlyMap<string, number> = new Map()): void {
  const list = nodes.map(({ nodeId, wire }) => {
    return { nodeId, address: `127.0.0.1:${instead.get(nodeId) ?? wire.port.port}` };
  });
  for (const { wire } of nodes) wire.peers.set(list);
}

export const handOver = (n: number, memory: unknown = null): HandOver => ({
  agentId: agentId(n),
  name: `key-${n}`,
  memory,
  waiting: { buyIn: 200, since: 1, greeted: true },
});
