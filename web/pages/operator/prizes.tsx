import type { Answer } from '../../lib/api.js';
import { count, dollars } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { List, type Column } from '../../ui/list.js';
import { Menu } from '../../ui/menu.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';

type Row = Answer<'GET /api/admin/prizes'>['prizes'][number];

const PAGE = 50;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'season', head: 'Season', cell: (row) => count(row.season_number), right: true },
  { key: 'place', head: 'Place', cell: (row) => count(row.place), right: true },
  { key: 'rank', head: 'Rank', cell: (row) => count(row.rank), right: true, low: true },
  {
    key: 'agent',
    head: 'Bot',
    cell: ({ agent_name: name, banned }) => (
      <>
        {name} {banned && <span class="badge bad">banned</span>}
      </>
    ),
  },
  { key: 'amount', head: 'Amount', cell: (row) => dollars(row.prize_cents / 100), right: true },
  {
    key: 'status',
    head: 'State',
    cell: ({ status, reason }) => (
      <span class={status === 'held' ? 'badge accent' : 'badge'} title={reason ?? undefined}>
        {status}
      </span>
    ),
  },
  { key: 'until', head: 'Until', cell: (row) => row.status === 'held' && <When at={row.held_until} /> },
  { key: 'do', head: <span class="hidden">Actions</span>, cell: (row) => <Acts of={row} /> },
];

/** Prizes of seasons: held ones are paid by themselves, unless they are decided here before. */
export function Prizes() {
  const [query, change] = useQuery();
  const from = Number(query['prizes'] ?? 0) || 0;
  const held = query['held'] === 'yes';
  const found = useOperator('GET /api/admin/prizes', { query: { held, limit: PAGE, offset: from } });
  return (
    <Section title="Prizes">
      <div class="row filters">
        <button
          type="button"
          class="switch"
          aria-pressed={held}
          onClick={() => change({ held: held ? '' : 'yes', prizes: '' })}
        >
          Held only
        </button>
      </div>
      <Shown of={found} rows={3}>
        {({ prizes, matching }) =>
          prizes.length === 0 ? (
            <Empty>
              <p>No prize is like that.</p>
            </Empty>
          ) : (
            <>
              <List label="Prizes" columns={COLUMNS} rows={prizes} keyOf={(row) => row.prize_id} />
              <Pager
                from={from}
                size={PAGE}
                shown={prizes.length}
                total={matching}
                onFrom={(next) => change({ prizes: next === 0 ? '' : String(next) })}
              />
            </>
          )
        }
      </Shown>
    </Section>
  );
}

function Acts({ of: { prize_id, agent_name: name, prize_cents: cents, status } }: { of: Row }) {
  if (status !== 'held') return null;
  const params = { prize_id };
  const amount = dollars(cents / 100);
  const done = () => changed('/api/admin/prizes', '/api/admin/overview', '/api/admin/log');
  return (
    <Menu
      of={`${amount} of ${name}`}
      choices={[
        {
          label: 'Pay now',
          title: `Pay ${amount} to ${name} now`,
          verb: 'Pay now',
          reasoned: true,
          children: <p>{amount} are credited to its balance at once, and it can withdraw them.</p>,
          act: (reason) => act('POST /api/admin/prizes/{prize_id}/release', { params, body: { reason } }),
        },
        {
          label: 'Refuse',
          title: `Refuse ${amount} to ${name}`,
          verb: 'Refuse',
          danger: true,
          reasoned: true,
          children: <p>{amount} stay in the prize pool. The winner gets a mail with the reason.</p>,
          act: (reason) => act('POST /api/admin/prizes/{prize_id}/refuse', { params, body: { reason } }),
        },
      ]}
      done={done}
    />
  );
}
