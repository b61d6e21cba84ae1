export { balanceOf, postCredits, type CreditAccount, type Posting, type PostingResult } from './ledger.js';
export { dollarsOf, UCENTS_PER_CENT, UCENTS_PER_DOLLAR, ucentsOf } from './money.js';
export { accounting, type Accounting } from './accounting.js';
export { checksummed } from './wallets/address.js';
export { endWalletChanges, WalletChanges, type CancelledChange } from './wallets/change.js';
export * as operator from './operator.js';
export { hasWithdrawalInFlight, lockAgent } from './chain/withdrawal-queries.js';
export type { Books, Reconciliation } from './reconciliation.js';
export { createCredits, type CreditsOptions } from './service.js';
