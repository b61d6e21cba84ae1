import type { ComponentChildren } from 'preact';
import type { Answer } from '../../lib/api.js';
import { count, fixed, percent } from '../../lib/format.js';
import { useApi } from '../../lib/use-api.js';
import { Chart } from '../../ui/chart.js';
import { HandLink } from '../../ui/links.js';
import { List, type Column } from '../../ui/list.js';
import { Figures, Section } from '../../ui/page.js';
import { Empty, Problem, Skeleton } from '../../ui/states.js';
import { Amount, Signed, When } from '../../ui/values.js';
import { Estimate } from '../rate.js';
import { NeedsPass, OwnerPage } from './owner.js';
import { StartingHands } from './starting-hands.js';
import { analyticsTexts as texts } from '../../texts/bot.js';

type Figures169 = Answer<'GET /api/analytics'>;
type Position = Figures169['position_stats'][number];
type Recent = Figures169['recent_hands'][number];

/** A share of no hands is none. */
const played = (cell: (row: Position) => ComponentChildren) => (row: Position) =>
  row.hand_count === 0 ? <span class="soft">–</span> : cell(row);

const POSITIONS: readonly Column<Position>[] = [
  { key: 'position', head: texts.position, cell: ({ position }) => position },
  { key: 'hands', head: texts.hands, cell: (row) => count(row.hand_count), right: true },
  { key: 'vpip', head: 'VPIP', cell: played(({ vpip }) => percent(vpip)), right: true },
  { key: 'pfr', head: 'PFR', cell: played(({ pfr }) => percent(pfr)), right: true },
  { key: 'won', head: texts.won, cell: played((row) => percent(row.win_rate)), right: true, low: true },
  { key: 'rate', head: 'bb/100', cell: played((row) => <Signed value={row.bb_per_100} />), right: true },
];

const RECENT: readonly Column<Recent>[] = [
  { key: 'number', head: texts.no, cell: (row) => count(row.hand_number), right: true },
  {
    key: 'when',
    head: texts.when,
    cell: ({ hand_id: id, started_at: at }) => (
      <HandLink id={id}>
        <When at={at} />
      </HandLink>
    ),
  },
  { key: 'did', head: texts.whatItDid, cell: (row) => <span class="soft">{row.action_summary}</span>, low: true },
  { key: 'profit', head: texts.result, cell: ({ profit }) => <Amount value={profit} gain />, right: true },
  { key: 'hand', head: texts.hand, cell: ({ hand_id: id }) => <HandLink id={id} />, low: true },
];

/** What the hands of the season say of the bot's play. */
export default function Analytics() {
  return <OwnerPage title={texts.analytics}>{() => <Season />}</OwnerPage>;
}

function Season() {
  const entry = useApi('GET /api/season/me', {});
  if (entry.data === null) {
    if (entry.error?.status === 404) return <NeedsPass what={texts.analytics} />;
    return entry.error === null ? <Skeleton rows={8} /> : <Problem error={entry.error} retry={entry.reload} />;
  }
  return entry.data.premium ? <OfPass /> : <NeedsPass what={texts.analytics} />;
}

function OfPass() {
  const { data, error, reload } = useApi('GET /api/analytics', {}, { every: 30_000 });
  if (data === null) return error === null ? <Skeleton rows={8} /> : <Problem error={error} retry={reload} />;
  if (data.total_hands === 0) {
    return (
      <Empty>
        <p>{texts.noHandOfThisSeason}</p>
      </Empty>
    );
  }
  return <Counted of={data} />;
}

function Counted({ of }: { of: Figures169 }) {
  return (
    <>
      {of.sample_warning && (
        <p class="notice">
          {count(of.total_hands)}
          {texts.handsAreFewChanceDecides}
        </p>
      )}
      <Figures
        of={[
          [texts.hands, count(of.total_hands)],
          ['bb/100', <Estimate value={of.bb_per_100} interval={of.bb_per_100_ci95} />, texts.withItsInterval],
          [
            texts.withoutAllInLuck,
            <Estimate value={of.all_in_adj_bb_per_100} interval={of.all_in_adj_bb_per_100_ci95} />,
            texts.allInsAtWhatThey,
          ],
          ['VPIP', percent(of.vpip), texts.handsItPutChipsInto],
          ['PFR', percent(of.pfr), texts.handsItRaisedBeforeThe],
          ['3-bet', percent(of.three_bet_pct)],
          [texts.foldsToBet, percent(of.fold_to_three_bet_pct)],
          ['C-bet', percent(of.cbet_rate)],
          [texts.aggression, fixed(of.aggression_factor, 2), texts.betsAndRaisesForEach],
          [texts.toShowdown, percent(of.wtsd)],
          [texts.wonThere, percent(of.w_sd)],
          [texts.atShowdowns, <Amount value={of.showdown_winnings} gain />],
          [texts.without, <Amount value={of.non_showdown_winnings} gain />],
        ]}
      />
      <Section title={texts.chipsWon} aside={texts.seasonByHand}>
        <Chart
          label={texts.chipsWonOverHands(count(of.total_hands))}
          xs={of.pnl_series.map((point) => point.hand_number)}
          ys={of.pnl_series.map((point) => point.cumulative_profit)}
          xName={texts.afterHand}
          yName={texts.chips}
        />
      </Section>
      <Section title={texts.startingHands} aside={texts.bigBlindsWonPerHands}>
        <StartingHands cells={of.starting_hand_grid} />
      </Section>
      <Section title={texts.positions}>
        <List
          label={texts.byPosition}
          columns={POSITIONS}
          rows={of.position_stats}
          keyOf={({ position }) => position}
        />
      </Section>
      <Section title={texts.lastHands}>
        <List label={texts.lastHands} columns={RECENT} rows={of.recent_hands} keyOf={({ hand_id: id }) => id} />
      </Section>
    </>
  );
}
