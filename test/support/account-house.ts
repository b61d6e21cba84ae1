import { accountRoutes, Accounts } from '../../src/accounts/index.js';
import { balanceOf } from '../../src/credits/index.js';
import { memoryLimits } from '../../src/gateway/limits.js';
import type { ActiveSeat } from '../../src/lobby/views.js';
import { freshPool, type Scope } from './database.js';
import { asker, type RestAnswer } from './rest.js';

/** Accounts on a database of their own, with what they told the lobby. */
export async function openAccounts(
  t: Scope,
  more: { emailVerified?: boolean; registration?: 'open' | 'session'; betaGate?: boolean } = {},
) {
  const sql = await freshPool(t);
  const told: unknown[] = [];
  const seats = new Map<string, ActiveSeat>();
  const accounts = new Accounts({
    sql,
    emailVerified: more.emailVerified ?? true,
    betaGate: more.betaGate ?? false,
    lobby: {
      disconnect: (agentId) => told.push({ disconnect: agentId }),
      updatePlayer: (agentId, change) => told.push({ update: agentId, ...change }),
    },
  });
  const ask = asker(
    accountRoutes({
      accounts,
      registration: more.registration ?? 'open',
      session: () => Promise.resolve(null),
      credits: (agentId) => balanceOf(sql, agentId),
      renames: memoryLimits().limiter('rename', 10, 60_000),
      views: { activeGame: (agentId) => Promise.resolve(seats.get(agentId) ?? null) },
    }),
  );
  return { sql, accounts, ask, told, seats };
}

export const form = (name: string, more: object = {}) => ({
  name,
  email: `${name}@example.org`,
  terms_accepted: true,
  ...more,
});
export const field = <T = string>(answer: RestAnswer, name: string) => (answer.body as Record<string, T>)[name] as T;

export async function registered(
  ask: Awaited<ReturnType<typeof openAccounts>>['ask'],
  name: string,
  more: object = {},
) {
  const answer = await ask('registerAgent', { body: form(name, more) });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return { agentId: field(answer, 'agent_id'), apiKey: field(answer, 'api_key') };
}
