import { useRoute } from 'preact-iso';
import { useMemo } from 'preact/hooks';
import type { Answer } from '../lib/api.js';
import { count, counted, percent } from '../lib/format.js';
import { pathTo } from '../lib/paths.js';
import { useApi } from '../lib/use-api.js';
import { Avatar } from '../ui/avatar.js';
import { Chart, type Line } from '../ui/chart.js';
import { HandLink, HandNameLink, TableLink } from '../ui/links.js';
import { List, type Column } from '../ui/list.js';
import { Figures, Page, Section } from '../ui/page.js';
import { Empty, Problem, Skeleton } from '../ui/states.js';
import { Amount, When } from '../ui/values.js';
import { Estimate } from './rate.js';

type Profile = Answer<'GET /api/agents/{slug}'>;
type Hand = Profile['recent_hands'][number];

const HANDS: readonly Column<Hand>[] = [
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
  { key: 'pot', head: 'Pot', cell: ({ total_pot: pot }) => <Amount value={pot} />, right: true },
  { key: 'profit', head: 'Result', cell: ({ profit }) => <Amount value={profit} gain />, right: true },
  { key: 'hand', head: 'Hand', cell: (hand) => <HandNameLink of={hand} />, low: true },
];

/** A bot as everybody may see it. */
export default function AgentPage() {
  const { slug = '' } = useRoute().params;
  const { data, error, reload } = useApi('GET /api/agents/{slug}', { params: { slug } }, { every: 15_000 });
  if (data !== null) return <Shown of={data} slug={slug} />;
  if (error?.status === 404) {
    return (
      <Page title="No such bot">
        <Empty>
          <p>No bot has this address, or its owner keeps its page to himself.</p>
          <a class="button quiet" href={pathTo('leaderboard')}>
            To the leaderboard
          </a>
        </Empty>
      </Page>
    );
  }
  return <Page title="A bot">{error === null ? <Skeleton rows={8} /> : <Problem error={error} retry={reload} />}</Page>;
}

function Shown({ of, slug }: { of: Profile; slug: string }) {
  const { season } = of;
  return (
    <Page
      title={of.name}
      lead={
        <span class="row">
          <Avatar name={of.name} size={36} />
          {of.is_house && <span class="badge">house bot</span>}
          {of.badges.map(({ badge, season_number: number }) => (
            <span key={number} class={`badge medal-${badge}`}>
              {badge}, season {number}
            </span>
          ))}
          <Where slug={slug} />
        </span>
      }
    >
      {season === null ? (
        <Empty>
          <p>It has no part in this season yet.</p>
        </Empty>
      ) : (
        <Season of={season} />
      )}
      <Section title="Last hands">
        {of.recent_hands.length === 0 ? (
          <Empty>
            <p>None of this season can be seen yet.</p>
          </Empty>
        ) : (
          <List label="Last hands" columns={HANDS} rows={of.recent_hands} keyOf={({ hand_id: id }) => id} />
        )}
      </Section>
    </Page>
  );
}

/** Where it sits now. */
function Where({ slug }: { slug: string }) {
  const { data } = useApi('GET /api/agents/{slug}/table', { params: { slug } }, { every: 10_000 });
  if (data === null) return <span>{'\u00a0'}</span>;
  if (data.table_id === null) return <span>Sits at no table now.</span>;
  return (
    <span>
      Plays at <TableLink id={data.table_id} bot={slug} />
    </span>
  );
}

function Season({ of }: { of: NonNullable<Profile['season']> }) {
  return (
    <>
      <Figures
        of={[
          [
            `Season ${of.season_number}`,
            of.rank === null ? (
              'no rank'
            ) : (
              <>
                {count(of.rank)} <span class="soft">of {count(of.total_participants)}</span>
              </>
            ),
          ],
          ['Score', <Amount value={of.score} />],
          ['Hands', count(of.hands_played)],
          ['Won', percent(of.win_rate)],
          ['bb/100', <Estimated value={of.bb_per_100} interval={of.bb_per_100_ci95} hands={of.hands_counted} />],
          [
            'all-in adjusted',
            <Estimated
              value={of.bb_per_100_all_in_adjusted}
              interval={of.bb_per_100_all_in_adjusted_ci95}
              hands={of.hands_counted}
            />,
          ],
          [
            'luck-adjusted',
            <Estimated
              value={of.bb_per_100_luck_adjusted}
              interval={of.bb_per_100_luck_adjusted_ci95}
              hands={of.hands_luck_adjusted}
            />,
          ],
          ['Rebuys', count(of.rebuys)],
        ]}
      />
      {of.curve.length > 1 && <Lines of={of} />}
    </>
  );
}

const Estimated = (of: { value: number | null; interval: readonly number[] | null; hands: number }) =>
  of.value === null ? <>…</> : <Estimate value={of.value} interval={of.interval} hands={of.hands} />;

/** Chips won, and what is left of them without the luck of all-ins and of all cards. */
function Lines({ of: { curve, luck_curve: luck, hands_played: hands } }: { of: NonNullable<Profile['season']> }) {
  const [xs, ys, more] = useMemo(() => linesOf(curve, luck), [curve, luck]);
  return (
    <Section title="Chips won" aside={<a href={pathTo('doc', { page: 'measuring' })}>How we measure</a>}>
      <Chart
        label={`Chips won over ${counted(hands, 'hand')} of the season, beside the all-in-adjusted and luck-adjusted chips`}
        xs={xs}
        ys={ys}
        more={more}
        xName="After hand"
        yName="chips"
      />
      <ul class="line-names">
        <li style={{ '--line': 'var(--main)' }}>chips</li>
        {more.map(({ name, colour, band }) => (
          <li key={name} style={{ '--line': `var(${colour})` }}>
            {name}
            {band !== undefined && ', with its 95 % interval'}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function linesOf(
  curve: NonNullable<Profile['season']>['curve'],
  luck: NonNullable<Profile['season']>['luck_curve'],
): [xs: number[], ys: (number | null)[], more: Line[]] {
  const xs = [...new Set([...curve, ...luck].map((point) => point.hand_number))].sort((a, b) => a - b);
  const chips = new Map(curve.map((point) => [point.hand_number, point]));
  const less = new Map(luck.map((point) => [point.hand_number, point]));
  const lineOf = (value: (hand: number) => number | null | undefined) => xs.map((hand) => value(hand) ?? null);
  const allIns: Line = {
    name: 'all-in adjusted',
    ys: lineOf((hand) => chips.get(hand)?.all_in_adjusted),
    colour: '--accent',
  };
  const adjusted: Line = {
    name: 'luck-adjusted',
    ys: lineOf((hand) => less.get(hand)?.luck_adjusted),
    band: { low: lineOf((hand) => less.get(hand)?.low), high: lineOf((hand) => less.get(hand)?.high) },
    colour: '--diamond-line',
  };
  return [xs, lineOf((hand) => chips.get(hand)?.cumulative_profit), luck.length === 0 ? [allIns] : [allIns, adjusted]];
}
