import { timeOf } from '../../history/index.js';
import { columns } from '../../command/columns.js';
import { HttpError } from '../../protocol/rest/errors.js';
import { count, look, PAGE, textOption, UsageError, type OptionSpec } from '../command.js';
import { selectLog } from '../queries.js';

/** A day or a time, as epoch ms; a day as a last one includes all its moments. */
const date = (says: string, edge: 'start' | 'end'): OptionSpec<number | undefined> => ({
  value: 'DATE',
  says,
  needed: false,
  read: (raw, name) => {
    try {
      return timeOf(typeof raw === 'string' ? raw : undefined, name, edge);
    } catch (error) {
      if (error instanceof HttpError) throw new UsageError(`${name} is an ISO 8601 day or time`);
      throw error;
    }
  },
});

export const log = look({
  name: 'log',
  purpose: 'the audit log, the latest first',
  options: {
    search: textOption('TEXT', 'part of an action, an id or a name'),
    from: date('entries of that day or time, or later', 'start'),
    to: date('entries of that day or time, or earlier', 'end'),
    before: count('N', 'entries below this number', undefined),
    limit: PAGE.limit,
  },
  look: async (sql, { search = '', limit, ...filter }) => {
    const found = await selectLog(sql, { ...filter, search, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const rows = entries.map((entry) => [
      entry.at.toISOString(),
      entry.actor_name ?? entry.actor,
      entry.action,
      entry.subject_name ?? entry.subject ?? '-',
      JSON.stringify(entry.detail),
    ]);
    return {
      data: { entries, next_before: found.length > limit ? entries.at(-1)!.entry_id : null },
      lines: columns(rows),
    };
  },
});

export const logCommands = [log];
