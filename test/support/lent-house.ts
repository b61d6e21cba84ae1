import { randomUUID } from 'node:crypto';
import type { ShardLink } from '../../src/gateway/ports.js';
import type { LinkedBus } from '../../src/nodes/bus.js';
import { GuestShards } from '../../src/nodes/guest-shards.js';
import type { GuestThread } from '../../src/nodes/guest-thread.js';
import type { FromGuest, NodeMessage } from '../../src/nodes/node-messages.js';
import type { NodeId, Peer, PeerEvents } from '../../src/nodes/peer.js';
import { RemoteShards } from '../../src/nodes/remote-shards.js';
import type { DealtTable, InheritedShards } from '../../src/shard/main/lending.js';
import type { ShardListener } from '../../src/shard/main/options.js';
import type { FromShard, ShardStats, ToShard } from '../../src/shard/messages.js';
import type { TableOpening, TableReport } from '../../src/table/api.js';
import type { Scope } from './database.js';
import { eventually } from './limits.js';
import { Net } from './nodes.js';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** A link that says nothing for so long breaks. */
const SILENT_MS = 1000;
export const PLACE = 5;

/** A shard's thread that does nothing by itself. */
export class FakeThread implements GuestThread {
  readonly read: ToShard[] = [];
  listener!: ShardListener;
  stats: ShardStats | null = null;
  stopped = false;
  drains = false;

  constructor(
    readonly shard: number,
    readonly epoch: number,
  ) {}

  send(message: ToShard): void {
    this.read.push(message);
  }
  async start(listener: ShardListener): Promise<void> {
    this.listener = listener;
  }
  async drain(): Promise<boolean> {
    return (this.drains = true);
  }
  async stop(): Promise<void> {
    this.stopped = true;
  }

  say(message: FromShard): void {
    this.listener.onMessage(this.shard, message as never);
  }
  /** What is there, in answer to the question after it. */
  async reports(...tables: string[]): Promise<void> {
    await eventually('the question what is there', () => this.read.some(({ t }) => t === 'report'));
    this.say({ t: 'report', tables: tables.map((tableId) => ({ tableId }) as TableReport) });
  }
  /** Tables of what it read, in order. */
  get tables(): string[] {
    return this.read.flatMap((message) => ('table' in message ? [message.table] : []));
  }
  /** How clocks stand still, as it was told last: for how long nobody was heard, and of which place all are. */
  get paused(): { unheardMs: number | null; place: number | null } | null {
    const last = this.read.findLast((message) => message.t === 'pause');
    return last === undefined || last.unheardMs === null ? null : { unheardMs: last.unheardMs, place: last.place };
  }
}

export const state = (table: string): ToShard => ({ t: 'state', table, ticket: 1 });
export const closed = (table: string): FromShard => ({ t: 'closed', table });
export const opening = (tableId: string) => ({ tableId }) as TableOpening;

/** A node with shards. */
export class GuestNode {
  readonly id = randomUUID();
  readonly threads: FakeThread[] = [];
  holds = true;
  deafMs = 0;
  regained = 0;
  /** What its metrics were told. */
  readonly counted: string[] = [];
  readonly frames: unknown[] = [];
  readonly guests: GuestShards;
  bus!: LinkedBus<NodeMessage>;
  #leader: Peer<NodeMessage> | null = null;

  constructor(count: number) {
    this.guests = new GuestShards({
      ...{ count, place: PLACE, log },
      thread: ({ shard, epoch }) => {
        const thread = new FakeThread(shard, epoch);
        this.threads.push(thread);
        return thread;
      },
      holds: () => this.holds,
      deafMs: () => this.deafMs,
      frames: (...frames) => void this.frames.push(frames),
      regained: () => this.regained++,
      counts: {
        shard: (shard, { hands }) => this.counted.push(`${shard} ${hands}`),
        shardEnded: (shard) => this.counted.push(`${shard} ended`),
      },
    });
  }

  async begin(net: Net): Promise<void> {
    this.bus = net.bus(this.id, log as never, SILENT_MS);
    await this.bus.begin({
      ...silent,
      healed: (peer) => {
        if (peer === this.#leader) this.#greet(peer);
      },
      broken: (peer) => {
        if (peer === this.#leader) this.guests.broken();
      },
      message: (peer, message) => {
        if (peer === this.#leader) this.guests.heard(peer, message);
      },
    });
  }

  follow(leader: LeaderNode | null): void {
    this.guests.leaderless();
    this.#leader = leader === null ? null : this.bus.peer(leader.id);
    if (this.#leader?.up === true) this.#greet(this.#leader);
  }

  #greet(leader: Peer<NodeMessage>): void {
    leader.send({ t: 'hello', release: 'test', place: PLACE });
    this.guests.follow(leader);
  }

  /** The thread of a shard that lives, or the last that did. */
  thread(shard: number): FakeThread {
    return this.threads.findLast((thread) => thread.shard === shard)!;
  }
}

/** A leader whose lobby writes down what it hears. */
export class LeaderNode {
  readonly id = randomUUID();
  /** What the lobby hears, in order. */
  readonly heard: string[] = [];
  readonly links: ShardLink[] = [];
  /** What the store says: the tables of shards, and those that are dealt out. */
  stored: Record<number, TableOpening[]> = {};
  dealt: Record<number, Promise<DealtTable[]>> = {};
  /** Nodes that have ended. */
  readonly ended = new Set<NodeId>();
  /** Of nodes that said how far they have read. */
  beats = 0;
  readonly remote: RemoteShards;
  bus!: LinkedBus<NodeMessage>;
  #epoch: number;

  constructor(net: Net, inherits: InheritedShards = { living: [], orphaned: [] }, epoch = 10) {
    this.#epoch = epoch;
    const note = (line: string) => void this.heard.push(line);
    this.bus = net.bus(this.id, log as never, SILENT_MS);
    this.remote = new RemoteShards({
      now: () => Date.now(),
      ...{ inherits, log, links: this.links, peer: (node) => this.bus.peer(node) },
      listener: {
        onFrames: () => note('frames'),
        onMessage: (shard, message) => note(`${shard} ${message.t} ${'table' in message ? message.table : ''}`),
        onLost: (shard) => note(`${shard} lost`),
        onReady: (shard) => note(`${shard} ready`),
      },
      lobby: {
        down: (shard) => note(`${shard} down`),
        retires: (shard) => note(`${shard} retires`),
        inherited: (shard, tables) => note(`${shard} has ${tables.map(({ tableId }) => tableId).join()}`),
        unheard: (shard, stored) => note(`${shard} is not heard, with ${stored.map(({ tableId }) => tableId).join()}`),
        openMissing: (shard, stored) => note(`${shard} should have ${stored.map(({ tableId }) => tableId).join()}`),
        dealtOut: (shard, tables) => note(`${shard} dealt out ${tables.map(({ shard }) => shard).join()}`),
        players: (shard) => shard,
      },
      store: {
        lend: async () => ++this.#epoch,
        tables: async (shard) => this.stored[shard] ?? [],
        dealOut: (shard, players) => {
          note(`${shard} goes to ${[...players.keys()].join()}`);
          return this.dealt[shard] ?? Promise.resolve([]);
        },
        hasEnded: async (node) => this.ended.has(node),
      },
      shardAt: (shard) => note(`${shard} somewhere`),
      ended: () => note('a node has ended'),
    });
  }

  async begin(): Promise<void> {
    await this.bus.begin({
      ...silent,
      knocked: (node) => void this.bus.peer(node),
      broken: (peer) => this.remote.broken(peer),
      message: (peer, message) => {
        if (message.t === 'hello') return this.remote.met(peer);
        this.remote.heard(peer, message as FromGuest);
        if (message.t === 'beat') this.beats++;
      },
    });
  }

  hears(line: string, times = 1): Promise<unknown> {
    const count = () => this.heard.filter((each) => each === line).length;
    return eventually(`${line} after ${this.heard.join('; ')}`, () => count() >= times);
  }

  /** Nothing that it says is read any more. */
  async dies(): Promise<void> {
    this.remote.stop();
    await this.bus.close();
  }
}

/** Of a bus whose owner hears nothing that is said. */
export const silent: PeerEvents<NodeMessage> = {
  knocked: () => undefined,
  healed: () => undefined,
  frames: () => undefined,
  broken: () => undefined,
  message: () => undefined,
};

/** A leader, and nodes with so many shards each, all of which play. */
export class LentHouse {
  readonly net = new Net();
  leader: LeaderNode = new LeaderNode(this.net);
  readonly nodes: GuestNode[];
  readonly #leaders = [this.leader];

  private constructor(counts: readonly number[]) {
    this.nodes = counts.map((count) => new GuestNode(count));
  }

  static async open(t: Scope, ...counts: number[]): Promise<LentHouse> {
    const house = new LentHouse(counts);
    t.teardown(async () => {
      for (const { guests, bus } of house.nodes) {
        guests.end();
        await bus.close();
      }
      for (const leader of house.#leaders) await leader.dies();
    });
    await house.leader.begin();
    let shards = 0;
    for (const [n, node] of house.nodes.entries()) {
      await node.begin(house.net);
      node.follow(house.leader);
      for (const end = shards + counts[n]!; shards < end; shards++) await house.leader.hears(`${shards} ready`);
    }
    return house;
  }

  get node(): GuestNode {
    return this.nodes[0]!;
  }

  /** Another takes the lead, with what it finds; nobody follows it yet. */
  async succeed(inherits: InheritedShards): Promise<LeaderNode> {
    this.leader = new LeaderNode(this.net, inherits, 100);
    this.#leaders.push(this.leader);
    await this.leader.begin();
    return this.leader;
  }

  /** What the next leader finds of the shards of these nodes. */
  livingOf(...nodes: readonly GuestNode[]): InheritedShards['living'] {
    return nodes.flatMap(({ id, threads }) =>
      threads.flatMap(({ shard, epoch, stopped }) => (stopped ? [] : [{ shard, epoch, holder: id }])),
    );
  }

  /** Nothing gets through until both sides have noticed. */
  async breaks(): Promise<void> {
    this.net.cut = true;
    await this.broken();
    this.net.cut = false;
  }

  /** Resolves once both sides have noticed. */
  async broken(): Promise<void> {
    const { leader, nodes } = this;
    const links = nodes.flatMap(({ id, bus }) => [leader.bus.peer(id), bus.peer(leader.id)]);
    await eventually('links that are broken', () => links.every(({ up }) => !up));
  }
}
