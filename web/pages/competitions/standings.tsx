import type { Answer } from '../../lib/api.js';
import { count, limits, signed } from '../../lib/format.js';
import { BotName } from '../../ui/bot-name.js';
import { List, type Column } from '../../ui/list.js';
import { Amount } from '../../ui/values.js';
import { Rate } from '../rate.js';

export type Line = Answer<'GET /api/public/competitions/{competition_slug}'>['standings']['rows'][number];

const COLUMNS: readonly Column<Line>[] = [
  { key: 'rank', head: '#', cell: ({ rank }) => (rank === null ? '' : count(rank)), right: true },
  {
    key: 'name',
    head: 'Bot',
    names: true,
    cell: ({ name, public_profile_slug: slug, status }) => (
      <>
        <BotName name={name} slug={slug} />
        {status === 'disqualified' && <span class="badge bad">disqualified</span>}
      </>
    ),
  },
  { key: 'score', head: 'Score', cell: ({ score }) => <Amount value={score} />, right: true },
  {
    key: 'table',
    head: 'At the table',
    cell: (row) => <Amount value={row.chips_at_table} />,
    isEmpty: (row) => row.chips_at_table === 0,
    right: true,
    low: true,
  },
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
    key: 'rate',
    head: 'all-in adjusted',
    title: 'Big blinds won per 100 hands, with the luck of all-ins taken out, and its 95 % interval',
    cell: (row) => <Rate of={row} />,
    isEmpty: (row) => row.all_in_adj_bb_per_100 === null,
    right: true,
  },
];

const DUPLICATE: Column<Line> = {
  key: 'duplicate',
  head: 'Same cards',
  title: 'Big blinds per 100 hands beside all players of the same cards, and the 95 % interval',
  isEmpty: ({ duplicate }) => duplicate === null || duplicate.bb_per_100 === null,
  right: true,
  cell: ({ duplicate }) =>
    duplicate === null || duplicate.bb_per_100 === null ? (
      ''
    ) : (
      <span class="rate-figure">
        {signed(duplicate.bb_per_100, 1)}
        {duplicate.ci95 !== null && <span class="soft">{limits(duplicate.ci95)}</span>}
      </span>
    ),
};

export function StandingsList({
  rows,
  duplicate,
  own,
}: {
  rows: readonly Line[];
  duplicate: boolean;
  own: string | null;
}) {
  return (
    <List
      label="Standings"
      columns={duplicate ? [...COLUMNS, DUPLICATE] : COLUMNS}
      rows={rows}
      keyOf={({ name }) => name}
      isMarked={({ name }) => name === own}
      sort="-score"
    />
  );
}
