import type { Answerer } from '../gateway/ports.js';
import { serveMetrics } from '../metrics/index.js';
import type { RecentLines } from '../ops/recent-lines.js';
import { buildCore, movesPart, shardsPart } from './core.js';
import type { Ground } from './ground.js';
import { buildFeatures } from './features.js';
import { buildMetrics, buildRoutes, buildUpstream, metricsPages, reportPart } from './front.js';
import { HouseBots } from './house-bots.js';
import { buildOperator } from './operator.js';
import { Parts } from './parts.js';

/** A running platform. */
export interface Platform {
  url: string;
  wsUrl: string;
  port: number;
  /** Where the embedded database keeps its files, null with DATABASE_URL. */
  dataFolder: string | null;
  /** Graceful: no new hands, hands in progress finish within DRAIN_MS, sockets close with 1012, seats stay stored. */
  stop(): Promise<void>;
  /** The stop takes too long: ends what would outlive this process. */
  abandon(): void;
}

/** One that leads a database. */
export interface LeadingPlatform extends Platform {
  /** In the place of `stop`: another process leads, and the process goes on without it. */
  end(): Promise<void>;
}

/** Statements under way have so long where another process leads. */
const END_SECONDS = 1;

/**
 * The whole platform on a database that it leads, whose store it closes at its end, also where it cannot start: then a
 * process of several goes on without it.
 */
export async function leadPlatform(ground: Ground, recent: RecentLines): Promise<LeadingPlatform> {
  const parts = new Parts();
  await parts.start({ stop: () => ground.store.close(), end: () => ground.store.close(END_SECONDS) });
  try {
    return await run(ground, recent, parts);
  } catch (error) {
    await (ground.cluster === null ? parts.stop() : parts.end());
    throw error;
  }
}

/** Requests wait for the features to which they go; who opens a socket waits for the lobby alone. */
class Started {
  now: () => void = () => undefined;
  readonly #promise = new Promise<void>((resolve) => (this.now = resolve));

  before({ http, admit }: Answerer): Answerer {
    return { admit, http: async (request) => this.#promise.then(() => http(request)) };
  }
}

/** Three steps: the core of the game, the features on it, and the front that lets everybody in. */
async function run(ground: Ground, recent: RecentLines, parts: Parts): Promise<LeadingPlatform> {
  const { config, log, store, site, cluster } = ground;
  const core = await buildCore(ground);
  const features = buildFeatures(core, ground);
  const metrics = buildMetrics(core, features, cluster);
  const operator = buildOperator(core, features, ground, recent);
  const upstream = buildUpstream(core, features, metrics);
  const { address, gateway, lobby, emails } = core;
  const { seasons, competitions, credits, analytics, history, hosted, adminWatch, accounts } = features;
  if (cluster === null)
    metrics.node(
      () => store.node.id,
      () => 'leader',
      null,
    );

  let draining = false;
  const listen = async () => {
    const routes = [...buildRoutes(core, features, ground, () => draining), ...operator.routes];
    const pages = { ...competitions.pages, ...metricsPages(config, metrics) };
    await gateway.listen(upstream, routes, pages, site);
    address.listensOn(gateway.port);
  };
  const started = new Started();
  // Nodes have their ports, and are heard from the first moment on.
  if (cluster !== null) {
    await listen();
    cluster.serves(upstream.registry, started.before(gateway.answerer));
    // Where the features do not start, requests that wait for them are answered all the same.
    const end = async () => {
      started.now();
      await gateway.close();
    };
    await parts.start({ end });
  }

  const stopClocks = () => {
    core.clock.stop();
    core.dates.stop();
  };
  await parts.start({ stop: stopClocks });
  competitions.prepare();
  await parts.start(shardsPart(core, ground));
  await parts.start({ drain: () => lobby.drain() });
  await parts.start(movesPart(core, metrics, ground));
  await parts.start({ start: () => seasons.start(), drain: () => seasons.stop() });
  await parts.start({ start: () => competitions.start(), drain: () => competitions.stop() });
  await parts.start(emails);
  await parts.start({ start: () => credits.start(), stop: () => credits.stop() });
  await parts.start({ start: () => analytics.start(), stop: () => analytics.stop() });
  await parts.start({ stop: () => history.stop() });
  await parts.start({ start: () => adminWatch.start(), drain: () => adminWatch.stop() });
  await parts.start(reportPart(core, metrics, log));
  await parts.start(operator.part);

  await parts.start({
    start: async () => {
      if (cluster === null) await listen();
      started.now();
    },
    drain: () => void (draining = true),
    stop: () => gateway.close(),
  });
  if (cluster !== null) {
    await parts.start({
      start: async () => {
        await cluster.met();
        lobby.shards.settle();
      },
      stop: () => cluster.quit(),
    });
  } else if (config.METRICS_PORT !== undefined) {
    const server = await serveMetrics(metrics, config.METRICS_PORT);
    await parts.start({ stop: () => server.close() });
  }
  await parts.start({ start: () => hosted.start(), drain: () => hosted.hurry(), stop: () => hosted.stop() });
  await parts.start(new HouseBots(config, address, accounts, store.leadership, log));

  return {
    url: address.http,
    wsUrl: address.ws,
    port: address.port,
    dataFolder: store.folder,
    stop: async () => {
      await parts.drain();
      await parts.stop();
    },
    abandon: () => store.abandon(),
    end: () => parts.end(),
  };
}
