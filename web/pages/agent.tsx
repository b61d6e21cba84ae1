import { useRoute } from 'preact-iso';
import type { Answer } from '../lib/api.js';
import { count, percent } from '../lib/format.js';
import { pathTo } from '../lib/paths.js';
import { useApi } from '../lib/use-api.js';
import { Avatar } from '../ui/avatar.js';
import { HandLink, HandNameLink, TableLink } from '../ui/links.js';
import { List, type Column } from '../ui/list.js';
import { Figures, Page, Section } from '../ui/page.js';
import { Empty, Problem, Skeleton } from '../ui/states.js';
import { Amount, When } from '../ui/values.js';
import { ChipsChart } from './chips-chart.js';
import { Estimate } from './rate.js';
import { CompareWith } from './versus-search.js';

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
      <CompareWith slug={slug} />
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
      <ChipsChart of={of} />
    </>
  );
}

const Estimated = (of: { value: number | null; interval: readonly number[] | null; hands: number }) =>
  of.value === null ? <>…</> : <Estimate value={of.value} interval={of.interval} hands={of.hands} />;
