import type { ComponentChildren } from 'preact';
import type { Answer } from '../../lib/api.js';
import { count, fixed, percent } from '../../lib/format.js';
import { useApi } from '../../lib/use-api.js';
import { Chart } from '../../ui/chart.js';
import { HandLink, HandNameLink } from '../../ui/links.js';
import { List, type Column } from '../../ui/list.js';
import { Figures, Section } from '../../ui/page.js';
import { Empty, Problem, Skeleton } from '../../ui/states.js';
import { Amount, When } from '../../ui/values.js';
import { Estimate } from '../rate.js';
import { NeedsPass, OwnerPage } from './owner.js';
import { StartingHands } from './starting-hands.js';

type Figures169 = Answer<'GET /api/analytics'>;
type Position = Figures169['position_stats'][number];
type Recent = Figures169['recent_hands'][number];

/** A share of no hands is none. */
const played = (cell: (row: Position) => ComponentChildren) => (row: Position) =>
  row.hand_count === 0 ? <span class="soft">–</span> : cell(row);

const POSITIONS: readonly Column<Position>[] = [
  { key: 'position', head: 'Position', cell: ({ position }) => position },
  { key: 'hands', head: 'Hands', cell: (row) => count(row.hand_count), right: true },
  { key: 'vpip', head: 'VPIP', cell: played(({ vpip }) => percent(vpip)), right: true },
  { key: 'pfr', head: 'PFR', cell: played(({ pfr }) => percent(pfr)), right: true, low: true },
  { key: 'won', head: 'Won', cell: played((row) => percent(row.win_rate)), right: true, low: true },
  {
    key: 'rate',
    head: 'bb/100',
    title: 'Big blinds won per 100 hands of the position, with the 95 % interval',
    cell: played((row) => <Estimate value={row.bb_per_100} interval={row.bb_per_100_ci95} />),
    right: true,
  },
];

const RECENT: readonly Column<Recent>[] = [
  { key: 'number', head: 'No.', cell: (row) => count(row.hand_number), right: true },
  {
    key: 'when',
    head: 'When',
    cell: ({ hand_id: id, started_at: at }) => (
      <HandLink id={id}>
        <When at={at} />
      </HandLink>
    ),
  },
  { key: 'did', head: 'Actions', cell: (row) => <span class="soft">{row.action_summary}</span>, low: true },
  { key: 'profit', head: 'Result', cell: ({ profit }) => <Amount value={profit} gain />, right: true },
  {
    key: 'hand',
    head: 'Hand',
    cell: (hand) => <HandNameLink of={{ ...hand, hand_number: hand.table_hand_number }} />,
    low: true,
  },
];

/** The bot's play in the hands of the season. */
export default function Analytics() {
  return <OwnerPage title="Analytics">{() => <Season />}</OwnerPage>;
}

function Season() {
  const entry = useApi('GET /api/season/me', {});
  if (entry.data === null) {
    if (entry.error?.status === 404) return <NeedsPass what="Analytics" />;
    return entry.error === null ? <Skeleton rows={8} /> : <Problem error={entry.error} retry={entry.reload} />;
  }
  return entry.data.premium ? <OfPass /> : <NeedsPass what="Analytics" />;
}

function OfPass() {
  const { data, error, reload } = useApi('GET /api/analytics', {}, { every: 30_000 });
  if (data === null) return error === null ? <Skeleton rows={8} /> : <Problem error={error} retry={reload} />;
  if (data.total_hands === 0) {
    return (
      <Empty>
        <p>No hand of this season is counted yet. Hands are counted some seconds after they are played.</p>
      </Empty>
    );
  }
  return <Counted of={data} />;
}

function Counted({ of }: { of: Figures169 }) {
  return (
    <>
      {of.sample_warning && (
        <p class="notice">{count(of.total_hands)} hands are few: chance decides most of these figures yet.</p>
      )}
      <Figures
        of={[
          ['Hands', count(of.total_hands)],
          [
            'bb/100',
            <Estimate value={of.bb_per_100} interval={of.bb_per_100_ci95} hands={of.total_hands} />,
            'With its 95 % interval',
          ],
          [
            'all-in adjusted',
            <Estimate
              value={of.bb_per_100_all_in_adjusted}
              interval={of.bb_per_100_all_in_adjusted_ci95}
              hands={of.total_hands}
            />,
            'Big blinds per 100 hands with all-ins at their expected value, and the 95 % interval',
          ],
          [
            'luck-adjusted',
            of.bb_per_100_luck_adjusted === null ? (
              '…'
            ) : (
              <Estimate
                value={of.bb_per_100_luck_adjusted}
                interval={of.bb_per_100_luck_adjusted_ci95}
                hands={of.hands_luck_adjusted}
              />
            ),
            'Big blinds per 100 hands less the luck of the cards, and the 95 % interval',
          ],
          ['VPIP', percent(of.vpip), 'Hands it put chips into by choice'],
          ['PFR', percent(of.pfr), 'Hands it raised before the flop'],
          ['3-bet', percent(of.three_bet_pct)],
          ['Folds to 3-bet', percent(of.fold_to_three_bet_pct)],
          ['C-bet', percent(of.cbet_rate)],
          ['Aggression', fixed(of.aggression_factor, 2), 'Bets and raises for each call'],
          ['To showdown', percent(of.wtsd)],
          ['Won there', percent(of.w_sd)],
          ['At showdowns', <Amount value={of.showdown_winnings} gain />],
          ['Without', <Amount value={of.non_showdown_winnings} gain />],
        ]}
      />
      <Section title="Chips won" aside="season, by hand">
        <Chart
          label={`Chips won over ${count(of.total_hands)} hands`}
          xs={of.pnl_series.map((point) => point.hand_number)}
          ys={of.pnl_series.map((point) => point.cumulative_profit)}
          xName="After hand"
          yName="chips"
        />
      </Section>
      <StartingHands cells={of.starting_hand_grid} groups={of.starting_hand_groups} />
      <Section title="Positions">
        <List label="By position" columns={POSITIONS} rows={of.position_stats} keyOf={({ position }) => position} />
      </Section>
      <Section title="Last hands">
        <List label="Last hands" columns={RECENT} rows={of.recent_hands} keyOf={({ hand_id: id }) => id} />
      </Section>
    </>
  );
}
