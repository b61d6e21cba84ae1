import { useRoute } from 'preact-iso';
import type { Answer } from '../../lib/api.js';
import { count, counted } from '../../lib/format.js';
import { pathTo, socketUrl } from '../../lib/paths.js';
import { session } from '../../lib/session.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { Page, Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Problem, Skeleton } from '../../ui/states.js';
import { Code } from '../../ui/values.js';
import { CompetitionHands } from './hands.js';
import { AskToJoin } from './join.js';
import { Podium } from './podium.js';
import { Dates, RulesList } from './rules.js';
import { StandingsList } from './standings.js';
import { StatusBadge } from './status.js';
import { TablesInPlay } from './tables.js';

type Own = Answer<'GET /api/competitions'>['competitions'][number];

const PAGE = 50;
const isOver = (status: string) => ['results_pending', 'finalized'].includes(status);

/** A competition as anybody may see it. */
export default function PublicCompetition() {
  const { slug = '' } = useRoute().params;
  const [query, change] = useQuery();
  const from = Number(query['from'] ?? 0) || 0;
  const { data, error, reload } = useApi(
    'GET /api/public/competitions/{competition_slug}',
    { params: { competition_slug: slug }, query: { limit: PAGE, offset: from } },
    { every: 5000 },
  );
  const own = useOwn(slug);
  if (data === null) {
    if (error?.status === 404) {
      return (
        <Page title="No such competition">
          <Empty>
            <p>No competition has this address, or it is a draft yet.</p>
          </Empty>
        </Page>
      );
    }
    return (
      <Page title="Competition">
        {error === null ? <Skeleton rows={10} /> : <Problem error={error} retry={reload} />}
      </Page>
    );
  }
  const { standings } = data;
  return (
    <Page
      title={data.name}
      lead={
        <>
          <StatusBadge status={data.status} /> by{' '}
          {data.organizer_profile_slug === null ? (
            data.organizer_name
          ) : (
            <a href={pathTo('agent', { slug: data.organizer_profile_slug })}>{data.organizer_name}</a>
          )}
          {data.organization_name !== null && ` (${data.organization_name})`}, {counted(data.participant_count, 'bot')}{' '}
          of {count(data.participant_cap)}
        </>
      }
    >
      {data.description !== null && <p class="described">{data.description}</p>}
      {data.reward_description !== null && (
        <p class="described">
          <strong>Reward:</strong> {data.reward_description}
        </p>
      )}
      {own !== undefined && <OwnPart of={own} />}
      {data.status === 'enrolling' && own?.participation !== 'enrolled' && <AskToJoin of={data} />}
      {isOver(data.status) && from === 0 && <Podium rows={standings.rows} />}
      <Section
        title="Standings"
        aside={
          <>
            {data.rules.duplicate && isOver(data.status) && (
              <a href={pathTo('competitionDecks', { slug })}>Deck by deck, side by side</a>
            )}{' '}
            {data.finalized_at !== null ? 'final' : data.started_at === null ? '' : 'as of now'}
          </>
        }
      >
        {standings.rows.length === 0 ? (
          <Empty>
            <p>It has no participants yet.</p>
          </Empty>
        ) : (
          <>
            {standings.duplicate_note !== null && <p class="notice">{standings.duplicate_note}</p>}
            <StandingsList
              rows={standings.rows}
              duplicate={data.rules.duplicate}
              own={session.value?.agent_name ?? null}
            />
            <Pager
              from={from}
              size={PAGE}
              shown={standings.rows.length}
              total={standings.total}
              onFrom={(next) => change({ from: next === 0 ? '' : String(next) })}
            />
          </>
        )}
      </Section>
      <TablesInPlay of={data} part={own ?? null} />
      {data.started_at !== null && <CompetitionHands slug={slug} live={data.ended_at === null} />}
      <div class="halves">
        <Section title="Dates">
          <Dates of={data} />
        </Section>
        <Section title="Rules">
          <RulesList of={data.rules} />
        </Section>
      </div>
    </Page>
  );
}

/** The signed-in user's part in it, and nobody else's. */
function useOwn(slug: string): Own | undefined {
  const signedIn = typeof session.value?.agent_id === 'string';
  const list = useApi('GET /api/competitions', signedIn ? { query: { limit: 100 } } : null);
  return list.data?.competitions.find((one) => one.slug === slug);
}

function OwnPart({ of: own }: { of: Own }) {
  return (
    <div class="notice">
      {own.participation === 'enrolled' && (
        <>
          <p>Your bot takes part. It plays this competition over</p>
          <Code text={socketUrl(`/ws?competition_id=${own.competition_id}`)} label="Address of the socket" />
        </>
      )}
      {(own.is_organizer || own.is_co_organizer) && (
        <p class="row part">
          <a class="button quiet" href={pathTo('organize', { competition_id: own.competition_id })}>
            Organize it
          </a>
        </p>
      )}
    </div>
  );
}
