import { isConnectionError } from './database.js';

/** Only postgres.js asks this, on each new connection. */
const TYPES_OF_ARRAYS = 'b.typarray';

/**
 * Nobody awaits that question of postgres.js. If the connection breaks before its answer and no other can be made, the
 * rejection is unhandled and would end the thread. The statement that waits for the connection rejects all the same, so
 * this one is let pass. Any other unhandled rejection is a bug. Call it once in each thread that has connections.
 */
export function outliveTypeQueries(): void {
  process.on('unhandledRejection', (reason) => {
    if (!isTypeQuery(reason)) throw reason;
  });
}

function isTypeQuery(reason: unknown): boolean {
  return isConnectionError(reason) && String((reason as { query?: unknown }).query).includes(TYPES_OF_ARRAYS);
}
