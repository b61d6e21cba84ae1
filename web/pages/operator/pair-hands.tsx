import type { Answer } from '../../lib/api.js';
import { tableName } from '../../../src/protocol/table-name.js';
import { count, signed } from '../../lib/format.js';
import { useOperator } from '../../lib/operator.js';
import { pathTo } from '../../lib/paths.js';
import { Cards } from '../../ui/cards.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Empty, Shown } from '../../ui/states.js';
import { Amount, When } from '../../ui/values.js';
import { odds, SIGN_TITLES, SIGNS } from './signs.js';

type Pair = Answer<'GET /api/admin/collusion'>['pairs'][number];
type Hand = Answer<'GET /api/admin/collusion/hands'>['hands'][number];

/** The hands that a pair played to the end alone, with the cards of both. */
export function PairHands({
  pair,
  first,
  second,
  pool,
  close,
}: {
  /** Undefined where the list below has another page. */
  pair: Pair | undefined;
  first: string;
  second: string;
  pool: string | undefined;
  close: () => void;
}) {
  const query = { first, second, ...(pool === undefined || pool === '' ? {} : { pool_id: pool }) };
  const found = useOperator('GET /api/admin/collusion/hands', { query });
  const names = [found.data?.first_name ?? 'A bot', found.data?.second_name ?? 'another'] as const;
  return (
    <Section
      title={`${names[0]} and ${names[1]}`}
      aside={
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      }
    >
      {pair !== undefined && <Evidence of={pair} />}
      <Shown of={found} rows={6}>
        {({ hands, duels, looked_through: looked }) =>
          hands.length === 0 ? (
            <Empty>
              <p>In their newest {count(looked)} common hands the two were never left alone.</p>
            </Empty>
          ) : (
            <>
              <p class="soft">
                In their newest {count(looked)} common hands the two were left alone {count(duels)} times. The largest
                exchanges come first.
              </p>
              <List label="Hands of the pair" columns={columnsOf(names)} rows={hands} keyOf={({ hand_id: id }) => id} />
            </>
          )
        }
      </Shown>
    </Section>
  );
}

const columnsOf = ([one, other]: readonly [string, string]): readonly Column<Hand>[] => [
  {
    key: 'hand',
    head: 'Hand',
    cell: (hand) => (
      <a href={pathTo('hand', { hand_id: hand.hand_id })}>
        {tableName(hand.table_id)} #{count(hand.hand_number)}
      </a>
    ),
  },
  {
    key: 'chips',
    head: 'Chips',
    title: `From ${one} to ${other}; with a minus the other way`,
    cell: ({ chips, big_blind: bb }) => <Amount value={chips} bb={bb} gain />,
    right: true,
  },
  { key: 'pot', head: 'Pot', cell: ({ total_pot: pot, big_blind: bb }) => <Amount value={pot} bb={bb} />, right: true },
  { key: 'first', head: <span class="cut">{one}</span>, cell: ({ first }) => <Held of={first} /> },
  { key: 'second', head: <span class="cut">{other}</span>, cell: ({ second }) => <Held of={second} /> },
  { key: 'board', head: 'Board', cell: ({ board }) => <Cards cards={board} />, low: true },
  { key: 'when', head: 'When', cell: ({ started_at: at }) => <When at={at} />, low: true },
];

const Held = ({ of: { hole_cards: cards, shown, profit } }: { of: Hand['first'] }) => (
  <span class="row">
    <Cards cards={cards} /> <span class="soft">{shown ? signed(profit) : `${signed(profit)}, not shown`}</span>
  </span>
);

/** Each question with evidence, and how many honest pairs ever get as far. */
function Evidence({ of: { evidence } }: { of: Pair }) {
  const found = (Object.entries(evidence) as [keyof typeof evidence, number][])
    .filter(([, value]) => value >= 1)
    .sort(([, a], [, b]) => b - a);
  if (found.length === 0) return <p>No single question has evidence.</p>;
  return (
    <dl class="pairs">
      {found.map(([question, value]) => (
        <div key={question}>
          <dt>{SIGNS[question]}</dt>
          <dd>
            {SIGN_TITLES[question]}. Honest pairs that get as far: {odds(10 ** -value)}.
          </dd>
        </div>
      ))}
    </dl>
  );
}
