import { assert } from '../../ops/assert.js';
import { randomUUID } from 'node:crypto';
import { Detail, HttpError, insufficientCredits } from '../../protocol/rest/errors.js';
import type { Transaction } from '../../store/database.js';
import { balanceOf } from '../ledger.js';
import { dollarsOf, UCENTS_PER_CENT, ucentsOf } from '../money.js';
import { refuseOwnAddress, type OwnSettings } from './own-addresses.js';
import * as queries from './withdrawal-queries.js';

/** All in cents. */
export interface WithdrawalLimits {
  minimum: number;
  /** The most of one withdrawal. */
  maximum: number;
  /** The most of an agent in any 24 hours. */
  daily: number;
}

/**
 * Takes the amount (dollars) from the agent's credits and queues its payment to the registered wallet, as part of the
 * caller's transaction. It waits where that wallet has changed lately. Throws HttpError 400 (wallet, limits) or 402.
 */
export async function requestWithdrawal(
  tx: Transaction,
  { agentId, amount, limits, own }: { agentId: string; amount: number; limits: WithdrawalLimits; own: OwnSettings },
): Promise<{ withdrawalId: string; waitsUntil: Date | null }> {
  const ucents = ucentsOf(amount);
  if (ucents === null) throw new HttpError(400, Detail.notAnAmount);
  const { wallet, held_until: waitsUntil } = await queries.lockAgent(tx, agentId);
  if (wallet === null) throw new HttpError(400, Detail.walletNotSet);
  await refuseOwnAddress(tx, own, wallet);
  const cents = ucents / UCENTS_PER_CENT;
  if (cents < limits.minimum) throw new HttpError(400, `Minimum withdrawal is ${inDollars(limits.minimum)}`);
  if (cents > limits.maximum) throw new HttpError(400, `Maximum withdrawal is ${inDollars(limits.maximum)}`);
  const today = await queries.withdrawnToday(tx, agentId);
  if (today + ucents > limits.daily * UCENTS_PER_CENT) {
    throw new HttpError(400, `Daily withdrawal limit is ${inDollars(limits.daily)}`);
  }
  assert(cents >= limits.minimum && cents <= limits.maximum, 'a withdrawal is within its limits', cents);
  const withdrawalId = randomUUID();
  const result = await queries.insertWithdrawal(tx, { id: withdrawalId, agentId, to: wallet, ucents, waitsUntil });
  assert(result !== 'already', 'a withdrawal has an id of its own', withdrawalId);
  if (result !== 'posted') {
    throw new HttpError(402, insufficientCredits(dollarsOf(await balanceOf(tx, agentId)), amount));
  }
  return { withdrawalId, waitsUntil };
}

const inDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
