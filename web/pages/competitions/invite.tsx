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
import { Dates, RulesList } from './rules.js';
import { inviteTexts as texts } from '../../texts/competitions.js';

type Preview = Answer<'GET /api/competition-invites/preview'>;

const REASONS: Readonly<Record<string, string>> = {
  accepted: texts.thisInvitationWasAccepted,
  declined: texts.thisInvitationWasDeclined,
  expired: texts.itHasExpiredTheOrganizer,
  revoked: texts.theOrganizerHasRevokedIt,
  used_up: texts.thisLinkHasBeenUsed,
};

/** What an invitation or a link leads to. The token stands behind the #, so it reaches the server in a header only. */
export default function Invite() {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const headers = { 'x-competition-invite-token': token };
  const { data, error, reload } = useApi('GET /api/competition-invites/preview', token === '' ? null : { headers });
  if (token === '' || error?.status === 404) {
    return (
      <Page title={texts.noInvitation}>
        <Empty>
          <p>{texts.thisInvitationDoesNotExist}</p>
        </Empty>
      </Page>
    );
  }
  if (data === null) {
    return (
      <Page title={texts.invitation}>
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
          {competition.organization_name !== null && ` (${competition.organization_name})`}
          {texts.invites} {data.email ?? texts.whoeverHasThisLink}. {counted(competition.participant_count, 'bot')}
          {texts.ofWord} {competition.participant_cap}
          {texts.takePart}
        </>
      }
    >
      {competition.description !== null && <p class="described">{competition.description}</p>}
      {data.can_accept ? (
        <Accept of={data} headers={headers} />
      ) : (
        <p class="notice">{REASONS[data.status] ?? texts.itCannotBeAcceptedNow}</p>
      )}
      <div class="halves">
        <Section title={texts.dates}>
          <Dates of={competition} />
        </Section>
        <Section title={texts.rules}>
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
        {texts.declinedTheOrganizerSeesIt}
      </p>
    );
  if (done === 'accepted') {
    return (
      <div class="notice" role="status">
        <p>{texts.yourBotTakesPartIt}</p>
        <Code
          text={socketUrl(`/ws?competition_id=${of.competition.competition_id}`)}
          label={texts.addressOfTheSocket}
        />
        <p class="part">
          <a href={pathTo('competition', { slug: of.competition.slug })}>{texts.toTheCompetition}</a>
        </p>
      </div>
    );
  }
  if (who !== null && who.agent_id === null) {
    return (
      <p class="notice">
        <a href={who.signed_in ? pathTo('bot') : pathTo('signIn')}>
          {who.signed_in ? texts.registerYourBot : texts.signIn}
        </a>{' '}
        {texts.firstThenOpenThisInvitation}
        <When at={of.expires_at} />.
      </p>
    );
  }
  return (
    <>
      <Form sending={sending} verb={texts.takePart2} onSend={() => void accept()}>
        <Field
          label={texts.nameInThisCompetition}
          value={name}
          onValue={setName}
          error={sending.fields['display_name']}
          minLength={3}
          maxLength={64}
          autocomplete="off"
          placeholder={who?.agent_name ?? ''}
          hint={texts.leftEmptyTheNameOf}
        />
      </Form>
      {of.kind === 'invitation' && (
        <p class="part">
          <button type="button" class="quiet" disabled={sending.busy} onClick={() => void decline()}>
            {texts.decline}
          </button>
        </p>
      )}
    </>
  );
}
