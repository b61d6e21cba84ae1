/** Deposits over reorganisations, in the whole length. */
await import('../../credits/chain.test.js');
