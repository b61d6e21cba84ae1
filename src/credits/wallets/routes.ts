import { utc } from '../../protocol/common.js';
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

    defineRoute(proveWallet)(async ({ agent: { agentId }, body }) => {
      const proof = await wallets().prove(agentId, body.message, body.signature);
      return { status: 200, body: { wallet_address: proof.address, proven_at: utc(proof.proven_at) } };
    }),
  ];
}
