import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { zero } from '../gateway/fronts/front-stats.js';
import { clientIp } from '../gateway/ip.js';
import { Metrics, serveMetrics, type FrontGauges } from '../metrics/index.js';
import { LinkedBus } from '../nodes/bus.js';
import { Member } from '../nodes/member.js';
import { isNodeMessage, type NodeMessage } from '../nodes/node-messages.js';
import { NodePort } from '../nodes/node-port.js';
import type { PeerBus } from '../nodes/peer.js';
import { RedisCarrier } from '../nodes/redis-carrier.js';
import type { Logger } from '../ops/log.js';
import { freePort } from '../ops/port-check.js';
import type { RecentLines } from '../ops/recent-lines.js';
import type { Config } from '../ops/settings.js';
import { CloseCode } from '../protocol/codes.js';
import { API_VERSION } from '../protocol/rest/health.js';
import { connect } from '../store/database.js';
import { knownMigrations } from '../store/migrate.js';
import { followDatabase, leadDatabase, type NodeAmongOthers } from '../store/node/own-node.js';
import { RoleTaken } from '../store/role-lock.js';
import { installationAt, leaveAsAsked, migrated, nodeName } from '../store/store.js';
import { Address } from './address.js';
import { REPORT_MS, socketGauges } from './front.js';
import { guestThreads } from './guest-threads.js';
import { Lead } from './lead.js';
import type { Platform } from './leading.js';
import { LocalAnswers } from './local-answers.js';

/** Where a database and a Redis are shared there may be several nodes. */
export type NodeConfig = Config & { DATABASE_URL: string; REDIS_URL: string };

/** What nodes that work together have in common: the protocol, and the schema. */
const release = () => `${API_VERSION}, ${knownMigrations().at(-1)}`;

/** How often a node looks who leads. */
const LOOK_MS = 500;
/** Frames for other nodes that may wait do so for half of their time before they leave, and for the rest at the socket. */
const patienceOf = ({ COALESCE_MS }: Config) => COALESCE_MS / 2;
/** A leader that stops waits so long for the next one, where there is another node, before it gives its tables back. */
const SUCCESSION_MS = 3000;

/** Starts a process as one of several nodes: it leads where nobody does. */
export async function startNode(
  config: NodeConfig,
  log: Logger,
  fatal: (error: Error) => void,
  recent: RecentLines,
): Promise<Platform> {
  const node = new Node(config, log, fatal, recent);
  await node.start();
  return node;
}

/** One life of this process as a node. */
interface Life {
  node: NodeAmongOthers;
  bus: PeerBus<NodeMessage>;
  member: Member;
}

/**
 * One process over its lives. In each it holds sockets and has shards, whoever leads; when whoever led has ended, it may
 * lead itself, beside that.
 */
class Node implements Platform {
  readonly dataFolder = null;
  readonly #address: Address;
  readonly #answers: LocalAnswers;
  /** Of all lives, and of what it leads. */
  readonly #metrics: Metrics;
  #metricsServer: Server | null = null;
  readonly #port: NodePort;
  #life: Life | null = null;
  #lead: Lead | null = null;
  /** An attempt to lead. */
  #claim: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #reports: NodeJS.Timeout | undefined;
  #stopping = false;
  /** Shards that earlier lives have lost. */
  #lostBefore = 0;

  constructor(
    private readonly config: NodeConfig,
    private readonly log: Logger,
    private readonly fatal: (error: Error) => void,
    private readonly recent: RecentLines,
  ) {
    this.#address = new Address(config);
    this.#metrics = new Metrics(() => this.#gauges());
    this.#metrics.node(
      () => this.#life?.node.id ?? '',
      () => (this.#lead === null ? 'front' : 'leader'),
      () => this.#life?.bus.counts ?? null,
    );
    this.#metrics.lent(
      () => this.#life?.member.guests ?? null,
      () => this.#lostBefore,
    );
    this.#answers = new LocalAnswers({
      ...{ config, log, metrics: this.#metrics },
      draining: () => this.#stopping,
      isReady: () => this.#isReady,
    });
    const isLocal = (path: string) => this.#lead?.serves !== true && this.#answers.has(path);
    this.#port = new NodePort({
      ...{ config, log, member: () => this.#life?.member ?? null },
      local: (request) => (isLocal(request.path) ? this.#answers.answer(request) : null),
    });
  }

  async start(): Promise<void> {
    const { config } = this;
    if (config.FRONTS > 1) this.log.warn({}, 'FRONTS does nothing where there are nodes: run more of them');
    // The same port over all lives.
    if (config.PORT === 0) this.#address.listensOn(await freePort(config.HOST));
    await this.#port.listen(this.#address.port);
    this.#address.listensOn(this.#port.port);
    try {
      await this.#live(await this.#begin());
      if (config.METRICS_PORT !== undefined) {
        this.#metricsServer = await serveMetrics(this.#metrics, config.METRICS_PORT);
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.#reports = setInterval(() => this.#life?.member.guests.report(), REPORT_MS).unref();
    this.#later();
  }

  get url(): string {
    return this.#address.http;
  }

  get wsUrl(): string {
    return this.#address.ws;
  }

  get port(): number {
    return this.#address.port;
  }

  /** First another node leads, where there is one; then hands here are finished, and others have the tables. */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    clearInterval(this.#reports);
    await this.#claim;
    const life = this.#life;
    const others = await this.#resign();
    if (life !== null) {
      if (others && life.node.holds) await this.#succeeded(life.member);
      // Who was ended has nothing any more that could be finished.
      const ms = life.node.holds ? this.config.DRAIN_MS : 0;
      if (!(await life.member.guests.drain(ms, others && life.member.leaderWay.serves))) {
        this.log.warn({}, 'hands still running after DRAIN_MS are void');
      }
    }
    life?.member.hub.flush();
    await this.#port.close(CloseCode.draining);
    await this.#leave(CloseCode.draining);
    this.#metricsServer?.close();
    await this.#answers.close();
    return true;
  }

  /** Whether it serves a leader, or leads, with all that it needs for that. */
  get #isReady(): boolean {
    const life = this.#life;
    return life !== null && life.member.leaderWay.serves && life.node.holds && life.bus.up && life.member.guests.ready;
  }

  // ---- its lives

  /** Leads where nobody does. */
  async #begin(): Promise<{ node: NodeAmongOthers; leads: boolean }> {
    const { log } = this;
    const address = { url: this.config.DATABASE_URL };
    const options = {
      address,
      name: nodeName(),
      onLost: (error: Error) =>
        log.warn({ error: error.message }, "the database does not answer for this node's lease"),
      onRegained: () => log.info({}, "this node's lease is renewed again"),
      onEnded: (error: RoleTaken) => this.#ended(error),
      onDrain: () => leaveAsAsked(log),
    };
    try {
      const migrate = async () => {
        const sql = connect(address, { max: 1, name: 'migrations' });
        await migrated(sql, log).finally(() => sql.end({ timeout: 1 }));
      };
      return { node: await leadDatabase({ ...options, alone: false, migrate }), leads: true };
    } catch (error) {
      if (!(error instanceof RoleTaken)) throw error;
      return { node: await followDatabase(options), leads: false };
    }
  }

  async #live({ node, leads }: { node: NodeAmongOthers; leads: boolean }): Promise<void> {
    const { config, log } = this;
    const installation = await installationAt({ url: config.DATABASE_URL });
    const carrier = new RedisCarrier({ id: node.id, address: config.REDIS_URL, installation, log });
    const patienceMs = patienceOf(config);
    const bus = new LinkedBus({ id: node.id, carrier, check: isNodeMessage, log, patienceMs });
    const member = new Member({
      ...{ id: node.id, place: node.place, release: release(), bus, log },
      holds: () => node.holds,
      shards: {
        count: config.NODE_SHARDS ?? config.THREADS,
        thread: guestThreads(config, log),
        counts: this.#metrics,
      },
      sockets: {
        messagesPerSecond: config.WS_MESSAGES_PER_SECOND,
        bufferBytes: config.SOCKET_BUFFER_BYTES,
        deferMs: config.COALESCE_MS,
        waitedMs: patienceMs,
        delayHands: config.SPECTATE_DELAY_HANDS,
        clientIp: (request) => clientIp(request, config.TRUSTED_PROXY),
      },
      publish: (topic, frames) => this.#port.publish(topic, frames),
    });
    const life = { node, bus, member };
    this.#life = life;
    bus
      .begin({
        knocked: (id) => this.#lead?.knocked(id),
        healed: (peer) => {
          member.healed(peer);
          this.#lead?.healed(peer);
        },
        broken: (peer, why) => {
          member.broken(peer, why);
          this.#lead?.broken(peer, why);
        },
        frames: (peer, batch) => member.frames(peer, batch),
        message: (peer, message) => {
          if (this.#lead === null || Lead.isBetweenMembers(message)) member.message(peer, message);
          else this.#lead.message(peer, message);
        },
      })
      // Without a bus there are no others, which is no reason not to play; whoever follows is nobody without it.
      .catch((error: unknown) => {
        if (this.#life !== life) return;
        if (this.#lead === null) this.fatal(error as Error);
        else log.error({ error: (error as Error).message }, 'no other node can join this one');
      });
    if (leads) await this.#leads(life);
  }

  /** Others took this node for dead. */
  #ended(error: RoleTaken): void {
    if (this.#lead !== null) return this.fatal(error);
    this.log.warn({}, 'this node was ended: it begins anew');
    void (async () => {
      await this.#leave(CloseCode.draining);
      if (!this.#stopping) await this.#live(await this.#begin());
    })().catch((cause: unknown) => this.fatal(cause as Error));
  }

  async #leave(code: CloseCode): Promise<void> {
    const life = this.#life;
    this.#life = null;
    life?.member.end(code);
    this.#lostBefore += life?.member.guests.lost ?? 0;
    await life?.bus.close();
    await life?.node.leave();
  }

  // ---- who leads

  #later(): void {
    if (!this.#stopping) this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #look(): Promise<void> {
    const life = this.#life;
    try {
      if (life === null || this.#lead !== null) return;
      const leading = await life.node.leading();
      if (life !== this.#life || this.#lead !== null) return;
      const lives = leading !== null && leading.lives;
      life.member.follow(lives ? leading.nodeId : null);
      // Whether it is dead, or merely looks so, the claim finds out.
      if (!lives || leading.silent || leading.lapsed)
        this.#claim ??= this.#succeed(life).finally(() => (this.#claim = null));
    } catch {
      // The lease tells of a database that does not answer; who leads is not known until it does.
    } finally {
      this.#later();
    }
  }

  /** Leads from now on, if nobody else does. */
  async #succeed(life: Life): Promise<void> {
    try {
      if (this.#stopping || !(await life.node.claim())) return;
      if (this.#stopping) return await life.node.resign();
      this.log.info({ node: life.node.id }, 'nobody leads any more: this node does');
      await this.#leads(life);
    } catch (error) {
      // A claim that fails for now is made again; a leader that cannot start must go.
      if (this.#lead !== null) this.fatal(error as Error);
      else this.log.warn({ error: (error as Error).message }, 'this node could not take the lead');
    }
  }

  async #leads({ node, bus, member }: Life): Promise<void> {
    const { config, log, fatal, recent } = this;
    this.#lead = new Lead({
      config: { ...config, PORT: this.#address.port },
      ...{ node, bus, member, log, fatal, recent, release: release() },
      metrics: this.#metrics,
    });
    await this.#lead.start();
  }

  /** Resolves to whether there is another node that could lead. */
  async #resign(): Promise<boolean> {
    const lead = this.#lead;
    if (lead === null) return this.#life?.member.leaderWay.serves === true;
    const others = await lead.stop();
    this.#lead = null;
    return others;
  }

  /** Whoever leads next takes the tables of this node. */
  async #succeeded(member: Member): Promise<void> {
    const end = performance.now() + SUCCESSION_MS;
    while (performance.now() < end && !member.leaderWay.serves) {
      // A database that does not answer now is asked again, and the lease tells of it.
      const leading = await this.#life?.node.leading().catch(() => null);
      if (leading !== null && leading !== undefined && leading.lives) member.follow(leading.nodeId);
      await sleep(100);
    }
  }

  #gauges(): FrontGauges {
    const stats = this.#life?.member.stats;
    return {
      ...socketGauges(stats ?? zero()),
      ...(this.#lead?.gauges ?? { lobby: 0, tables: 0, shardsWithoutDatabase: 0, emailsWaiting: 0 }),
    };
  }
}
