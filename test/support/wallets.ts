import { account } from './anvil.js';
import type { Account, Answer, Request } from './platform.js';

export interface Asker {
  api(method: string, path: string, request: Request): Promise<Answer>;
}

/**
 * Proves over HTTP that the chain's account is the agent's wallet. Without an agent the asker authenticates the
 * requests.
 */
export async function proveWallet(platform: Asker, agent: Pick<Account, 'key'> | null, index: number): Promise<Answer> {
  const who = agent === null ? {} : { key: agent.key };
  const { address } = account(index);
  const challenge = await platform.api('POST', '/api/me/wallet/challenge', { ...who, body: { address } });
  const { message } = challenge.body as { message: string };
  const signature = await account(index).signMessage({ message });
  return platform.api('POST', '/api/me/wallet/proof', { ...who, body: { message, signature } });
}
