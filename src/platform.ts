import { accountRoutes, Accounts } from './accounts/index.js';
import { HouseThread, STRATEGY_NAMES } from './bots/index.js';
import { Gateway } from './gateway/gateway.js';
import type { Registry, ShardLink } from './gateway/ports.js';
import { createLobby, SEASON_BUY_IN, systemClock, tableRoutes } from './lobby/index.js';
import { healthRoutes } from './ops/health.js';
import type { Logger } from './ops/log.js';
import { Metrics, metricsPage, serveMetrics } from './ops/metrics.js';
import type { Config } from './ops/settings.js';
import { createSeasons } from './seasons/index.js';
import { prepareTables, recoverShard } from './shard/boot.js';
import { createShardPool, type ShardPool } from './shard/pool.js';
import { openStore, type Store } from './store/store.js';
import { tableRules } from './ops/table-rules.js';

/** A running platform. */
export interface Platform {
  url: string;
  wsUrl: string;
  port: number;
  /** Where the embedded database keeps its files, null with DATABASE_URL. */
  dataFolder: string | null;
  /** Graceful: no new hands, hands in progress finish within DRAIN_MS, sockets close with 1012, seats stay stored. */
  stop(): Promise<void>;
}

/**
 * Builds the whole house and opens the door: the only place where its parts meet. `fatal` is called when the platform
 * cannot go on (another process took the database over) and should be stopped by its owner.
 */
export async function startPlatform(config: Config, log: Logger, fatal: (error: Error) => void): Promise<Platform> {
  const store = await openStore(config, log, fatal);
  try {
    return await furnish(config, log, store);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function furnish(config: Config, log: Logger, store: Store): Promise<Platform> {
  const { sql } = store;
  const rules = tableRules(config);
  await prepareTables(sql, config.THREADS);

  let draining = false;
  const down = new Map<number, number>();
  const pool: ShardPool = createShardPool({
    threads: config.THREADS,
    settings: { database: store.address },
    recover: (shard) => recoverShard(sql, shard, () => rules),
    onFrames: (_shard, bytes, index) => gateway.sockets.forward(bytes, index),
    onMessage: (shard, message) => {
      if (message.t !== 'database') lobby.shards.fromShard(shard, message);
      else if (message.downSince === null) down.delete(shard);
      else down.set(shard, message.downSince);
    },
    onLost: (shard, reason) => {
      log.error({ shard, reason }, 'shard lost: its hands in progress are void');
      lobby.shards.shardDown(shard);
    },
    onReady: (shard, tables) => lobby.shards.shardRestored(shard, tables),
    log: (level, message, detail) => log[level](detail, message),
  });
  const links: readonly ShardLink[] = pool.links;

  const registry: Registry = {
    opened: (socket, hello) => lobby.registry.opened(socket, hello),
    message: (socket, agentId, message) => lobby.registry.message(socket, agentId, message),
    closed: (socket) => lobby.registry.closed(socket),
  };
  const gateway = new Gateway(config, {
    registry,
    link: (shard) => links[shard]!,
    authenticate: (key) => accounts.authenticate(key),
    log,
    answered: (method, route, status) => metrics.answered(method, route, status),
  });
  const lobby = createLobby({
    clock: systemClock,
    log,
    sockets: gateway.sockets,
    shards: links,
    authentication: { authenticate: (key) => accounts.authenticate(key) },
    matchmaking: { seats: rules.seats, graceMs: config.LOBBY_GRACE_MS, separateOwners: config.SEPARATE_OWNERS },
    buyIn: { ...SEASON_BUY_IN, outOfRange: config.BUY_IN_OUT_OF_RANGE },
    capacity: config.LOBBY_CAPACITY,
    table: rules,
    answerMs: 2000,
  });
  const accounts = new Accounts({ sql, floor: lobby.floor, emailVerified: config.NODE_ENV !== 'production' });
  const seasons = createSeasons({ sql, config, log, clock: systemClock, floor: lobby.floor });
  lobby.setDesk(seasons.desk);

  const metrics = new Metrics(() => {
    const { waiting, tables } = lobby.views.counts();
    const { sockets, frames, frameBytes, messages } = gateway.sockets.stats;
    return { sockets, lobby: waiting, tables, framesOut: frames, bytesOut: frameBytes, messagesIn: messages };
  });
  const shardNumbers = [...links.keys()];
  const report = setInterval(() => {
    for (const shard of shardNumbers) {
      const stats = pool.stats(shard);
      if (stats) metrics.shard(shard, stats);
    }
  }, 1000).unref();

  await pool.start();
  await seasons.start();
  const publicConfig = { identityAuthUrl: config.IDENTITY_AUTH_URL ?? '' };
  const routes = [
    ...accountRoutes({ accounts, views: lobby.views, registration: config.REGISTRATION }),
    ...seasons.routes,
    ...tableRoutes(lobby.views, publicConfig),
    ...healthRoutes({
      database: () => store.answers(),
      cache: () => gateway.limits.healthy,
      coordinator: () => shardNumbers.every((shard) => pool.isReady(shard)),
      draining: () => draining,
      game: () => lobby.views.counts(),
    }),
  ];
  await gateway.listen(routes, config.ADMIN_KEY ? { '/metrics': metricsPage(metrics, config.ADMIN_KEY) } : {});
  const metricsServer = config.METRICS_PORT === undefined ? null : await serveMetrics(metrics, config.METRICS_PORT);

  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST;
  const url = `http://${host}:${gateway.port}`;
  const wsUrl = `ws://${host}:${gateway.port}/ws`;
  const house = await seatHouseBots(config.HOUSE_BOTS, wsUrl, accounts, log);
  return {
    url,
    wsUrl,
    port: gateway.port,
    dataFolder: store.folder,
    stop: async () => {
      draining = true;
      lobby.drain();
      seasons.stop();
      const finished = await pool.drain(config.DRAIN_MS);
      if (!finished) log.warn({}, 'hands still running after DRAIN_MS are void');
      await house?.stop();
      await gateway.close();
      clearInterval(report);
      metricsServer?.close();
      await pool.stop();
      await store.close();
    },
  };
}

/** The house bots on a thread of their own, or null when there shall be none. */
async function seatHouseBots(
  count: number,
  wsUrl: string,
  accounts: Accounts,
  log: Logger,
): Promise<HouseThread | null> {
  if (count === 0) return null;
  const bots = [];
  for (let n = 1; n <= count; n++) {
    const { name, apiKey } = await accounts.houseBot(n);
    bots.push({ name, apiKey, strategy: STRATEGY_NAMES[(n - 1) % STRATEGY_NAMES.length]! });
  }
  const thread = new HouseThread({ wsUrl, bots }, log);
  await thread.start();
  return thread;
}
