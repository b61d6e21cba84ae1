import { setTimeout as sleep } from 'node:timers/promises';
import { ForwardedAnswers, type Answerer } from '../gateway/fronts/forward.js';
import { FAILURE } from '../gateway/exchange.js';
import { guardedRegistry } from '../gateway/guarded-registry.js';
import type { Registry, ShardLink, Sockets, TableRoute, WatchRoute } from '../gateway/ports.js';
import type { Log } from '../gateway/transport.js';
import { ABNORMAL } from '../protocol/mishap.js';
import type { ServerMessage } from '../protocol/server.js';
import { splitFrames } from '../shard/fronts/split-frames.js';
import { placeOf, PLACES, serialOf, type SocketId } from '../table/api.js';
import type { FrameBatch } from '../table/outbox.js';
import type { FromGuest, NodeMessage, ToFrontNode } from './node-messages.js';
import type { BreakReason, BusCounts, NodeId, Peer, PeerBus, PeerEvents } from './peer.js';
import type { RemoteShards } from './remote-shards.js';

export interface RemoteFrontsOptions {
  bus: PeerBus<NodeMessage>;
  /** Names what this node and those beside it are of. */
  release: string;
  /** The sockets that this node holds itself, and how many places they have: the first. */
  own: Sockets;
  ownPlaces: number;
  /** By shard number. */
  links: readonly ShardLink[];
  /** Whether a node that is heard no more has ended, so that it never comes back as the same. Never rejects. */
  hasEnded: (node: NodeId) => Promise<boolean>;
  log: Log;
}

/** From the hello of a node until its link breaks. */
interface RemoteFront {
  peer: Peer<NodeMessage>;
  place: number;
  answers: ForwardedAnswers;
  /** Open, so that the registry can be told of them when the link breaks. */
  sockets: Set<SocketId>;
}

const WHOLE_FAILURE = { status: FAILURE.status, headers: FAILURE.headers, body: FAILURE.body as string };
/** What is under way at the end has so long. */
const GRACE_MS = 2000;
const LOOK_AGAIN_MS = 20;
/** How often it is asked whether those that are heard no more have ended. */
const LOOK_MS = 5000;

/**
 * The leader's side of the nodes that hold sockets: for the registry and the shards each is one front more. What is said
 * to one travels in the order in which it is said here, frames and messages alike, so nothing has to wait for another.
 */
export class RemoteFronts implements Sockets, PeerEvents<NodeMessage> {
  readonly #byNode = new Map<NodeId, RemoteFront>();
  readonly #byPlace: (RemoteFront | undefined)[] = [];
  /** The least socket id of each place that no front has used. */
  readonly #nextIds: SocketId[] = [];
  /** Their link is gone. */
  readonly #silent = new Map<NodeId, Peer<NodeMessage>>();
  #registry: Registry | null = null;
  #shards: RemoteShards | null = null;
  #answerer: Answerer | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(private readonly options: RemoteFrontsOptions) {}

  get counts(): Readonly<BusCounts> {
    return this.options.bus.counts;
  }

  /** Lets them in. Without a bus that works there are none, which is no reason not to play. */
  begin(registry: Registry, answerer: Answerer): void {
    const { bus, log } = this.options;
    this.#registry = guardedRegistry(registry, log);
    this.#answerer = answerer;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref();
    bus.begin(this).catch((error: unknown) => {
      log.error({ error: (error as Error).message }, 'no other node can join this one');
    });
  }

  borrow(shards: RemoteShards): void {
    this.#shards = shards;
  }

  /** Ends all their sockets, and what was asked is answered before, if it does not take long. */
  async stop(closeCode: number, reason: string): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#shards?.stop();
    for (const { peer } of this.#byNode.values()) peer.send({ t: 'end', closeCode, reason });
    const pending = () => [...this.#byNode.values()].some(({ answers }) => answers.pending > 0);
    for (const end = performance.now() + GRACE_MS; pending() && performance.now() < end;) await sleep(LOOK_AGAIN_MS);
    for (const { peer } of this.#byNode.values()) peer.flush();
    for (const front of [...this.#byNode.values()]) this.#leave(front);
    await this.options.bus.close();
  }

  /** Nodes whose sockets are served. */
  get count(): number {
    return this.#byNode.size;
  }

  // ---- from the registry

  welcome(socket: SocketId, agent: { agentId: string; name: string }, route: TableRoute | null): void {
    if (this.#isOwn(socket)) this.options.own.welcome(socket, agent, route);
    else this.#send(socket, { t: 'welcome', socket, agent, route });
  }

  refuse(socket: SocketId, error: { code: string; message: string }, closeCode: number): void {
    if (this.#isOwn(socket)) this.options.own.refuse(socket, error, closeCode);
    else this.#send(socket, { t: 'refuse', socket, error, closeCode });
  }

  watch(socket: SocketId, route: WatchRoute): void {
    if (this.#isOwn(socket)) this.options.own.watch(socket, route);
    else this.#send(socket, { t: 'watch', socket, route });
  }

  send(socket: SocketId, message: ServerMessage): void {
    if (this.#isOwn(socket)) this.options.own.send(socket, message);
    else this.#send(socket, { t: 'send', socket, message });
  }

  route(socket: SocketId, route: TableRoute | null): void {
    if (this.#isOwn(socket)) this.options.own.route(socket, route);
    else this.#send(socket, { t: 'route', socket, route });
  }

  close(socket: SocketId, closeCode: number, reason: string): void {
    if (this.#isOwn(socket)) this.options.own.close(socket, closeCode, reason);
    else this.#send(socket, { t: 'close', socket, closeCode, reason });
  }

  // ---- from the shards

  /** What of a batch is for other nodes. It is copied: the batch is still to be read by who holds sockets here. */
  forward(bytes: ArrayBuffer, index: Uint32Array): void {
    if (this.#byNode.size === 0) return;
    const theirs: number[] = [];
    for (let i = 0; i < index.length; i += 3) {
      if (!this.#isOwn(index[i]!)) theirs.push(index[i]!, index[i + 1]!, index[i + 2]!);
    }
    if (theirs.length === 0) return;
    const batch: FrameBatch = { bytes, index: Uint32Array.from(theirs) };
    const shares = splitFrames(batch, this.#byPlace.length, (size) => new ArrayBuffer(size));
    for (const [place, front] of this.#byPlace.entries()) {
      const share = shares[place];
      if (front !== undefined && share) front.peer.frames(share);
    }
  }

  shardUp(shard: number): void {
    for (const { peer } of this.#byNode.values()) peer.send({ t: 'shardUp', shard });
  }

  moved(table: string, shard: number): void {
    for (const { peer } of this.#byNode.values()) peer.send({ t: 'moved', table, shard });
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
    this.options.log.warn({ node: peer.id, why }, 'the link to another node broke: its sockets are closed');
    this.#leave(front);
  }

  frames(peer: Peer<NodeMessage>, batch: FrameBatch): void {
    this.#shards?.frames(peer, batch);
  }

  message(peer: Peer<NodeMessage>, message: NodeMessage): void {
    if (message.t === 'hello') return this.#welcomeNode(peer, message.release);
    const front = this.#byNode.get(peer.id);
    if (front !== undefined) this.#heard(front, message);
  }

  #heard(front: RemoteFront, message: NodeMessage): void {
    const { answers } = front;
    switch (message.t) {
      case 'opened':
        this.#took(front, message.socket);
        return this.#registry?.opened(message.socket, message.hello);
      case 'watching':
        this.#took(front, message.socket);
        return this.#registry?.watching(message.socket, message.hello);
      case 'message':
        return this.#registry?.message(message.socket, message.agentId, message.message);
      case 'closed':
        front.sockets.delete(message.socket);
        return this.#registry?.closed(message.socket, message.agentId, message.end);
      case 'mishap':
        return this.#registry?.mishap(message.agentId, message.mishap);
      case 'bye':
        this.#shards?.left(front.peer.id, 'its node serves another leader');
        return this.#leave(front);
      case 'lend':
      case 'said':
      case 'beat':
      case 'over':
        return this.#shards?.heard(front.peer, message as FromGuest);
      case 'toShard':
        return this.options.links[message.shard]?.send(message.message);
      case 'admit':
        return void answers.admit(message);
      case 'request':
        return void answers.request(message);
      case 'pull':
        return void answers.pull(message.ask);
      case 'gone':
        return void answers.gone(message.ask);
      default:
        this.options.log.warn({ node: front.peer.id, kind: message.t }, 'a front node said what only a leader says');
    }
  }

  // ---- the nodes

  #welcomeNode(peer: Peer<NodeMessage>, release: string): void {
    const { log } = this.options;
    if (this.#stopped) return;
    if (release !== this.options.release) {
      const words = 'a node of another release waits: it takes sockets once it leads, or its own release does';
      return log.warn({ node: peer.id, release }, words);
    }
    const place = this.#freePlace();
    if (place === null) return log.error({ node: peer.id }, 'too many nodes: this one takes no sockets');
    const answers = new ForwardedAnswers(this.#answerer!, (message) => {
      // Its questions end with the link.
      if (this.#byPlace[place]?.answers === answers) this.#answer(peer, message as ToFrontNode);
    });
    const front: RemoteFront = { peer, place, answers, sockets: new Set() };
    this.#byNode.set(peer.id, front);
    this.#byPlace[place] = front;
    peer.send({ t: 'begin', firstId: (this.#nextIds[place] ??= PLACES + place) });
    this.#shards?.met(peer);
    log.info({ node: peer.id, place }, 'another node takes sockets');
  }

  /** What is too large for a post is no reason to end anything but the one answer. */
  #answer(peer: Peer<NodeMessage>, message: ToFrontNode): void {
    try {
      peer.send(message);
    } catch (error) {
      this.options.log.error({ err: error, node: peer.id }, 'an answer does not reach the other node');
      if (message.t === 'answer') peer.send({ ...message, answer: WHOLE_FAILURE, streamed: false });
      else if (message.t === 'chunk') peer.send({ t: 'broken', ask: message.ask, reason: (error as Error).message });
    }
  }

  #freePlace(): number | null {
    for (let place = this.options.ownPlaces; place < PLACES; place++) {
      if (this.#byPlace[place] === undefined) return place;
    }
    return null;
  }

  #took(front: RemoteFront, socket: SocketId): void {
    front.sockets.add(socket);
    this.#nextIds[front.place] = Math.max(this.#nextIds[front.place]!, serialOf(socket) + PLACES);
  }

  #leave(front: RemoteFront): void {
    const { peer, place, sockets, answers } = front;
    this.#byNode.delete(peer.id);
    this.#byPlace[place] = undefined;
    void answers.allGone();
    for (const socket of sockets) this.#registry?.closed(socket, null, ABNORMAL);
    for (const link of this.options.links) link.send({ t: 'forgetWatches', place });
  }

  /** There shall be no knocking at nodes that have ended. */
  async #look(): Promise<void> {
    for (const [node, peer] of this.#silent) {
      const ended = await this.options.hasEnded(node);
      if (!ended || this.#silent.get(node) !== peer) continue;
      this.#silent.delete(node);
      peer.end();
    }
  }

  #isOwn(socket: SocketId): boolean {
    return placeOf(socket) < this.options.ownPlaces;
  }

  #send(socket: SocketId, message: ToFrontNode): void {
    this.#byPlace[placeOf(socket)]?.peer.send(message);
  }
}
