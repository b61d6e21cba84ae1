import type * as real from '../../../src/store/database.js';
import { machine } from '../machine/machine.js';

/** src/store/database.ts with connections that lead to the vault. */
export { codeOf, isConnectionError, retrying } from '../../../src/store/database.js';

export const connect: typeof real.connect = () => machine().storage.connect();

/** Statements of the product that need a transaction are single ones in the vault. */
export const transaction: typeof real.transaction = (sql, work) => work(sql as unknown as real.Transaction);
