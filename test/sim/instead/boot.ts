import type * as real from '../../../src/shard/boot.js';
import { machine } from '../machine/machine.js';

/** src/shard/boot.ts: recovery is the real one, over the vault. */
export { recoverShard } from '../../../src/shard/boot.js';

export const prepareTables: typeof real.prepareTables = (sql, threads) =>
  machine().storage.statement(sql, (vault) => vault.prepareTables(threads));
