import { accountRoutes, signInRoutes } from '../accounts/index.js';
import { balanceOf } from '../credits/index.js';
import type { GatewayUpstream } from '../gateway/gateway.js';
import { bearerKey } from '../gateway/credentials.js';
import { ipLimitKey } from '../gateway/ip.js';
import type { Site } from '../gateway/pages/site.js';
import type { PageHandler } from '../gateway/router.js';
import type { HttpRequest } from '../gateway/transport.js';
import { houseAudience, mishapRoutes, tableRoutes } from '../lobby/index.js';
import { Metrics, metricsPage } from '../metrics/index.js';
import { healthRoutes } from '../ops/health.js';
import { HeapWatch, ownHeap } from '../ops/heap-watch.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import { pageCards, PictureThread, publicRoutes, SHARE_PATH, sharePictures } from '../public/index.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import type { Route } from '../protocol/route.js';
import type { Core } from './core.js';
import type { Ground } from './ground.js';
import type { Features } from './features.js';
import type { Part } from './parts.js';

/** The limit of PATCH /api/me in the specification, for any way of renaming. */
const RENAMES_PER_MINUTE = 10;
/** Cards and pictures that are made anew, an address. */
const CARDS_PER_MINUTE = 60;
/** Pictures that are made anew, of all addresses. */
const PICTURES_A_SECOND = 10;
/** How often what threads count is read for the metrics. */
export const REPORT_MS = 1000;

/** Opens the lobby to the features, and says whom the gateway asks. */
export function buildUpstream(core: Core, features: Features, metrics: Metrics): GatewayUpstream {
  const { gateway, lobby, links, cluster } = core;
  const { accounts, hosted, signIn, seasons, competitions, owner, ratings } = features;
  return {
    registry: lobby.open({
      scopes: { season: seasons.play, competitions: competitions.play },
      authentication: {
        authenticate: (credential, ip) => {
          // The edge of a relayed socket has counted it there.
          if (!('secret' in credential)) return hosted.authentication.authenticate(credential, ip);
          const lookUp = (secret: string) => hosted.authentication.authenticate({ secret }, ip);
          return gateway.unknownKeys.ask(ip, credential.secret, lookUp);
        },
      },
      viewers: {
        agentOf: async (headers, ip) => {
          if (headers['authorization'] === undefined) return (await owner(headers, ip))?.agentId ?? null;
          const key = bearerKey(headers['authorization']);
          const agent = key && (await gateway.unknownKeys.ask(ip, key, (shown) => accounts.authenticate(shown)));
          if (agent === null || agent === '') throw new HttpError(401, Detail.unauthorized);
          return agent.agentId;
        },
        takesPart: (agentId, competitionId) => competitions.takesPart(agentId, competitionId),
      },
      versions: ratings.versions,
      phaseRefused: (poolId) => {
        if (poolId === seasons.season.current?.seasonId) seasons.phaseRefused();
        else competitions.phaseRefused(poolId);
      },
    }),
    link: (shard) => links[shard]!,
    shards: links,
    ...(cluster && { relays: cluster.relays, others: cluster }),
    authenticate: (key) => accounts.authenticate(key),
    session: (headers, ip) => owner(headers, ip),
    known: (shown) => accounts.knows(shown) || hosted.knows(shown) || signIn.knows(shown),
    isOwn: (credential) => hosted.isOwn(credential),
    answered: (method, route, status, seconds) => metrics.answered(method, route, status, seconds),
  };
}

/** Every endpoint there is. */
export function buildRoutes(
  core: Core,
  features: Features,
  { config, store }: Ground,
  draining: () => boolean,
): Route[] {
  const { gateway, lobby, threads, away, cluster } = core;
  const { accounts, signIn, cookie, signedIn, hosted, seasons, competitions, credits, history, analytics } = features;
  return [
    ...signInRoutes({ signIn, cookie, accounts, operators: config.ADMIN_KEY !== undefined }),
    ...accountRoutes({
      accounts,
      views: lobby.views,
      registration: config.REGISTRATION,
      session: signedIn,
      credits: (agentId) => balanceOf(store.sql, agentId),
      renames: gateway.limits.limiter('rename', RENAMES_PER_MINUTE, 60_000),
      switchRuntime: hosted.switchRuntime,
    }),
    ...hosted.routes,
    ...seasons.routes,
    ...competitions.routes,
    ...credits.routes,
    ...history.routes,
    ...analytics.routes,
    ...features.ratings.routes,
    ...publicRoutes({
      sql: store.sql,
      house: houseAudience(config),
      views: lobby.views,
      placeOf: (agentId) => seasons.placeOf(agentId),
      season: () => seasons.season.current,
      ratingOf: async (poolId, agentId) => (await features.ratings.ratings.of(poolId)).of(agentId),
      versus: (asked) => analytics.versus(asked),
    }),
    ...tableRoutes(lobby.views, {
      identityAuthUrl: config.IDENTITY_AUTH_URL ?? '',
      actionTimeoutMs: config.ACTION_TIMEOUT_MS,
    }),
    ...mishapRoutes(lobby.views),
    ...healthRoutes({
      database: () => store.answers(),
      tables: () => away.shards === 0,
      cache: () => gateway.limits.healthy,
      coordinator: () => store.node.holds && threads.numbers.every((shard) => threads.isReady(shard)),
      draining,
      game: () => lobby.views.counts(),
      credits: async () => (await cluster?.leaderCredits()) ?? credits.health(),
      logStorage: () => features.handStorage.figures(),
    }),
  ];
}

/** The pages for people as links to them are shown elsewhere, and the pictures of hands for that. */
export function sharedSite(
  { gateway, lobby }: Core,
  { seasons }: Features,
  { config, log, store, site }: Ground,
): { site: Site | null; pages: Record<string, PageHandler>; stop(): Promise<void> } {
  if (site === null) return { site, pages: {}, stop: async () => {} };
  const { limits } = gateway;
  const common = {
    sql: store.sql,
    house: houseAudience(config),
    clientOf: (request: HttpRequest) => ipLimitKey(gateway.ip(request)),
  };
  const cards = pageCards({
    ...common,
    origin: config.PUBLIC_URL ?? null,
    views: lobby.views,
    placeOf: (agentId) => seasons.placeOf(agentId),
    leaders: (most) => seasons.leaders(most),
    limiter: limits.limiter('page-cards', CARDS_PER_MINUTE, 60_000),
    log,
  });
  const thread = new PictureThread();
  const pictures = sharePictures({
    ...common,
    draw: site.draw,
    png: (svg) => thread.png(svg),
    limiter: limits.limiter('share-pictures', CARDS_PER_MINUTE, 60_000),
    allLimiter: limits.limiter('share-pictures-in-all', PICTURES_A_SECOND, 1000),
  });
  return { site: site.withCards(cards), pages: { [SHARE_PATH]: pictures }, stop: () => thread.stop() };
}

/** The process's figures, asked for at each scrape. */
export function buildMetrics({ gateway, lobby, emails, quota, away, cluster }: Core, { credits }: Features): Metrics {
  const metrics = new Metrics(() => {
    const { stats } = gateway.sockets;
    const { waiting, tables } = lobby.views.counts();
    return {
      sockets: stats.sockets,
      watchers: stats.watchers,
      watchSeconds: stats.watchMs / 1000,
      framesOut: stats.frames,
      bytesOut: stats.frameBytes,
      messagesIn: stats.messages,
      rateLimited: stats.rateLimited,
      invalid: stats.invalid,
      slowReaders: stats.slowReaders,
      lobby: waiting,
      tables,
      shardsWithoutDatabase: away.shards,
      emailsWaiting: emails.waiting,
    };
  });
  metrics.withdrawals(() => credits.waiting());
  metrics.payments(() => credits.figures());
  metrics.mails(quota.refused);
  if (cluster !== null) {
    const { stats } = gateway.sockets;
    metrics.nodes(() => ({ sockets: { out: stats.relayedOut, in: stats.relayedIn }, sent: { ...cluster.sent } }));
  }
  return metrics;
}

/** Adds the threads' counts to the metrics. */
export function reportPart({ threads }: Core, metrics: Metrics, log: Logger): Part {
  let timer: NodeJS.Timeout | undefined;
  const heaps = new HeapWatch(log);
  const report = () => {
    for (const shard of threads.numbers) {
      const stats = threads.stats(shard);
      if (stats) metrics.shard(shard, stats);
      heaps.see(`shard-${shard}`, stats?.heap);
    }
    heaps.see('front', ownHeap());
  };
  return {
    start: () => void (timer = setInterval(report, REPORT_MS).unref()),
    stop: () => clearInterval(timer),
  };
}

export const metricsPages = ({ ADMIN_KEY }: Config, metrics: Metrics): Record<string, PageHandler> =>
  ADMIN_KEY ? { '/metrics': metricsPage(metrics, ADMIN_KEY) } : {};
