import { useRoute } from 'preact-iso';
import type { Answer } from '../lib/api.js';
import { count, counted, percent } from '../lib/format.js';
import { pathTo } from '../lib/paths.js';
import { useApi } from '../lib/use-api.js';
import { Avatar } from '../ui/avatar.js';
import { Chart } from '../ui/chart.js';
import { HandLink, TableLink } from '../ui/links.js';
import { List, type Column } from '../ui/list.js';
import { Figures, Page, Section } from '../ui/page.js';
import { Empty, Problem, Skeleton } from '../ui/states.js';
import { Amount, When } from '../ui/values.js';
import { Estimate } from './rate.js';
import { agentTexts as texts } from '../texts/public.js';

type Profile = Answer<'GET /api/agents/{slug}'>;
type Hand = Profile['recent_hands'][number];

const HANDS: readonly Column<Hand>[] = [
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
  { key: 'pot', head: texts.pot, cell: ({ total_pot: pot }) => <Amount value={pot} />, right: true },
  { key: 'profit', head: texts.result, cell: ({ profit }) => <Amount value={profit} gain />, right: true },
  { key: 'hand', head: texts.hand, cell: ({ hand_id: id }) => <HandLink id={id} />, low: true },
];

/** A bot as everybody may see it. */
export default function AgentPage() {
  const { slug = '' } = useRoute().params;
  const { data, error, reload } = useApi('GET /api/agents/{slug}', { params: { slug } }, { every: 15_000 });
  if (data !== null) return <Shown of={data} slug={slug} />;
  if (error?.status === 404) {
    return (
      <Page title={texts.noSuchBot}>
        <Empty>
          <p>{texts.noBotHasThisAddress}</p>
          <p>
            <a href={pathTo('leaderboard')}>{texts.toTheLeaderboard}</a>
          </p>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={texts.aBot}>{error === null ? <Skeleton rows={8} /> : <Problem error={error} retry={reload} />}</Page>
  );
}

function Shown({ of, slug }: { of: Profile; slug: string }) {
  const { season } = of;
  return (
    <Page
      title={of.name}
      lead={
        <span class="row">
          <Avatar name={of.name} size={36} />
          {of.is_house && <span class="badge">{texts.houseBot}</span>}
          {of.badges.map(({ badge, season_number: number }) => (
            <span key={number} class={`badge medal-${badge}`}>
              {badge}
              {texts.season}
              {number}
            </span>
          ))}
          <Where slug={slug} />
        </span>
      }
    >
      {season === null ? (
        <Empty>
          <p>{texts.itHasNoPartIn}</p>
        </Empty>
      ) : (
        <Season of={season} />
      )}
      <Section title={texts.lastHands}>
        {of.recent_hands.length === 0 ? (
          <Empty>
            <p>{texts.noneOfThisSeasonCan}</p>
          </Empty>
        ) : (
          <List label={texts.lastHands} columns={HANDS} rows={of.recent_hands} keyOf={({ hand_id: id }) => id} />
        )}
      </Section>
    </Page>
  );
}

/** Where it sits now. */
function Where({ slug }: { slug: string }) {
  const { data } = useApi('GET /api/agents/{slug}/table', { params: { slug } }, { every: 10_000 });
  if (data === null) return null;
  if (data.table_id === null) return <span>{texts.sitsAtNoTableNow}</span>;
  return (
    <span>
      {texts.playsAtTable}
      <TableLink id={data.table_id} bot={slug} />
    </span>
  );
}

function Season({ of }: { of: NonNullable<Profile['season']> }) {
  return (
    <>
      <Figures
        of={[
          [
            texts.season2(of.season_number),
            of.rank === null ? (
              texts.noRank
            ) : (
              <>
                {count(of.rank)}{' '}
                <span class="soft">
                  {texts.ofWord}
                  {count(of.total_participants)}
                </span>
              </>
            ),
          ],
          [texts.score, <Amount value={of.score} />],
          [texts.hands, count(of.hands_played)],
          [texts.won, percent(of.win_rate)],
          ['bb/100', of.bb_per_100 === null ? '…' : <Estimate value={of.bb_per_100} interval={of.bb_per_100_ci95} />],
          [
            texts.withoutAllInLuck,
            of.all_in_adj_bb_per_100 === null ? (
              '…'
            ) : (
              <Estimate value={of.all_in_adj_bb_per_100} interval={of.all_in_adj_bb_per_100_ci95} />
            ),
          ],
          [texts.rebuys, count(of.rebuys)],
        ]}
      />
      {of.curve.length > 1 && (
        <Section title={texts.chipsWon} aside={texts.over(counted(of.hands_played, 'hand'))}>
          <Chart
            label={texts.chipsWonOverOfThe(counted(of.hands_played, 'hand'))}
            xs={of.curve.map((point) => point.hand_number)}
            ys={of.curve.map((point) => point.cumulative_profit)}
            xName={texts.afterHand}
            yName={texts.chips}
          />
        </Section>
      )}
    </>
  );
}
