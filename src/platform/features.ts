import { Accounts, ownerReader, SignIn, SignInCookie, signInReader } from '../accounts/index.js';
import { AdminWatch, HandStorage } from '../admin/index.js';
import { createAnalytics } from '../analytics/index.js';
import { createCompetitions, renamed } from '../competitions/index.js';
import { createCredits, refuseOwnAddress, WalletChanges } from '../credits/index.js';
import { createHistory } from '../history/index.js';
import { createHosted } from '../hosted/index.js';
import { announceToNobody, type Notice } from '../ops/notices.js';
import { createRatings } from '../ratings/index.js';
import { createSeasons } from '../seasons/index.js';
import type { Core } from './core.js';
import type { Ground } from './ground.js';

export type Features = ReturnType<typeof buildFeatures>;

/**
 * The features on top of the game: accounts, seasons, competitions, credits and the rest. They meet each other here
 * only.
 */
export function buildFeatures(core: Core, { config, log, store, fatal }: Ground, announce = announceToNobody) {
  const { sql, background, admission, leadership } = store;
  const { dates: clock, address, gateway, lobby, emails, quota, threads } = core;
  const publicUrl = () => address.public;
  const emailQueued = () => emails.wake();

  const walletChanges = new WalletChanges({ holdHours: config.WITHDRAW_HOLD_HOURS, publicUrl, quota });
  const accounts = new Accounts({
    sql,
    lobby: lobby.control,
    emailVerified: config.NODE_ENV !== 'production',
    betaGate: config.BETA_GATE === 'on',
    admission,
    renamed,
    refuseWallet: (address) =>
      refuseOwnAddress(sql, { token: config.TOKEN_ADDRESS, treasury: config.TREASURY_ADDRESS }, address),
    walletChanges,
    announce,
  });
  const cookie = new SignInCookie({
    secure: config.NODE_ENV === 'production',
    trustedOrigins: () => [publicUrl(), ...(config.CORS_ORIGIN === undefined ? [] : [config.CORS_ORIGIN])],
  });
  const signIn = new SignIn({
    sql,
    admission,
    publicUrl,
    emailQueued,
    quota,
    keyEnded: (agentId, at) => accounts.keyEnded(agentId, at),
    linkMinutes: config.SIGN_IN_MINUTES,
  });
  const signedIn = signInReader(signIn, cookie, (ip, secret, lookUp) => gateway.unknownKeys.ask(ip, secret, lookUp));

  const nodeId = store.node.id;
  const season = () => seasons.season.current;
  const analytics = createAnalytics({
    sql,
    address: store.address,
    season,
    log,
    refreshMs: config.ANALYTICS_REFRESH_MS,
  });
  const ratings = createRatings({
    sql,
    season,
    rate: (poolId) => analytics.rate(poolId),
    minHands: config.RATING_MIN_HANDS,
    log,
  });
  const seasons = createSeasons({
    sql,
    background,
    leadership,
    nodeId,
    announce,
    config,
    log,
    clock,
    lobby: lobby.control,
    ratings: ratings.ratings,
  });
  const history = createHistory({ sql, address: store.address, season, now: () => clock.now() });
  const competitions = createCompetitions({
    sql,
    background,
    leadership,
    nodeId,
    announce,
    config,
    pools: core.pools,
    lobby: lobby.control,
    clock,
    log,
    views: lobby.views,
    poolFile: history.poolFile,
    publicUrl,
    emailQueued,
    quota,
  });
  const credits = createCredits({
    sql,
    background,
    leadership,
    clock,
    config,
    log,
    fatal,
    publicUrl,
    emailQueued,
    walletChanges,
  });
  const hosted = createHosted({
    sql,
    admission,
    leadership,
    announce,
    config,
    log,
    clock,
    season,
    keys: accounts,
    wsUrl: () => address.ws,
  });
  seasons.season.onOpened(() => hosted.seasonOpened());

  const handStorage = new HandStorage(sql, () => threads.numbers.flatMap((shard) => threads.stats(shard) ?? []));
  const adminWatch = new AdminWatch({
    sql: background,
    log,
    expel: (agentId, since) => accounts.expel(agentId, since),
    refreshSeason: () => seasons.refresh(),
    refreshCompetitions: () => competitions.refresh(),
    refreshTokens: () => hosted.refresh(),
    closeTable: (tableId) => lobby.shards.closeTable(tableId),
  });
  /** Another node says that a row has changed. Resolves once this node goes by it. */
  const heard = async (notice: Notice): Promise<void> => {
    switch (notice.kind) {
      case 'agent_changed':
        return accounts.heardChanged(notice.agentId);
      case 'key_ended':
        return accounts.expel(notice.agentId, new Date(notice.at));
      case 'token_ended':
        return hosted.refresh(notice.agentId);
      case 'competition_changed':
        return competitions.heard(notice);
      case 'season_changed':
        return seasons.season.look();
    }
  };
  return {
    heard,
    /** Whether a table of this node waits for the agent's rebuy. */
    awaitsRebuy: (agentId: string): boolean => seasons.awaitsRebuy(agentId) || competitions.awaitsRebuy(agentId),
    accounts,
    cookie,
    signIn,
    signedIn,
    owner: ownerReader(signedIn, accounts),
    seasons,
    history,
    competitions,
    analytics,
    ratings,
    credits,
    hosted,
    handStorage,
    adminWatch,
  };
}
