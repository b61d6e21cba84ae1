import { useState } from 'preact/hooks';
import { call, type Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { changed, useApi } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Field, Form, useSending } from '../../ui/form.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Code, When } from '../../ui/values.js';
import type { Competition } from './status.js';

type Link = Answer<'GET /api/competitions/{competition_id}/invite-links'>['links'][number];

/** Links let in whoever has them, so many times. */
export function Links({ of }: { of: Competition }) {
  const params = { competition_id: of.competition_id };
  const list = useApi(
    'GET /api/competitions/{competition_id}/invite-links',
    { params, query: { limit: 100 } },
    { every: 15_000 },
  );
  const columns: readonly Column<Link>[] = [
    { key: 'made', head: 'Made', cell: ({ created_at: at }) => <When at={at} /> },
    {
      key: 'uses',
      head: 'Used',
      cell: ({ uses, max_uses: most }) => `${count(uses)} of ${count(most)}`,
      right: true,
    },
    { key: 'status', head: 'State', cell: ({ status }) => <span class="badge">{status.replace('_', ' ')}</span> },
    { key: 'expires', head: 'Open until', cell: ({ expires_at: at }) => <When at={at} />, low: true },
    {
      key: 'do',
      head: <span class="hidden">Actions</span>,
      cell: ({ link_id, status }) =>
        status === 'open' && (
          <ConfirmButton
            label="Revoke"
            title="Revoke the link"
            verb="Revoke"
            danger
            act={() =>
              call('DELETE /api/competitions/{competition_id}/invite-links/{link_id}', {
                params: { ...params, link_id },
              })
            }
            done={() => changed('/api/competitions')}
          >
            <p>The link lets in no more bots. Bots that used it stay.</p>
          </ConfirmButton>
        ),
    },
  ];
  return (
    <Section title="By link">
      {['draft', 'enrolling'].includes(of.status) && <Make of={of} />}
      <Shown of={list}>
        {({ links }) =>
          links.length > 0 && <List label="Links" columns={columns} rows={links} keyOf={({ link_id: id }) => id} />
        }
      </Shown>
    </Section>
  );
}

function Make({ of }: { of: Competition }) {
  const [uses, setUses] = useState('10');
  const [url, setUrl] = useState('');
  const sending = useSending(['max_uses']);
  const make = () =>
    sending.send(async () => {
      const params = { competition_id: of.competition_id };
      const made = await call('POST /api/competitions/{competition_id}/invite-links', {
        params,
        body: { max_uses: Number(uses) },
      });
      setUrl(made.url);
      changed('/api/competitions');
    });
  return (
    <>
      <Form sending={sending} verb="Make a link" onSend={() => void make()}>
        <Field
          label="How many may come by it"
          type="number"
          min={1}
          max={100}
          required
          value={uses}
          onValue={setUses}
          error={sending.fields['max_uses']}
        />
      </Form>
      {url !== '' && (
        <div class="notice part" role="status">
          <p>It is shown this once: copy it now.</p>
          <Code text={url} label="The link" />
        </div>
      )}
    </>
  );
}
