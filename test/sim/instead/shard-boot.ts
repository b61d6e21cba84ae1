import type * as real from '../../../src/shard/main/boot.js';
import { Broken } from '../broken.js';
import { machine } from '../machine/machine.js';

/** src/shard/main/boot.ts: recovery is the real one, over the vault. */
export { recoverShard } from '../../../src/shard/main/boot.js';

export const takeShards: typeof real.takeShards = (sql, of) =>
  machine().storage.statement(sql, (vault) => vault.takeShards(of));

export const claimTables: typeof real.claimTables = (sql, of) =>
  machine().storage.statement(sql, (vault) => vault.claimTables(of));

/** A process of the simulation is alone. */
export const counts: typeof real.counts = () => {
  throw new Broken('no process of the simulation has others beside it');
};
