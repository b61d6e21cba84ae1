import { serveMetrics } from '../metrics/index.js';
import type { RecentLines } from '../ops/recent-lines.js';
import type { Cluster, ThisNode } from '../cluster/cluster.js';
import { buildCore, shardsPart, type Core } from './core.js';
import type { Ground } from './ground.js';
import { buildFeatures, type Features } from './features.js';
import { buildMetrics, buildRoutes, buildUpstream, metricsPages, reportPart, sharedSite } from './front.js';
import { HouseBotsPart } from './house-bots.js';
import { buildOperator } from './operator.js';
import { Parts, type Part } from './parts.js';

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
  const { config, log, store } = ground;
  const core = await buildCore(ground);
  const { address, gateway, lobby, cluster, emails } = core;
  const features = buildFeatures(core, ground, cluster === null ? undefined : (notice) => cluster.announce(notice));
  const metrics = buildMetrics(core, features);
  const operator = buildOperator(core, features, ground, recent);
  const upstream = buildUpstream(core, features, metrics);
  const { seasons, competitions, credits, analytics, history, hosted, adminWatch, accounts } = features;
  metrics.node(
    () => store.node.id,
    () => (store.node.epoch === null ? 'follower' : 'leader'),
  );
  /** Clocks and queues that a cluster has once. They start once a life, when this node leads. */
  const lead = new Lead(
    [
      ...[seasons.lead, competitions.lead, emails, credits.lead, analytics.lead, hosted.lead],
      new HouseBotsPart(config, address, accounts, store.leadership, log),
    ],
    ground.fatal,
  );
  if (cluster !== null) cluster.serves(thisNode(core, features, () => lead.begin()));

  let draining = false;
  const stopClocks = () => {
    core.clock.stop();
    core.dates.stop();
  };
  await parts.start({ stop: stopClocks });
  competitions.prepare();
  if (cluster !== null) await parts.start(givingUp(core, ground, cluster));
  await parts.start(shardsPart(core, ground));
  await parts.start({ drain: () => lobby.drain() });
  for (const { node } of [seasons, competitions, analytics, history]) await parts.start(node);
  await parts.start({ start: () => adminWatch.start(), drain: () => adminWatch.stop() });
  await parts.start(reportPart(core, metrics, log));
  await parts.start(operator.part);

  const { site: shown, pages, stop: stopPictures } = sharedSite(core, features, ground);
  await parts.start({ stop: stopPictures });
  await parts.start({
    start: async () => {
      const routes = [...buildRoutes(core, features, ground, () => draining), ...operator.routes];
      await gateway.listen(upstream, routes, { ...metricsPages(config, metrics), ...pages }, shown);
      address.listensOn(gateway.port);
    },
    drain: () => void (draining = true),
    stop: () => gateway.close(),
  });
  if (config.METRICS_PORT !== undefined) {
    const server = await serveMetrics(metrics, config.METRICS_PORT);
    await parts.start({ stop: () => server.close() });
  }
  if (cluster === null) await lead.begin();
  else await parts.start({ start: () => cluster.start(), drain: () => cluster.beginDrain() });
  // The lead's parts end before all others.
  await parts.start(lead);

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

/** The parts of the node that leads. */
class Lead implements Part {
  readonly #parts = new Parts();
  #begun: Promise<void> | null = null;
  #ending = false;

  constructor(
    private readonly parts: readonly Part[],
    private readonly fatal: (error: Error) => void,
  ) {}

  /** Once a life. Rejects where one of them cannot start, which the platform does not survive. */
  begin(): Promise<void> {
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  async #begin(): Promise<void> {
    try {
      for (const part of this.parts) if (!this.#ending) await this.#parts.start(part);
    } catch (error) {
      if (!this.#ending) this.fatal(error as Error);
      throw error;
    }
  }

  async drain(): Promise<void> {
    this.#ending = true;
    await this.#begun?.catch(() => undefined);
    await this.#parts.drain();
  }

  stop(): Promise<void> {
    return this.#parts.stop();
  }
}

/** After the last hand of a node among others: its tables are given to them while its sockets are open. */
const givingUp = ({ game }: Core, { isOver }: Ground, cluster: Cluster): Part => ({
  drain: async () => {
    await game.stop();
    if (!isOver()) await cluster.giveUp();
  },
  stop: () => cluster.stop(),
});

function thisNode({ lobby, game, pools, rulesOf }: Core, features: Features, lead: () => Promise<void>): ThisNode {
  const { node } = lobby;
  return {
    has: (agentId) => node.has(agentId) || features.awaitsRebuy(agentId),
    players: () => node.players(),
    shards: () => new Map(node.shardsUp().map((shard) => [game.numbers[shard]!, node.playersOn(shard)])),
    adopt: async (tables) => {
      await pools.ensure(tables.map(({ table }) => table.poolId));
      const shardOf = (stored: number) => game.numbers.indexOf(stored);
      for (const { table, shard } of tables) {
        node.adopt(shardOf(shard), [{ ...table, rules: rulesOf(table.poolId).table }]);
      }
    },
    placesChanged: () => node.placesChanged(),
    lookAfterRelayed: () => node.lookAfterRelayed(),
    tableView: (asked) => lobby.views.ownTable(asked),
    // A failure ends the platform by itself.
    lead: () => void lead().catch(() => undefined),
    heard: (notice) => features.heard(notice),
  };
}
