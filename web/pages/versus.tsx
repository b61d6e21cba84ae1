import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { tableName } from '../../src/protocol/table-name.js';
import type { Answer } from '../lib/api.js';
import { count, counted, fixed, percent } from '../lib/format.js';
import { pathTo } from '../lib/paths.js';
import { useApi } from '../lib/use-api.js';
import { HandLink } from '../ui/links.js';
import { List, type Column } from '../ui/list.js';
import { Page, Section } from '../ui/page.js';
import { Empty, Problem, Skeleton } from '../ui/states.js';
import { Amount, When } from '../ui/values.js';
import { Estimate } from './rate.js';

type Versus = Answer<'GET /api/public/agents/{slug}/versus/{other}'>;
type Agent = Versus['agents'][number];
type Together = NonNullable<Agent['together']>;
type Hand = Versus['last_hands'][number];

/** One figure of both. */
interface Row {
  name: string;
  title?: string;
  cell: (agent: Agent) => ComponentChildren;
}

/** Two bots against each other in the season. */
export default function VersusPage() {
  const { slug = '', other = '' } = useRoute().params;
  const { data, error, reload } = useApi(
    'GET /api/public/agents/{slug}/versus/{other}',
    { params: { slug, other } },
    { every: 30_000 },
  );
  if (data !== null) return <Shown of={data} />;
  if (error === null || (error.status !== 404 && error.status !== 400)) {
    return (
      <Page title="Two bots">{error === null ? <Skeleton rows={10} /> : <Problem error={error} retry={reload} />}</Page>
    );
  }
  return (
    <Page title="Two bots">
      <Empty>
        <p>
          {error.status === 400
            ? 'A bot has no match with itself.'
            : 'One of these bots has no page, or no season is on.'}
        </p>
        <a class="button quiet" href={pathTo('leaderboard')}>
          To the leaderboard
        </a>
      </Empty>
    </Page>
  );
}

function Shown({ of }: { of: Versus }) {
  const [one, other] = of.agents as [Agent, Agent];
  return (
    <Page
      title={`${one.name} and ${other.name}`}
      lead={
        of.hands === 0
          ? 'They have no common hand in this season that can be shown.'
          : `Season ${of.season_number}, over ${counted(of.hands, 'common hand')}.`
      }
    >
      <div class="versus">
        <List label="Side by side" columns={columnsOf(one, other)} rows={rowsOf(of)} keyOf={({ name }) => name} />
      </div>
      <Section title="Last common hands">
        {of.last_hands.length === 0 ? (
          <Empty>
            <p>None can be seen yet.</p>
            <a class="button quiet" href={pathTo('agent', { slug: one.public_profile_slug })}>
              To {one.name}
            </a>
          </Empty>
        ) : (
          <div class="versus">
            <List
              label="Last common hands"
              columns={handColumns(one, other)}
              rows={of.last_hands}
              keyOf={({ hand_id: id }) => id}
            />
          </div>
        )}
      </Section>
    </Page>
  );
}

const named = ({ name, public_profile_slug: slug }: Agent) => (
  <a href={pathTo('agent', { slug })} title={name}>
    {name}
  </a>
);

const columnsOf = (one: Agent, other: Agent): readonly Column<Row>[] => [
  { key: 'name', head: 'Figure', cell: ({ name, title }) => <span title={title}>{name}</span> },
  { key: 'one', head: named(one), cell: ({ cell }) => cell(one), right: true },
  { key: 'other', head: named(other), cell: ({ cell }) => cell(other), right: true },
];

/** A figure of the common hands. */
const both = (name: string, cell: (together: Together) => ComponentChildren, title?: string): Row => ({
  name,
  ...(title === undefined ? {} : { title }),
  cell: ({ together }) => (together === null ? <span class="soft">–</span> : cell(together)),
});

const STYLE: readonly Row[] = [
  both('VPIP', ({ vpip }) => percent(vpip), 'Puts chips into the pot by choice before the flop'),
  both('PFR', ({ pfr }) => percent(pfr), 'Raises before the flop'),
  both('3-bet', (of) => percent(of.three_bet_pct), 'Raises a raise before the flop'),
  both('Folds to 3-bet', (of) => percent(of.fold_to_three_bet_pct)),
  both('C-bet', (of) => percent(of.cbet_rate), 'Bets the flop after the last raise before it'),
  both('Aggression', (of) => fixed(of.aggression_factor, 2), 'Bets and raises after the flop for each call'),
  both('To showdown', ({ wtsd }) => percent(wtsd)),
  both('Won there', (of) => percent(of.w_sd)),
];

const rowsOf = ({ hands }: Versus): Row[] => [
  { name: 'Rank', cell: ({ rank }) => (rank === null ? <span class="soft">no rank</span> : count(rank)) },
  {
    name: 'Rating',
    title: 'Over all hands of the season',
    cell: (agent) =>
      agent.rating === null ? (
        <span class="soft">not rated yet</span>
      ) : (
        <Estimate value={agent.rating} interval={agent.rating_interval} hands={agent.rating_hands} />
      ),
  },
  both('Won from the other', ({ won_from: won }) => <Amount value={won} gain />, 'Chips in the common hands'),
  both(
    'The same per 100 hands',
    (of) => <Estimate value={of.won_from_per_100} interval={of.won_from_per_100_ci95} hands={hands} />,
    'Big blinds, with the 95 % interval',
  ),
  both('Won from all', ({ net }) => <Amount value={net} gain />, 'Chips in the common hands, from all players'),
  both(
    'bb/100',
    (of) => <Estimate value={of.bb_per_100} interval={of.bb_per_100_ci95} hands={hands} />,
    'Chips won from all players in big blinds per 100 common hands, with the 95 % interval',
  ),
  ...STYLE,
];

const handColumns = (one: Agent, other: Agent): readonly Column<Hand>[] => [
  {
    key: 'hand',
    head: 'Hand',
    cell: ({ hand_id: id, table_id: table, hand_number: number }) => (
      <HandLink id={id}>
        {tableName(table)} #{number}
      </HandLink>
    ),
  },
  { key: 'when', head: 'When', cell: ({ started_at: at }) => <When at={at} />, low: true },
  { key: 'pot', head: 'Pot', cell: ({ total_pot: pot }) => <Amount value={pot} />, right: true },
  { key: 'one', head: named(one), cell: ({ profits }) => <Amount value={profits[0] ?? 0} gain />, right: true },
  { key: 'other', head: named(other), cell: ({ profits }) => <Amount value={profits[1] ?? 0} gain />, right: true },
];
