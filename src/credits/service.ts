import type { Config } from '../ops/settings.js';
import type { Route } from '../protocol/route.js';
import type { Database } from '../store/database.js';
import type { Log } from './chain/deposits.js';
import { createOnchain, readKeyFile, type Onchain } from './chain/index.js';
import { PendingDeposits } from './chain/pending.js';
import { onchainRoutes } from './onchain-routes.js';
import { Reconciliation } from './reconciliation.js';
import { creditRoutes } from './routes.js';

export interface CreditsOptions {
  sql: Database;
  config: Config;
  log: Log;
  /** Called when another process signs withdrawals on this database. */
  fatal: (error: Error) => void;
}

/** Credits: the ledger's endpoints, the chain if there is one, and the steady check that all of it agrees. */
export function createCredits({ sql, config, log, fatal }: CreditsOptions) {
  const onchain = onchainOf(sql, config, log, fatal);
  const limits = {
    minimum: config.WITHDRAW_MIN_CENTS,
    maximum: config.WITHDRAW_MAX_CENTS,
    daily: config.WITHDRAW_DAILY_CENTS,
  };
  const reconciliation = new Reconciliation({ sql, chain: onchain?.chain ?? null, log });
  const pendingDeposits = new PendingDeposits(sql, log);
  const routes: Route[] = [
    ...creditRoutes({ sql, development: config.NODE_ENV !== 'production' }),
    ...onchainRoutes({ sql, onchain, limits }),
  ];
  return {
    routes,
    reconciliation,
    start(): void {
      onchain?.clock.start();
      reconciliation.start();
    },
    async stop(): Promise<void> {
      reconciliation.stop();
      await onchain?.clock.stop();
    },
    /** The form of GET /health. */
    async health() {
      const pending = onchain === null ? 0 : await pendingDeposits.count();
      return { pending, paying: onchain?.clock.running ?? false, books: reconciliation.health };
    },
  };
}

/** Null without a chain. Throws where the treasury's key is wrong. */
function onchainOf(sql: Database, config: Config, log: Log, fatal: (error: Error) => void): Onchain | null {
  const { RPC_URL: rpcUrl, CHAIN_ID: chainId, TOKEN_ADDRESS: token, TREASURY_ADDRESS: treasury } = config;
  if (rpcUrl === undefined || chainId === undefined || token === undefined || treasury === undefined) return null;
  const file = config.TREASURY_KEY_FILE;
  const key = config.TREASURY_KEY ?? (file === undefined ? null : readKeyFile(file));
  if (key === null) log.warn({}, 'no TREASURY_KEY: withdrawals are queued, and wait');
  const { CONFIRMATIONS: confirmations, CHAIN_POLL_MS: pollMs, WITHDRAW_RAISE_MS: raiseMs } = config;
  return createOnchain(sql, { rpcUrl, chainId, token, treasury, key, confirmations, pollMs, raiseMs }, log, fatal);
}
