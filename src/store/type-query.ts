import { isConnectionError } from './database.js';

/** Only postgres.js asks this, on each new connection. */
const TYPES_OF_ARRAYS = 'b.typarray';

/**
 * Nobody waits for that question of postgres.js: where the connection breaks before its answer, and no other can be
 * made, it is a rejection that nobody handles, which ends the thread. Who waited for the connection hears of it all the
 * same, so this one is let pass; any other is a bug, as it is without us. Call it once in each thread that has
 * connections.
 */
export function outliveTypeQueries(): void {
  process.on('unhandledRejection', (reason) => {
    if (!isTypeQuery(reason)) throw reason;
  });
}

function isTypeQuery(reason: unknown): boolean {
  return isConnectionError(reason) && String((reason as { query?: unknown }).query).includes(TYPES_OF_ARRAYS);
}
