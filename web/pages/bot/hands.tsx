import type { Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { Cards } from '../../ui/cards.js';
import { HandLink, HandNameLink } from '../../ui/links.js';
import { List, type Column } from '../../ui/list.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { Amount, When } from '../../ui/values.js';
import { Export } from './export.js';
import { OwnerPage } from './owner.js';

type Hand = Answer<'GET /api/me/hand-history'>['hands'][number];

const PAGE = 50;

const COLUMNS: readonly Column<Hand>[] = [
  {
    key: 'when',
    head: 'When',
    cell: ({ hand_id: id, started_at: at }) => (
      <HandLink id={id}>
        <When at={at} />
      </HandLink>
    ),
  },
  { key: 'cards', head: 'Cards', cell: ({ hole_cards: cards }) => <Cards cards={cards} /> },
  { key: 'board', head: 'Board', cell: ({ board }) => <Cards cards={board} />, low: true },
  { key: 'did', head: 'Actions', cell: (hand) => <span class="soft">{deeds(hand)}</span>, low: true },
  {
    key: 'profit',
    head: 'Result',
    cell: ({ profit, big_blind: bb }) => <Amount value={profit} bb={bb} gain />,
    right: true,
    sort: ({ profit }) => profit,
  },
  {
    key: 'stack',
    head: 'Stack',
    cell: ({ stack_end: stack, big_blind: bb }) => <Amount value={stack} bb={bb} />,
    right: true,
    low: true,
  },
  { key: 'hand', head: 'Hand', cell: (hand) => <HandNameLink of={hand} />, low: true },
];

const LONGEST = 48;

/** The own actions of a hand, in short. */
function deeds({ actions, seat }: Hand): string {
  const own = actions.filter((action) => action.seat === seat);
  const text = own
    .map(({ action, amount }) => `${action.replace('_', '-')}${amount === null ? '' : ` ${count(amount)}`}`)
    .join(', ');
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Every hand that the bot was dealt into. */
export default function Hands() {
  return <OwnerPage title="Hands">{() => <History />}</OwnerPage>;
}

function History() {
  const [query, change] = useQuery();
  const from = Number(query['row'] ?? 0) || 0;
  const history = useApi('GET /api/me/hand-history', {
    query: { limit: PAGE, offset: from, from: query['from'], to: query['to'] },
  });
  return (
    <>
      <div class="row filters">
        <label class="row">
          <span class="soft">From</span>
          <input
            type="date"
            value={query['from'] ?? ''}
            onChange={({ currentTarget }) => change({ from: currentTarget.value, row: '' })}
          />
        </label>
        <label class="row">
          <span class="soft">to</span>
          <input
            type="date"
            value={query['to'] ?? ''}
            onChange={({ currentTarget }) => change({ to: currentTarget.value, row: '' })}
          />
        </label>
        {(query['from'] ?? query['to'] ?? '') !== '' && (
          <button type="button" class="quiet" onClick={() => change({ from: '', to: '', row: '' })}>
            All hands
          </button>
        )}
      </div>
      <Shown of={history} rows={20}>
        {({ hands, total_hands: total }) =>
          hands.length === 0 ? (
            <Empty>
              <p>{total === 0 ? 'No hand fits. A finished hand stands here at once.' : 'No hand so far back.'}</p>
            </Empty>
          ) : (
            <>
              <List
                label="Hands"
                columns={COLUMNS}
                rows={hands}
                keyOf={({ hand_id: id }) => id}
                sort={query['sort']}
                onSort={(sort) => change({ sort })}
              />
              <Pager
                from={from}
                size={PAGE}
                shown={hands.length}
                total={total}
                onFrom={(next) => change({ row: next === 0 ? '' : String(next) })}
              />
            </>
          )
        }
      </Shown>
      {/* Once it is known how long the list above is. */}
      {(history.data ?? history.error) !== null && <Whole />}
    </>
  );
}

/** All hands, whatever the page shows of them. */
function Whole() {
  const { data } = useApi('GET /api/me/hand-history', { query: { limit: 1 } });
  return <Export total={data?.total_hands ?? null} />;
}
