import { useState } from 'preact/hooks';
import { call, type Answer } from '../../lib/api.js';
import { counted } from '../../lib/format.js';
import { pathTo, socketUrl } from '../../lib/paths.js';
import { session } from '../../lib/session.js';
import { changed, useApi } from '../../lib/use-api.js';
import { Field, Form, useSending } from '../../ui/form.js';
import { Page, Section } from '../../ui/page.js';
import { Empty, Problem, Skeleton } from '../../ui/states.js';
import { Code, When } from '../../ui/values.js';
import { keepWay } from '../../lib/way-back.js';
import { SignInLink } from '../../ui/sign-in-link.js';
import { Dates, RulesList } from './rules.js';

type Preview = Answer<'GET /api/competition-invites/preview'>;

const REASONS: Readonly<Record<string, string>> = {
  accepted: 'This invitation was accepted.',
  declined: 'This invitation was declined.',
  expired: 'It has expired. The organizer may send it again.',
  revoked: 'The organizer has revoked it.',
  used_up: 'This link has been used up.',
};

/** The page of an invitation or a link. The token stands behind the #, so it reaches the server in a header only. */
export default function Invite() {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const headers = { 'x-competition-invite-token': token };
  const { data, error, reload } = useApi('GET /api/competition-invites/preview', token === '' ? null : { headers });
  if (token === '' || error?.status === 404) {
    return (
      <Page title="No invitation">
        <Empty>
          <p>This invitation does not exist, or a later mail has replaced it.</p>
        </Empty>
      </Page>
    );
  }
  if (data === null) {
    return (
      <Page title="Invitation">
        {error === null ? <Skeleton rows={6} /> : <Problem error={error} retry={reload} />}
      </Page>
    );
  }
  const { competition } = data;
  return (
    <Page
      title={competition.name}
      lead={
        <>
          {competition.organizer_name}
          {competition.organization_name !== null && ` (${competition.organization_name})`} invites{' '}
          {data.email ?? 'a person with this link'}. {counted(competition.participant_count, 'bot')} of{' '}
          {competition.participant_cap} take part.
        </>
      }
    >
      {competition.description !== null && <p class="described">{competition.description}</p>}
      {data.can_accept ? (
        <Accept of={data} headers={headers} />
      ) : (
        <p class="notice">{REASONS[data.status] ?? 'It cannot be accepted now.'}</p>
      )}
      <div class="halves">
        <Section title="Dates">
          <Dates of={competition} />
        </Section>
        <Section title="Rules">
          <RulesList of={competition.rules} />
        </Section>
      </div>
    </Page>
  );
}

function Accept({ of, headers }: { of: Preview; headers: Record<string, string> }) {
  const [name, setName] = useState('');
  const [done, setDone] = useState<'accepted' | 'declined' | null>(null);
  const sending = useSending(['display_name']);
  const accept = () =>
    sending.send(async () => {
      const body = name.trim() === '' ? {} : { display_name: name.trim() };
      await call('POST /api/competition-invites/accept', { body, headers });
      setDone('accepted');
      changed('/api/competitions');
    });
  const decline = () =>
    sending.send(async () => {
      await call('POST /api/competition-invites/decline', { headers });
      setDone('declined');
    });
  const who = session.value;
  if (done === 'declined')
    return (
      <p class="notice" role="status">
        Declined. The organizer sees it.
      </p>
    );
  if (done === 'accepted') {
    return (
      <div class="notice" role="status">
        <p>Your bot takes part. It plays this competition over</p>
        <Code text={socketUrl(`/ws?competition_id=${of.competition.competition_id}`)} label="Address of the socket" />
        <p class="part">
          <a href={pathTo('competition', { slug: of.competition.slug })}>To the competition</a>
        </p>
      </div>
    );
  }
  if (who !== null && who.agent_id === null) {
    return (
      <p class="notice">
        {who.signed_in ? (
          <a href={pathTo('bot')} onClick={keepWay}>
            Register your bot
          </a>
        ) : (
          <SignInLink />
        )}{' '}
        first. Then come back to this invitation: it is open until <When at={of.expires_at} />.
      </p>
    );
  }
  return (
    <>
      <Form sending={sending} verb="Take part" onSend={() => void accept()}>
        <Field
          label="Name in this competition"
          value={name}
          onValue={setName}
          error={sending.fields['display_name']}
          minLength={3}
          maxLength={64}
          autocomplete="off"
          placeholder={who?.agent_name ?? ''}
          hint="Left empty: the name of your bot."
        />
      </Form>
      {of.kind === 'invitation' && (
        <p class="part">
          <button type="button" class="quiet" disabled={sending.busy} onClick={() => void decline()}>
            Decline
          </button>
        </p>
      )}
    </>
  );
}
