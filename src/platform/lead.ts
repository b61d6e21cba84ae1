import { setTimeout as sleep } from 'node:timers/promises';
import type { Answerer } from '../gateway/ports.js';
import type { Site } from '../gateway/pages/site.js';
import type { Registry } from '../gateway/ports.js';
import type { FrontGauges, Metrics } from '../metrics/index.js';
import type { Moves } from '../lobby/moves.js';
import type { EarlyWords } from '../nodes/early-words.js';
import { localPeers } from '../nodes/local-peer.js';
import type { Member } from '../nodes/member.js';
import type { NodeMessage } from '../nodes/node-messages.js';
import type { BreakReason, NodeId, Peer, PeerBus } from '../nodes/peer.js';
import { RemoteFronts } from '../nodes/remote-fronts.js';
import { RemoteShards } from '../nodes/remote-shards.js';
import type { Logger } from '../ops/log.js';
import type { RecentLines } from '../ops/recent-lines.js';
import type { Config } from '../ops/settings.js';
import { dealOut, inheritShards, lendShard, openTables, type Decided } from '../shard/main/lending.js';
import { retrying } from '../store/database.js';
import { requireMigrated } from '../store/migrate.js';
import { asked, DeathWatch } from '../store/node/death-watch.js';
import type { NodeAmongOthers } from '../store/node/own-node.js';
import { endLapsed, others } from '../store/node/queries.js';
import { storeOn, type Store } from '../store/store.js';
import type { Cluster, Lobby } from './ground.js';
import { leadPlatform, type LeadingPlatform } from './leading.js';

export interface LeadOptions {
  /** With the port that the node listens on. */
  config: Config & { DATABASE_URL: string };
  release: string;
  node: NodeAmongOthers;
  bus: PeerBus<NodeMessage>;
  /** The node of this process. */
  member: Member;
  metrics: Metrics;
  recent: RecentLines;
  log: Logger;
  /** Names the database. */
  installation: string;
  /** The pages for people; null where they are switched off. */
  site: Site | null;
  /** What nodes say until the lead can listen; who owns it forgets those whose link breaks. */
  early: EarlyWords;
  /** Others have ended this node, and lead. */
  displaced: (error: Error) => void;
}

/** A table that moves is one message, with its replay window: a post has room for no more. */
const MOST_CARRIED = 2 * 1024 * 1024;

const ANSWER_MS = 100;
/** What is asked of a database that is away has so many seconds. */
const CLOSE_SECONDS = 1;
/** Nodes that are told to stop together hear of it within so long. */
const TOGETHER_MS = 500;
/** …and have closed their sockets so long after the last hand. */
const LAST_MS = 2000;

type LeaderGauges = Pick<FrontGauges, 'lobby' | 'tables' | 'shardsWithoutDatabase' | 'emailsWaiting'>;

/** The lead of all nodes, beside what this process is as one of them: the lobby and the features. */
export class Lead {
  #fronts: RemoteFronts | null = null;
  #shards: RemoteShards | null = null;
  #moves: Moves | null = null;
  /** Whom nodes speak to. */
  #serving: { registry: Registry; answerer: Answerer } | null = null;
  #met: Promise<void> = Promise.resolve();
  #platform: LeadingPlatform | null = null;
  /** At the end: another node stays, and will lead. */
  #hasHeir = true;
  readonly #peers: Record<'leader' | 'member', Peer<NodeMessage>>;
  #gauges: () => LeaderGauges = () => ({ lobby: 0, tables: 0, shardsWithoutDatabase: 0, emailsWaiting: 0 });

  constructor(private readonly options: LeadOptions) {
    const { member } = options;
    this.#peers = localPeers<NodeMessage>(member.id, {
      leader: (peer, message) => this.#fronts?.message(peer, message),
      member: (peer, message) => member.fromLeader(peer, message),
    });
  }

  /** Whether it is for a node as such, whoever leads. */
  static isBetweenMembers(message: NodeMessage): boolean {
    return message.t === 'toShard' || message.t === 'torn';
  }

  /** Rejects with nothing of it going on but what `end` ends. */
  async start(): Promise<void> {
    const { config, node, log, displaced: fatal, recent, installation, site } = this.options;
    const address = { url: config.DATABASE_URL };
    const store = await storeOn(node, { address, config, log, fatal, installation });
    const cluster = this.#cluster(store, await this.#known(store));
    this.#platform = await leadPlatform({ config, log, store, site, fatal, cluster }, recent);
  }

  /** Other nodes; the connections that are needed next are made meanwhile. Rejects where this release cannot lead. */
  async #known(store: Store): Promise<readonly NodeId[]> {
    try {
      const checks = [store.answers(), requireMigrated(store.background)];
      const [known] = await Promise.all([others(store.background, this.options.node.id), ...checks]);
      return known;
    } catch (error) {
      await store.close(CLOSE_SECONDS);
      throw error;
    }
  }

  /** The features answer. */
  get serves(): boolean {
    return this.#platform !== null;
  }

  get gauges(): LeaderGauges {
    return this.#gauges();
  }

  /** Gives the lead up. Resolves to whether another node will lead; where none stays, no hand is in play any more. */
  async stop(): Promise<boolean> {
    const { node, log } = this.options;
    this.#hasHeir = (await this.#fronts?.lastStop.stays(TOGETHER_MS)) ?? false;
    if (this.#hasHeir) {
      await this.#moves?.finish();
      this.quit();
      // What was asked before may be answered.
      await sleep(ANSWER_MS);
    } else this.#fronts?.lastStop.close();
    await this.#platform?.stop();
    this.#peers.leader.end();
    this.#peers.member.end();
    try {
      await node.resign();
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'the lead could not be given up: others wait for the lease');
    }
    // Those that looked meanwhile took it for the leader yet.
    this.#fronts?.resign();
    return this.#hasHeir;
  }

  /**
   * In the place of `stop`, where another node leads already, or the lead could not be begun: all of it ends, and the
   * process goes on without it.
   */
  async end(): Promise<void> {
    this.quit();
    await this.#platform?.end();
    this.#peers.leader.end();
    this.#peers.member.end();
    this.options.metrics.leadEnded();
  }

  /** Hands are played to their end where they are, on all nodes, and all sockets stay open meanwhile. */
  async #finish(ms: number): Promise<boolean> {
    const fronts = this.#fronts!;
    const finished = await Promise.all([this.options.member.guests.drain(ms, false), fronts.lastStop.finished(ms)]);
    // Shards of nodes that end now are nobody's loss.
    this.#shards?.stop();
    await fronts.lastStop.part(LAST_MS);
    return !finished.includes(false);
  }

  /** What sockets and shards say from now on is for the next leader. */
  quit(): void {
    this.options.member.resign();
    this.#fronts?.resign();
  }

  // ---- from the bus

  knocked(node: NodeId): void {
    this.#fronts?.knocked(node);
  }

  healed(peer: Peer<NodeMessage>): void {
    this.#fronts?.healed(peer);
  }

  broken(peer: Peer<NodeMessage>, why: BreakReason): void {
    this.#fronts?.broken(peer, why);
  }

  message(peer: Peer<NodeMessage>, message: NodeMessage): void {
    if (this.#shards === null) this.options.early.keeps(peer, message);
    else this.#fronts?.message(peer, message);
  }

  // ---- for the platform

  #movesOf(lobby: Lobby): Moves | null {
    const { REPLAY_BYTES } = this.options.config;
    if (REPLAY_BYTES > MOST_CARRIED) {
      this.options.log.warn(
        {},
        `with REPLAY_BYTES above ${MOST_CARRIED} tables do not move between nodes: they are opened anew`,
      );
      return null;
    }
    const fronts = this.#fronts!;
    const moves = lobby.movable({
      hold: (table, then) => {
        this.#shards?.hold(table);
        fronts.hold(table, then);
      },
      release: (table, shard, anew) => {
        this.#shards?.release(table, shard);
        fronts.moved(table, shard, anew);
      },
      send: (shard, message) => this.#shards?.send(shard, message),
    });
    fronts.onStuck = (table) => moves.stuck(table);
    fronts.whereIs = (table, then) => moves.whereIs(table, then);
    return moves;
  }

  #cluster({ background, leadership }: Store, expected: readonly NodeId[]): Cluster {
    const { config, release, node, bus, member, log, metrics } = this.options;
    const peers = this.#peers;
    const { guests, hub } = member;
    const watch = new DeathWatch(background, node.id);
    const judged = (hasEnded: (other: NodeId) => Promise<boolean>) =>
      asked(log, false, async (other: NodeId) => node.judges && (await hasEnded(other)));
    const lapsed = asked(log, [], async () => (node.judges ? watch.lapsed() : []));
    return {
      ...{ hub, port: config.PORT, metrics },
      sockets: (links) => {
        this.#fronts = new RemoteFronts({
          ...{ bus, release, expected, links, log },
          own: { sockets: hub, place: member.place, peer: peers.member },
          hasEnded: judged((other) => endLapsed(background, other, node.id)),
          lapsed: () => lapsed(null),
        });
        return this.#fronts.sockets;
      },
      threads: {
        get numbers() {
          return guests.numbers;
        },
        stats: (shard) => guests.statsOf(shard),
        isReady: (shard) => guests.numbers.includes(shard),
      },
      lead: async (links, { listener, lobby, rulesOf }) => {
        const inherits = await inheritShards(background, leadership);
        const decided: Decided = new Map();
        const fronts = this.#fronts!;
        const shards = new RemoteShards({
          ...{ links, listener, log, inherits, now: () => node.clock.now() },
          lobby: {
            down: (shard) => lobby.shardDown(shard),
            retires: (shard) => {
              lobby.shardRetires(shard);
              this.#moves?.vacate(shard, () => this.#shards?.vacated(shard));
            },
            players: (shard) => lobby.playersOn(shard),
            inherited: (shard, tables) => lobby.inherited(shard, tables),
            openMissing: (shard, stored) => lobby.openMissing(shard, stored),
            unheard: (shard, stored) => lobby.unheard(shard, stored),
            dealtOut: (lost, dealt) => {
              lobby.shardDealtOut(lost, dealt);
              for (const { opening, shard } of dealt) fronts.moved(opening.tableId, shard, true);
            },
          },
          store: {
            // A connection that breaks here is no reason for a new leader to go.
            tables: (shard) => retrying(() => openTables(background, shard, rulesOf)),
            lend: (shard, other) => lendShard(background, leadership, shard, other),
            dealOut: (shard, players) => dealOut(background, leadership, { shard, players, rulesOf, decided }),
            hasEnded: judged((other) => watch.hasEnded(other)),
          },
          peer: (other) => (other === node.id ? peers.member : bus.peer(other)),
          shardAt: (shard, other) => fronts.shardAt(shard, other),
          ended: (other) => fronts.ended(other),
        });
        this.#shards = shards;
        fronts.borrow(shards);
        this.options.early.tell((peer, message) => fronts.message(peer, message));
        member.lead(peers.leader);
        const { registry, answerer } = this.#serving!;
        member.serve(peers.leader, registry, answerer);
        this.#met = fronts.serve(registry, answerer);
        await shards.settled();
      },
      met: () => this.#met,
      serves: (registry, answerer) => void (this.#serving = { registry, answerer }),
      moves: (lobby) => (this.#moves = this.#movesOf(lobby)),
      shardUp: (shard) => this.#fronts?.shardUp(shard),
      drain: async (ms) => (this.#hasHeir ? true : this.#finish(ms)),
      quit: () => this.quit(),
      stop: async () => {
        await this.#fronts?.stop();
        this.#shards?.stop();
      },
      isReady: () => bus.up && guests.ready,
      counted: (gauges) => {
        this.#gauges = gauges;
        metrics.borrowed({ counts: () => this.#shards?.counts ?? { borrowed: 0, down: 0 } });
      },
    };
  }
}
