import { call, type Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { pathTo } from '../../lib/paths.js';
import { changed, useApi } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import { StatusBadge, type Competition } from './status.js';

type Invitation = Answer<'GET /api/me/competition-invitations'>['invitations'][number];

const COLUMNS: readonly Column<Competition>[] = [
  {
    key: 'name',
    head: 'Competition',
    names: true,
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
  { key: 'status', head: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'people',
    head: 'Bots',
    cell: (row) => `${count(row.participant_count)} of ${count(row.participant_cap)}`,
    right: true,
    low: true,
  },
  { key: 'ends', head: 'Ends', cell: ({ ends_at: at }) => <When at={at} />, low: true },
  {
    key: 'part',
    head: 'You',
    cell: (row) => (
      <>
        {row.participation !== null && <span class="badge">{row.participation}</span>}{' '}
        {(row.is_organizer || row.is_co_organizer) && (
          <a href={pathTo('organize', { competition_id: row.competition_id })}>organize</a>
        )}
      </>
    ),
  },
];

/** The competitions that the signed-in user organizes or plays in. */
export function Own() {
  const list = useApi('GET /api/competitions', { query: { limit: 100 } }, { every: 15_000 });
  return (
    <Shown of={list} rows={4}>
      {({ competitions }) =>
        competitions.length === 0 ? (
          <Empty>
            <p>You neither organize nor play in one yet.</p>
            <a class="button main" href={pathTo('newCompetition')}>
              New competition
            </a>
          </Empty>
        ) : (
          <List label="My competitions" columns={COLUMNS} rows={competitions} keyOf={(row) => row.competition_id} />
        )
      }
    </Shown>
  );
}

/** Open invitations of the signed-in user. */
export function Invitations() {
  const list = useApi('GET /api/me/competition-invitations', { query: { limit: 50 } }, { every: 30_000 });
  const open = (list.data?.invitations ?? []).filter(({ accept_path: path }) => path !== null);
  if (open.length === 0) return null;
  return (
    <Section title="You are invited">
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
        <strong>{of.competition_name}</strong> by {of.organizer_name}
        {of.organization_name !== null && ` (${of.organization_name})`}, open until <When at={of.expires_at} />
      </span>
      <ConfirmButton
        label="Take part"
        quiet={false}
        title={`Take part in ${of.competition_name}`}
        verb="Take part"
        act={() => call('POST /api/me/competition-invitations/{invite_id}/accept', { params, body: {} })}
        done={reload}
      >
        <p>Your bot gets the starting chips of the competition. It plays there when it opens a socket for it.</p>
      </ConfirmButton>
      <ConfirmButton
        label="Decline"
        title={`Decline ${of.competition_name}`}
        verb="Decline"
        act={() => call('POST /api/me/competition-invitations/{invite_id}/decline', { params })}
        done={reload}
      >
        <p>The organizer sees it, and may invite you again.</p>
      </ConfirmButton>
    </div>
  );
}

/** Requests to join that wait for an answer. */
export function OwnRequests() {
  const list = useApi('GET /api/me/join-requests', { query: { limit: 100 } }, { every: 30_000 });
  const open = (list.data?.requests ?? []).filter(({ status }) => status === 'open');
  if (open.length === 0) return null;
  return (
    <Section title="You have asked to join">
      <ul>
        {open.map(({ slug, competition_name: name, asked_at: at }) => (
          <li key={slug}>
            <a href={pathTo('competition', { slug })}>{name}</a>{' '}
            <span class="soft">
              <When at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
