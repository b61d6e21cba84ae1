import type * as real from '../../../src/shard/main/lending.js';
import { withThoseBefore } from '../../../src/shard/main/lending.js';
import { machine } from '../machine/machine.js';
import { led } from './led.js';

/** src/shard/main/lending.ts on the vault. */
export const inheritShards: typeof real.inheritShards = (sql, leadership) =>
  led(sql, leadership, (vault) => vault.inheritShards());

export const openTables: typeof real.openTables = async (sql, shard, rulesOf) => {
  const stored = await machine().storage.statement(sql, (vault) => vault.storedTables(shard));
  return stored.map((table) => ({ ...table, rules: rulesOf(table.poolId).table }));
};

export const lendShard: typeof real.lendShard = (sql, leadership, shard, nodeId) =>
  led(sql, leadership, (vault) => vault.lendShard(shard, nodeId));

export const dealOut: typeof real.dealOut = async (
  sql,
  leadership,
  { shard, players, rulesOf, decided = new Map() },
) => {
  const all = await led(sql, leadership, (vault) => {
    const dealt = vault.dealOut(shard, players).map(({ table, taker }) => ({
      opening: { ...table, rules: rulesOf(table.poolId).table },
      shard: taker,
    }));
    return withThoseBefore(decided, shard, dealt);
  });
  decided.delete(shard);
  return all;
};
