import {
  accountRoutes,
  Accounts,
  SessionCookie,
  sessionReader,
  SignIn,
  signInPages,
  signInRoutes,
} from './accounts/index.js';
import { AdminWatch, HandStorage } from './admin/index.js';
import { createAnalytics } from './analytics/index.js';
import { HouseThread, type HouseTask, type StrategyName } from './bots/index.js';
import { createCompetitions, LivePools, rulesOfPools } from './competitions/index.js';
import { balanceOf, createCredits } from './credits/index.js';
import { Gateway } from './gateway/gateway.js';
import type { Registry, ShardLink } from './gateway/ports.js';
import { createHistory } from './history/index.js';
import { createHosted } from './hosted/index.js';
import { createLobby, SEASON_BUY_IN, systemClock, tableRoutes, type PoolRules } from './lobby/index.js';
import { logPost, MailSender, smtpPost } from './mail/index.js';
import { healthRoutes } from './ops/health.js';
import type { Logger } from './ops/log.js';
import { Metrics, metricsPage, serveMetrics } from './ops/metrics.js';
import type { Config } from './ops/settings.js';
import { createSeasons } from './seasons/index.js';
import { prepareTables, recoverShard } from './shard/boot.js';
import { OrderedMail } from './shard/mail.js';
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
  /**
   * Graceful: no new hands, hands in progress finish within DRAIN_MS, sockets close with 1012, seats stay stored. False
   * where a thread that holds sockets hangs: see Gateway.close.
   */
  stop(): Promise<boolean>;
}

/**
 * Builds the whole house and opens the door: the only place where its parts meet. `fatal` is called when the platform
 * cannot go on (another process took the database over) and should be stopped by its owner.
 */
export async function startPlatform(config: Config, log: Logger, fatal: (error: Error) => void): Promise<Platform> {
  const store = await openStore(config, log, fatal);
  try {
    return await furnish(config, log, store, fatal);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function furnish(config: Config, log: Logger, store: Store, fatal: (error: Error) => void): Promise<Platform> {
  const { sql } = store;
  const seasonRules: PoolRules = {
    scope: null,
    table: tableRules(config),
    buyIn: { ...SEASON_BUY_IN, outOfRange: config.BUY_IN_OUT_OF_RANGE },
  };
  const pools = new LivePools(sql);
  await pools.load();
  const rulesOf = rulesOfPools(pools, seasonRules);
  await prepareTables(sql, config.THREADS);

  let draining = false;
  /** Shards whose database is away, since when (epoch ms). */
  const down = new Map<number, number>();
  const databaseIs = (shard: number, downSince: number | null) => {
    if (downSince === null) down.delete(shard);
    else down.set(shard, downSince);
    log.warn(
      { shard, down_since: downSince },
      downSince === null ? 'database is back' : 'database is away: tables wait',
    );
  };
  /** Threads that hold the sockets, and shards, write to each other and to us. */
  const mail = config.FRONTS > 1 ? new OrderedMail() : null;
  const pool: ShardPool = createShardPool({
    threads: config.THREADS,
    settings: {
      database: store.address,
      patientTables: config.COALESCE_MS > 0 ? config.COALESCE_TABLES : Infinity,
    },
    recover: (shard) => recoverShard(sql, shard, rulesOf),
    onFrames: (_shard, bytes, index, used) => gateway.hub?.forward(bytes, index, used),
    ...(mail && {
      fronts: {
        count: config.FRONTS,
        mail,
        meet: (front, shard, port) => gateway.fronts?.meet(front, shard, port),
        lost: (shard) => gateway.fronts?.lost(shard),
        heard: (shard, at) => gateway.fronts?.heard(shard, at),
      },
    }),
    onMessage: (shard, message) => {
      if (message.t !== 'database') lobby.shards.fromShard(shard, message);
      else databaseIs(shard, message.downSince);
    },
    onLost: (shard, reason) => {
      log.error({ shard, reason }, 'shard lost: its hands in progress are void');
      lobby.shards.shardDown(shard);
    },
    onReady: (shard, tables) => lobby.shards.shardRestored(shard, tables),
    log: (level, message, detail) => log[level](detail, message),
  });
  // What is sent to sockets and to shards is posted in the order it was sent in.
  const links: readonly ShardLink[] =
    mail === null
      ? pool.links
      : pool.links.map((link) => ({
          send: (message) => {
            gateway.fronts?.flush();
            link.send(message);
          },
        }));

  const registry: Registry = {
    opened: (socket, hello) => lobby.registry.opened(socket, hello),
    message: (socket, agentId, message) => lobby.registry.message(socket, agentId, message),
    closed: (socket) => lobby.registry.closed(socket),
  };
  const gateway = new Gateway(config, {
    registry,
    link: (shard) => links[shard]!,
    authenticate: (key) => accounts.authenticate(key),
    isOwn: (credential) => hosted.isOwn(credential),
    log,
    installation: store.installation,
    answered: (method, route, status) => metrics.answered(method, route, status),
    ...(mail && {
      threads: {
        mail,
        shards: config.THREADS,
        flushShards: () => pool.flush(),
        wantShards: (front) => pool.meet(front),
        fatal,
      },
    }),
  });
  const lobby = createLobby({
    clock: systemClock,
    log,
    sockets: gateway.sockets,
    shards: links,
    authentication: { authenticate: (credential) => hosted.door.authenticate(credential) },
    matchmaking: { graceMs: config.LOBBY_GRACE_MS, separateOwners: config.SEPARATE_OWNERS },
    rulesOf,
    capacity: config.LOBBY_CAPACITY,
    answerMs: 2000,
  });
  const accounts = new Accounts({
    sql,
    floor: lobby.floor,
    emailVerified: config.NODE_ENV !== 'production',
    betaGate: config.BETA_GATE === 'on',
  });
  const seasons = createSeasons({ sql, config, log, clock: systemClock, floor: lobby.floor });
  const competitions = createCompetitions({
    ...{ sql, config, pools, floor: lobby.floor, clock: systemClock, log },
    views: lobby.views,
    publicUrl: () => publicUrl(),
    mailed: () => mails.wake(),
  });
  lobby.setDesks({ season: seasons.desk, competitions: competitions.desk });
  const history = createHistory({
    sql,
    address: store.address,
    season: () => seasons.season.current,
    now: () => systemClock.now(),
  });

  const analytics = createAnalytics({
    sql,
    address: store.address,
    season: () => seasons.season.current,
    refreshMs: config.ANALYTICS_REFRESH_MS,
    log,
  });

  const credits = createCredits({ sql, config, log, fatal });

  const hosted = createHosted({
    ...{ sql, config, log, clock: systemClock, keys: accounts },
    season: () => seasons.season.current,
    wsUrl: () => socketUrl(config.HOST, gateway.port),
  });
  seasons.season.onOpened(() => hosted.seasonOpened());

  const post = config.SMTP_URL === undefined ? logPost(log) : smtpPost(config.SMTP_URL, config.MAIL_FROM);
  const mails = new MailSender({ sql, post, log });

  const publicUrl = () => config.PUBLIC_URL?.replace(/\/$/, '') ?? listeningUrl(config.HOST, gateway.port);
  const cookie = new SessionCookie({
    secure: config.NODE_ENV === 'production',
    trustedOrigins: () => [publicUrl(), ...(config.CORS_ORIGIN === undefined ? [] : [config.CORS_ORIGIN])],
  });
  const signIn = new SignIn({ sql, publicUrl, linkMinutes: config.SIGN_IN_MINUTES, mailed: () => mails.wake() });

  const metrics = new Metrics(() => {
    const { waiting, tables } = lobby.views.counts();
    const { stats } = gateway.sockets;
    return {
      sockets: stats.sockets,
      lobby: waiting,
      tables,
      framesOut: stats.frames,
      bytesOut: stats.frameBytes,
      messagesIn: stats.messages,
      rateLimited: stats.rateLimited,
      invalid: stats.invalid,
      slowReaders: stats.slowReaders,
      shardsWithoutDatabase: down.size,
      mailsWaiting: mails.waiting,
    };
  });
  const shardNumbers = [...links.keys()];
  const report = setInterval(() => {
    for (const shard of shardNumbers) {
      const stats = pool.stats(shard);
      if (stats) metrics.shard(shard, stats);
    }
    const { fronts } = gateway;
    for (let front = 0; front < (fronts?.count ?? 0); front++) metrics.frontThread(front, fronts!.statsOf(front));
  }, 1000).unref();

  competitions.prepare();
  await pool.start();
  await seasons.start();
  await competitions.start();
  mails.start();
  credits.start();
  analytics.start();
  const handStorage = new HandStorage(sql, () => shardNumbers.flatMap((shard) => pool.stats(shard) ?? []));
  const adminWatch = new AdminWatch({
    sql,
    expel: (agentId) => accounts.expel(agentId),
    refreshSeason: () => seasons.season.refresh(),
    log,
  });
  await adminWatch.start();
  const publicConfig = { identityAuthUrl: config.IDENTITY_AUTH_URL ?? '' };
  const routes = [
    ...signInRoutes({ signIn, cookie }),
    ...accountRoutes({
      accounts,
      views: lobby.views,
      registration: config.REGISTRATION,
      session: sessionReader(signIn, cookie),
      credits: (agentId) => balanceOf(sql, agentId),
      switchRuntime: hosted.switchRuntime,
    }),
    ...hosted.routes,
    ...seasons.routes,
    ...competitions.routes,
    ...credits.routes,
    ...history.routes,
    ...analytics.routes,
    ...tableRoutes(lobby.views, publicConfig),
    ...healthRoutes({
      database: async () => down.size === 0 && (await store.answers()),
      cache: () => gateway.limits.healthy,
      coordinator: () => shardNumbers.every((shard) => pool.isReady(shard)),
      draining: () => draining,
      game: () => lobby.views.counts(),
      credits: () => credits.health(),
      logStorage: () => handStorage.figures(),
    }),
  ];
  const metricsPages = config.ADMIN_KEY ? { '/metrics': metricsPage(metrics, config.ADMIN_KEY) } : {};
  await gateway.listen(routes, { ...signInPages, ...competitions.pages, ...metricsPages });
  const metricsServer = config.METRICS_PORT === undefined ? null : await serveMetrics(metrics, config.METRICS_PORT);

  const url = listeningUrl(config.HOST, gateway.port);
  const wsUrl = socketUrl(config.HOST, gateway.port);
  await hosted.start();
  const house = await seatHouseBots(config, wsUrl, accounts, log);
  return {
    url,
    wsUrl,
    port: gateway.port,
    dataFolder: store.folder,
    stop: async () => {
      draining = true;
      lobby.drain();
      house?.hurry();
      hosted.hurry();
      seasons.stop();
      competitions.stop();
      adminWatch.stop();
      const finished = await pool.drain(config.DRAIN_MS);
      if (!finished) log.warn({}, 'hands still running after DRAIN_MS are void');
      await house?.stop();
      await hosted.stop();
      const ended = await gateway.close();
      await history.stop();
      await analytics.stop();
      await mails.stop();
      await credits.stop();
      clearInterval(report);
      metricsServer?.close();
      await pool.stop();
      await store.close();
      return ended;
    },
  };
}

/** Where this machine reaches what listens on `host`. */
function listeningUrl(host: string, port: number): string {
  return `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
}

const socketUrl = (host: string, port: number) => `${listeningUrl(host, port).replace('http', 'ws')}/ws`;

/** The calmer styles, so that the bots seldom bust and always have chips for a newcomer. */
const HOUSE_STYLES: readonly StrategyName[] = ['rock', 'shark', 'gto_lite', 'calling_station', 'rock'];

/** The house bots on a thread of their own, or null when there shall be none. */
async function seatHouseBots(
  { HOUSE_BOTS, ACTION_TIMEOUT_MS }: Config,
  wsUrl: string,
  accounts: Accounts,
  log: Logger,
): Promise<HouseThread | null> {
  const bots: HouseTask['bots'][number][] = [];
  for (const [n, strategy] of HOUSE_STYLES.slice(0, HOUSE_BOTS).entries()) {
    const { name, apiKey } = await accounts.houseBot(n + 1);
    bots.push({ name, apiKey, strategy });
  }
  if (bots.length === 0) return null;
  // Among themselves they take their time, but never so long that a turn runs out.
  const thread = new HouseThread({ wsUrl, bots, idlePauseMs: Math.min(4000, ACTION_TIMEOUT_MS / 4) }, log);
  await thread.start();
  return thread;
}
