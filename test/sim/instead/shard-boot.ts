import type * as real from '../../../src/shard/main/boot.js';
import { machine } from '../machine/machine.js';

/** src/shard/main/boot.ts: recovery is the real one, over the vault. */
export { recoverShard } from '../../../src/shard/main/boot.js';

export const prepareTables: typeof real.prepareTables = (sql, threads, holder) =>
  machine().storage.statement(sql, (vault) => vault.prepareTables(threads, holder));
