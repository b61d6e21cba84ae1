import type { Test } from 'tap';
import type { Identity, SessionLease } from '../../src/lobby/index.js';
import { HostedHouse } from './hosted-house.js';

/** A refusal as `HostedHouse.ask` returns it. */
export const detail = (status: number, text: string) => ({ status, body: { detail: text } });
export const ok = (body: object) => ({ status: 200, body });

/** A house with a browser bot, and helpers for its tokens and leases. */
export async function inBrowser(t: Test) {
  const house = await HostedHouse.open(t, { SEASON_SECONDS: '7200', WIND_DOWN_SECONDS: '60' });
  const agentId = await house.agent();
  const token = async (id = 'deployBot', body: object | undefined = { mode: 'browser' }): Promise<string> => {
    const answer = (await house.ask(id, { agentId, ...(body && { body }) })).body as { token?: object };
    return ((answer.token ?? answer) as { bot_token: string }).bot_token;
  };
  const enter = async (text: string): Promise<SessionLease> => {
    const identity = (await house.comes(text)) as Identity;
    t.match(identity, { agentId, isHouse: false });
    return identity.lease!;
  };
  return { house, agentId, token, enter };
}
