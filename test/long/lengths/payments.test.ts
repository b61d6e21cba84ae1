/** Payments while the process is killed, in the whole length. */
await import('../../system/payments.test.js');
