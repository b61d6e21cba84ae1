import { clientIp } from '../gateway/ip.js';
import { credentialOf } from '../gateway/credentials.js';
import { zero, withCountsOf } from '../gateway/fronts/front-stats.js';
import { transportOptions, type GatewayConfig } from '../gateway/gateway.js';
import { chooseTransport } from '../gateway/listen.js';
import type { SocketStats } from '../gateway/socket-stats.js';
import { WATCH_PATHS, type HttpAnswer, type HttpRequest, type Log, type Transport } from '../gateway/transport.js';
import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import type { SocketId } from '../table/api.js';
import type { FrameBatch } from '../table/outbox.js';
import { FrontLink, NO_LEADER } from './front-link.js';
import type { GuestShards } from './guest-shards.js';
import type { NodeMessage } from './node-messages.js';
import type { BreakReason, NodeId, Peer, PeerBus, PeerEvents } from './peer.js';

export interface FrontNodeOptions {
  config: GatewayConfig;
  /** Names what nodes must have in common. */
  release: string;
  /** What this node answers by itself: its probes, and what it counts. */
  local: { paths: readonly string[]; answer: (request: HttpRequest) => Promise<HttpAnswer> };
  /** The shards that it lends to the leader, where it does. */
  guests: GuestShards | null;
  log: Log;
}

/**
 * A node that does not lead: it holds sockets and takes requests, and brings all of it to the leader, as threads that
 * hold sockets do within a node. It knows no tables and no accounts, so whatever breaks its link ends its sockets; the
 * shards that it lends are the leader's, and outlive that.
 */
export class FrontNode implements PeerEvents<NodeMessage> {
  #transport: Transport | null = null;
  #bus: PeerBus<NodeMessage> | null = null;
  #leader: Peer<NodeMessage> | null = null;
  #link: FrontLink | null = null;
  /** The leader takes nothing more over it, and still answers. */
  #ending: FrontLink | null = null;
  /** Of links that are over. */
  #before = zero();

  constructor(private readonly options: FrontNodeOptions) {}

  /** Opens the port; until it serves a leader everything is answered 503. */
  async listen(port: number): Promise<void> {
    const { config, local, log } = this.options;
    const ip = (request: HttpRequest) => clientIp(request, config.TRUSTED_PROXY);
    const open = chooseTransport(config.TRANSPORT, log);
    this.#transport = await open(
      { ...transportOptions(config), port, log },
      {
        http: async (request) => {
          if (local.paths.includes(request.path)) return local.answer(request);
          return this.#link?.request(request) ?? NO_LEADER;
        },
        admit: (request) =>
          this.#link?.admit(ip(request), credentialOf(request), WATCH_PATHS.includes(request.path)) ?? NO_LEADER,
        open: (socket, request) => {
          if (this.#link !== null) return this.#link.hub.open(socket, request);
          // It was admitted over a link that broke meanwhile.
          setImmediate(() => socket.close(CloseCode.draining, CLOSE_REASONS[CloseCode.draining]));
          return { message: () => undefined, control: () => undefined, closed: () => undefined };
        },
      },
    );
  }

  get port(): number {
    return this.#transport?.port ?? 0;
  }

  /** A leader serves what comes here. */
  get serves(): boolean {
    return this.#link !== null;
  }

  get stats(): SocketStats {
    const { sockets, watchers, ...counts } = this.#link?.hub.stats ?? zero();
    return { ...withCountsOf({ ...zero(), ...counts }, this.#before), sockets, watchers };
  }

  /** The node begins a life, in which it is reached over this bus. */
  join(bus: PeerBus<NodeMessage>): void {
    this.#bus = bus;
  }

  /** That node leads now, or none does. */
  follow(leader: NodeId | null): void {
    if (leader === (this.#leader?.id ?? null)) return;
    this.options.guests?.leave();
    if (this.#link !== null) this.#leader?.send({ t: 'bye' });
    this.#leader?.flush();
    this.#drop(CloseCode.draining);
    this.#leader?.end();
    this.#leader = leader === null ? null : this.#bus!.peer(leader);
  }

  /** The node's life is over: its sockets are closed. */
  leave(): void {
    this.follow(null);
    this.#bus = null;
  }

  /** Gives up the port, and ends every socket, once what was asked is answered. */
  async close(code: CloseCode = CloseCode.draining): Promise<void> {
    this.#link?.hub.flush();
    await this.#transport?.close(code, CLOSE_REASONS[code]);
    this.leave();
  }

  // ---- from the bus

  knocked(): void {
    // Whom a node needs it asks by itself.
  }

  healed(peer: Peer<NodeMessage>): void {
    if (peer === this.#leader) peer.send({ t: 'hello', release: this.options.release });
  }

  broken(peer: Peer<NodeMessage>, why: BreakReason): void {
    if (peer !== this.#leader) return;
    this.options.guests?.broken();
    if ((this.#link ?? this.#ending) === null) return;
    this.options.log.warn({ leader: peer.id, why }, 'the link to the leader broke: sockets are closed');
    // They lack what was under way: as for who reads too slowly, a resync brings it.
    this.#drop(CloseCode.tooSlow);
  }

  frames(peer: Peer<NodeMessage>, batch: FrameBatch): void {
    if (peer === this.#leader) this.#link?.frames(batch);
  }

  message(peer: Peer<NodeMessage>, message: NodeMessage): void {
    if (peer !== this.#leader || this.options.guests?.heard(peer, message) === true) return;
    if (message.t === 'begin') this.#begin(peer, message.firstId);
    else if (message.t === 'end') this.#end(message.closeCode, message.reason);
    else (this.#link ?? this.#ending)?.message(message);
  }

  #begin(peer: Peer<NodeMessage>, firstId: SocketId): void {
    const { config, log } = this.options;
    this.#drop(CloseCode.draining);
    this.#link = new FrontLink({
      ...{ peer, firstId, log },
      messagesPerSecond: config.WS_MESSAGES_PER_SECOND,
      bufferBytes: config.SOCKET_BUFFER_BYTES,
      deferMs: config.COALESCE_MS,
      delayHands: config.SPECTATE_DELAY_HANDS,
      clientIp: (request) => clientIp(request, config.TRUSTED_PROXY),
      publish: (topic, frames) => this.#transport?.publish(topic, frames),
    });
    log.info({ leader: peer.id }, 'this node takes sockets for the leader');
    this.options.guests?.began(peer);
  }

  /** The leader stops. */
  #end(closeCode: number, reason: string): void {
    this.options.guests?.leave();
    if (this.#link === null) return;
    this.#ending = this.#link;
    this.#link = null;
    this.#ending.endSockets(closeCode, reason);
  }

  #drop(closeCode: CloseCode): void {
    const link = this.#link ?? this.#ending;
    if (link === null) return;
    this.#link = this.#ending = null;
    link.end(closeCode, CLOSE_REASONS[closeCode]);
    this.#before = withCountsOf(this.#before, { ...zero(), ...link.hub.stats });
  }
}
