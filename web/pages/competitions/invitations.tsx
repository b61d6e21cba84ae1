import { useState } from 'preact/hooks';
import { call, type Answer } from '../../lib/api.js';
import { counted } from '../../lib/format.js';
import { changed, useApi } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Form, TextArea, useSending } from '../../ui/form.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import type { Competition } from './status.js';
import { invitationsTexts as texts } from '../../texts/organizing.js';

type Invitation = Answer<'GET /api/competitions/{competition_id}/invitations'>['invitations'][number];

const TONES = { accepted: 'good', declined: 'bad', revoked: 'bad', expired: '', pending: 'accent' } as const;
const REFUSED = {
  already_invited: texts.isInvitedAlready,
  already_participates: texts.takesPartAlready,
  removed: texts.wasRemovedByYou,
  mailbox_full: texts.hasHadTooManyMails,
} as const;

/** People by e-mail: a list is pasted, each address gets one mail. */
export function Invitations({ of }: { of: Competition }) {
  const params = { competition_id: of.competition_id };
  const list = useApi(
    'GET /api/competitions/{competition_id}/invitations',
    { params, query: { limit: 100 } },
    { every: 15_000 },
  );
  const mayInvite = of.status === 'enrolling';
  const columns: readonly Column<Invitation>[] = [
    { key: 'email', head: texts.address, cell: ({ email }) => <span class="name">{email}</span> },
    { key: 'status', head: texts.state, cell: ({ status }) => <span class={`badge ${TONES[status]}`}>{status}</span> },
    { key: 'sent', head: texts.sent, cell: ({ sent_at: at }) => <When at={at} />, low: true },
    { key: 'expires', head: texts.openUntil, cell: ({ expires_at: at }) => <When at={at} />, low: true },
    {
      key: 'do',
      head: <span class="hidden">{texts.whatCanBeDone}</span>,
      cell: (row) => <Acts row={row} mayInvite={mayInvite} />,
    },
  ];
  return (
    <Section title={texts.byEMail}>
      {mayInvite ? <Invite of={of} /> : <p class="soft">{texts.peopleCanBeInvitedWhile}</p>}
      <Shown of={list}>
        {({ invitations }) =>
          invitations.length > 0 && (
            <List label={texts.invitations} columns={columns} rows={invitations} keyOf={({ invite_id: id }) => id} />
          )
        }
      </Shown>
    </Section>
  );
}

function Invite({ of }: { of: Competition }) {
  const [text, setText] = useState('');
  const [said, setSaid] = useState<readonly string[]>([]);
  const sending = useSending(['emails']);
  const emails = [...new Set(text.split(/[\s,;<>]+/).filter((part) => part.includes('@')))];
  const invite = () =>
    sending.send(async () => {
      const params = { competition_id: of.competition_id };
      const told = await call('POST /api/competitions/{competition_id}/invitations', { params, body: { emails } });
      setText('');
      setSaid([
        texts.onTheWay(counted(told.invitations.length, 'invitation')),
        ...told.refused.map(({ email, reason }) => `${email} ${REFUSED[reason]}.`),
      ]);
      changed('/api/competitions');
    });
  return (
    <Form
      sending={sending}
      verb={emails.length < 2 ? texts.invite : texts.invitePeople(emails.length)}
      onSend={() => void invite()}
    >
      <TextArea
        label={texts.addresses}
        value={text}
        onValue={setText}
        error={sending.fields['emails']}
        hint={texts.pasteThemAsTheyAre}
      />
      {said.map((line) => (
        <p key={line} role="status">
          {line}
        </p>
      ))}
    </Form>
  );
}

function Acts({ row, mayInvite }: { row: Invitation; mayInvite: boolean }) {
  const params = { competition_id: row.competition_id, invite_id: row.invite_id };
  const headers = { 'if-match': `"${row.version}"` };
  const done = () => changed('/api/competitions');
  if (row.status !== 'pending' && row.status !== 'expired') return null;
  return (
    <span class="row">
      {mayInvite && (
        <ConfirmButton
          label={texts.sendAgain}
          title={texts.sendItToAgain(row.email)}
          verb={texts.send}
          act={() =>
            call('POST /api/competitions/{competition_id}/invitations/{invite_id}/resend', { params, headers })
          }
          done={done}
        >
          <p>
            {texts.theMailHasANew}
            {counted(row.sends, 'time')}.
          </p>
        </ConfirmButton>
      )}
      {row.status === 'pending' && (
        <ConfirmButton
          label={texts.revoke}
          title={texts.revokeTheInvitationOf(row.email)}
          verb={texts.revoke}
          danger
          act={() => call('DELETE /api/competitions/{competition_id}/invitations/{invite_id}', { params, headers })}
          done={done}
        >
          <p>{texts.itsLinkIsOfNo}</p>
        </ConfirmButton>
      )}
    </span>
  );
}
