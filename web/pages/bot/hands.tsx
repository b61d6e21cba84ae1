import type { Answer } from '../../lib/api.js';
import { count, counted } from '../../lib/format.js';
import { pathTo } from '../../lib/paths.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { Cards } from '../../ui/cards.js';
import { HandNameLink } from '../../ui/links.js';
import { List, type Column } from '../../ui/list.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { Amount, When } from '../../ui/values.js';
import { Export } from './export.js';
import { HandFilters, isSearched, searchIn } from './hand-filters.js';
import { OwnerPage } from './owner.js';

type Page = Answer<'GET /api/me/hand-history'>;
type Hand = Page['hands'][number];

const PAGE = 50;

const COLUMNS: readonly Column<Hand>[] = [
  {
    key: 'hand',
    head: 'Hand',
    cell: (hand) => <HandNameLink of={hand} />,
  },
  { key: 'when', head: 'When', cell: ({ started_at: at }) => <When at={at} />, low: true },
  { key: 'cards', head: 'Cards', cell: ({ hole_cards: cards }) => <Cards cards={cards} /> },
  { key: 'board', head: 'Board', cell: ({ board }) => <Cards cards={board} />, low: true },
  { key: 'with', head: 'Against', names: true, cell: (hand) => <Opponents of={hand} />, low: true },
  {
    key: 'pot',
    head: 'Pot',
    cell: ({ total_pot: pot = 0, big_blind: bb }) => <Amount value={pot} bb={bb} />,
    right: true,
    low: true,
  },
  {
    key: 'profit',
    head: 'Result',
    cell: ({ profit, big_blind: bb }) => (
      <strong>
        <Amount value={profit} bb={bb} gain />
      </strong>
    ),
    right: true,
  },
];

function Opponents({ of: { players = [], seat } }: { of: Hand }) {
  const others = players.filter((player) => player.seat !== seat);
  return (
    <span class="soft cut" title={others.map(({ name }) => name).join(', ')}>
      {others.map(({ name, public_profile_slug: slug }, index) => (
        <>
          {index > 0 && ', '}
          {slug === null ? name : <a href={pathTo('agent', { slug })}>{name}</a>}
        </>
      ))}
    </span>
  );
}

/** Every hand that the bot was dealt into. */
export default function Hands() {
  return <OwnerPage title="Hands">{() => <History />}</OwnerPage>;
}

function History() {
  const [query, change] = useQuery();
  const from = Number(query['row'] ?? 0) || 0;
  const history = useApi('GET /api/me/hand-history', {
    query: {
      limit: PAGE,
      offset: from,
      from: query['from'],
      to: query['to'],
      cursor: query['after'],
      with_players: true,
      ...searchIn(query),
    },
  });
  return (
    <>
      <HandFilters query={query} change={change} />
      <Shown of={history} rows={20}>
        {(page) => (
          <>
            {page.hands.length === 0 ? (
              <None page={page} searched={isSearched(query)} />
            ) : (
              <List label="Hands" columns={COLUMNS} rows={page.hands} keyOf={({ hand_id: id }) => id} />
            )}
            {page.searched_hands === undefined ? (
              <Pager
                from={from}
                size={PAGE}
                shown={page.hands.length}
                total={page.total_hands}
                onFrom={(next) => change({ row: next === 0 ? '' : String(next) })}
              />
            ) : (
              <Searched of={page} query={query} change={change} />
            )}
          </>
        )}
      </Shown>
      {/* Once it is known how long the list above is. */}
      {(history.data ?? history.error) !== null && <Whole />}
    </>
  );
}

function None({ page: { total_hands: total, next_cursor: next }, searched }: { page: Page; searched: boolean }) {
  return (
    <Empty>
      <p>
        {total === 0
          ? 'No hand fits. A finished hand stands here at once.'
          : searched
            ? `None of these hands fits.${next === null ? '' : ' Older ones may.'}`
            : 'No hand so far back.'}
      </p>
    </Empty>
  );
}

/** How far the search went, and the way on. The address keeps how many hands were searched before. */
function Searched({
  of: { searched_hands: searched = 0, found_hands: found = 0, hands, offset, total_hands: total, next_cursor: next },
  query,
  change,
}: {
  of: Page;
  query: Record<string, string>;
  change: (values: Record<string, string | undefined>) => void;
}) {
  const before = Number(query['seen'] ?? 0) || 0;
  const isOrdered = (query['order'] ?? '') !== '';
  return (
    <>
      {isOrdered && (
        <Pager
          from={offset}
          size={PAGE}
          shown={hands.length}
          total={found}
          onFrom={(row) => change({ row: row === 0 ? '' : String(row) })}
        />
      )}
      <p class="row searched" role="status">
        <span class="soft figure">
          {before === 0
            ? `Searched ${searched === total ? 'all' : 'the newest'} ${counted(searched, 'hand')}`
            : `Searched hands ${count(before + 1)} to ${count(before + searched)}`}
          {searched < total && ` of ${count(total)}`}.
        </span>
        {next !== null && (
          <button
            type="button"
            class="quiet"
            onClick={() => change({ after: next, seen: String(before + searched), row: '' })}
          >
            Go on
          </button>
        )}
        {before > 0 && (
          <button type="button" class="quiet" onClick={() => change({ after: '', seen: '', row: '' })}>
            From the newest
          </button>
        )}
      </p>
    </>
  );
}

/** All hands, whatever the page shows of them. */
function Whole() {
  const { data } = useApi('GET /api/me/hand-history', { query: { limit: 1 } });
  return <Export total={data?.total_hands ?? null} />;
}
