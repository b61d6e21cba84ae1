import type * as real from '../../../src/shard/commit/queries.js';
import { WriteRefused } from '../../../src/shard/commit/fence.js';
import { Broken } from '../broken.js';
import { machine } from '../machine/machine.js';
import type { Storage } from '../vault/storage.js';

/** src/shard/commit/queries.ts on the vault. */
export * from '../../../src/shard/commit/fence.js';

const run: Storage['statement'] = (sql, effect) => machine().storage.statement(sql, effect);

export const claimShard: typeof real.claimShard = (sql, shard, holder) =>
  run(sql, (vault) => vault.claimShard(shard, holder));

export const buyIn: typeof real.buyIn = (sql, fence, stay) =>
  machine().storage.buyIn(run(sql, (vault) => vault.buyIn(fence, stay)));

export const cashOut: typeof real.cashOut = (sql, fence, stay) => run(sql, (vault) => vault.cashOut(fence, stay));

export const rememberedStay: typeof real.rememberedStay = (sql, poolId, agentId) =>
  run(sql, (vault) => vault.rememberedStay(poolId, agentId));

export const skim: typeof real.skim = (sql, fence, what) => run(sql, (vault) => vault.skim(fence, what));

export const commitHands: typeof real.commitHands = (sql, fence, records) =>
  run(sql, (vault) => vault.commitHands(fence, records));

export const openTable: typeof real.openTable = (sql, fence, table) =>
  run(sql, (vault) => vault.openTable(fence, table));

export const adoptTables: typeof real.adoptTables = (sql, fence, tables) =>
  run(sql, (vault) => vault.adoptTables(fence, tables));

export const adoptTable: typeof real.adoptTable = async (sql, fence, tableId, seqReserved) => {
  const adopted = await adoptTables(sql, fence, [{ tableId, seqReserved }]);
  if (!adopted.has(tableId)) throw new WriteRefused('table');
};

export const reserveSeq: typeof real.reserveSeq = (sql, fence, tableId, upTo) =>
  run(sql, (vault) => vault.reserveSeq(fence, tableId, upTo));

export const closeTable: typeof real.closeTable = (sql, fence, tableId) =>
  run(sql, (vault) => vault.closeTable(fence, tableId));

export const storedTables: typeof real.storedTables = (sql, of) => run(sql, (vault) => vault.storedTables(of));

const ofClaims = (): never => {
  throw new Broken('claims of shards and tables run on the vault as a whole: see shard-boot.ts');
};
export const closeOrphanedTables: typeof real.closeOrphanedTables = ofClaims;
export const lockOrphanedTables: typeof real.lockOrphanedTables = ofClaims;
