import { dollarsOf } from '../credits/index.js';
import type { Limiter } from '../gateway/limits.js';
import { tooManyRequests } from '../gateway/unknown-keys.js';
import type { LobbyViews } from '../lobby/index.js';
import { utc, utcOrNull } from '../protocol/common.js';
import { cancelWalletChange } from '../protocol/rest/wallets.js';
import {
  completeOnboarding,
  getActiveGame,
  getMe,
  regenerateKey,
  registerAgent,
  switchRuntime,
  updateMe,
} from '../protocol/rest/accounts.js';
import { Detail, HttpError, invalidField } from '../protocol/rest/errors.js';
import { defineRoute, type RequestAgent, type Route } from '../protocol/route.js';
import type { Accounts } from './accounts.js';
import type { AgentRow, ProfileChange } from './queries.js';
import type { SignedIn } from './sign-in.js';

export interface AccountRoutesOptions {
  accounts: Accounts;
  views: Pick<LobbyViews, 'activeGame'>;
  /** open: anybody may register. session: only with a dashboard sign-in session. */
  registration: 'open' | 'session';
  /** The signed-in user, by the headers of a request. Throws HttpError 403 where a page of another origin sent it. */
  session: (headers: Readonly<Record<string, string>>, ip: string) => Promise<SignedIn | null>;
  /** How often an agent may take another name, by whatever way. */
  renames: Limiter;
  /** An agent's credits in ucents. */
  credits: (agentId: string) => Promise<number>;
  /** Hands an agent over together with the bot that we run for it, where we run bots. */
  switchRuntime?: Accounts['switchRuntime'];
}

/**
 * POST /register, GET and PATCH /me, POST /me/regenerate-key, /me/complete-onboarding, /me/runtime/switch, GET
 * /me/active-game, GET and POST /wallet/cancel.
 */
export function accountRoutes(options: AccountRoutesOptions): Route[] {
  const { accounts, views, registration, session, credits, renames } = options;
  const change = options.switchRuntime ?? ((...of) => accounts.switchRuntime(...of));
  const countRename = async ({ agentId, name }: RequestAgent, wanted: string | undefined) => {
    const waitMs = wanted === undefined || wanted === name ? 0 : await renames.take(agentId);
    if (waitMs > 0) throw tooManyRequests(waitMs);
  };
  const profileOf = async (row: AgentRow) => profileBody(row, dollarsOf(await credits(row.agent_id)));
  return [
    defineRoute(registerAgent)(async ({ body, ip, headers }) => {
      const signedIn = await session(headers, ip);
      if (registration === 'session' && signedIn === null) throw new HttpError(403, Detail.signInRequired);
      if (!body.terms_accepted) throw new HttpError(400, Detail.termsNotAccepted);
      const {
        name,
        wallet_address: wallet = null,
        avatar_url: avatarUrl = null,
        invite_code: inviteCode = null,
      } = body;
      const email = emailOf(body.email, signedIn);
      const emailVerified = signedIn !== null;
      const account = await accounts.register({ name, email, emailVerified, wallet, avatarUrl, inviteCode, ip });
      const { agentId, apiKey } = account;
      return {
        status: 201,
        body: { agent_id: agentId, api_key: apiKey, email, name, wallet_address: account.wallet },
      };
    }),

    defineRoute(getMe)(async ({ agent }) => ({
      status: 200,
      body: await profileOf(await accounts.profile(agent.agentId)),
    })),

    defineRoute(updateMe)(async ({ agent, body, ip }) => {
      await countRename(agent, body.name);
      const change: ProfileChange = {};
      if (body.name !== undefined) change.name = body.name;
      if (body.wallet_address !== undefined) change.wallet = body.wallet_address;
      if (body.avatar_url !== undefined) change.avatarUrl = body.avatar_url;
      if (body.public_profile !== undefined) change.publicProfile = body.public_profile;
      return { status: 200, body: await profileOf(await accounts.updateProfile(agent.agentId, change, ip)) };
    }),

    defineRoute(completeOnboarding)(async ({ agent, body: { bot_name: name, mode } }) => {
      await countRename(agent, name);
      return { status: 200, body: await profileOf(await accounts.completeOnboarding(agent.agentId, { name, mode })) };
    }),

    defineRoute(switchRuntime)(async ({ agent, body: { runtime, expected_generation: expected = null } }) => ({
      status: 200,
      body: await change(agent.agentId, runtime, expected),
    })),

    defineRoute(regenerateKey)(async ({ agent }) => ({
      status: 200,
      body: { api_key: await accounts.regenerateKey(agent.agentId, agent.bySession === true) },
    })),

    defineRoute(cancelWalletChange)(async ({ body: { token, end_key: endKey = false } }) => {
      const cancelled = await accounts.cancelWalletChange(token, endKey);
      if (cancelled === null) throw new HttpError(400, Detail.invalidCancelLink);
      const { wallet, returned } = cancelled;
      return { status: 200, body: { wallet_address: wallet, withdrawals_returned: returned, key_ended: endKey } };
    }),

    defineRoute(getActiveGame)(async ({ agent }) => {
      const game = await views.activeGame(agent.agentId);
      if (game === null) {
        const none = { table_id: null, seat: null, stack: null, stack_chips: null, competition_id: null };
        return { status: 200, body: { playing: false, ...none } };
      }
      const { tableId, seat, stack, competitionId } = game;
      const place = { table_id: tableId, seat, stack, stack_chips: stack, competition_id: competitionId };
      return { status: 200, body: { playing: true, ...place } };
    }),
  ];
}

const profileBody = (row: AgentRow, balance: number) => ({
  agent_id: row.agent_id,
  email: row.email,
  name: row.name,
  wallet_address: row.wallet_address,
  withdrawals_wait_until: utcOrNull(row.wallet_held_until),
  avatar_url: row.avatar_url,
  balance,
  created_at: utc(row.created_at),
  email_verified: row.email_verified,
  onboarded_at: row.onboarded_at === null ? null : utc(row.onboarded_at),
  mode: row.execution_mode,
  runtime: row.runtime,
  runtime_generation: row.runtime_generation,
  public_profile_slug: row.public_profile_slug,
  public_profile: row.public_profile,
});

/** A signed-in user registers with the proven address, and with no other. Throws HttpError 422. */
function emailOf(given: string | undefined, signedIn: SignedIn | null): string {
  if (signedIn === null) {
    if (given === undefined) throw invalidField('email');
    return given;
  }
  if (given !== undefined && given.toLowerCase() !== signedIn.email.toLowerCase()) {
    throw invalidField('email', 'Must be the address of the sign-in session, or absent', 'value_error');
  }
  return signedIn.email;
}
