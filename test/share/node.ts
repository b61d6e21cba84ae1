import { Cluster, type ClusterOptions } from '../../src/cluster/cluster.js';
import type { NodeNotice } from '../../src/cluster/wire/notice-messages.js';
import type { Registry, Sockets } from '../../src/gateway/ports.js';
import { createLobby, SEASON_BUY_IN, stoppableClock, type PoolRules } from '../../src/lobby/index.js';
import { CloseCode } from '../../src/protocol/codes.js';
import type { SocketId } from '../../src/table/api.js';
import { TOY_RULES } from '../support/toy-shard.js';
import { ABNORMAL, DRAINING, type Connection } from './sockets.js';
import { SharePlay } from './play.js';
import { ShareShard } from './shard.js';
import { randomUUID } from '../sim/machine/crypto.js';
import type { Thread } from '../sim/machine/kernel.js';
import type { ShareWorld } from './world.js';

const LOBBY_GRACE_MS = 3000;
const DRAIN_MS = 10_000;
const LOOK_MS = 50;
/** The balancer sees that a node drains, or listens, after this. */
export const BALANCER_MS = 1000;
/** So long a process takes to start. */
const START_MS = 2000;

const POOL_RULES: PoolRules = {
  scope: null,
  table: TOY_RULES,
  buyIn: { ...SEASON_BUY_IN, outOfRange: 'default', aboveBalance: 'clamp' },
  audience: { spectators: 'public', sealed: false, delayHands: 0 },
};

/** One life of a node: the lobby and the cluster of the product, with sockets, tables and rows of this world. */
export class ShareNode {
  readonly nodeId = randomUUID();
  readonly sessions = new Map<SocketId, Connection>();
  readonly connections = new Set<Connection>();
  registry!: Registry;
  /** Sockets may open and relays may come. */
  listens = false;
  /** Set by the wire of this node. */
  hears: (notice: NodeNotice) => unknown = () => undefined;
  #lobby!: ReturnType<typeof createLobby>;
  #shard!: ShareShard;
  #cluster: Cluster | null = null;

  constructor(
    private readonly world: ShareWorld,
    /** Its place behind the balancer, which outlives it. */
    readonly slot: number,
    readonly thread: Thread,
  ) {
    thread.onEnd(() => this.#died());
  }

  async start(): Promise<void> {
    const { rows, kernel } = this.world;
    await this.#after(START_MS);
    const shardNo = await rows.statement(() => {
      rows.register(this.nodeId);
      return rows.takeShard(this.nodeId);
    });
    this.#shard = new ShareShard(shardNo, {
      rows,
      dice: this.world.dice,
      thinksMs: (agentId) => this.world.thinksMs(agentId),
      after: (ms, run) => this.#plan(ms, run),
      post: (message) => void this.#plan(0, () => this.#lobby.shards.fromShard(0, message)),
      sits: (socket, table) => this.sessions.get(socket)?.client.sits(table),
      left: (socket, table) => this.#left(socket, table),
      played: (sockets) => this.world.played(sockets.some((socket) => this.sessions.get(socket)?.isRelayed === true)),
    });
    this.#cluster = this.world.alone ? null : await Cluster.listen(this.#clusterOptions());
    this.#lobby = createLobby({
      clock: stoppableClock(),
      log: this.#log,
      sockets: this.#sockets(),
      shards: [this.#shard],
      matchmaking: { graceMs: LOBBY_GRACE_MS, separateOwners: true },
      paceGroups: true,
      seatsPerMinute: 6,
      rulesOf: () => POOL_RULES,
      capacity: 10_000,
      answerMs: 2000,
      ...(this.#cluster && { others: this.#cluster }),
    });
    this.#openLobby();
    this.#cluster?.serves(this.#part(shardNo));
    this.#lobby.shards.shardRestored(0, this.#shard.recover());
    this.listens = true;
    await this.#cluster?.start();
    kernel.later(BALANCER_MS, () => this.world.balancer.add(this));
  }

  /** Gives its tables up, ends its sockets, and ends. */
  async drain(): Promise<void> {
    const { world } = this;
    world.balancer.delete(this);
    await this.#cluster?.beginDrain();
    this.#lobby.drain();
    for (let ms = 0; !this.#shard.drain() && ms < DRAIN_MS; ms += LOOK_MS) await this.#after(LOOK_MS);
    await this.#cluster?.giveUp();
    this.listens = false;
    for (const connection of [...this.connections]) connection.cut(DRAINING);
    for (const connection of [...this.sessions.values()]) connection.cut(DRAINING);
    await this.#cluster?.stop();
    this.thread.end();
  }

  nextSocket(): SocketId {
    return this.world.nextSocket();
  }

  /** A notice to another node; false where that node is gone. */
  async tell(nodeId: string, notice: NodeNotice): Promise<boolean> {
    await this.#after(1);
    const node = this.world.nodes.get(nodeId);
    if (node === undefined) return false;
    node.#plan(0, () => void node.hears(notice));
    return true;
  }

  #died(): void {
    this.listens = false;
    this.world.died(this);
    for (const connection of [...this.connections]) connection.cut(ABNORMAL);
    for (const connection of [...this.sessions.values()]) connection.broken();
  }

  #plan(ms: number, run: () => void): () => void {
    const { kernel } = this.world;
    const task = kernel.plan(kernel.now + ms, run, this.thread);
    return () => task.cancel();
  }

  #after(ms: number): Promise<void> {
    return new Promise((resolve) => this.#plan(ms, resolve));
  }

  #openLobby(): void {
    const { control } = this.#lobby;
    const season = new SharePlay(this.world.rows, (agentId, message) => control.notify(agentId, message));
    const none = () => Promise.reject(new Error('there are no competitions here'));
    this.registry = this.#lobby.open({
      scopes: {
        season,
        competitions: { admit: none, of: () => season, shardRecovered: () => undefined },
      },
      authentication: {
        authenticate: (credential) => {
          const agentId = 'secret' in credential ? credential.secret : credential.hash;
          return this.world.rows.statement(() => this.world.identityOf(agentId));
        },
      },
    });
  }

  /** What src/platform gives the cluster. */
  #part(shardNo: number): Parameters<Cluster['serves']>[0] {
    const { node } = this.#lobby;
    return {
      has: (agentId) => node.has(agentId),
      players: () => node.players(),
      shards: () => new Map([[shardNo, node.playersOn(0)]]),
      adopt: async (tables) => {
        for (const { table } of tables) node.adopt(0, [{ ...table, rules: POOL_RULES.table }]);
      },
      placesChanged: () => node.placesChanged(),
      tableView: () => Promise.resolve(null),
      lookAfterRelayed: () => node.lookAfterRelayed(),
      lead: () => undefined,
      heard: () => Promise.resolve(),
    };
  }

  #clusterOptions(): ClusterOptions {
    const { rows, kernel } = this.world;
    const own = {
      id: this.nodeId,
      clock: { now: () => kernel.now },
      holds: true,
      judges: true,
      claim: () => rows.statement(() => rows.lead(this.nodeId)),
      end: () => rows.statement(() => rows.end(this.nodeId)),
    };
    return {
      config: { LOBBY_GRACE_MS, NODE_ADDRESS: 'memory:1' },
      store: { sql: rows, background: rows, node: own },
      gateway: { hub: this },
      fatal: (error: Error) => kernel.fail(error),
      log: this.#log,
    } as unknown as ClusterOptions;
  }

  readonly #log = {
    info: () => undefined,
    warn: () => undefined,
    error: (detail: object, text: string) =>
      this.world.kernel.fail(
        new Error(`${text}: ${JSON.stringify(detail)} ${String((detail as { err?: Error }).err?.stack)}`),
      ),
  };

  #left(socket: SocketId, table: string): void {
    const connection = this.sessions.get(socket);
    connection?.session?.news.left();
    connection?.client.left(table);
  }

  #sockets(): Sockets {
    const of = (socket: SocketId) => this.sessions.get(socket);
    return {
      welcome: (socket, _agent, route) => of(socket)?.welcome(route),
      send: (socket, message) => of(socket)?.heard(message),
      route: (socket, route) => of(socket)?.route(route),
      close: (socket, code) => of(socket)?.cut(code),
      refuse: (socket, error) => {
        this.#log.error(error, 'a bot is refused');
        of(socket)?.cut(CloseCode.unauthorized);
      },
      relay: (socket, node, handOver) => of(socket)?.relay(node, handOver),
      untold: (socket) => {
        if (of(socket)?.session?.news.current === false) of(socket)?.cut(CloseCode.tooSlow);
      },
      watch: nobodyWatches,
      relayWatch: nobodyWatches,
      round: nobodyWatches,
    };
  }
}

function nobodyWatches(): never {
  throw new Error('tables of this world ask no socket, and nobody watches them');
}
