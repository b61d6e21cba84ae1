import { assert } from '../../ops/assert.js';
import { zeroAddress } from 'viem';
import { Unbelievable } from './answers.js';
import type { Mined } from './chain.js';

/** The sum that one address moves to the treasury in one transaction. */
export interface Sent {
  /** Checksummed. */
  from: string;
  /** In the token's smallest unit, all its transfers together. */
  units: bigint;
  /** The log index of the first transfer. */
  logIndex: number;
}

/**
 * The transaction's transfers to the treasury, by sender. Minted tokens (from 0x0), and those of senders that are
 * `never` a depositor (in lower case), such as the treasury itself, are left out.
 */
export function sentTo(treasury: string, { transfers }: Mined, never: ReadonlySet<string>): Sent[] {
  const bySender = new Map<string, Sent>();
  for (const { from, to, units, logIndex } of transfers) {
    if (to !== treasury || units === 0n || from === zeroAddress || from === treasury || never.has(from.toLowerCase()))
      continue;
    assert(units > 0n, 'a transfer moves units', units);
    const before = bySender.get(from);
    bySender.set(from, {
      from,
      units: units + (before?.units ?? 0n),
      logIndex: Math.min(logIndex, before?.logIndex ?? logIndex),
    });
  }
  return [...bySender.values()];
}

/** That wallet's transfers to the treasury in the transaction, or null. */
export function sentBy(wallet: string, treasury: string, mined: Mined): Sent | null {
  return sentTo(treasury, mined, new Set()).find(({ from }) => from === wallet) ?? null;
}

/**
 * Whether the transaction pays so many units from one address to another: all of them or none. Throws Unbelievable where it
 * moves another amount.
 */
export function pays(mined: Mined, { from, to, units }: { from: string; to: string; units: bigint }): boolean {
  assert(units > 0n, 'a payment pays units', units);
  const between = mined.transfers.filter((each) => each.from === from && each.to === to);
  const moved = between.reduce((sum, each) => sum + each.units, 0n);
  if (moved !== 0n && moved !== units) throw new Unbelievable(`a payment of ${units} units has moved ${moved}`);
  return moved === units;
}
