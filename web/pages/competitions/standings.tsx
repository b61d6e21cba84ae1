import type { Answer } from '../../lib/api.js';
import { count, margin, signed } from '../../lib/format.js';
import { Avatar } from '../../ui/avatar.js';
import { List, type Column } from '../../ui/list.js';
import { Amount } from '../../ui/values.js';
import { Rate } from '../rate.js';
import { standingsTexts as texts } from '../../texts/competitions.js';

export type Line = Answer<'GET /api/public/competitions/{competition_slug}'>['standings']['rows'][number];

const COLUMNS: readonly Column<Line>[] = [
  { key: 'rank', head: '#', cell: ({ rank }) => (rank === null ? '' : count(rank)), right: true },
  {
    key: 'name',
    head: texts.bot,
    cell: ({ name, status }) => (
      <>
        <span class="name">
          <Avatar name={name} size={22} />
          <span>{name}</span>
        </span>
        {status === 'disqualified' && <span class="badge bad">{texts.disqualified}</span>}
      </>
    ),
  },
  { key: 'score', head: texts.score, cell: ({ score }) => <Amount value={score} />, right: true },
  {
    key: 'table',
    head: texts.atTheTable,
    cell: (row) => <Amount value={row.chips_at_table} />,
    right: true,
    low: true,
  },
  { key: 'hands', head: texts.hands, cell: (row) => count(row.hands_played), right: true, low: true },
  { key: 'rebuys', head: texts.rebuys, cell: (row) => count(row.rebuys), right: true, low: true },
  {
    key: 'rate',
    head: 'bb/100',
    title: texts.withoutTheLuckOfAll,
    cell: (row) => <Rate of={row} />,
    right: true,
  },
];

const DUPLICATE: Column<Line> = {
  key: 'duplicate',
  head: texts.sameCards,
  title: 'bb/100 beside all who held the same cards',
  right: true,
  cell: ({ duplicate }) =>
    duplicate === null || duplicate.bb_per_100 === null ? (
      ''
    ) : (
      <>
        {signed(duplicate.bb_per_100, 1)}
        {duplicate.ci95 !== null && <span class="soft">{margin(duplicate.ci95)}</span>}
      </>
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
      label={texts.standings}
      columns={duplicate ? [...COLUMNS, DUPLICATE] : COLUMNS}
      rows={rows}
      keyOf={({ name }) => name}
      isMarked={({ name }) => name === own}
    />
  );
}
