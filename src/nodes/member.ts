import { randomInt } from 'node:crypto';
import type { Answerer } from '../gateway/ports.js';
import { zero, withCountsOf } from './front-stats.js';
import type { Registry } from '../gateway/ports.js';
import { SocketHub, type SocketHubOptions } from '../gateway/sockets.js';
import type { SocketStats } from '../gateway/socket-stats.js';
import type { Log } from '../gateway/transport.js';
import { CLOSE_REASONS, type CloseCode } from '../protocol/codes.js';
import { errorMessage } from '../protocol/server.js';
import { PLACES } from '../table/api.js';
import type { FrameBatch } from '../table/outbox.js';
import { FrameWays } from './frame-ways.js';
import { GuestShards } from './guest-shards.js';
import type { GuestShardsOptions } from './guest-thread.js';
import { LeaderWay } from './leader-way.js';
import type { NodeMessage, ToMember } from './node-messages.js';
import type { BreakReason, NodeId, Peer, PeerBus, PeerEvents } from './peer.js';
import { ShardWays } from './shard-ways.js';

export interface MemberOptions {
  id: NodeId;
  /** Of its sockets. */
  place: number;
  /** Names what nodes must have in common. */
  release: string;
  bus: PeerBus<NodeMessage>;
  /** The node's lease has not run out. */
  holds: () => boolean;
  /** The leader says that this one has ended. */
  ended: () => void;
  shards: Pick<GuestShardsOptions, 'count' | 'thread' | 'counts'>;
  sockets: Omit<SocketHubOptions, 'firstId' | 'log'>;
  publish: (topic: string, frames: readonly Uint8Array[]) => void;
  log: Log;
}

/** Ids of sockets begin at a random one: those of a node that had the place before are not used again. */
const FIRST_SERIALS = 2 ** 23;
const TABLE_WAITS = 'The table is on its way, and too much for the table; this message was dropped';

/**
 * One node's life: its sockets and its shards, each of which outlives whoever leads. Sockets speak to shards, and shards
 * to sockets, wherever they are, without the leader; that one hears what its lobby has to know.
 */
export class Member implements PeerEvents<NodeMessage> {
  readonly hub: SocketHub;
  readonly guests: GuestShards;
  readonly leaderWay: LeaderWay;
  readonly #shardWays: ShardWays;
  readonly #frameWays: FrameWays;
  /** Those that are to be spoken to. */
  readonly #members = new Map<NodeId, Peer<NodeMessage>>();
  /** Their link broke since they were heard of; frames of theirs are lost. */
  readonly #broken = new Set<NodeId>();
  /** Whoever leads, or led last; of another process. */
  #leader: Peer<NodeMessage> | null = null;

  constructor(private readonly options: MemberOptions) {
    const { bus, place, holds, log, publish, sockets, shards } = options;
    this.hub = new SocketHub({ ...sockets, log, firstId: randomInt(1, FIRST_SERIALS) * PLACES + place });
    this.leaderWay = new LeaderWay(
      () => this.hub,
      () => this.#shardWays.holding,
    );
    this.#frameWays = new FrameWays({
      place,
      holds,
      own: this.hub,
      lost: () => this.hub.endTorn(new Set(this.guests.numbers)),
    });
    this.guests = new GuestShards({
      ...{ ...shards, place, holds, log },
      deafMs: () => (this.#members.size === 0 ? 0 : bus.deafMs),
      frames: (bytes, index, used) => this.#frameWays.deliver(bytes, index, used),
      regained: () => this.#frameWays.release(),
    });
    this.#shardWays = new ShardWays({
      own: (shard, message) => this.guests.take(shard, message),
      stray: (shard, message) => this.leaderWay.stray({ t: 'toShard', shard, message }),
      dropped: (message) => {
        if ('socket' in message) this.hub.send(message.socket, errorMessage('rate_limited', TABLE_WAITS));
      },
    });
    const { registry } = this.leaderWay;
    this.hub.serve({ registry, link: (shard) => this.#shardWays.link(shard) }, publish);
  }

  get id(): NodeId {
    return this.options.id;
  }

  get place(): number {
    return this.options.place;
  }

  get stats(): SocketStats {
    return withCountsOf({ ...zero(), ...this.hub.stats }, zero());
  }

  // ---- who leads

  /** That node leads now, or none does. Of the same life of it nothing changes. */
  follow(leader: NodeId | null): void {
    if (leader === (this.#leader?.id ?? null)) return;
    this.leaderWay.end();
    this.guests.leaderless();
    this.#leader = leader === null || leader === this.id ? null : this.options.bus.peer(leader);
    if (this.#leader?.up === true) this.#greet(this.#leader);
  }

  /** This process leads: its shards are told of over `leader`, its sockets once `serve` is called. */
  lead(leader: Peer<NodeMessage>): void {
    this.follow(null);
    leader.send({ t: 'hello', release: this.options.release, place: this.place });
    this.guests.follow(leader);
  }

  /** …of its sockets, which it is spoken to about by calls. */
  serve(leader: Peer<NodeMessage>, registry: Registry, answerer: Answerer): void {
    this.leaderWay.lead(leader, registry, answerer);
  }

  /** It does no more. */
  resign(): void {
    this.leaderWay.end();
    this.guests.leaderless();
  }

  // ---- the end

  /** Every socket is closed, and the shards end. */
  end(code: CloseCode): void {
    this.#leader?.send({ t: 'bye' });
    this.#leader?.flush();
    // A link that heals before the bus is closed is nobody's any more.
    this.#leader = null;
    this.leaderWay.end();
    this.guests.end();
    this.hub.endAll(code, CLOSE_REASONS[code]);
  }

  // ---- from the bus

  knocked(): void {
    // Whom a node has to speak to the leader tells it.
  }

  healed(peer: Peer<NodeMessage>): void {
    if (this.#members.has(peer.id)) {
      this.#frameWays.healed(peer);
      this.#shardWays.healed(peer);
      if (this.#broken.delete(peer.id)) this.#torn(peer);
    }
    if (peer === this.#leader) this.#greet(peer);
  }

  broken(peer: Peer<NodeMessage>, why: BreakReason): void {
    if (this.#members.has(peer.id)) {
      this.#broken.add(peer.id);
      this.#frameWays.broken(peer);
    }
    if (peer !== this.#leader) return;
    this.options.log.warn({ leader: peer.id, why }, 'the link to the leader broke');
    this.leaderWay.end();
    this.guests.broken();
  }

  frames(_peer: Peer<NodeMessage>, { bytes, index }: FrameBatch): void {
    this.hub.forwardOthers(bytes, index);
  }

  /** Null leader: from a node that does not lead, as far as is known here. */
  message(peer: Peer<NodeMessage>, message: NodeMessage): void {
    if (message.t === 'toShard') {
      // It was dealt out, or gone back, and that word is on its way.
      if (!this.guests.take(message.shard, message.message)) this.leaderWay.stray(message);
    } else if (message.t === 'torn') this.#torn(peer);
    else if (peer === this.#leader) this.fromLeader(peer, message);
  }

  fromLeader(leader: Peer<NodeMessage>, message: NodeMessage): void {
    if (this.guests.heard(leader, message)) return;
    this.#heard(leader, message as ToMember);
  }

  #heard(leader: Peer<NodeMessage>, message: ToMember): void {
    const { hub } = this;
    switch (message.t) {
      case 'begin':
        this.leaderWay.begin(leader);
        return this.options.log.info({ leader: leader.id }, 'this node takes sockets for the leader');
      case 'welcome':
        return hub.welcome(message.socket, message.agent, message.route);
      case 'refuse':
        return hub.refuse(message.socket, message.error, message.closeCode);
      case 'watch':
        return hub.watch(message.socket, message.route);
      case 'send':
        return hub.send(message.socket, message.message);
      case 'route':
        return hub.route(message.socket, message.route);
      case 'close':
        return hub.close(message.socket, message.closeCode, message.reason);
      case 'untold':
        return hub.untold(message.socket);
      case 'round':
        return hub.round(message.socket, message.shard, message.table, message.round);
      case 'handled':
        return hub.handled(message.socket);
      case 'answer':
      case 'chunk':
      case 'broken':
        return this.leaderWay.answered(message);
      case 'member':
        return this.#member(message.node, message.place);
      case 'ended':
        return this.#ended(message.node);
      case 'shardAt':
        return this.#shardWays.shardAt(message.shard, message.node === this.id ? null : this.#peer(message.node));
      case 'shardUp':
        return hub.shardUp(message.shard);
      case 'moved':
        this.#shardWays.moved(message.table, message.shard);
        return hub.moved(message.table, message.shard, message.anew);
      case 'hold':
        this.#shardWays.hold(message.table);
        return leader.send({ t: 'holds', table: message.table });
      case 'resigned':
        return this.follow(null);
      case 'closing':
        return this.guests.departure.closing();
      case 'parting':
        return this.guests.departure.parting();
      default:
        this.options.log.warn({ kind: message.t }, 'the leader said what only a node says to it');
    }
  }

  #greet(leader: Peer<NodeMessage>): void {
    leader.send({ t: 'hello', release: this.options.release, place: this.place });
    this.guests.follow(leader);
  }

  #member(node: NodeId, place: number): void {
    if (node !== this.id) this.#frameWays.member(place, this.#peer(node));
  }

  #peer(node: NodeId): Peer<NodeMessage> {
    const peer = this.options.bus.peer(node);
    this.#members.set(node, peer);
    return peer;
  }

  #ended(node: NodeId): void {
    if (node === this.id) return this.options.ended();
    const peer = this.#members.get(node);
    this.#members.delete(node);
    this.#broken.delete(node);
    this.#frameWays.ended(node);
    // What it said last was read by now, or lost with the link.
    this.hub.endUntold(this.#shardWays.shardsOf(node));
    this.#shardWays.ended(node);
    peer?.end();
  }

  /** Frames of its shards are lost: who may lack something comes back and resyncs. */
  #torn({ id }: Peer<NodeMessage>): void {
    this.hub.endTorn(this.#shardWays.shardsOf(id));
  }
}
