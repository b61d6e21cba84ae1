import type { HandOver, Hello, TableRoute } from '../../src/gateway/ports.js';
import { SeatNews } from '../../src/gateway/seat-news.js';
import type { ClientMessage } from '../../src/protocol/client.js';
import type { ServerMessage } from '../../src/protocol/server.js';
import type { SocketId } from '../../src/table/api.js';
import type { Kernel } from '../sim/machine/kernel.js';
import type { ShareNode } from './node.js';

/** From one node to another, in ms. */
const BETWEEN_NODES_MS = 1;
const RETRY_MS = 250;
const PATIENT_MS = 6000;
const MOST_MOVES = 3;
export const DRAINING = 1012;
export const ABNORMAL = 1006;

/** A client's view. */
export interface Client {
  readonly agentId: string;
  connected(): void;
  heard(message: ServerMessage): void;
  /** It has a seat at the table: a new one, or the one that was held for it. */
  sits(tableId: string): void;
  /** Its stay at the table is over. */
  left(tableId: string): void;
  closed(code: number): void;
}

/** A session of a connection, at its edge or at another node. */
export interface Session {
  readonly id: SocketId;
  readonly node: ShareNode;
  welcomed: boolean;
  /** Its client was welcomed at another node. */
  readonly handedOver: boolean;
  route: TableRoute | null;
  readonly news: SeatNews;
}

/**
 * A client's connection to its edge, as src/gateway/relay keeps it: its session may be at another node, and move. No frame
 * is carried here. Hand-overs, retries and ends follow the gateway.
 */
export class Connection {
  session: Session | null = null;
  #early: ClientMessage[] = [];
  #moves = 0;
  #waitsSince: number | null = null;
  #over = false;

  constructor(
    private readonly kernel: Kernel,
    readonly client: Client,
    readonly edge: ShareNode,
    private readonly nodeOf: (nodeId: string) => ShareNode | undefined,
  ) {
    edge.connections.add(this);
    this.begin(edge, null);
  }

  get over(): boolean {
    return this.#over;
  }

  /** The session is at another node than the socket. */
  get isRelayed(): boolean {
    return this.session !== null && this.session.node !== this.edge;
  }

  // ---- from the client

  send(message: ClientMessage): void {
    const { session } = this;
    if (session?.welcomed !== true) return void this.#early.push(message);
    const { node, id } = session;
    this.#later(this.isRelayed ? BETWEEN_NODES_MS : 0, node, () => {
      if (this.session !== session) this.send(message);
      else node.registry.message(id, this.client.agentId, message);
    });
  }

  /** The client goes away. */
  close(): void {
    if (!this.#over) this.#end({ code: 1000, reason: '', by: 'client' });
  }

  // ---- of nodes

  /** Opens a session at a node. */
  begin(node: ShareNode, handOver: HandOver | null): void {
    const { agentId } = this.client;
    const shown: Partial<Hello> = node === this.edge ? {} : { shown: { hash: agentId, kind: 'key' } };
    const from = node === this.edge ? {} : { relayedFrom: this.edge.nodeId };
    const apiKey = node === this.edge ? agentId : null;
    const hello: Hello = { apiKey, ip: '127.0.0.1', competitionId: null, ...shown, ...from };
    this.#later(0, node, () => {
      if (this.#over) return;
      const id = node.nextSocket();
      this.session = { id, node, welcomed: false, handedOver: handOver !== null, route: null, news: new SeatNews() };
      node.sessions.set(id, this);
      node.registry.opened(id, handOver === null ? hello : { ...hello, handOver });
    });
  }

  welcome(route: TableRoute | null): void {
    const session = this.session!;
    session.welcomed = true;
    this.#moves = 0;
    this.#waitsSince = null;
    this.route(route);
    if (!session.handedOver) this.client.connected();
    for (const message of this.#early.splice(0)) this.send(message);
  }

  route(route: TableRoute | null): void {
    const session = this.session!;
    session.news.routed(session.route, route);
    session.route = route;
  }

  heard(message: ServerMessage): void {
    this.session!.news.heard(message);
    this.client.heard(message);
  }

  /** The registry sends the session to another node: its edge brings it there. */
  relay(node: string, handOver: HandOver | null): void {
    const from = this.session!.node;
    from.sessions.delete(this.session!.id);
    this.session = null;
    if (from === this.edge) return this.#goTo(node, handOver);
    if (++this.#moves > MOST_MOVES) return this.cut(DRAINING);
    this.#later(BETWEEN_NODES_MS, this.edge, () => {
      if (handOver === null || node === this.edge.nodeId) this.begin(this.edge, handOver);
      else this.#goTo(node, handOver);
    });
  }

  #goTo(nodeId: string, handOver: HandOver | null): void {
    this.#later(BETWEEN_NODES_MS, this.edge, () => {
      const node = this.nodeOf(nodeId);
      if (this.#over) return;
      if (node?.listens === true) return this.begin(node, handOver);
      this.#waitsSince ??= this.kernel.now;
      if (this.kernel.now - this.#waitsSince >= PATIENT_MS) return this.cut(DRAINING);
      this.#later(RETRY_MS, this.edge, () => void (this.#over || this.begin(this.edge, handOver)));
    });
  }

  /** The node of the session is gone. */
  broken(): void {
    const welcomed = this.session?.welcomed === true;
    this.session = null;
    if (welcomed) this.cut(DRAINING);
    else this.#goTo('', null);
  }

  /** The platform, or what is left of it, ends the socket. */
  cut(code: number): void {
    if (this.#over) return;
    this.#end({ code, reason: '', by: 'server' });
    this.kernel.later(0, () => this.client.closed(code));
  }

  #end(end: { code: number; reason: string; by: 'client' | 'server' }): void {
    this.#over = true;
    this.edge.connections.delete(this);
    const { session } = this;
    this.session = null;
    if (session === null) return;
    const { node, id } = session;
    node.sessions.delete(id);
    this.#later(node === this.edge ? 0 : BETWEEN_NODES_MS, node, () =>
      node.registry.closed(id, this.client.agentId, end),
    );
  }

  #later(ms: number, node: ShareNode, run: () => void): void {
    this.kernel.plan(this.kernel.now + ms, run, node.thread);
  }
}
