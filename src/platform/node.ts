import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '../gateway/pages/site.js';
import { zero } from '../nodes/front-stats.js';
import { Metrics, serveMetrics, type FrontGauges } from '../metrics/index.js';
import { NodePort } from '../nodes/node-port.js';
import type { Logger } from '../ops/log.js';
import { freePort } from '../ops/port-check.js';
import type { RecentLines } from '../ops/recent-lines.js';
import { CloseCode } from '../protocol/codes.js';
import { isConnectionError } from '../store/database.js';
import { installationAt } from '../store/store.js';
import { Address } from './address.js';
import { REPORT_MS, socketGauges } from './front.js';
import { Lead } from './lead.js';
import type { Platform } from './leading.js';
import { releaseBuilt } from '../ops/release.js';
import { beginNode, lifeOf, type Life, type NodeConfig } from './life.js';
import { LocalAnswers } from './local-answers.js';
import { siteOf } from './site.js';
import { endInTime, Succession } from './succession.js';

/** How often the next life is tried while the database is away. */
const AGAIN_MS = 500;

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

/**
 * One process over its lives. In each it holds sockets and has shards, whoever leads; when whoever led has ended, it may
 * lead itself, beside that.
 */
class Node implements Platform {
  readonly dataFolder = null;
  readonly #address: Address;
  readonly #answers: LocalAnswers;
  /** Read once: who takes the lead has no time for it. */
  readonly #site: Site | null;
  /** Of all lives, and of what it leads. */
  readonly #metrics: Metrics;
  #metricsServer: Server | null = null;
  readonly #port: NodePort;
  #life: Life | null = null;
  readonly #succession: Succession;
  #reports: NodeJS.Timeout | undefined;
  #stopping = false;
  /** Names the database, for all lives. */
  #installation: string | null = null;
  /** Shards that earlier lives have lost. */
  #lostBefore = 0;

  constructor(
    private readonly config: NodeConfig,
    private readonly log: Logger,
    private readonly fatal: (error: Error) => void,
    recent: RecentLines,
  ) {
    this.#address = new Address(config);
    this.#succession = new Succession({
      ...{ log, fatal },
      life: () => this.#life,
      lead: (life, early) => {
        const lead = new Lead({
          config: { ...config, PORT: this.#address.port },
          ...{ ...life, log, recent, early, release: releaseBuilt(), site: this.#site, metrics: this.#metrics },
          installation: this.#installation!,
          // What it had begun before it gave the lead up may be refused after: this node is none the worse for it.
          displaced: (error) => {
            if (this.#succession.lead === lead) this.#ended(life, error);
          },
        });
        return lead;
      },
    });
    this.#site = siteOf(config);
    this.#metrics = new Metrics(() => this.#gauges());
    this.#metrics.node(
      () => this.#life?.node.id ?? '',
      () => (this.#succession.lead === null ? 'front' : 'leader'),
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
      services: () => this.#services,
      game: () => ({
        active_tables: this.#life?.member.guests.tables ?? 0,
        active_connections: this.#life?.member.stats.sockets ?? 0,
        lobby_queue: 0,
      }),
    });
    const isLocal = (path: string) =>
      this.#succession.lead?.serves !== true && this.#answers.has(path, this.#life?.member.leaderWay.serves === true);
    this.#port = new NodePort({
      ...{ config, log, member: () => this.#life?.member ?? null },
      local: (request) => (isLocal(request.path) ? this.#answers.answer(request) : null),
    });
  }

  async start(): Promise<void> {
    const { config } = this;
    // The same port over all lives.
    if (config.PORT === 0) this.#address.listensOn(await freePort(config.HOST));
    await this.#port.listen(this.#address.port);
    this.#address.listensOn(this.#port.port);
    try {
      await this.#live(false);
      if (config.METRICS_PORT !== undefined) {
        this.#metricsServer = await serveMetrics(this.#metrics, config.METRICS_PORT);
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.#reports = setInterval(() => this.#life?.member.guests.report(), REPORT_MS).unref();
    this.#succession.begin();
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
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#reports);
    await this.#succession.stop();
    const life = this.#life;
    const led = this.#succession.lead !== null;
    const others = await this.#succession.resign();
    // Where nobody leads after this one, hands have had their time to finish.
    if (life !== null && (others || !led)) {
      if (others && life.node.holds) await this.#succession.succeeded(life.member);
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
  }

  /** Whether it serves a leader, or leads, with all that it needs for that. */
  get #isReady(): boolean {
    return Object.values(this.#services).every((ok) => ok);
  }

  /** Nothing of it outlives the process. */
  abandon(): void {}

  get #services() {
    const life = this.#life;
    return {
      database: life?.node.holds === true && this.#succession.databaseAnswers,
      cache: life?.bus.up === true,
      coordinator: life !== null && life.member.leaderWay.serves && life.member.guests.ready,
    };
  }

  // ---- its lives

  async #live(follows: boolean): Promise<void> {
    const { config, log } = this;
    this.#installation ??= await installationAt({ url: config.DATABASE_URL });
    let life: Life | null = null;
    /** It may happen before all of it is there. */
    let ended: Error | null = null;
    const onEnded = (error: Error) => {
      ended = error;
      if (life !== null) this.#ended(life, error);
    };
    const begun = await beginNode(config, log, { follows, onEnded });
    life = lifeOf(begun.node, {
      ...{ config, installation: this.#installation, counts: this.#metrics, onEnded, log },
      publish: (topic, frames) => this.#port.publish(topic, frames),
    });
    this.#life = life;
    this.#hear(life);
    if (ended !== null) return this.#ended(life, ended);
    if (begun.leads) await this.#succession.leads(life);
  }

  #hear({ bus, member }: Life): void {
    const succession = this.#succession;
    bus
      .begin({
        knocked: (id) => succession.knocked(id),
        healed: (peer) => {
          member.healed(peer);
          succession.healed(peer);
        },
        broken: (peer, why) => {
          const served = member.leaderWay.serves;
          member.broken(peer, why);
          succession.broken(peer, why);
          if (served && !member.leaderWay.serves) succession.lookNow();
        },
        frames: (peer, batch) => member.frames(peer, batch),
        message: (peer, message) => {
          if (Lead.isBetweenMembers(message) || !succession.hears(peer, message)) member.message(peer, message);
        },
      })
      // Without a bus there are no others, which is no reason not to play; whoever follows is nobody without it.
      .catch((error: unknown) => {
        if (this.#life?.bus !== bus) return;
        if (succession.lead === null) this.fatal(error as Error);
        else this.log.error({ error: (error as Error).message }, 'no other node can join this one');
      });
  }

  /** Others took this node for dead: what it had is theirs, and it goes on as another. */
  #ended(life: Life, error: Error): void {
    const lead = this.#succession.lead;
    if (life !== this.#life) return;
    // Of a leader that stops nothing goes on, and one that only begins cannot be undone.
    if (lead !== null && this.#stopping) return;
    if (lead?.serves === false) return this.fatal(error);
    this.log.warn({ node: life.node.id, led: lead !== null }, 'this node was ended: it begins anew');
    this.#succession.displaced();
    void (async () => {
      await this.#leave(CloseCode.draining, lead);
      await this.#liveAgain();
    })().catch((cause: unknown) => this.fatal(cause as Error));
  }

  async #liveAgain(): Promise<void> {
    for (let away = false; !this.#stopping; await sleep(AGAIN_MS)) {
      try {
        return await this.#live(true);
      } catch (error) {
        if (this.#life !== null || !isConnectionError(error)) throw error;
        if (!away) this.log.warn({ error: (error as Error).message }, 'the database is away: the next node waits');
        away = true;
      }
    }
  }

  /** `lead`: what it led with, where others lead now. */
  async #leave(code: CloseCode, lead: Lead | null = null): Promise<void> {
    const life = this.#life;
    this.#life = null;
    lead?.quit();
    life?.member.end(code);
    this.#lostBefore += life?.member.guests.lost ?? 0;
    if (lead !== null) await endInTime(lead);
    await life?.bus.close();
    this.#succession.lifeEnded();
    await life?.node.leave();
  }

  #gauges(): FrontGauges {
    const stats = this.#life?.member.stats;
    return {
      ...socketGauges(stats ?? zero()),
      ...(this.#succession.lead?.gauges ?? { lobby: 0, tables: 0, shardsWithoutDatabase: 0, emailsWaiting: 0 }),
    };
  }
}
