import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { call } from '../../lib/api.js';
import { count, counted } from '../../lib/format.js';
import { pathTo } from '../../lib/paths.js';
import { changed, reread, useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Form, useSending } from '../../ui/form.js';
import { Page, Section } from '../../ui/page.js';
import { Empty, Problem, Shown, Skeleton } from '../../ui/states.js';
import { Audit } from './audit.js';
import { About, changesOf, Dates, draftOf, FIELD_NAMES, Rules } from './fields.js';
import { Invitations } from './invitations.js';
import { Links } from './links.js';
import { Participants } from './participants.js';
import { Requests } from './requests.js';
import { StandingsList } from './standings.js';
import { StatusBadge, type Competition } from './status.js';
import { STEPS, type StepName } from './steps.js';
import { TablesInPlay } from './tables.js';
import { Tabs } from '../../ui/tabs.js';
import { SignInLink } from '../../ui/sign-in-link.js';

const TABS = [
  ['', 'Overview'],
  ['people', 'People'],
  ['invitations', 'Invitations'],
  ['rules', 'Rules'],
  ['audit', 'Log'],
] as const;

/** Everything an organizer does, from the draft to the final results. */
export default function Organize() {
  const { competition_id: id = '' } = useRoute().params;
  const record = useApi('GET /api/competitions/{competition_id}', { params: { competition_id: id } }, { every: 5000 });
  const [query, change] = useQuery();
  const tab = query['tab'] ?? '';
  const of = record.data;
  if (of === null) {
    return (
      <Page title="Competition">
        {record.error === null ? (
          <Skeleton rows={8} />
        ) : record.error.status === 401 ? (
          <Empty>
            <p>
              <SignInLink /> to organize it.
            </p>
          </Empty>
        ) : (
          <Problem error={record.error} retry={record.reload} />
        )}
      </Page>
    );
  }
  if (!of.is_organizer && !of.is_co_organizer) {
    return (
      <Page title={of.name}>
        <Empty>
          <p>
            Its organizer alone may do this. <a href={pathTo('competition', { slug: of.slug })}>To the competition</a>
          </p>
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title={of.name}
      lead={
        <>
          <StatusBadge status={of.status} /> {counted(of.participant_count, 'bot')} of {count(of.participant_cap)}
        </>
      }
      actions={
        of.status !== 'draft' && (
          <a class="button quiet" href={pathTo('competition', { slug: of.slug })}>
            As others see it
          </a>
        )
      }
    >
      <Tabs label="Parts of the competition" tabs={TABS} shown={tab} show={(key) => change({ tab: key, from: '' })} />
      {tab === '' && <Overview of={of} />}
      {tab === 'people' && (
        <Requests of={of}>
          <Section title="Participants">
            <Participants of={of} />
          </Section>
        </Requests>
      )}
      {tab === 'invitations' && (
        <>
          <Invitations of={of} />
          <Links of={of} />
        </>
      )}
      {tab === 'rules' && <Change key={of.version} of={of} />}
      {tab === 'audit' && <Audit id={of.competition_id} />}
    </Page>
  );
}

function Overview({ of }: { of: Competition }) {
  return (
    <>
      <Steps of={of} />
      {of.status === 'enrolling' && <Asking of={of} />}
      {of.participation === null && ['enrolling', 'draft'].includes(of.status) && <OwnBot of={of} />}
      {PLAYED.includes(of.status) && <InPlay of={of} />}
      {of.status !== 'draft' && <Standing of={of} />}
    </>
  );
}

function Steps({ of }: { of: Competition }) {
  const metadata = useApi('GET /api/competitions/metadata', {});
  const params = { competition_id: of.competition_id };
  const possible = (metadata.data?.transitions ?? [])
    .filter(({ step, from }) => step in STEPS && from.includes(of.status))
    .map(({ step }) => step as StepName);
  // The next step of its life stands first.
  const names = (Object.keys(STEPS) as StepName[]).filter((name) => possible.includes(name));
  return (
    <Section title="Next">
      {names.length === 0 ? (
        <p class="soft">
          {of.status === 'ending' ? 'Hands in progress are played to their end.' : 'Nothing is left to do.'}
        </p>
      ) : (
        <div class="row">
          {names.map((name, index) => {
            const { label, will, endpoint, danger } = STEPS[name];
            return (
              <ConfirmButton
                key={name}
                label={label}
                quiet={index > 0}
                title={`${label}: ${of.name}`}
                verb={label}
                danger={danger}
                typed={name === 'cancel' ? of.name : undefined}
                act={() =>
                  call(endpoint, { params, headers: { 'if-match': `"${of.version}"` } }).then(
                    () => reread('/api/competitions'),
                    afresh,
                  )
                }
              >
                <p>{will(of)}</p>
              </ConfirmButton>
            );
          })}
        </div>
      )}
    </Section>
  );
}

/** Most often somebody else was faster: what is shown is read anew, and may be tried again. */
function afresh(error: unknown): never {
  changed('/api/competitions');
  throw error;
}

/** Bots that wait for an answer, on the first page that an organizer sees. */
function Asking({ of }: { of: Competition }) {
  const open = useApi(
    'GET /api/competitions/{competition_id}/join-requests',
    { params: { competition_id: of.competition_id }, query: { status: 'open', limit: 1 } },
    { every: 15_000 },
  );
  const total = open.data?.total ?? 0;
  if (total === 0) return null;
  return (
    <p class="notice">
      {counted(total, 'bot')} {total === 1 ? 'asks' : 'ask'} to join.{' '}
      <a href={`${pathTo('organize', { competition_id: of.competition_id })}?tab=people`}>Answer</a>
    </p>
  );
}

/** The organizer may play, too. */
function OwnBot({ of }: { of: Competition }) {
  return (
    <Section title="Your own bot">
      <ConfirmButton
        label="Let my bot take part"
        title="Let your bot take part"
        verb="Take part"
        act={() =>
          call('POST /api/competitions/{competition_id}/enroll', {
            params: { competition_id: of.competition_id },
            body: {},
          })
        }
        done={() => changed('/api/competitions')}
      >
        <p>It plays like all others, and everybody sees that its owner organizes the competition.</p>
      </ConfirmButton>
    </Section>
  );
}

const PLAYED: readonly string[] = ['active', 'paused', 'ending'];

function InPlay({ of }: { of: Competition }) {
  const shown = useApi(
    'GET /api/public/competitions/{competition_slug}',
    { params: { competition_slug: of.slug }, query: { limit: 1 } },
    { every: 5000 },
  );
  return shown.data && <TablesInPlay of={shown.data} part={of} />;
}

const OVER = ['results_pending', 'finalized'];

function Standing({ of }: { of: Competition }) {
  const params = { competition_id: of.competition_id };
  const isOver = OVER.includes(of.status);
  const live = useApi(
    'GET /api/competitions/{competition_id}/leaderboard',
    isOver ? null : { params, query: { limit: 200 } },
    { every: 5000 },
  );
  const results = useApi(
    'GET /api/competitions/{competition_id}/results',
    isOver ? { params, query: { limit: 200 } } : null,
  );
  return (
    <Section
      title={isOver ? 'Results' : 'Standings'}
      aside={
        isOver && (
          <span class="row">
            {of.duplicate && <a href={pathTo('competitionDecks', { slug: of.slug })}>Deck by deck, side by side</a>}
            <a href={`/api/competitions/${of.competition_id}/results.csv`} download>
              Download as CSV
            </a>
          </span>
        )
      }
    >
      <Shown of={isOver ? results : live} rows={6}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>
              <p>It has no participants yet. Invite people, or make a link.</p>
            </Empty>
          ) : (
            <StandingsList rows={rows} duplicate={of.duplicate} own={null} />
          )
        }
      </Shown>
    </Section>
  );
}

function Change({ of }: { of: Competition }) {
  const [draft, setDraft] = useState(() => draftOf(of));
  const sending = useSending(FIELD_NAMES);
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const changes = changesOf(of, draft);
  const save = () =>
    sending.send(async () => {
      await call('PATCH /api/competitions/{competition_id}', {
        params: { competition_id: of.competition_id },
        body: changes,
        headers: { 'if-match': `"${of.version}"` },
      });
      changed('/api/competitions');
    });
  return (
    <>
      <p class="soft">
        Rules of play may change until the first bot has accepted. Dates may change until they have come, texts until
        all is over.
      </p>
      <Form sending={sending} verb="Save the changes" onSend={() => void save()}>
        <About draft={draft} set={set} errors={sending.fields} />
        <Dates draft={draft} set={set} errors={sending.fields} />
        <Rules draft={draft} set={set} errors={sending.fields} />
      </Form>
    </>
  );
}
