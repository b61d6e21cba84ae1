import type { Server } from 'node:http';
import { OperatorKey } from '../gateway/operator-key.js';
import { clientIp } from '../gateway/ip.js';
import { memoryLimits } from '../gateway/limits.js';
import { Router } from '../gateway/router.js';
import { sharesOf } from '../gateway/shares.js';
import type { HttpRequest } from '../gateway/transport.js';
import { Metrics, serveMetrics, type FrontGauges } from '../metrics/index.js';
import { FrontNode } from '../nodes/front-node.js';
import { GuestShards } from '../nodes/guest-shards.js';
import type { NodeMessage } from '../nodes/node-messages.js';
import type { NodeId, PeerBus } from '../nodes/peer.js';
import { probeRoutes } from '../ops/health.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import { followDatabase, type FollowingNode } from '../store/node/own-node.js';
import { leaveAsAsked, nodeName } from '../store/store.js';
import { metricsPages, REPORT_MS, socketGauges } from './front.js';
import { guestThreads } from './guest-threads.js';

export interface FollowingOptions {
  /** With the port that is to be listened on. */
  config: Config & { DATABASE_URL: string };
  release: string;
  log: Logger;
  busOf: (node: NodeId) => PeerBus<NodeMessage>;
  /** Nobody seems to lead: it is time to try. Called again and again. */
  leaderless: () => void;
  fatal: (error: Error) => void;
}

/** How often a node looks who leads. */
const LOOK_MS = 500;
/** What it answers by itself: all else is the leader's to answer. */
const LOCAL = ['/health/live', '/health/ready', '/metrics'];
/** Refusals that an address has answered at once. */
const REFUSALS_A_SECOND = 20;

/** One life of this process as a node that does not lead. */
interface Life {
  node: FollowingNode;
  bus: PeerBus<NodeMessage>;
}

/** A process that holds sockets for the one that leads, as long as there is one. */
export class Following {
  readonly #front: FrontNode;
  /** Null where it lends no shards. */
  readonly #guests: GuestShards | null;
  readonly #metrics: Metrics;
  readonly #operatorKey: OperatorKey;
  readonly #limits = memoryLimits();
  #life: Life | null = null;
  #metricsServer: Server | null = null;
  #timer: NodeJS.Timeout | undefined;
  #reports: NodeJS.Timeout | undefined;
  #over = false;

  constructor(private readonly options: FollowingOptions) {
    const { config, release, log } = options;
    this.#metrics = new Metrics(() => this.#gauges());
    this.#metrics.node(
      () => this.#life?.node.id ?? '',
      'front',
      () => this.#life?.bus.counts ?? null,
    );
    this.#operatorKey = new OperatorKey(config.ADMIN_KEY, () => performance.now());
    const router = new Router({
      routes: probeRoutes(
        () => this.#over,
        async () => this.#isReady,
      ),
      pages: metricsPages(config, this.#metrics),
      authenticate: async () => null,
      limits: this.#limits,
      unknownKeys: { ask: async () => null },
      operatorKey: this.#operatorKey,
      clientIp: (request) => clientIp(request, config.TRUSTED_PROXY),
      refusals: this.#limits.limiter('refusals', REFUSALS_A_SECOND, 1000),
      shares: sharesOf(config.DATABASE_CONNECTIONS),
      log,
    });
    const local = { paths: LOCAL, answer: (request: HttpRequest) => router.handle(request) };
    const count = config.NODE_SHARDS;
    const holds = () => this.#life?.node.holds === true;
    this.#guests =
      count === 0
        ? null
        : new GuestShards({ ...{ count, holds, log }, thread: guestThreads(config, log), counts: this.#metrics });
    if (this.#guests !== null) this.#metrics.lent(this.#guests);
    this.#front = new FrontNode({ config, release, local, guests: this.#guests, log });
  }

  async start(): Promise<void> {
    const { config } = this.options;
    await this.#front.listen(config.PORT);
    try {
      await this.#live();
      if (config.METRICS_PORT !== undefined) {
        this.#metricsServer = await serveMetrics(this.#metrics, config.METRICS_PORT);
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
    if (this.#guests !== null) this.#reports = setInterval(() => this.#guests?.report(), REPORT_MS).unref();
    this.#later();
  }

  /** Hands of tables that are here may finish; then the leader has them. */
  async drain(): Promise<void> {
    await this.#guests?.drain(this.options.config.DRAIN_MS);
  }

  /** Ends every socket with 1012, and gives up the port. */
  async stop(): Promise<void> {
    this.#over = true;
    clearTimeout(this.#timer);
    clearInterval(this.#reports);
    await this.#front.close();
    await this.#leave();
    this.#metricsServer?.close();
    this.#operatorKey.close();
    await this.#limits.close();
  }

  /** Whether it serves a leader, with all that it needs for that. */
  get #isReady(): boolean {
    return this.#front.serves && this.#life !== null && this.#life.node.holds && this.#life.bus.up;
  }

  async #live(): Promise<void> {
    const { config, log, busOf, fatal } = this.options;
    const node = await followDatabase({
      address: { url: config.DATABASE_URL },
      name: nodeName(),
      onLost: (error) => log.warn({ error: error.message }, "the database does not answer for this node's lease"),
      onRegained: () => log.info({}, "this node's lease is renewed again"),
      onEnded: () => void this.#liveAnew().catch(fatal),
      onDrain: () => leaveAsAsked(log),
    });
    const bus = busOf(node.id);
    this.#life = { node, bus };
    this.#front.join(bus);
    bus.begin(this.#front).catch((error: unknown) => fatal(error as Error));
  }

  /** Others took this node for dead, and what it held is given up: the process goes on as another. */
  async #liveAnew(): Promise<void> {
    this.options.log.warn({}, 'this node was ended: it begins anew');
    this.#front.leave();
    await this.#leave();
    if (!this.#over) await this.#live();
  }

  async #leave(): Promise<void> {
    const life = this.#life;
    this.#life = null;
    await life?.bus.close();
    await life?.node.leave();
  }

  #later(): void {
    if (!this.#over) this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #look(): Promise<void> {
    const life = this.#life;
    try {
      const leading = (await life?.node.leading()) ?? null;
      if (life === null || life !== this.#life) return;
      const lives = leading !== null && leading.lives;
      this.#front.follow(lives ? leading.nodeId : null);
      // Whether it is dead, or merely looks so, the claim finds out.
      if (!lives || leading.silent || leading.lapsed) this.options.leaderless();
    } catch {
      // The lease tells of a database that does not answer; who leads is not known until it does.
    } finally {
      this.#later();
    }
  }

  #gauges(): FrontGauges {
    const { stats } = this.#front;
    return { ...socketGauges(stats), lobby: 0, tables: 0, shardsWithoutDatabase: 0, emailsWaiting: 0 };
  }
}
