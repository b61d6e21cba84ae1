import { serveMetrics } from '../metrics/index.js';
import type { RecentLines } from '../ops/recent-lines.js';
import { buildCore, shardsPart } from './core.js';
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

/** The whole platform on an open store, which closes at its end, also where the platform cannot start. */
export async function runPlatform(ground: Ground, recent: RecentLines): Promise<Platform> {
  const parts = new Parts();
  await parts.start({ stop: () => ground.store.close() });
  try {
    return await run(ground, recent, parts);
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

/** Three steps: the core of the game, the features on it, and the front that lets everybody in. */
async function run(ground: Ground, recent: RecentLines, parts: Parts): Promise<Platform> {
  const { config, log, store, site } = ground;
  const core = await buildCore(ground);
  const features = buildFeatures(core, ground);
  const metrics = buildMetrics(core, features);
  const operator = buildOperator(core, features, ground, recent);
  const upstream = buildUpstream(core, features, metrics);
  const { address, gateway, lobby, emails } = core;
  const { seasons, competitions, credits, analytics, history, hosted, adminWatch, accounts } = features;
  metrics.node(
    () => store.node.id,
    () => 'leader',
  );

  let draining = false;
  const stopClocks = () => {
    core.clock.stop();
    core.dates.stop();
  };
  await parts.start({ stop: stopClocks });
  competitions.prepare();
  await parts.start(shardsPart(core, ground));
  await parts.start({ drain: () => lobby.drain() });
  for (const { node, lead } of [seasons, competitions]) {
    await parts.start(node);
    await parts.start(lead);
  }
  await parts.start(emails);
  await parts.start(credits.lead);
  await parts.start(analytics.node);
  await parts.start(analytics.lead);
  await parts.start(history.node);
  await parts.start({ start: () => adminWatch.start(), drain: () => adminWatch.stop() });
  await parts.start(reportPart(core, metrics, log));
  await parts.start(operator.part);

  await parts.start({
    start: async () => {
      const routes = [...buildRoutes(core, features, ground, () => draining), ...operator.routes];
      const pages = { ...competitions.pages, ...metricsPages(config, metrics) };
      await gateway.listen(upstream, routes, pages, site);
      address.listensOn(gateway.port);
    },
    drain: () => void (draining = true),
    stop: () => gateway.close(),
  });
  if (config.METRICS_PORT !== undefined) {
    const server = await serveMetrics(metrics, config.METRICS_PORT);
    await parts.start({ stop: () => server.close() });
  }
  await parts.start(hosted.lead);
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
  };
}
