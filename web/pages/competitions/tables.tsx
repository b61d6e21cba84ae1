import { tableName } from '../../../src/protocol/table-name.js';
import type { Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { TableLink } from '../../ui/links.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Id } from '../../ui/values.js';

type Table = Answer<'GET /api/public/competitions/{competition_slug}'>['tables'][number];

const columns = (watched: boolean): readonly Column<Table>[] => [
  {
    key: 'table',
    head: 'Table',
    cell: ({ table_id: id }) => (watched ? <TableLink id={id} /> : <Id id={id} name={tableName(id)} />),
  },
  { key: 'players', head: 'Players', cell: ({ players, seats }) => `${players} of ${seats}`, right: true },
  { key: 'hands', head: 'Hands', cell: ({ hand_number: hands }) => count(hands), right: true },
  {
    key: 'who',
    head: 'Who',
    low: true,
    cell: ({ state }) => (
      <span class="soft">
        {(state?.seats ?? [])
          .map(({ name }) => name)
          .filter((name) => name !== null)
          .join(', ')}
      </span>
    ),
  },
];

/** A reader's rights beyond the public's. Null: the reader has no part in the competition. */
type Part = { spectators: 'public' | 'participants' | 'none' } | null;

interface TablesProps {
  of: { tables: readonly Table[]; rules: { duplicate: boolean } };
  part: Part;
}

/** The tables in play; each leads to its live table where the reader may watch it. */
export function TablesInPlay({ of: { tables, rules }, part }: TablesProps) {
  if (tables.length === 0) return null;
  // The first public tables show their state here. A participant may watch more.
  const watched =
    tables.some(({ state }) => state !== null) || (!rules.duplicate && part !== null && part.spectators !== 'none');
  return (
    <Section title="Tables in play">
      <List label="Tables in play" columns={columns(watched)} rows={tables} keyOf={({ table_id: id }) => id} />
      {!watched && (
        <p class="hint">
          {rules.duplicate
            ? 'All tables play the same decks, so they cannot be watched before play is over.'
            : 'These tables are not shown to everybody as they play.'}
        </p>
      )}
    </Section>
  );
}
