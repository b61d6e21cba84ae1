import type { Answer } from '../../lib/api.js';
import { count, dollars } from '../../lib/format.js';
import { useApi } from '../../lib/use-api.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { When } from '../../ui/values.js';

type Prize = Answer<'GET /api/me/prizes'>['prizes'][number];

const COLUMNS: readonly Column<Prize>[] = [
  { key: 'season', head: 'Season', cell: (row) => count(row.season_number), right: true },
  { key: 'rank', head: 'Rank', cell: (row) => count(row.rank), right: true },
  { key: 'amount', head: 'Amount', cell: (row) => dollars(row.prize_cents / 100), right: true },
  {
    key: 'status',
    head: 'State',
    cell: ({ status, held_until: until }) => (
      <>
        <span class={status === 'refused' ? 'badge bad' : status === 'held' ? 'badge accent' : 'badge good'}>
          {status}
        </span>
        {status === 'held' && (
          <>
            {' '}
            paid by <When at={until} />
          </>
        )}
      </>
    ),
  },
  { key: 'why', head: 'Reason', cell: ({ reason }) => reason, low: true },
];

/** The bot's prizes and their payment. Nothing for a bot without prizes. */
export function Prizes() {
  const found = useApi('GET /api/me/prizes', {}, { every: 60_000 });
  const rows = found.data?.prizes ?? [];
  if (rows.length === 0) return null;
  return (
    <Section title="Prizes">
      <List label="Prizes" columns={COLUMNS} rows={rows} keyOf={(row) => row.prize_id} />
    </Section>
  );
}
