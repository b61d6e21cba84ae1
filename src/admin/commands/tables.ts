import { change, look, NotThereError, PAGE } from '../command.js';
import { columns } from '../../command/columns.js';
import { pageLine } from '../print.js';
import * as queries from '../table-queries.js';

export const listTablesCommand = look({
  name: 'tables list',
  purpose: 'the open tables, the oldest first',
  options: PAGE,
  look: async (sql, { limit, offset }) => {
    const tables = await queries.selectOpenTables(sql, { limit, offset });
    const matching = tables[0]?.matching ?? 0;
    const rows = tables.map((table) => [
      table.table_id,
      table.kind === 'season' ? `season ${table.season_number}` : `competition ${table.competition_name}`,
      ...[table.shard_no, table.players, table.hand_number].map(String),
      table.opened_at.toISOString(),
      table.closing ? 'closing' : '',
    ]);
    const head = ['table_id', 'pool', 'shard', 'players', 'hands', 'opened', ''];
    return {
      data: { tables: tables.map(({ matching: _, ...table }) => table), matching, limit, offset },
      lines: [...columns([head, ...rows]), pageLine(offset, tables.length, matching)],
    };
  },
});

export const close = change({
  name: 'tables close',
  purpose: 'plays the hand out, returns all stacks and closes the table; players may join again at once',
  words: ['TABLE'],
  change: async (tx, { TABLE }) => {
    const found = await queries.closeTableByAdmin(tx, TABLE);
    if (found === undefined) throw new NotThereError(`there is no open table ${TABLE}`);
    const { table_id, pool_id, asked } = found;
    return {
      entry: asked ? { subject: table_id, detail: { pool_id } } : null,
      data: { table_id, pool_id },
      lines: [`table ${table_id} ${asked ? 'closes after its hand' : 'was asked to close before'}`],
    };
  },
});

export const tableCommands = [listTablesCommand, close];
