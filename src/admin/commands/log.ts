import { look, PAGE } from '../command.js';
import { columns } from '../../command/columns.js';
import { selectLog } from '../queries.js';

export const log = look({
  name: 'log',
  purpose: 'the audit log, the latest first',
  options: { limit: PAGE.limit },
  look: async (sql, { limit }) => {
    const entries = await selectLog(sql, limit);
    const rows = entries.map(({ at, actor, action, subject, detail }) => [
      ...[at.toISOString(), actor, action, subject ?? '-', JSON.stringify(detail)],
    ]);
    return { data: { entries }, lines: columns(rows) };
  },
});

export const logCommands = [log];
