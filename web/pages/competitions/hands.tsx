import type { Answer } from '../../lib/api.js';
import { tableName } from '../../../src/protocol/table-name.js';
import { count } from '../../lib/format.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { BotName } from '../../ui/bot-name.js';
import { HandLink } from '../../ui/links.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Amount, When } from '../../ui/values.js';

type Shown = Answer<'GET /api/public/competitions/{competition_slug}/hands'>['hands'][number];

const COLUMNS: readonly Column<Shown>[] = [
  {
    key: 'hand',
    head: 'Hand',
    names: true,
    cell: ({ hand_id: id, table_id: table, hand_number: number }) => (
      <span class="name">
        <HandLink id={id}>
          {tableName(table)} #{count(number)}
        </HandLink>
      </span>
    ),
  },
  {
    key: 'winner',
    head: 'Won by',
    names: true,
    cell: ({ players: [winner] }) => <BotName name={winner!.name} slug={winner!.public_profile_slug} />,
  },
  {
    key: 'won',
    head: 'Won',
    right: true,
    cell: ({ players: [winner], big_blind: blind }) => <Amount gain value={winner!.profit} bb={blind} />,
  },
  {
    key: 'pot',
    head: 'Pot',
    right: true,
    low: true,
    cell: ({ total_pot: pot, big_blind: blind }) => <Amount value={pot} bb={blind} />,
  },
  { key: 'ended', head: 'Ended', low: true, cell: ({ ended_at: at }) => <When at={at} /> },
];

const ORDERS = [
  ['largest', 'Largest pots'],
  ['newest', 'Newest'],
] as const;

/** Hands that the reader may replay. Nothing where there are none, or spectators see none. */
export function CompetitionHands({ slug, live }: { slug: string; live: boolean }) {
  const [query, change] = useQuery();
  const order = query['hands'] === 'newest' ? 'newest' : 'largest';
  const { data } = useApi(
    'GET /api/public/competitions/{competition_slug}/hands',
    { params: { competition_slug: slug }, query: { order, limit: 10 } },
    live ? { every: 15_000 } : {},
  );
  if (data === null || data.hands.length === 0) return null;
  return (
    <Section
      title="Hands"
      aside={
        <div class="row" role="group" aria-label="Order of the hands">
          {ORDERS.map(([key, name]) => (
            <button
              key={key}
              type="button"
              class={order === key ? 'quiet chosen' : 'quiet'}
              aria-pressed={order === key}
              onClick={() => change({ hands: key === 'largest' ? '' : key })}
            >
              {name}
            </button>
          ))}
        </div>
      }
    >
      <List label="Hands of the competition" columns={COLUMNS} rows={data.hands} keyOf={({ hand_id: id }) => id} />
    </Section>
  );
}
