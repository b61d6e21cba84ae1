import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call } from '../lib/api.js';
import { counted } from '../lib/format.js';
import { pathTo } from '../lib/paths.js';
import { session } from '../lib/session.js';
import { useApi } from '../lib/use-api.js';
import { useQuery } from '../lib/use-query.js';
import { List } from '../ui/list.js';
import { Page } from '../ui/page.js';
import { Pager } from '../ui/pager.js';
import { Empty, Shown } from '../ui/states.js';
import { Search } from '../ui/search.js';
import { Countdown } from '../ui/values.js';
import { columnsBy, FROZEN } from './board-columns.js';
import { OwnPlace } from './own-place.js';

const ORDERS = [
  ['score', 'By score', 'The order of the prizes: chips'],
  ['rating', 'By rating', 'The order of strength: chips without luck, by the opponents'],
] as const;

/** ms. */
const REFRESH = { page: 10_000, first: 30_000 };
const PAGE = 100;

export default function Leaderboard() {
  const [query, change] = useQuery();
  const seasons = useApi('GET /api/season/list', {});
  const current = useApi('GET /api/season/current', {});
  const past = (seasons.data ?? []).filter(({ status }) => status === 'ended');
  const chosen = past.find((season) => String(season.season_number) === query['season']);
  return (
    <Page
      title={chosen === undefined ? 'Leaderboard' : `Season ${chosen.season_number}`}
      lead={
        chosen === undefined
          ? current.data !== null && (
              <>
                Season {current.data.season_number}, {counted(current.data.total_registered, 'bot')}.{' '}
                {current.data.winding_down ? (
                  'Its last hands are played.'
                ) : (
                  <>
                    Ends in <Countdown to={current.data.end_date} />.
                  </>
                )}
              </>
            )
          : 'The standings as they were when it ended.'
      }
      actions={
        past.length > 0 && (
          <label class="row">
            <span class="soft">Season</span>
            <select
              value={query['season'] ?? ''}
              onChange={({ currentTarget }) => change({ season: currentTarget.value, from: '', search: '' })}
            >
              <option value="">now</option>
              {past.map(({ season_id: id, season_number: number }) => (
                <option key={id} value={String(number)}>
                  {number}
                </option>
              ))}
            </select>
          </label>
        )
      }
    >
      {chosen === undefined ? <Current /> : <Past seasonId={chosen.season_id} />}
    </Page>
  );
}

function Current() {
  const [query, change] = useQuery();
  const own = session.value?.agent_name ?? null;
  const from = Number(query['from'] ?? 0) || 0;
  const search = /^\w{3,32}$/.test(query['search'] ?? '') ? query['search'] : undefined;
  const sort = SORTS.find((each) => each === query['sort']) ?? 'score';
  const { board, columns } = useBoard(from, sort, search);
  const findMe = useOwnPlace(own, sort);
  return (
    <>
      {own !== null && <OwnPlace name={own} />}
      <div class="row filters">
        <div class="row" role="group" aria-label="Order">
          {ORDERS.map(([order, name, title]) => (
            <button
              key={order}
              type="button"
              class={sort === order ? 'quiet chosen' : 'quiet'}
              aria-pressed={sort === order}
              title={title}
              onClick={() => change({ sort: order === 'score' ? '' : order, from: '' })}
            >
              {name}
            </button>
          ))}
        </div>
        <Search value={query['search'] ?? ''} onValue={(text) => change({ search: text, from: '' })} />
        {own !== null && (
          <button type="button" class="quiet" onClick={findMe} aria-keyshortcuts="m">
            My place <kbd>m</kbd>
          </button>
        )}
      </div>
      <Shown of={board} rows={20}>
        {(rows) => (
          <>
            {rows.length === 0 ? (
              <Empty>
                <p>
                  {search !== undefined
                    ? `No bot with “${search}” in its name has played ten hands of this season.`
                    : from > 0
                      ? 'The list is shorter than this.'
                      : 'No bot has played ten hands of this season yet. Bots that join the lobby are seated within a second.'}
                </p>
                {search === undefined && from === 0 && (
                  <a class="button main" href={`${pathTo('home')}#first-bot`}>
                    Write the first bot
                  </a>
                )}
                {(search !== undefined || from > 0) && (
                  <button type="button" class="main" onClick={() => change({ search: '', from: '' })}>
                    Show all bots
                  </button>
                )}
              </Empty>
            ) : (
              <List
                label="Leaderboard"
                columns={columns}
                rows={rows}
                keyOf={({ rank }) => rank}
                isMarked={(row) => row.bot_name === own}
                sort={`-${sort}`}
                onSort={(next) =>
                  change({ sort: next.replace('-', '') === 'score' ? '' : next.replace('-', ''), from: '' })
                }
              />
            )}
            <Pager
              from={from}
              size={PAGE}
              shown={rows.length}
              onFrom={(next) => change({ from: next === 0 ? '' : String(next) })}
            />
          </>
        )}
      </Shown>
    </>
  );
}

const SORTS = ['score', 'rating', 'hands_played', 'win_rate'] as const;
type Sort = (typeof SORTS)[number];

/** The row before a page is asked for, too: the page's first is behind that one. */
function useBoard(from: number, sort: Sort, search: string | undefined) {
  const lead = from > 0 && search === undefined ? 1 : 0;
  const query = { sort_by: sort, limit: PAGE + lead, offset: from - lead, search };
  const board = useApi('GET /api/season/leaderboard', { query }, { every: REFRESH.page });
  const elsewhere = from > 0 || search !== undefined;
  const first = useApi('GET /api/season/leaderboard', elsewhere ? { query: { limit: 1 } } : null, {
    every: REFRESH.first,
  });
  const scores = new Map([...(first.data ?? []), ...(board.data ?? [])].map(({ rank, score }) => [rank, score]));
  return {
    board: { ...board, data: board.data?.slice(lead) ?? null },
    columns: columnsBy(sort, (rank) => scores.get(rank)),
  };
}

/** Goes to the page with the own row; by the key m, too. */
function useOwnPlace(own: string | null, sort: Sort): () => void {
  const { route } = useLocation();
  const [missing, setMissing] = useState(false);
  const find = () => {
    if (own === null) return;
    void call('GET /api/season/leaderboard', { query: { search: own, sort_by: sort, limit: 200 } }).then(
      (rows) => {
        const mine = rows.find(({ bot_name: name }) => name === own);
        setMissing(mine === undefined);
        if (mine === undefined) return route(`${pathTo('leaderboard')}?search=${own}`);
        const from = Math.floor((mine.rank - 1) / PAGE) * PAGE;
        const query = new URLSearchParams({
          ...(sort === 'score' ? {} : { sort }),
          ...(from === 0 ? {} : { from: String(from) }),
        });
        route(`${pathTo('leaderboard')}${query.size === 0 ? '' : `?${query.toString()}`}`);
        setTimeout(() => document.querySelector('tr.marked')?.scrollIntoView({ block: 'center' }), 400);
      },
      () => undefined,
    );
  };
  useEffect(() => {
    const pressed = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const typing = target instanceof HTMLElement && target.matches('input, select, textarea');
      if (key === 'm' && !typing && !ctrlKey && !metaKey && !altKey) find();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [own, sort, missing]);
  return find;
}

function Past({ seasonId }: { seasonId: string }) {
  const [query, change] = useQuery();
  const from = Number(query['from'] ?? 0) || 0;
  const board = useApi('GET /api/season/{season_id}/leaderboard', {
    params: { season_id: seasonId },
    query: { limit: PAGE, offset: from },
  });
  return (
    <Shown of={board} rows={20}>
      {(rows) => (
        <>
          {rows.length === 0 ? (
            <Empty>
              <p>The list is empty.</p>
              {from > 0 && (
                <button type="button" class="main" onClick={() => change({ from: '' })}>
                  To the first places
                </button>
              )}
            </Empty>
          ) : (
            <List label="Standings at the end of the season" columns={FROZEN} rows={rows} keyOf={({ rank }) => rank} />
          )}
          <Pager
            from={from}
            size={PAGE}
            shown={rows.length}
            onFrom={(next) => change({ from: next === 0 ? '' : String(next) })}
          />
        </>
      )}
    </Shown>
  );
}
