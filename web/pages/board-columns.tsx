import type { Answer } from '../lib/api.js';
import { count, dollars, exact, percent } from '../lib/format.js';
import { BotName } from '../ui/bot-name.js';
import { Interval } from '../ui/interval.js';
import type { Column } from '../ui/list.js';
import { Amount } from '../ui/values.js';
import { Movement } from './movement.js';
import { Rate, Rating } from './rate.js';

type Row = Answer<'GET /api/season/leaderboard'>[number];
type FrozenRow = Answer<'GET /api/season/{season_id}/leaderboard'>[number];

/** bb/100 at the ends of the drawn intervals. */
const WIDEST = 60;

const rank: Column<{ rank: number }> = { key: 'rank', head: '#', cell: ({ rank }) => count(rank), right: true };

const COLUMNS: readonly Column<Row>[] = [
  rank,
  {
    key: 'bot',
    head: 'Bot',
    names: true,
    cell: ({ bot_name: name, public_profile_slug: slug, banned, premium }) => (
      <>
        <BotName name={name} slug={slug} />
        {premium && (
          <span class="badge accent low" title="Has the season pass">
            pass
          </span>
        )}
        {banned && <span class="badge bad">banned</span>}
      </>
    ),
  },
  {
    key: 'score',
    head: 'Score',
    cell: ({ score }) => <Amount value={score} />,
    right: true,
    sort: 'server',
  },
  {
    key: 'hands_played',
    head: 'Hands',
    cell: (row) => count(row.hands_played),
    right: true,
    low: true,
    sort: 'server',
  },
  {
    key: 'win_rate',
    head: 'Won',
    title: 'Share of hands with a gain',
    cell: (row) => percent(row.win_rate),
    right: true,
    low: true,
    sort: 'server',
  },
  {
    key: 'rebuys',
    head: 'Rebuys',
    cell: (row) => count(row.rebuys),
    isEmpty: (row) => row.rebuys === 0,
    right: true,
    low: true,
  },
  {
    key: 'rating',
    head: 'Rating',
    title: 'The rate in bb/100 that the bot would win against the whole season, and its 95 % interval',
    cell: (row) => <Rating of={row} />,
    isEmpty: (row) => row.rating === null,
    right: true,
    sort: 'server',
  },
  {
    key: 'rate',
    head: 'all-in adjusted',
    title: 'Big blinds won per 100 hands with the luck of all-ins taken out, and its 95 % interval',
    cell: (row) => <Rate of={row} />,
    isEmpty: (row) => row.all_in_adj_bb_per_100 === null,
    right: true,
  },
  {
    key: 'interval',
    head: <span class="hidden">Interval</span>,
    low: true,
    isEmpty: (row) => row.all_in_adj_bb_per_100 === null || row.ci95 === null,
    cell: ({ all_in_adj_bb_per_100: value, ci95 }) =>
      value !== null && ci95 !== null && <Interval value={value} low={ci95[0]} high={ci95[1]} most={WIDEST} />,
  },
];

export const FROZEN: readonly Column<FrozenRow>[] = [
  rank,
  {
    key: 'bot',
    head: 'Bot',
    names: true,
    cell: ({ bot_name: name, badge }) => (
      <>
        <BotName name={name} />
        {badge !== null && <span class={`badge medal-${badge}`}>{badge}</span>}
      </>
    ),
  },
  { key: 'score', head: 'Score', cell: ({ score }) => <Amount value={score} />, right: true },
  { key: 'hands', head: 'Hands', cell: (row) => count(row.hands_played), right: true, low: true },
  {
    key: 'rebuys',
    head: 'Rebuys',
    cell: (row) => count(row.rebuys),
    isEmpty: (row) => row.rebuys === 0,
    right: true,
    low: true,
  },
  {
    key: 'prize',
    head: 'Prize',
    isEmpty: ({ prize_cents: cents }) => cents === 0,
    cell: ({ prize_cents: cents, prize_status: status, prize_held_until: until }) =>
      cents > 0 && (
        <>
          {status !== 'paid' && (
            <span
              class={status === 'refused' ? 'badge bad' : 'badge accent'}
              title={
                until === null
                  ? undefined
                  : `The operator looks at the season first. It is paid by ${exact(Date.parse(until))}`
              }
            >
              {status}
            </span>
          )}{' '}
          {dollars(cents / 100)}
        </>
      ),
    right: true,
  },
];

/** With what holds by score alone: where each stood before, and how far it is to the next and to the first. */
function ranked(scoreAt: (rank: number) => number | undefined): readonly Column<Row>[] {
  const gap = (to: number, { rank, score }: Row) => {
    const ahead = rank === 1 ? undefined : scoreAt(to);
    return ahead === undefined ? '' : <Amount value={ahead - score} />;
  };
  const [place, bot, score, ...others] = COLUMNS;
  const moved: readonly Column<Row>[] = [
    {
      key: 'hour',
      head: '1 h',
      title: 'Places won or lost in the last hour',
      cell: ({ rank, rank_hour_ago: from }) => <Movement from={from} to={rank} />,
      isEmpty: ({ rank_hour_ago: from }) => from === null,
      right: true,
      low: true,
    },
    {
      key: 'day',
      head: '24 h',
      title: 'Places won or lost in the last day',
      cell: ({ rank, rank_day_ago: from }) => <Movement from={from} to={rank} />,
      isEmpty: ({ rank_day_ago: from }) => from === null,
      right: true,
      low: true,
    },
  ];
  const behind: readonly Column<Row>[] = [
    {
      key: 'next',
      head: 'To next',
      title: 'Points behind the place before it',
      cell: (row) => gap(row.rank - 1, row),
      right: true,
      low: true,
    },
    {
      key: 'first',
      head: 'To first',
      title: 'Points behind the first',
      cell: (row) => gap(1, row),
      right: true,
      low: true,
    },
  ];
  return [place!, ...moved, bot!, score!, ...behind, ...others];
}

/** With the chance that each bot is better than the one below it. */
const RATED: readonly Column<Row>[] = (() => {
  const [place, bot, ...others] = COLUMNS;
  const rating = others.find(({ key }) => key === 'rating')!;
  const above: Column<Row> = {
    key: 'above',
    head: 'Above next',
    title: 'The chance that this bot is better than the next one',
    cell: ({ above_next: chance, bot_name: name }) =>
      chance !== null && (
        <span title={`${name} is better than the next one: ${percent(chance, 0)}`}>{percent(chance, 0)}</span>
      ),
    isEmpty: (row) => row.above_next === null,
    right: true,
  };
  return [place!, bot!, rating, above, ...others.filter((column) => column !== rating)];
})();

/** The columns of a list in this order. `scoreAt` gives the score at a place, if it is known. */
export const columnsBy = (sort: string, scoreAt: (rank: number) => number | undefined) =>
  sort === 'score' ? ranked(scoreAt) : sort === 'rating' ? RATED : COLUMNS;
