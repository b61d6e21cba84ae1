import { utc, utcOrNull } from '../../protocol/common.js';
import { challengeWallet, proveWallet } from '../../protocol/rest/wallets.js';
import { defineRoute, type Route } from '../../protocol/route.js';
import type { Wallets } from './wallets.js';

/** POST /me/wallet/challenge and /me/wallet/proof. `wallets` throws HttpError 503 without a chain. */
export function walletRoutes(wallets: () => Wallets): Route[] {
  return [
    defineRoute(challengeWallet)(async ({ agent, body }) => {
      const { message, expiresAt } = await wallets().challenge(agent, body.address);
      return { status: 200, body: { message, expires_at: utc(expiresAt) } };
    }),

    defineRoute(proveWallet)(async ({ agent: { agentId }, body, ip }) => {
      const { proof, heldUntil } = await wallets().prove(agentId, body.message, body.signature, ip);
      const { address, proven_at } = proof;
      const answer = {
        wallet_address: address,
        proven_at: utc(proven_at),
        withdrawals_wait_until: utcOrNull(heldUntil),
      };
      return { status: 200, body: answer };
    }),
  ];
}
