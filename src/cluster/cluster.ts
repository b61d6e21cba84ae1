import { assert, assertWhole } from '../ops/assert.js';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../gateway/gateway.js';
import type { Answerer } from '../gateway/ports.js';
import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import type { AnsweredAt, RawRequest } from '../protocol/route.js';
import type { JoinPlace, OtherNodes, SeatElsewhere, TableElsewhere, TableView, WaitingPlace } from '../lobby/index.js';
import type { CreditsHealth } from '../ops/health.js';
import type { Logger } from '../ops/log.js';
import type { Notice } from '../ops/notices.js';
import type { ClaimedTable } from '../shard/main/boot.js';
import { Displaced } from '../store/node/leadership.js';
import type { Store } from '../store/store.js';
import { PoolCompany } from './company.js';
import { DatabaseOutage } from './database-outage.js';
import { Homes } from './homes.js';
import { Membership } from './membership.js';
import type { ClusterConfig } from './settings.js';
import * as queries from './queries.js';
import type { NodeCertificates } from './wire/internal-port.js';
import { NodeWire } from './wire/node-wire.js';
import type { NodeNotice } from './wire/notice-messages.js';
import { askTableView } from './wire/table-views.js';
import type { Static } from 'typebox';
import { Exchange, noHeaders } from '../gateway/exchange.js';
import type { Health } from '../protocol/rest/health.js';
import type { Forwarder } from './wire/forwarder.js';

/** The credits in the /health of the leader, which alone pays and looks at the books. */
export class LeaderCredits {
  #known: CreditsHealth | null = null;
  #away = false;

  constructor(
    private readonly forwarder: Pick<Forwarder, 'forward'>,
    private readonly leader: () => Promise<string | null>,
    private readonly log: { warn(detail: object, message: string): void },
  ) {}

  /**
   * Without an answer of the leader, nothing is paid, and the state of the books is the last known one. Null: never
   * known.
   */
  async ask(): Promise<CreditsHealth | null> {
    try {
      const leader = await this.leader();
      if (leader !== null) this.#known = await this.#askNode(leader);
      this.#away = false;
      if (leader !== null) return this.#known;
    } catch (error) {
      // The database or the leader is away, and /health says so by `paying`.
      if (!this.#away)
        this.log.warn({ error: (error as Error).message }, "the leader's figures of credits cannot be read");
      this.#away = true;
    }
    return this.#known && { ...this.#known, paying: false };
  }

  async #askNode(leader: string): Promise<CreditsHealth> {
    const question = new Exchange({ method: 'GET', path: '/health', query: '', remote: '', headers: noHeaders() });
    const { status, body } = await this.forwarder.forward(leader, question, null);
    if (status !== 200) throw new Error(`the leader answered ${status}`);
    const health = JSON.parse(String(body)) as Static<typeof Health>;
    assertWhole(health.deposits_pending, 'the pending deposits of the leader');
    const { deposits_pending: pending, withdrawal, financial_reconciliation: books } = health;
    return { pending, paying: withdrawal.running, books };
  }
}

/** The parts of this node that the cluster uses. */
export interface ThisNode {
  /** Whether the node's lobby has state of the agent, such as a session or a seat. */
  has(agentId: string): boolean;
  /** Players that sit or wait, by pool. */
  players(): ReadonlyMap<string, number>;
  /** The own shards that play, by their stored numbers, with the players on each. */
  shards(): ReadonlyMap<number, number>;
  /** Opens tables that this node has claimed. */
  adopt(tables: readonly ClaimedTable[]): Promise<void>;
  /** The nodes of waiting joins may have changed. */
  placesChanged(): void;
  lookAfterRelayed(): void;
  /** A view of a table of this node, as JSON text. Null: spectators have no such table. */
  tableView(asked: TableView): Promise<string | null>;
  /** This node leads from now on. */
  lead(): void;
  /** Another node has changed a row. */
  heard(notice: Notice): Promise<void>;
}

export interface ClusterOptions {
  config: ClusterConfig;
  store: Store;
  gateway: Gateway;
  fatal: (error: Error) => void;
  log: Logger;
}

/** Room for one batch that crosses the limit of a socket's unsent bytes. */
const BUFFER_RESERVE = 16 * 1024 * 1024;
/** A draining node ends after this time without other nodes that claim its tables. */
const ADOPTED_MS = 10_000;
const LOOK_MS = 50;
/** The list of other nodes' tables is read again after this time. */
const TABLES_MS = 1000;
const RELAYED_LOOK_MS = 5000;

/**
 * This process as one node among others on the same database (docs/explanation/cluster.md). Each node is a whole platform; PostgreSQL
 * decides which node has an agent, a table and the lead.
 */
export class Cluster implements OtherNodes {
  readonly nodeId: string;
  readonly membership: Membership;
  readonly #homes: Homes;
  readonly #company: PoolCompany;
  readonly #outage: DatabaseOutage;
  readonly #leaderCredits: LeaderCredits;
  #node: ThisNode | null = null;
  #looker: NodeJS.Timeout | undefined;
  #gaveUp = false;
  #tables: readonly TableElsewhere[] = [];
  #tablesAt = -Infinity;

  private constructor(
    private readonly options: ClusterOptions,
    private readonly wire: NodeWire,
  ) {
    const { store, config, gateway, log, fatal } = options;
    const { sql, background, node } = store;
    this.nodeId = node.id;
    this.membership = new Membership({
      sql: background,
      node,
      fatal,
      log,
      shards: () => this.#of.shards(),
      onLiving: (others) =>
        wire.peers.set(
          others.flatMap(({ nodeId, internal }) => (internal === null ? [] : [{ nodeId, address: internal }])),
        ),
      onEnded: (ended) => {
        assert(!ended.includes(node.id), 'a node does not end itself', node.id);
        // An ended node may have been frozen. It hears that it has ended, and exits.
        for (const nodeId of ended) void this.#tell(nodeId, { kind: 'ended', nodeId });
        this.#of.placesChanged();
      },
      onClaimed: async (tables) => {
        this.#homes.took(tables.flatMap(({ table }) => table.sittings.map(({ player }) => player.agentId)));
        await this.#of.adopt(tables);
      },
      onLead: () => this.#of.lead(),
    });
    this.#homes = new Homes({
      sql,
      background,
      nodeId: node.id,
      log,
      isHere: (agentId) => this.#of.has(agentId),
      maybeEnded: () => !node.holds && this.membership.size > 1,
    });
    this.#company = new PoolCompany({
      sql: background,
      nodeId: node.id,
      graceMs: config.LOBBY_GRACE_MS / 2,
      log,
      players: () => this.#of.players(),
      nodes: () => this.membership.size,
      lives: (nodeId) => this.membership.lives(nodeId),
      changed: () => this.#of.placesChanged(),
    });
    this.#outage = new DatabaseOutage({
      holds: () => node.holds,
      hasOthers: () => this.membership.size > 1,
      endSockets: () => gateway.hub.endAll(CloseCode.draining, CLOSE_REASONS[CloseCode.draining]),
      now: () => performance.now(),
      log,
    });
    this.#leaderCredits = new LeaderCredits(
      wire.forwarder,
      () => this.nodeOf('leader', { params: {}, agent: null }),
      log,
    );
    wire.notices.on('ended', ({ nodeId }) => {
      if (nodeId === node.id && !this.#gaveUp) fatal(new Displaced());
    });
    wire.notices.on('draining', () => void this.membership.look());
    for (const kind of HEARD) wire.notices.on(kind, (notice) => this.#of.heard(notice));
  }

  /** Listens at NODE_ADDRESS. Rejects if the address is not available. */
  static async listen(options: ClusterOptions): Promise<Cluster> {
    const { config, store, gateway, log } = options;
    const { node } = store;
    const tls = certificatesOf(config);
    let cluster: Cluster | null = null;
    const wire = await NodeWire.listen({
      nodeId: node.id,
      secret: config.CLUSTER_SECRET,
      address: addressOf(config.NODE_ADDRESS),
      log,
      ...(tls && { tls }),
      now: () => node.clock.now(),
      serves: () => node.holds && gateway.listens,
      sockets: gateway.hub,
      answerer: (): Answerer => gateway.answerer,
      clientIp: (request) => gateway.ip(request),
      tableView: async (asked) => (cluster === null ? null : cluster.#of.tableView(asked)),
      bufferLimit: config.SOCKET_BUFFER_BYTES + BUFFER_RESERVE,
    });
    return (cluster = new Cluster(options, wire));
  }

  get relays(): NodeWire['relays'] {
    return this.wire.relays;
  }

  /** Messages to other nodes since the start, by their kind. */
  get sent(): ReturnType<NodeWire['sent']> {
    return this.wire.sent();
  }

  /** Call it before anything starts. */
  serves(node: ThisNode): void {
    assert(this.#node === null, 'a cluster serves one node', this.nodeId);
    this.#node = node;
  }

  get #of(): ThisNode {
    assert(this.#node !== null, 'a cluster is asked once its node is built', this.nodeId);
    return this.#node;
  }

  /** Call it once the stored tables are open here. */
  async start(): Promise<void> {
    assert(this.#node !== null, 'a cluster starts once its node is built', this.nodeId);
    assert(this.#looker === undefined, 'a cluster starts once', this.nodeId);
    await this.#homes.start();
    await this.membership.start();
    await this.#company.start();
    this.#outage.start();
    this.#looker = setInterval(() => this.#of.lookAfterRelayed(), RELAYED_LOOK_MS);
  }

  /** This node takes no new sessions and tables from now on. */
  async beginDrain(): Promise<void> {
    this.membership.drain();
    await this.#company.drain();
  }

  /** The node's shards have stopped: it gives its tables up, and waits until others have them. */
  async giveUp(): Promise<void> {
    const { store, log } = this.options;
    await this.membership.stop();
    assert(!this.#gaveUp, 'a node gives its tables up once', this.nodeId);
    const others = this.wire.peers.ids;
    // Others tell a node that it has ended, also where it has ended by itself.
    this.#gaveUp = true;
    await store.node.end();
    if (others.length === 0) return;
    await Promise.all(others.map((nodeId) => this.#tell(nodeId, { kind: 'draining', nodeId: this.nodeId })));
    for (const until = performance.now() + ADOPTED_MS; performance.now() < until; await sleep(LOOK_MS)) {
      if (!(await queries.hasOrphans(store.background))) return;
    }
    log.warn({}, "no other node has claimed this node's tables; their seats stay stored");
  }

  async stop(): Promise<void> {
    clearInterval(this.#looker);
    this.#outage.stop();
    this.#company.stop();
    await this.#homes.stop();
    await this.membership.stop();
    await this.wire.close();
  }

  // ---- for the lobby

  async homeOf(agentId: string): Promise<string | null> {
    const home = await this.#homes.homeOf(agentId);
    assert(home !== this.nodeId, 'an agent whose home is this node is here', agentId);
    // An unknown node is looked up at once.
    if (home !== null && !this.membership.lives(home)) await this.membership.look();
    return home;
  }

  async give(agentId: string, node: string): Promise<boolean> {
    assert(node !== this.nodeId, 'an agent is given to another node', agentId);
    return this.#homes.give(agentId, node);
  }

  placeOf(join: WaitingPlace): JoinPlace {
    return this.#company.placeOf(join);
  }

  async tables(): Promise<readonly TableElsewhere[]> {
    const now = performance.now();
    if (now - this.#tablesAt < TABLES_MS) return this.#tables;
    this.#tables = await queries.tablesElsewhere(this.options.store.sql, this.nodeId);
    this.#tablesAt = now;
    assert(new Set(this.#tables.map(({ tableId }) => tableId)).size === this.#tables.length, 'a table has one node');
    return this.#tables;
  }

  /** The node of an open table; null: this one, or there is no such table. */
  async nodeOfTable(tableId: string): Promise<string | null> {
    return this.#other(await queries.nodeOfTable(this.options.store.sql, tableId));
  }

  seatOf(agentId: string): Promise<SeatElsewhere | null> {
    return queries.seatElsewhere(this.options.store.sql, agentId);
  }

  async tableView(asked: TableView): Promise<string | null> {
    const node = UUID.test(asked.tableId) ? await this.nodeOfTable(asked.tableId) : null;
    return node === null ? null : askTableView(this.wire.peers, node, asked);
  }

  // ---- for the gateway

  /** The node that answers a route; null: this one. */
  async nodeOf(at: AnsweredAt, { params, agent }: Pick<RawRequest, 'params' | 'agent'>): Promise<string | null> {
    const { sql } = this.options.store;
    switch (at) {
      case 'leader':
        return this.membership.leads ? null : this.#other(await queries.leaderOf(sql));
      case 'table':
        return UUID.test(params['table_id'] ?? '') ? this.nodeOfTable(params['table_id']!) : null;
      case 'home':
        if (agent === null || this.#of.has(agent.agentId)) return null;
        return this.#other(await queries.homeOf(sql, agent.agentId));
    }
  }

  get forward(): NodeWire['forwarder']['forward'] {
    return (node, request, agent) => this.wire.forwarder.forward(node, request, agent);
  }

  /** See LeaderCredits. Null: this node leads. */
  async leaderCredits(): Promise<CreditsHealth | null> {
    return this.membership.leads ? null : this.#leaderCredits.ask();
  }

  /** Ids of the other living nodes. */
  get others(): readonly string[] {
    return this.wire.peers.ids;
  }

  // ---- notices

  /** Tells all other living nodes; resolves once each has confirmed it, or did not within 1 s. */
  async announce(notice: Notice): Promise<void> {
    await this.wire.notices.tellAll(notice);
  }

  async #tell(nodeId: string, notice: NodeNotice): Promise<void> {
    await this.wire.notices.tell(nodeId, notice);
  }

  #other(nodeId: string | null): string | null {
    return nodeId !== null && this.membership.lives(nodeId) ? nodeId : null;
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Notices that the features obey. */
const HEARD = ['agent_changed', 'key_ended', 'token_ended', 'competition_changed', 'season_changed'] as const;

/** Throws ConfigError's cause if a file cannot be read. */
function certificatesOf({ NODE_TLS_KEY, NODE_TLS_CERT, NODE_TLS_CA }: ClusterConfig): NodeCertificates | undefined {
  if (NODE_TLS_KEY === undefined || NODE_TLS_CERT === undefined) return undefined;
  const ca = NODE_TLS_CA === undefined ? {} : { ca: readFileSync(NODE_TLS_CA) };
  return { key: readFileSync(NODE_TLS_KEY), cert: readFileSync(NODE_TLS_CERT), ...ca };
}

/** `host:port`, with an IPv6 host in brackets. */
function addressOf(text: string): { host: string; port: number } {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
}
