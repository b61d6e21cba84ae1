import { assert } from '../../ops/assert.js';

/** The most that a payment may cost. Fees in wei; of a unit of gas but where it says otherwise. */
export interface Fees {
  maxFee: bigint;
  priorityFee: bigint;
}

export interface FeeCaps {
  maxFee: bigint;
  /** The cost of a whole payment: its gas at its highest fee. */
  payment: bigint;
}

/** A replacement must pay a tenth more, or nodes refuse it; a quarter is safe. */
const LEAST_PERCENT = 110n;
const RAISE_PERCENT = 125n;
/** A balance that was empty costs so much more to write than one that was not (EIP-2929), and some tokens write more. */
const EMPTY_RECIPIENT = 20_000n;

/** The gas to give a transfer that takes so much as things stand: its recipient may have emptied its wallet by then. */
export const gasWithRoom = (estimate: bigint): bigint => ((estimate + EMPTY_RECIPIENT) * 13n) / 10n;

/** The highest fee of a unit of gas for a payment that may take so much gas. */
export function capOf(gas: bigint, caps: FeeCaps): bigint {
  assert(gas > 0n, 'a payment takes gas', gas);
  return least(caps.maxFee, caps.payment / gas);
}

/** Fees for a payment that nothing was signed for yet; null while the chain asks for more than the cap. */
export function firstFees({ maxFee, priorityFee }: Fees, cap: bigint): Fees | null {
  assert(maxFee >= 0n && priorityFee >= 0n, 'fees are no less than nothing', priorityFee);
  const wanted = most(maxFee, priorityFee);
  return wanted > cap ? null : { maxFee: wanted, priorityFee };
}

/** Fees that outbid those that were signed before, as near to a quarter more as the cap leaves room; null without room. */
export function raisedFees(estimate: Fees, older: Fees, cap: bigint): Fees | null {
  const by = (percent: bigint, fee: bigint) => (fee * percent) / 100n + 1n;
  const priorityFee = most(estimate.priorityFee, by(RAISE_PERCENT, older.priorityFee));
  const maxFee = least(most(most(estimate.maxFee, by(RAISE_PERCENT, older.maxFee)), priorityFee), cap);
  assert(maxFee <= cap, 'a raise keeps to the cap', maxFee);
  if (maxFee < by(LEAST_PERCENT, older.maxFee)) return null;
  return { maxFee, priorityFee: least(priorityFee, maxFee) };
}

const most = (a: bigint, b: bigint) => (a > b ? a : b);
const least = (a: bigint, b: bigint) => (a < b ? a : b);
