/** Withdrawals that race, in the whole length. */
await import('../../credits/withdrawals.test.js');
