export { balanceOf, postCredits, type CreditAccount, type Posting, type PostingResult } from './ledger.js';
export { dollarsOf, UCENTS_PER_CENT, UCENTS_PER_DOLLAR, ucentsOf } from './money.js';
export { creditRoutes, type CreditRoutesOptions } from './routes.js';
