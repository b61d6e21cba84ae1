import { readFileSync } from 'node:fs';
import { ConfigError } from '../../ops/config.js';
import { fileTrouble } from '../../ops/file-trouble.js';
import type { Database } from '../../store/database.js';
import type { Leadership } from '../../store/node/leadership.js';
import type { WalletChanges } from '../wallets/change.js';
import { Wallets } from '../wallets/wallets.js';
import type { AskingLog } from './asking.js';
import { Chain, type ChainSettings } from './chain.js';
import { ChainPoller } from './chain-poller.js';
import { Deposits } from './deposits.js';
import type { FeeCaps } from './fees.js';
import { Signer } from './signer.js';
import { Sources, type SourceRules } from './sources.js';
import { Treasury } from './treasury.js';

export interface OnchainSettings extends ChainSettings {
  /** The treasury's private key; without it withdrawals wait. */
  key: string | null;
  confirmations: number;
  /** Decided withdrawals are watched for so many hours. */
  watchHours: number;
  sources: SourceRules;
  pollMs: number;
  /** See SignerOptions. */
  raiseMs: number;
  caps: FeeCaps;
}

/** Everything that looks at the chain. */
export interface Onchain {
  deposits: Deposits;
  wallets: Wallets;
  poller: ChainPoller;
  /** Null without a key. */
  signer: Signer | null;
  chain: Chain;
  confirmations: number;
}

/** The chain's dependencies in the house. */
export interface OnchainHouse {
  sql: Database;
  leadership: Leadership;
  /** Dates; nothing is paid while it is not certain. */
  clock: { now(): number; readonly certain: boolean };
  log: AskingLog;
  /** Another process has taken the signing over: this one must not go on. */
  fenced: (error: Error) => void;
  /** See WalletsOptions. */
  publicUrl: () => string;
  emailQueued?: () => void;
  walletChanges: WalletChanges;
}

/** Builds it; nothing is asked of the node before `clock.start`. Throws where the key is not the treasury's. */
export function createOnchain(
  { key, confirmations, watchHours, sources: rules, pollMs, raiseMs, caps, ...settings }: OnchainSettings,
  { sql, leadership, clock, log, fenced, ...owners }: OnchainHouse,
): Onchain {
  const chain = new Chain(settings);
  const sources = new Sources(sql, chain, rules);
  const deposits = new Deposits({ sql, leadership, chain, confirmations, watchHours, sources, log });
  const wallets = new Wallets({ sql, chain, log, now: () => clock.now(), ...owners });
  const treasury = key === null ? null : new Treasury(chain, key, caps);
  const signing = { sql, leadership, chain, confirmations, watchHours, raiseMs, log };
  const signer = treasury && new Signer({ ...signing, treasury });
  const poller = new ChainPoller({ sql, leadership, clock, chain, deposits, signer, pollMs, log, fenced });
  return { deposits, wallets, chain, confirmations, poller, signer };
}

/** The treasury's key from its file: 0x and 64 hex digits. Throws ConfigError or an Error that does not name what it read. */
export function readKeyFile(path: string): string {
  const key = textOf(path).trim();
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new Error(`${path} holds no private key (0x and 64 hex digits)`);
  return key;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError(`TREASURY_KEY_FILE=${path} cannot be read: ${fileTrouble(cause)}.`, { cause });
  }
}
