import { call, type Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { pathTo } from '../../lib/paths.js';
import { session } from '../../lib/session.js';
import { changed, useApi } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Page, Section } from '../../ui/page.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import { StatusBadge, type Competition } from './status.js';
import { ownTexts as texts } from '../../texts/competitions.js';

type Invitation = Answer<'GET /api/me/competition-invitations'>['invitations'][number];

const COLUMNS: readonly Column<Competition>[] = [
  {
    key: 'name',
    head: texts.competition,
    cell: (row) => (
      <span class="name">
        <a
          href={
            row.status === 'draft'
              ? pathTo('organize', { competition_id: row.competition_id })
              : pathTo('competition', { slug: row.slug })
          }
        >
          {row.name}
        </a>
      </span>
    ),
  },
  { key: 'status', head: texts.state, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'people',
    head: texts.bots,
    cell: (row) => texts.ofWord(count(row.participant_count), count(row.participant_cap)),
    right: true,
    low: true,
  },
  { key: 'ends', head: texts.ends, cell: ({ ends_at: at }) => <When at={at} />, low: true },
  {
    key: 'part',
    head: texts.you,
    cell: (row) => (
      <>
        {row.participation !== null && <span class="badge">{row.participation}</span>}{' '}
        {(row.is_organizer || row.is_co_organizer) && (
          <a href={pathTo('organize', { competition_id: row.competition_id })}>{texts.organize}</a>
        )}
      </>
    ),
  },
];

/** Competitions are private pools: whoever is signed in sees those it organizes or plays in. */
export default function Competitions() {
  const signedIn = typeof session.value?.agent_id === 'string';
  return (
    <Page
      title={texts.competitions}
      lead={texts.aPoolOfItsOwn}
      actions={
        signedIn && (
          <a class="button main" href={pathTo('newCompetition')}>
            {texts.newCompetition}
          </a>
        )
      }
    >
      {signedIn ? (
        <>
          <Invitations />
          <Own />
        </>
      ) : (
        <Empty>
          <p>
            <a href={pathTo('signIn')}>{texts.signIn}</a>
            {texts.withABotToOrganize}
          </p>
        </Empty>
      )}
    </Page>
  );
}

function Own() {
  const list = useApi('GET /api/competitions', { query: { limit: 100 } }, { every: 15_000 });
  return (
    <Shown of={list} rows={4}>
      {({ competitions }) =>
        competitions.length === 0 ? (
          <Empty>
            <p>{texts.youNeitherOrganizeNorPlay}</p>
          </Empty>
        ) : (
          <List
            label={texts.myCompetitions}
            columns={COLUMNS}
            rows={competitions}
            keyOf={(row) => row.competition_id}
          />
        )
      }
    </Shown>
  );
}

function Invitations() {
  const list = useApi('GET /api/me/competition-invitations', { query: { limit: 50 } }, { every: 30_000 });
  const open = (list.data?.invitations ?? []).filter(({ accept_path: path }) => path !== null);
  if (open.length === 0) return null;
  return (
    <Section title={texts.youAreInvited}>
      {open.map((invitation) => (
        <One key={invitation.invite_id} of={invitation} />
      ))}
    </Section>
  );
}

function One({ of }: { of: Invitation }) {
  const params = { invite_id: of.invite_id };
  const reload = () => changed('/api/me/competition-invitations', '/api/competitions');
  return (
    <div class="notice row">
      <span>
        <strong>{of.competition_name}</strong>
        {texts.by}
        {of.organizer_name}
        {of.organization_name !== null && ` (${of.organization_name})`}
        {texts.openUntil}
        <When at={of.expires_at} />
      </span>
      <ConfirmButton
        label={texts.takePart}
        quiet={false}
        title={texts.takePartIn(of.competition_name)}
        verb={texts.takePart}
        act={() => call('POST /api/me/competition-invitations/{invite_id}/accept', { params, body: {} })}
        done={reload}
      >
        <p>{texts.yourBotGetsTheStarting}</p>
      </ConfirmButton>
      <ConfirmButton
        label={texts.decline}
        title={texts.decline2(of.competition_name)}
        verb={texts.decline}
        act={() => call('POST /api/me/competition-invitations/{invite_id}/decline', { params })}
        done={reload}
      >
        <p>{texts.theOrganizerSeesItAnd}</p>
      </ConfirmButton>
    </div>
  );
}
