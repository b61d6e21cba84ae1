import { isPro } from '../seasons/index.js';
import type { Authentication, Clock, Identity, LobbyLog } from '../lobby/index.js';
import { isBotToken } from '../protocol/subprotocol.js';
import { announceToNobody, type Announce } from '../ops/notices.js';
import type { Part } from '../platform/parts.js';
import type { Route } from '../protocol/route.js';
import type { Config } from '../ops/settings.js';
import type { Database } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import { Deployments } from './deployments.js';
import { Fleet, type Threads } from './fleet.js';
import { hostedRoutes } from './routes.js';
import { BotsThread } from './thread.js';
import { BotTokens } from './tokens.js';

/** Holders of API keys, by the key or by its hash; null without one. */
interface KeyHolders {
  authenticate(apiKey: string): Promise<Identity | null>;
  holderOf(hash: Buffer): Promise<Identity | null>;
}

export interface HostedOptions {
  sql: Database;
  leadership: Leadership;
  /** See TokensOptions. */
  admission?: Database;
  announce?: Announce;
  config: Pick<
    Config,
    | 'BOT_TOKEN_MINUTES'
    | 'HOSTED_THREADS'
    | 'HOSTED_PER_OWNER'
    | 'HOSTED_IN_ALL'
    | 'HOSTED_PACE_MS'
    | 'ACTION_TIMEOUT_MS'
    | 'TIME_BANK'
  >;
  clock: Clock;
  log: LobbyLog;
  season(): { seasonId: string } | null;
  /** Where this machine reaches /ws; asked when the first bot is to play. */
  wsUrl: () => string;
  /** The holders of API keys. */
  keys: KeyHolders;
  /** Another thread for the bots, in tests. */
  threads?: Threads;
}

/** The longest time for a decision, whatever a turn may take. */
const DECISION_MS = 5000;
/** A turn has so long beside faster players when the time bank is empty (protocol.md, "Time"). */
const LEAST_CLOCK_MS = 5000;

/** Bots that we run for their owners, or that run in a page by a token of ours. */
export function createHosted({ sql, leadership, config, clock, log, season, wsUrl, keys, ...options }: HostedOptions) {
  const { admission = sql, announce = announceToNobody } = options;
  const tokens = new BotTokens({ sql, leadership, admission, announce, clock, log, minutes: config.BOT_TOKEN_MINUTES });
  // They take their time, but never so long that a turn runs out, nor from their time bank but for what they think about.
  const paceMs = Math.min(config.HOSTED_PACE_MS, config.ACTION_TIMEOUT_MS / 6);
  const clockMs =
    config.TIME_BANK === 'on' ? Math.min(LEAST_CLOCK_MS, config.ACTION_TIMEOUT_MS) : config.ACTION_TIMEOUT_MS;
  const decisionMs = Math.min(DECISION_MS, clockMs / 2);
  const task = () => ({ wsUrl: wsUrl(), threads: config.HOSTED_THREADS, paceMs, decisionMs });
  const fleet = new Fleet({
    tokens,
    clock,
    log,
    tokenMinutes: config.BOT_TOKEN_MINUTES,
    threads: options.threads ?? { open: (listener) => new BotsThread(task(), listener) },
    failed: (bot, error) => deployments.failed(bot, error),
    takenOver: (bot) => void deployments.takenOver(bot),
  });
  const deployments: Deployments = new Deployments({
    sql,
    leadership,
    tokens,
    fleet,
    clock,
    log,
    season,
    most: { ofOwner: config.HOSTED_PER_OWNER, inAll: config.HOSTED_IN_ALL },
  });
  /** A socket opens with an API key or a bot token. */
  const authentication: Authentication = {
    authenticate: async (credential) => {
      if ('secret' in credential) {
        const { secret } = credential;
        return isBotToken(secret) ? tokens.authenticate(secret) : keys.authenticate(secret);
      }
      const hash = Buffer.from(credential.hash, 'hex');
      return credential.kind === 'token' ? tokens.holderOf(hash) : keys.holderOf(hash);
    },
  };
  return {
    authentication,
    routes: hostedRoutes({ deployments, isPro: (agentId) => isPro(sql, agentId) }) satisfies Route[],
    isOwn: (credential: string): boolean => isBotToken(credential) && tokens.isOwn(credential),
    /** Whether the token has been good here. */
    knows: (credential: string): boolean => isBotToken(credential) && tokens.knows(credential),
    switchRuntime: deployments.switchRuntime.bind(deployments),
    /** Another season has begun: tokens of older ones are over. */
    seasonOpened: (): void => {
      const current = season();
      if (current !== null) tokens.endSeasonsBut(current.seasonId);
    },
    /** Another node has ended tokens of the agent, or may have ended any. */
    refresh: (agentId?: string): Promise<void> => tokens.refresh(agentId),
    /** Nothing runs at each node: who comes by a token is looked up. */
    node: {} satisfies Part,
    /** Plays the bots that are deployed. Start it once /ws is open. */
    lead: {
      start: (): Promise<void> => deployments.recover(),
      drain: (): void => fleet.hurry(),
      stop: (): Promise<void> => fleet.stop(),
    } satisfies Part,
  };
}
