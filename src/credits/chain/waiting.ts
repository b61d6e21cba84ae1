import { assertWhole } from '../../ops/assert.js';
import { BaseError, HttpRequestError, TimeoutError } from 'viem';
import { codeOf, isConnectionError } from '../../store/database.js';
import { Displaced } from '../../store/node/leadership.js';
import { REQUIREMENT } from '../../store/sqlstate.js';
import type { AskingLog } from './asking.js';
import { WrongChain } from './chain.js';

/** Why a withdrawal does not go on. */
export const REASONS = [
  'held', // its agent is banned, or has credits that the chain contradicts: an operator decides
  'wallet_changed', // its wallet has changed: it is paid once WITHDRAW_HOLD_HOURS are over
  'fee_cap', // the chain asks for more than the settings allow, or a raise would
  'no_gas_coin', // the treasury lacks the chain's coin
  'lower_nonce', // one with a lower nonce is stuck: a raise of this one would be for nothing
  'nonce_gap', // payments wait behind a nonce that nobody uses
  'chain_still', // no block has been mined since it was signed
  'former_treasury', // what has signed it is not the treasury any more: its fee cannot be raised
  'refused', // the chain would revert it: tried again some minutes later
  'trouble', // something unforeseen: see the log
] as const;
export type Reason = (typeof REASONS)[number];

/** Those that the signer does not look at. */
type Apart = 'held' | 'wallet_changed';

const WORDS: Readonly<Record<Exclude<Reason, Apart>, string>> = {
  fee_cap: "a withdrawal waits: the chain's fees are above WITHDRAW_MAX_GAS_PRICE_GWEI or WITHDRAW_MAX_FEE_GWEI",
  no_gas_coin: "a withdrawal waits: the treasury lacks the chain's coin for the fee",
  lower_nonce: 'a withdrawal waits for one with a lower nonce',
  nonce_gap: 'payments wait behind unused nonces',
  chain_still: 'a withdrawal waits: the chain mines no blocks',
  former_treasury: 'a withdrawal of a former treasury is not mined: its fee cannot be raised any more',
  refused: 'the chain refuses a withdrawal',
  trouble: 'a withdrawal cannot be handled: the others go on',
};

const HELD =
  'withdrawals of banned agents are held, and those of agents with lost deposits: release or return them, or decide on the deposits';
const ERRORS: readonly Reason[] = ['trouble', 'nonce_gap'];

/** Which withdrawals wait for what, round by round; each is logged once for a reason. */
export class WithdrawalWaits {
  #before = new Map<string, Reason>();
  #now = new Map<string, Reason>();
  #counts = none();
  #held = 0;
  #walletChanged = 0;

  constructor(private readonly log: AskingLog) {}

  begin(held: number, walletChanged: number): void {
    assertWhole(held, 'the number of held withdrawals');
    assertWhole(walletChanged, 'the number of withdrawals of changed wallets');
    this.#walletChanged = walletChanged;
    if (held > this.#held) this.log.warn({ held }, HELD);
    this.#held = held;
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** True where this is news. */
  note(id: string, reason: Exclude<Reason, Apart>, detail: object = {}): boolean {
    this.#now.set(id, reason);
    if (this.#before.get(id) === reason) return false;
    this.log[ERRORS.includes(reason) ? 'error' : 'warn']({ withdrawal_id: id, ...detail }, WORDS[reason]);
    return true;
  }

  /** The round is over. */
  finish(): void {
    this.#counts = { ...none(), held: this.#held, wallet_changed: this.#walletChanged };
    for (const reason of this.#now.values()) this.#counts[reason]++;
  }

  /** How many wait, by reason, as of the last round that went through. */
  get counts(): Readonly<Record<Reason, number>> {
    return this.#counts;
  }
}

const none = () => Object.fromEntries(REASONS.map((reason) => [reason, 0])) as Record<Reason, number>;

/** Whether an error is about node, database or signer, and not about the one row that met it. */
export function isGeneral(error: unknown): boolean {
  if (error instanceof WrongChain || error instanceof Displaced || isConnectionError(error)) return true;
  // Another signer took over.
  if (codeOf(error) === REQUIREMENT) return true;
  const away = (cause: unknown) => cause instanceof HttpRequestError || cause instanceof TimeoutError;
  return error instanceof BaseError && error.walk(away) !== null;
}
