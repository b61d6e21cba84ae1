import { readFileSync } from 'node:fs';
import type { Database } from '../../store/database.js';
import { Chain, type ChainSettings } from './chain.js';
import { ChainClock } from './chain-clock.js';
import { Deposits, type Log } from './deposits.js';
import { Signer } from './signer.js';
import { Treasury } from './treasury.js';

export interface OnchainSettings extends ChainSettings {
  /** The treasury's private key; without it withdrawals wait. */
  key: string | null;
  confirmations: number;
  pollMs: number;
  /** See SignerOptions. */
  raiseMs: number;
}

/** Everything that looks at the chain. */
export interface Onchain {
  deposits: Deposits;
  clock: ChainClock;
  chain: Chain;
  confirmations: number;
}

/** Builds it; nothing is asked of the node before `clock.start`. Throws where the key is not the treasury's. */
export function createOnchain(
  sql: Database,
  { key, confirmations, pollMs, raiseMs, ...settings }: OnchainSettings,
  log: Log,
  fenced: (error: Error) => void,
): Onchain {
  const chain = new Chain(settings);
  const deposits = new Deposits({ sql, chain, confirmations, log });
  const treasury = key === null ? null : new Treasury(chain, key);
  const signer = treasury && new Signer({ sql, chain, treasury, confirmations, raiseMs, log });
  return { deposits, chain, confirmations, clock: new ChainClock({ deposits, signer, pollMs, log, fenced }) };
}

/** The treasury's key from its file: 0x and 64 hex digits. Throws an Error that does not name what it read. */
export function readKeyFile(path: string): string {
  const key = readFileSync(path, 'utf8').trim();
  if (!/^0x[0-9a-fA-F]{64}$/.test(key)) throw new Error(`${path} holds no private key (0x and 64 hex digits)`);
  return key;
}
