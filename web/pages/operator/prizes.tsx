import type { Answer } from '../../lib/api.js';
import { count, dollars } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import { WithReason } from './reason.js';
import { prizesTexts as texts } from '../../texts/operator.js';

type Row = Answer<'GET /api/admin/prizes'>['prizes'][number];

const PAGE = 50;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'season', head: texts.season, cell: (row) => count(row.season_number), right: true },
  { key: 'place', head: texts.place, cell: (row) => count(row.place), right: true },
  { key: 'rank', head: texts.rank, cell: (row) => count(row.rank), right: true, low: true },
  {
    key: 'agent',
    head: texts.bot,
    cell: ({ agent_name: name, banned }) => (
      <>
        {name} {banned && <span class="badge bad">{texts.banned}</span>}
      </>
    ),
  },
  { key: 'amount', head: texts.amount, cell: (row) => dollars(row.prize_cents / 100), right: true },
  {
    key: 'status',
    head: texts.state,
    cell: ({ status, reason }) => (
      <span class={status === 'held' ? 'badge accent' : 'badge'} title={reason ?? undefined}>
        {status}
      </span>
    ),
  },
  { key: 'until', head: texts.until, cell: (row) => row.status === 'held' && <When at={row.held_until} /> },
  { key: 'do', head: <span class="hidden">{texts.whatCanBeDone}</span>, cell: (row) => <Acts of={row} /> },
];

/** Prizes of seasons: held ones are paid by themselves, unless they are decided here before. */
export function Prizes() {
  const [query, change] = useQuery();
  const from = Number(query['prizes'] ?? 0) || 0;
  const held = query['held'] === 'yes';
  const found = useOperator('GET /api/admin/prizes', { query: { held, limit: PAGE, offset: from } });
  return (
    <Section title={texts.prizes}>
      <div class="row filters">
        <button
          type="button"
          class="switch"
          aria-pressed={held}
          onClick={() => change({ held: held ? '' : 'yes', prizes: '' })}
        >
          {texts.heldOnly}
        </button>
      </div>
      <Shown of={found} rows={3}>
        {({ prizes, matching }) =>
          prizes.length === 0 ? (
            <Empty>
              <p>{texts.noPrizeIsLikeThat}</p>
            </Empty>
          ) : (
            <>
              <List label={texts.prizes} columns={COLUMNS} rows={prizes} keyOf={(row) => row.prize_id} />
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
    <span class="row">
      <WithReason
        label={texts.release}
        title={texts.releaseOf(amount, name)}
        act={(reason) => act('POST /api/admin/prizes/{prize_id}/release', { params, body: { reason } })}
        done={done}
      >
        <p>{texts.itIsCredited(amount)}</p>
      </WithReason>
      <WithReason
        label={texts.refuse}
        title={texts.refuseOf(amount, name)}
        danger
        act={(reason) => act('POST /api/admin/prizes/{prize_id}/refuse', { params, body: { reason } })}
        done={done}
      >
        <p>{texts.itStaysInThePool(amount)}</p>
      </WithReason>
    </span>
  );
}
