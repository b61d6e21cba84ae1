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

type Invitation = Answer<'GET /api/competitions/{competition_id}/invitations'>['invitations'][number];

const TONES = { accepted: 'good', declined: 'bad', revoked: 'bad', expired: '', pending: 'accent' } as const;
const REFUSED = {
  already_invited: 'is invited already',
  already_participates: 'takes part already',
  removed: 'was removed by you',
  mailbox_full: 'has had too many mails today',
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
    { key: 'email', head: 'Address', names: true, cell: ({ email }) => <span class="name">{email}</span> },
    { key: 'status', head: 'State', cell: ({ status }) => <span class={`badge ${TONES[status]}`}>{status}</span> },
    { key: 'sent', head: 'Sent', cell: ({ sent_at: at }) => <When at={at} />, low: true },
    { key: 'expires', head: 'Open until', cell: ({ expires_at: at }) => <When at={at} />, low: true },
    {
      key: 'do',
      head: <span class="hidden">Actions</span>,
      cell: (row) => <Acts row={row} mayInvite={mayInvite} />,
    },
  ];
  return (
    <Section title="By e-mail">
      {mayInvite ? <Invite of={of} /> : <p class="soft">People can be invited while enrollment is open.</p>}
      <Shown of={list}>
        {({ invitations }) =>
          invitations.length > 0 && (
            <List label="Invitations" columns={columns} rows={invitations} keyOf={({ invite_id: id }) => id} />
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
        `${counted(told.invitations.length, 'invitation')} on the way.`,
        ...told.refused.map(({ email, reason }) => `${email} ${REFUSED[reason]}.`),
      ]);
      changed('/api/competitions');
    });
  return (
    <Form
      sending={sending}
      verb={emails.length < 2 ? 'Invite' : `Invite ${emails.length} people`}
      onSend={() => void invite()}
    >
      <TextArea
        label="Addresses"
        value={text}
        onValue={setText}
        error={sending.fields['emails']}
        hint="Paste up to 100 at once, with commas, spaces or new lines between them."
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
          label="Send again"
          title={`Send it to ${row.email} again`}
          verb="Send"
          act={() =>
            call('POST /api/competitions/{competition_id}/invitations/{invite_id}/resend', { params, headers })
          }
          done={done}
        >
          <p>The mail has a new link, and the old link ends. It was sent {counted(row.sends, 'time')}.</p>
        </ConfirmButton>
      )}
      {row.status === 'pending' && (
        <ConfirmButton
          label="Revoke"
          title={`Revoke the invitation of ${row.email}`}
          verb="Revoke"
          danger
          act={() => call('DELETE /api/competitions/{competition_id}/invitations/{invite_id}', { params, headers })}
          done={done}
        >
          <p>Its link is of no use then.</p>
        </ConfirmButton>
      )}
    </span>
  );
}
