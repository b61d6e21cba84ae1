import { CLOSE_REASONS, CloseCode } from '../../protocol/codes.js';
import { credentialHash } from '../credentials.js';
import type { HandOver, Hello, WatchViewer } from '../ports.js';
import type { ClientSocket } from './client-socket.js';
import type { EarlyMessage, RelayOpening, Relays } from './ports.js';
import { RelayedSocket, type RelayedSocketHost } from './relayed-socket.js';

export interface RelayHubOptions {
  /** Null: this node is alone. */
  relays(): Relays | null;
  readonly bufferBytes: number;
  now(): number;
  readonly stats: RelayedSocketHost['stats'] & { sockets: number; watchers: number; relayedOut: number };
  /** Opens a session, or a spectator, at this node. */
  begin(client: ClientSocket, early: EarlyMessage[], handOver: HandOver | null): void;
}

/** Sockets that left their node, or come back to it. */
export class RelayHub implements RelayedSocketHost {
  readonly #relayed = new Set<RelayedSocket>();

  constructor(private readonly options: RelayHubOptions) {}

  get relays(): Relays {
    const relays = this.options.relays();
    if (relays === null) throw new Error('a node that is alone relays no socket');
    return relays;
  }

  get bufferBytes(): number {
    return this.options.bufferBytes;
  }

  get stats(): RelayHubOptions['stats'] {
    return this.options.stats;
  }

  now(): number {
    return this.options.now();
  }

  /** The session goes to that node, with what it has not read. */
  relay(client: ClientSocket, node: string, early: EarlyMessage[], handOver: HandOver | null): void {
    const { home, visit } = client;
    // Its own node brings it on: no relay leads to another.
    if (home !== null) return home.away(handOver === null ? null : node, handOver);
    if (visit.kind !== 'play') throw new Error('a spectator has no session');
    const { apiKey } = visit.hello;
    const hello: Hello = {
      ...visit.hello,
      ...(apiKey !== null && { shown: credentialHash(apiKey) }),
      ...(handOver !== null && { handOver }),
    };
    this.#open(client, node, { kind: 'play', hello, lean: visit.lean }, early);
  }

  relayWatch(client: ClientSocket, node: string, viewer: WatchViewer): void {
    const { home, visit } = client;
    if (home !== null) return home.away(null, null);
    if (visit.kind !== 'watch') throw new Error('a player watches no table');
    const { tableId, ip } = visit.hello;
    this.#open(client, node, { kind: 'watch', tableId, ip, viewer }, []);
  }

  #open(client: ClientSocket, node: string, opening: RelayOpening, early: EarlyMessage[]): void {
    const relayed = new RelayedSocket(client, opening, node, early, this);
    client.listener = relayed;
    this.#relayed.add(relayed);
    this.#count(relayed, 1);
  }

  returned(relayed: RelayedSocket, node: string | null, handOver: HandOver | null, early: EarlyMessage[]): void {
    const { client } = relayed;
    this.relayGone(relayed);
    if (node === null || node === this.relays.nodeId) this.options.begin(client, early, handOver);
    else this.relay(client, node, early, handOver);
  }

  relayGone(relayed: RelayedSocket): void {
    this.#relayed.delete(relayed);
    this.#count(relayed, -1);
  }

  #count({ opening }: RelayedSocket, change: 1 | -1): void {
    this.stats[opening.kind === 'play' ? 'sockets' : 'watchers'] += change;
    this.stats.relayedOut += change;
  }

  /** Ends all sockets of players and spectators. Their homes are told. */
  endAll(code: number, reason = CLOSE_REASONS[CloseCode.draining]): void {
    for (const relayed of [...this.#relayed]) relayed.end(code, reason);
  }
}
