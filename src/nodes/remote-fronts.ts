import { setTimeout as sleep } from 'node:timers/promises';
import { FAILURE } from '../gateway/exchange.js';
import type { Answerer } from '../gateway/ports.js';
import { ForwardedAnswers } from './forward.js';
import { guardedRegistry } from '../gateway/guarded-registry.js';
import type { Registry, ShardLink, Sockets } from '../gateway/ports.js';
import type { Log } from '../gateway/transport.js';
import { ABNORMAL } from '../protocol/mishap.js';
import type { SocketId } from '../table/api.js';
import { LastStop, type Stopping } from './last-stop.js';
import { MovingTables } from './moving-tables.js';
import type { FromGuest, FromMember, NodeMessage, ToMember } from './node-messages.js';
import type { BreakReason, NodeId, Peer, PeerBus } from './peer.js';
import type { RemoteShards } from './remote-shards.js';
import { RemoteSockets } from './remote-sockets.js';

export interface RemoteFrontsOptions {
  bus: PeerBus<NodeMessage>;
  /** Names what this node and those beside it are of. */
  release: string;
  /** The node of this process: its sockets, their place, and the way to it. */
  own: { sockets: Sockets; place: number; peer: Peer<NodeMessage> };
  /** Nodes that are there, as far as the database knows: until all have said what they have, nobody is seated. */
  expected: readonly NodeId[];
  /** By shard number. */
  links: readonly ShardLink[];
  /** Whether a node that is heard no more has ended, so that it never comes back as the same. Never rejects. */
  hasEnded: (node: NodeId) => Promise<boolean>;
  /** Those whose lease ran out a while ago, though the database answers: from now on they have ended. Never rejects. */
  lapsed: () => Promise<readonly NodeId[]>;
  log: Log;
}

/** From the hello of a node until its link breaks. */
interface RemoteFront extends Stopping {
  place: number;
  /** Null until what its sockets say is taken; and for the own node, which needs none. */
  answers: ForwardedAnswers | null;
  /** Open, so that the registry can be told of them when the link breaks. */
  sockets: Set<SocketId>;
}

const WHOLE_FAILURE = { status: FAILURE.status, headers: FAILURE.headers, body: FAILURE.body as string };
/** What is under way at the end has so long. */
const GRACE_MS = 2000;
const LOOK_AGAIN_MS = 20;
/** How often it is asked whether those that are heard no more have ended. */
const LOOK_MS = 1000;
/** Nodes that were there have so long to say what they have. */
const MEET_MS = 2000;

/**
 * The leader's side of the nodes: of their sockets, wherever they are, and of what nodes have to know of each other.
 */
export class RemoteFronts {
  readonly sockets: Sockets;
  readonly #byNode = new Map<NodeId, RemoteFront>();
  readonly #byPlace: (RemoteFront | undefined)[] = [];
  /** Their link is gone. */
  readonly #silent = new Map<NodeId, Peer<NodeMessage>>();
  /** By shard. */
  readonly #shardNodes = new Map<number, NodeId>();
  /** Have not said yet what they have. */
  readonly #unmet: Set<NodeId>;
  #onMet: () => void = () => undefined;
  #registry: Registry | null = null;
  #shards: RemoteShards | null = null;
  #answerer: Answerer | null = null;
  readonly #moves = new MovingTables();
  readonly #timer: NodeJS.Timeout;
  #stopped = false;
  readonly lastStop = new LastStop(() => this.#others);
  #looking = false;

  constructor(private readonly options: RemoteFrontsOptions) {
    this.sockets = new RemoteSockets(options.own, (place) => this.#byPlace[place]?.peer);
    this.#unmet = new Set(options.expected);
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
    for (const node of options.expected) options.bus.peer(node);
  }

  borrow(shards: RemoteShards): void {
    this.#shards = shards;
  }

  /** What sockets say is taken from now on. Resolves once all that were there have said what they have, or had time to. */
  async serve(registry: Registry, answerer: Answerer): Promise<void> {
    this.#registry = guardedRegistry(registry, this.options.log);
    this.#answerer = answerer;
    const met = new Promise<void>((resolve) => (this.#onMet = resolve));
    for (const front of this.#byNode.values()) this.#begin(front);
    if (this.#unmet.size === 0) this.#onMet();
    await Promise.race([met, sleep(MEET_MS, null, { ref: false })]);
  }

  /** Leads no more; what was asked is answered before, if it does not take long. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    const pending = () => [...this.#byNode.values()].some(({ answers }) => (answers?.pending ?? 0) > 0);
    for (const end = performance.now() + GRACE_MS; pending() && performance.now() < end;) await sleep(LOOK_AGAIN_MS);
    for (const { answers } of this.#byNode.values()) void answers?.allGone();
  }

  /** Another node leads from now on, or soon: nothing that nodes say is taken any more. */
  resign(): void {
    this.#stopped = true;
    for (const { peer } of this.#others) {
      peer.send({ t: 'resigned' });
      peer.flush();
    }
  }

  get #others(): RemoteFront[] {
    return [...this.#byNode.values()].filter(({ place }) => place !== this.options.own.place);
  }

  // ---- of the shards

  shardAt(shard: number, node: NodeId): void {
    this.#shardNodes.set(shard, node);
    this.#tellAll({ t: 'shardAt', shard, node });
  }

  shardUp(shard: number): void {
    this.#tellAll({ t: 'shardUp', shard });
  }

  moved(table: string, shard: number, anew: boolean): void {
    this.#moves.moved(table, shard);
    this.#tellAll({ t: 'moved', table, shard, anew });
  }

  /** What sockets say to the table waits at their nodes from now on. `then`: all of them have said so. */
  hold(table: string, then: () => void): void {
    this.#moves.hold(table, this.#byNode.keys(), then);
    this.#tellAll({ t: 'hold', table });
  }

  /** Called with each table that cannot move, since a node is not heard that would have to hold. */
  onStuck: (table: string) => void = () => undefined;

  /** Tells whose a table is that a node holds for, though nothing moves it: once that is known, or not at all. */
  whereIs: (table: string, then: (shard: number) => void) => void = () => undefined;

  /** Where it went lately it was told; what a leader before this one had begun to move is not under way any more. */
  #holds(peer: Peer<NodeMessage>, table: string): void {
    if (this.#moves.holds(table, peer.id) || this.#moves.lately.has(table)) return;
    this.whereIs(table, (shard) => peer.send({ t: 'moved', table, shard, anew: false }));
  }

  // ---- from the bus

  knocked(node: NodeId): void {
    if (!this.#stopped) this.options.bus.peer(node);
  }

  healed(peer: Peer<NodeMessage>): void {
    this.#silent.delete(peer.id);
  }

  broken(peer: Peer<NodeMessage>, why: BreakReason): void {
    this.#silent.set(peer.id, peer);
    this.#shards?.broken(peer);
    const front = this.#byNode.get(peer.id);
    if (front === undefined) return;
    this.options.log.warn({ node: peer.id, why }, 'the link to another node broke');
    this.#leave(front);
  }

  message(peer: Peer<NodeMessage>, message: NodeMessage): void {
    if (message.t === 'hello') return this.#welcomeNode(peer, message.release, message.place);
    const front = this.#byNode.get(peer.id);
    if (front !== undefined) this.#heard(front, message as FromMember);
  }

  #heard(front: RemoteFront, message: FromMember): void {
    const { answers, peer } = front;
    // The next leader hears it; only answers that were begun are brought to their end.
    if (this.#stopped && message.t !== 'pull' && message.t !== 'gone') return;
    switch (message.t) {
      case 'opened':
        front.sockets.add(message.socket);
        return this.#registry?.opened(message.socket, message.hello);
      case 'resumed':
        for (const { socket } of message.sockets) front.sockets.add(socket);
        return this.#registry?.resumed(message.sockets);
      case 'watching':
        front.sockets.add(message.socket);
        return this.#registry?.watching(message.socket, message.hello);
      case 'message':
        return this.#registry?.message(message.socket, message.agentId, message.message);
      case 'closed':
        front.sockets.delete(message.socket);
        return this.#registry?.closed(message.socket, message.agentId, message.end);
      case 'mishap':
        return this.#registry?.mishap(message.agentId, message.mishap);
      case 'met':
        return this.#met(peer.id);
      case 'holds':
        return this.#holds(peer, message.table);
      case 'finished':
        front.finished = true;
        return;
      case 'bye':
        // Where no node stays nobody could have its shards.
        if (!this.lastStop.isUnderWay) this.#shards?.left(peer.id, 'its node stops');
        return this.#leave(front);
      case 'lend':
        front.leaving ||= message.leaving;
        return this.#shards?.heard(peer, message);
      case 'said':
      case 'beat':
      case 'over':
        return this.#shards?.heard(peer, message as FromGuest);
      case 'toShard':
        return this.options.links[message.shard]?.send(message.message);
      case 'admit':
        return void answers?.admit(message);
      case 'request':
        return void answers?.request(message);
      case 'pull':
        return void answers?.pull(message.ask);
      case 'gone':
        return void answers?.gone(message.ask);
      default:
        this.options.log.warn({ node: peer.id, kind: message.t }, 'a node said what only the leader says');
    }
  }

  // ---- the nodes

  #welcomeNode(peer: Peer<NodeMessage>, release: string, place: number): void {
    const { log, own } = this.options;
    // Who comes while all end has nobody to wait for but the next leader.
    if (this.#stopped || this.lastStop.isUnderWay) return;
    if (release !== this.options.release) {
      this.#met(peer.id);
      const words = 'a node of another release waits: it takes sockets once it leads, or its own release does';
      return log.warn({ node: peer.id, release }, words);
    }
    const before = this.#byPlace[place];
    if (before !== undefined) this.#leave(before);
    const front: RemoteFront = { peer, place, answers: null, sockets: new Set(), leaving: false, finished: false };
    this.#byNode.set(peer.id, front);
    this.#byPlace[place] = front;
    // Each is told of all others, before anything of one comes to the other.
    for (const other of this.#byNode.values()) {
      peer.send({ t: 'member', node: other.peer.id, place: other.place });
      if (other !== front) other.peer.send({ t: 'member', node: peer.id, place });
    }
    for (const [shard, node] of this.#shardNodes) peer.send({ t: 'shardAt', shard, node });
    // It may hold what its sockets said to these.
    for (const [table, shard] of this.#moves.lately) peer.send({ t: 'moved', table, shard, anew: false });
    for (const table of this.#moves.underWay) peer.send({ t: 'hold', table });
    this.#shards?.met(peer);
    if (this.#registry !== null) this.#begin(front);
    if (place !== own.place) log.info({ node: peer.id, place }, 'another node is there');
  }

  #begin(front: RemoteFront): void {
    const { peer, place } = front;
    if (place === this.options.own.place) return;
    const answers = new ForwardedAnswers(this.#answerer!, (message) => {
      // Its questions end with the link.
      if (this.#byPlace[place]?.answers === answers) this.#answer(peer, message as ToMember);
    });
    front.answers = answers;
    peer.send({ t: 'begin' });
  }

  /** What is too large for a post is no reason to end anything but the one answer. */
  #answer(peer: Peer<NodeMessage>, message: ToMember): void {
    try {
      peer.send(message);
    } catch (error) {
      this.options.log.error({ err: error, node: peer.id }, 'an answer does not reach the other node');
      if (message.t === 'answer') peer.send({ ...message, answer: WHOLE_FAILURE, streamed: false });
      else if (message.t === 'chunk') peer.send({ t: 'broken', ask: message.ask, reason: (error as Error).message });
    }
  }

  #met(node: NodeId): void {
    this.#unmet.delete(node);
    if (this.#unmet.size === 0) this.#onMet();
  }

  #leave(front: RemoteFront): void {
    const { peer, place, sockets, answers } = front;
    this.#byNode.delete(peer.id);
    this.#byPlace[place] = undefined;
    for (const table of this.#moves.waitingFor(peer.id)) this.onStuck(table);
    void answers?.allGone();
    for (const socket of sockets) this.#registry?.closed(socket, null, ABNORMAL);
    for (const link of this.options.links) link.send({ t: 'forgetWatches', place });
  }

  /** Nobody shall speak to those that have ended, or read what they still say. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    for (const [node, peer] of this.#silent) {
      const ended = await this.options.hasEnded(node);
      if (ended && this.#silent.get(node) === peer) this.ended(node);
    }
    if (!this.#stopped) for (const node of await this.options.lapsed()) this.#lapsed(node);
    this.#looking = false;
  }

  /** Of the database it may hear much later than of us. */
  #lapsed(node: NodeId): void {
    this.options.log.warn({ node }, 'a node does not renew its lease: it has ended');
    const peer = this.options.bus.peer(node);
    peer.send({ t: 'ended', node });
    peer.flush();
    this.ended(node);
    this.#shards?.left(node, 'its lease ran out');
  }

  /** It has ended for good: what it says late is read by nobody. */
  ended(node: NodeId): void {
    const front = this.#byNode.get(node);
    if (front !== undefined) this.#leave(front);
    for (const [shard, at] of this.#shardNodes) if (at === node) this.#shardNodes.delete(shard);
    this.#silent.delete(node);
    this.options.bus.peer(node).end();
    this.#tellAll({ t: 'ended', node });
    this.#met(node);
  }

  #tellAll(message: ToMember): void {
    for (const { peer } of this.#byNode.values()) peer.send(message);
  }
}
