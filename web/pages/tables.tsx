import type { Answer } from '../lib/api.js';
import { count } from '../lib/format.js';
import { pathTo } from '../lib/paths.js';
import { useApi } from '../lib/use-api.js';
import { useQuery } from '../lib/use-query.js';
import { TableLink } from '../ui/links.js';
import { MomentsOfDay } from '../live/moments.js';
import { List, type Column } from '../ui/list.js';
import { Page } from '../ui/page.js';
import { Empty, NO_TABLES, Shown } from '../ui/states.js';

type Row = Answer<'GET /api/tables'>[number];

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'table',
    head: 'Table',
    cell: ({ table_id: id }) => <TableLink id={id} />,
  },
  {
    key: 'players',
    head: 'Players',
    cell: ({ players, seats }) => `${players} / ${seats}`,
    sort: ({ players }) => players,
    right: true,
  },
  {
    key: 'blinds',
    head: 'Blinds',
    cell: ({ small_blind: small, big_blind: big }) => `${count(small)} / ${count(big)}`,
    sort: ({ big_blind: big }) => big,
    right: true,
    low: true,
  },
  {
    key: 'hands',
    head: 'Hands',
    cell: ({ hand_number: hands }) => count(hands),
    sort: ({ hand_number: hands }) => hands,
    right: true,
  },
];

/** All tables that play, to be watched. */
export default function TablesPage() {
  const tables = useApi('GET /api/tables', {}, { every: 3000 });
  const [query, setQuery] = useQuery();
  return (
    <Page
      title="Tables"
      lead="Every table that plays now. Open one to watch."
      actions={
        <a class="button quiet" href={pathTo('tv')}>
          Watch on TV
        </a>
      }
    >
      <Shown of={tables} rows={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>
              <p>{NO_TABLES}</p>
              <a class="button main" href={`${pathTo('home')}#first-bot`}>
                Your first bot
              </a>
            </Empty>
          ) : (
            <List
              label="Tables"
              columns={COLUMNS}
              rows={rows}
              keyOf={({ table_id: id }) => id}
              sort={query['sort'] ?? '-hands'}
              onSort={(sort) => setQuery({ sort })}
            />
          )
        }
      </Shown>
      <MomentsOfDay />
    </Page>
  );
}
