import { zeroAddress } from 'viem';
import type { Mined } from './chain.js';

/** What one address moves to the treasury in one transaction. */
export interface Sent {
  /** Checksummed. */
  from: string;
  /** Of the token's smallest unit, all its transfers together. */
  units: bigint;
  /** Of the first of them. */
  logIndex: number;
}

/**
 * What the transaction brings the treasury, by sender. Who mints (0x0), and whoever else is `never` a depositor, such
 * as the treasury itself, is left out.
 */
export function sentTo(treasury: string, { transfers }: Mined, never: ReadonlySet<string>): Sent[] {
  const bySender = new Map<string, Sent>();
  for (const { from, to, units, logIndex } of transfers) {
    if (to !== treasury || units === 0n || from === zeroAddress || from === treasury || never.has(from)) continue;
    const before = bySender.get(from);
    bySender.set(from, {
      from,
      units: units + (before?.units ?? 0n),
      logIndex: Math.min(logIndex, before?.logIndex ?? logIndex),
    });
  }
  return [...bySender.values()];
}

/** What that wallet moves to the treasury in it, or null. */
export function sentBy(wallet: string, treasury: string, mined: Mined): Sent | null {
  return sentTo(treasury, mined, new Set()).find(({ from }) => from === wallet) ?? null;
}
