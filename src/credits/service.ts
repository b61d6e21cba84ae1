import type { Config } from '../ops/settings.js';
import type { Part } from '../platform/parts.js';
import { type Route, defineRoute } from '../protocol/route.js';
import type { Database, Queryable } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import type { AskingLog } from './chain/asking.js';
import { createOnchain, readKeyFile, type Onchain } from './chain/index.js';
import { configured, onchainRoutes } from './onchain-routes.js';
import { Reconciliation } from './reconciliation.js';
import { creditRoutes } from './routes.js';
import { refuseUnknownHost } from './wallets/message.js';
import type { WalletChanges } from './wallets/change.js';
import { utc, utcOrNull } from '../protocol/common.js';
import { challengeWallet, proveWallet } from '../protocol/rest/wallets.js';
import type { Wallets } from './wallets/wallets.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { countPending } from './chain/deposit-queries.js';

/** The longest wait of a probe for the database. */
const PATIENCE_MS = 1000;

/** Counts the deposits that wait for confirmations. Without the database the last known number stands. */
export class PendingDeposits {
  #known = 0;
  #underWay: Promise<void> | null = null;
  #alarmed = false;

  constructor(
    private readonly sql: Queryable,
    private readonly log: AskingLog,
  ) {}

  /** Probes that come at once share a count. Never throws. */
  async count(): Promise<number> {
    this.#underWay ??= this.#look().finally(() => (this.#underWay = null));
    await Promise.race([this.#underWay, sleep(PATIENCE_MS, undefined, { ref: false })]);
    return this.#known;
  }

  async #look(): Promise<void> {
    try {
      this.#known = await countPending(this.sql);
      this.#alarmed = false;
    } catch (error) {
      if (!this.#alarmed) this.log.warn({ err: error }, 'pending deposits could not be counted');
      this.#alarmed = true;
    }
  }
}

/** POST /me/wallet/challenge and /me/wallet/proof. `wallets` throws HttpError 503 without a chain. */
function walletRoutes(wallets: () => Wallets): Route[] {
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

export interface CreditsOptions {
  sql: Database;
  /** The pool for slow work. */
  background: Database;
  leadership: Leadership;
  /** No payment is made while the clock is not certain. */
  clock: { now(): number; readonly certain: boolean };
  config: Config;
  log: AskingLog;
  /** The public address of this platform. */
  publicUrl: () => string;
  /** Called when a mail may wait. */
  emailQueued: () => void;
  walletChanges: WalletChanges;
  /** Called when another process signs withdrawals on this database. */
  fatal: (error: Error) => void;
}

/** Credits: the ledger's endpoints, the chain if there is one, and the repeated check that they agree. */
export function createCredits(options: CreditsOptions) {
  const { sql, config, log } = options;
  const onchain = onchainOf(options);
  const limits = {
    minimum: config.WITHDRAW_MIN_CENTS,
    maximum: config.WITHDRAW_MAX_CENTS,
    daily: config.WITHDRAW_DAILY_CENTS,
  };
  const reconciliation = new Reconciliation({ sql: options.background, chain: onchain?.chain ?? null, log });
  const pendingDeposits = new PendingDeposits(sql, log);
  const routes: Route[] = [
    ...creditRoutes({ sql, development: config.NODE_ENV !== 'production' }),
    ...onchainRoutes({ sql, onchain, limits }),
    ...walletRoutes(() => configured(onchain).wallets),
  ];
  return {
    routes,
    reconciliation,
    /** Follows the chain, pays, and compares the books. */
    lead: {
      start(): void {
        onchain?.poller.start();
        reconciliation.start();
      },
      async stop(): Promise<void> {
        reconciliation.stop();
        await onchain?.poller.stop();
      },
    } satisfies Part,
    /** Withdrawals that wait, by reason, for /metrics. */
    waiting: () => onchain?.signer?.waiting.counts ?? {},
    /** As of the last minute, for /metrics. */
    figures: () => {
      const { lostDeposits = 0, lostWithdrawals = 0, oldestWithdrawal = 0 } = reconciliation.books ?? {};
      const failures = onchain?.poller.failures ?? 0;
      return { lostDeposits, lostWithdrawals, oldestWithdrawal, failures, agree: reconciliation.agree };
    },
    /** Whether the chain is followed, and queued withdrawals are paid. */
    paying: () => onchain?.poller.running ?? false,
    /** The form of GET /health. */
    async health() {
      const pending = onchain === null ? 0 : await pendingDeposits.count();
      return { pending, paying: onchain?.poller.running ?? false, books: reconciliation.health };
    },
  };
}

/** Null without a chain. Throws if the treasury's key is wrong, or wallets cannot sign for our address. */
function onchainOf(options: CreditsOptions): Onchain | null {
  const { sql, leadership, clock, config, log, publicUrl, emailQueued, walletChanges, fatal } = options;
  const { RPC_URL: rpcUrl, CHAIN_ID: chainId, TOKEN_ADDRESS: token, TREASURY_ADDRESS: treasury } = config;
  if (rpcUrl === undefined || chainId === undefined || token === undefined || treasury === undefined) return null;
  if (config.PUBLIC_URL !== undefined) refuseUnknownHost(config.PUBLIC_URL);
  const file = config.TREASURY_KEY_FILE;
  const key = config.TREASURY_KEY ?? (file === undefined ? null : readKeyFile(file));
  if (key === null) log.warn({}, 'no TREASURY_KEY: withdrawals are queued, and wait');
  const { CONFIRMATIONS: confirmations, CHAIN_WATCH_HOURS: watchHours } = config;
  const { CHAIN_POLL_MS: pollMs, WITHDRAW_RAISE_MS: raiseMs } = config;
  const sources = { proof: config.WALLET_PROOF, funding: config.FUNDING_ADDRESSES ?? [] };
  const gwei = 1_000_000_000n;
  const caps = {
    maxFee: BigInt(config.WITHDRAW_MAX_GAS_PRICE_GWEI) * gwei,
    payment: BigInt(config.WITHDRAW_MAX_FEE_GWEI) * gwei,
  };
  const paying = { key, confirmations, watchHours, sources, pollMs, raiseMs, caps };
  const settings = { rpcUrl, chainId, token, treasury, ...paying };
  return createOnchain(settings, { sql, leadership, clock, log, publicUrl, emailQueued, walletChanges, fenced: fatal });
}
