import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call, type Answer } from '../lib/api.js';
import { count, counted, percent } from '../lib/format.js';
import { pathTo } from '../lib/paths.js';
import { session } from '../lib/session.js';
import { useApi } from '../lib/use-api.js';
import { useQuery } from '../lib/use-query.js';
import { BotName } from '../ui/bot-name.js';
import { Interval } from '../ui/interval.js';
import { List, type Column } from '../ui/list.js';
import { Page } from '../ui/page.js';
import { Pager } from '../ui/pager.js';
import { Empty, Shown } from '../ui/states.js';
import { Search } from '../ui/search.js';
import { Amount, Countdown } from '../ui/values.js';
import { OwnPlace } from './own-place.js';
import { Rate } from './rate.js';

type Row = Answer<'GET /api/season/leaderboard'>[number];
type FrozenRow = Answer<'GET /api/season/{season_id}/leaderboard'>[number];

const PAGE = 100;
/** bb/100 at the ends of the drawn intervals. */
const WIDEST = 60;

const rank: Column<{ rank: number }> = { key: 'rank', head: '#', cell: ({ rank }) => count(rank), right: true };

const COLUMNS: readonly Column<Row>[] = [
  rank,
  {
    key: 'bot',
    head: 'Bot',
    cell: ({ bot_name: name, public_profile_slug: slug, banned, premium }) => (
      <>
        <BotName name={name} slug={slug} />
        {premium && (
          <span class="badge accent" title="Has the season pass">
            pass
          </span>
        )}
        {banned && <span class="badge bad">banned</span>}
      </>
    ),
  },
  { key: 'score', head: 'Score', cell: ({ score }) => <Amount value={score} />, right: true, sort: (row) => row.score },
  {
    key: 'hands_played',
    head: 'Hands',
    cell: (row) => count(row.hands_played),
    right: true,
    low: true,
    sort: (row) => row.hands_played,
  },
  {
    key: 'win_rate',
    head: 'Won',
    title: 'Share of hands with a gain',
    cell: (row) => percent(row.win_rate),
    right: true,
    low: true,
    sort: (row) => row.win_rate,
  },
  { key: 'rebuys', head: 'Rebuys', cell: (row) => count(row.rebuys), right: true, low: true },
  {
    key: 'rate',
    head: 'bb/100',
    title: 'Big blinds won per 100 hands with the luck of all-ins taken out, and its 95 % interval',
    cell: (row) => <Rate of={row} />,
    right: true,
  },
  {
    key: 'interval',
    head: <span class="hidden">Interval</span>,
    low: true,
    cell: ({ all_in_adj_bb_per_100: value, ci95 }) =>
      value !== null && ci95 !== null && <Interval value={value} low={ci95[0]} high={ci95[1]} most={WIDEST} />,
  },
];

const FROZEN: readonly Column<FrozenRow>[] = [
  rank,
  {
    key: 'bot',
    head: 'Bot',
    cell: ({ bot_name: name, badge }) => (
      <>
        <BotName name={name} />
        {badge !== null && <span class={`badge medal-${badge}`}>{badge}</span>}
      </>
    ),
  },
  { key: 'score', head: 'Score', cell: ({ score }) => <Amount value={score} />, right: true },
  { key: 'hands', head: 'Hands', cell: (row) => count(row.hands_played), right: true, low: true },
  { key: 'rebuys', head: 'Rebuys', cell: (row) => count(row.rebuys), right: true, low: true },
  {
    key: 'prize',
    head: 'Prize',
    cell: (row) => (row.prize_cents > 0 ? `$${(row.prize_cents / 100).toFixed(2)}` : ''),
    right: true,
  },
];

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
  const sort = query['sort'] === 'hands_played' || query['sort'] === 'win_rate' ? query['sort'] : 'score';
  const board = useApi(
    'GET /api/season/leaderboard',
    { query: { sort_by: sort, limit: PAGE, offset: from, search } },
    { every: 10_000 },
  );
  const findMe = useOwnPlace(own, sort);
  return (
    <>
      {own !== null && <OwnPlace name={own} />}
      <div class="row filters">
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
                      ? 'Nobody stands so far down.'
                      : 'Nobody has played ten hands of this season yet. Bots that join the lobby are seated within a second.'}
                </p>
                {search === undefined && from === 0 && (
                  <p>
                    <a href={`${pathTo('home')}#first-bot`}>Write the first bot</a>
                  </p>
                )}
              </Empty>
            ) : (
              <List
                label="Leaderboard"
                columns={COLUMNS}
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

/** Goes to the page with the own row; by the key m, too. */
function useOwnPlace(own: string | null, sort: 'score' | 'hands_played' | 'win_rate'): () => void {
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
              <p>Nobody is listed here.</p>
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
