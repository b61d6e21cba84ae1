import type * as real from '../../../src/seasons/entry-queries.js';
import { machine } from '../machine/machine.js';
import type { Entry } from '../vault/rows.js';
import * as seasons from '../vault/seasons.js';
import type { Storage } from '../vault/storage.js';

/** src/seasons/entry-queries.ts on the vault. */
const run: Storage['statement'] = (sql, effect) => machine().storage.statement(sql, effect);

const rowOf = (entry: Entry): real.EntryRow => ({
  pool_id: entry.poolId,
  agent_id: entry.agentId,
  chip_balance: entry.chipBalance,
  chips_at_table: entry.chipsAtTable,
  rebuys: entry.rebuys,
  hands_played: entry.handsPlayed,
  hands_won: entry.handsWon,
  premium: entry.premium,
  auto_rebuy: entry.autoRebuy,
});

const maybe = (entry: Entry | undefined) => (entry === undefined ? undefined : rowOf(entry));

/** A piece of SQL, for statements that the simulation does not play. */
export const entryColumns: typeof real.entryColumns = () => {
  throw new Error('no SQL in the simulation');
};

export const selectEntry: typeof real.selectEntry = (sql, poolId, agentId) =>
  run(sql, (vault) => maybe(vault.entry(poolId, agentId)));

export const insertSeasonEntry: typeof real.insertSeasonEntry = (sql, poolId, agentId, startingChips) =>
  run(sql, (vault) => maybe(seasons.insertEntry(vault, poolId, agentId, startingChips)));
