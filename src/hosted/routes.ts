import { utc } from '../protocol/common.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import type { BotStrategy, BotToken } from '../protocol/rest/hosted.js';
import * as specs from '../protocol/rest/hosted.js';
import { defineRoute, type Route } from '../protocol/route.js';
import type { Deployments } from './deployments.js';
import type { BotRow } from './queries.js';
import { checkStrategy, effectiveStrategy, STANDARD } from './strategy.js';
import type { IssuedToken } from './tokens.js';

export interface HostedRoutesOptions {
  deployments: Deployments;
  /** Whether the agent has the season pass. */
  isPro: (agentId: string) => Promise<boolean>;
}

/** /api/bot/strategy, deploy, stop, refresh-token, status, and their variants for holders of a season pass. */
export function hostedRoutes({ deployments, isPro }: HostedRoutesOptions): Route[] {
  const needPass = async (agentId: string) => {
    if (!(await isPro(agentId))) throw new HttpError(403, Detail.premiumRequired);
  };
  const ok = <B>(body: B) => ({ status: 200 as const, body });
  const strategy = async (agentId: string) => ok(strategyBody(await deployments.bot(agentId)));
  const status = async (agentId: string) => ok(deployments.statusOf(await deployments.bot(agentId)));

  async function save(agentId: string, body: BotStrategy) {
    checkStrategy(body);
    return ok(strategyBody(await deployments.saveStrategy(agentId, body)));
  }

  /** The deployment at its begin, even if it has changed meanwhile. */
  async function deploy<M extends 'browser' | 'hosted'>(agentId: string, mode: M, given?: BotStrategy) {
    if (given !== undefined) checkStrategy(given, 'strategy');
    const { generation, token, at } = await deployments.deploy(agentId, mode, given);
    const begun = { state: 'starting' as const, mode, deployed_at: utc(at), hands_played: 0, last_error: null };
    return { ...begun, runtime_generation: generation, token: token && tokenBody(token) };
  }

  async function stop(agentId: string) {
    await deployments.stop(agentId);
    const stopped = { state: 'stopped' as const, mode: null };
    return ok({ ...deployments.statusOf(await deployments.bot(agentId)), ...stopped });
  }

  return [
    defineRoute(specs.getStrategy)(({ agent }) => strategy(agent.agentId)),
    defineRoute(specs.saveStrategy)(({ agent, body }) => save(agent.agentId, body)),
    defineRoute(specs.deployBot)(async ({ agent, body }) => ok(await deploy(agent.agentId, body.mode, body.strategy))),
    defineRoute(specs.stopBot)(({ agent }) => stop(agent.agentId)),
    defineRoute(specs.getBotStatus)(({ agent }) => status(agent.agentId)),
    defineRoute(specs.refreshBotToken)(async ({ agent }) => ok(tokenBody(await deployments.refresh(agent.agentId)))),

    defineRoute(specs.getStrategyApi)(async ({ agent: { agentId } }) => {
      await needPass(agentId);
      return strategy(agentId);
    }),
    defineRoute(specs.saveStrategyApi)(async ({ agent: { agentId }, body }) => {
      await needPass(agentId);
      return save(agentId, body);
    }),
    defineRoute(specs.deployBotApi)(async ({ agent: { agentId } }) => {
      await needPass(agentId);
      return ok({ ...(await deploy(agentId, 'hosted')), token: null });
    }),
    defineRoute(specs.stopBotApi)(async ({ agent: { agentId } }) => {
      await needPass(agentId);
      return stop(agentId);
    }),
    defineRoute(specs.getBotStatusApi)(async ({ agent: { agentId } }) => {
      await needPass(agentId);
      return status(agentId);
    }),
  ];
}

function strategyBody({ strategy, saved_at: savedAt }: BotRow) {
  const written = strategy ?? STANDARD;
  return { strategy: written, effective: effectiveStrategy(written), saved_at: savedAt && utc(savedAt) };
}

const tokenBody = ({ token, expiresAt, seasonId }: IssuedToken): BotToken => ({
  bot_token: token,
  expires_at: utc(expiresAt),
  season_id: seasonId,
});
