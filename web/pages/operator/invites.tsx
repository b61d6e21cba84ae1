import { useState } from 'preact/hooks';
import type { Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { Field, Form, useSending } from '../../ui/form.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Empty, Shown } from '../../ui/states.js';
import { Code, When } from '../../ui/values.js';

type Row = Answer<'GET /api/admin/invites'>['invites'][number];

const COLUMNS: readonly Column<Row>[] = [
  { key: 'code', head: 'Code', cell: ({ code }) => <code>{code}</code> },
  {
    key: 'uses',
    head: 'Used',
    cell: ({ uses, max_uses: most }) => `${count(uses)} of ${count(most)}`,
    right: true,
  },
  { key: 'until', head: 'Until', cell: ({ expires_at: at }) => (at === null ? 'for ever' : <When at={at} />) },
  { key: 'note', head: 'For whom', cell: ({ note }) => note ?? '', low: true },
  { key: 'made', head: 'Made', cell: ({ created_at: at }) => <When at={at} />, low: true },
];

/** Codes of the beta gate. */
export function Invites() {
  const found = useOperator('GET /api/admin/invites', {});
  return (
    <Section title="Invites">
      <p>With the beta gate on, registration needs one of these codes.</p>
      <Make />
      <Shown of={found} rows={4}>
        {({ invites }) =>
          invites.length === 0 ? (
            <Empty>
              <p>No code was made yet.</p>
            </Empty>
          ) : (
            <List label="Invites" columns={COLUMNS} rows={invites} keyOf={({ code }) => code} />
          )
        }
      </Shown>
    </Section>
  );
}

function Make() {
  const [uses, setUses] = useState('1');
  const [days, setDays] = useState('');
  const [note, setNote] = useState('');
  const [made, setMade] = useState('');
  const sending = useSending(['uses', 'days', 'note']);
  const make = () =>
    sending.send(async () => {
      const body = {
        uses: Number(uses),
        ...(days === '' ? {} : { days: Number(days) }),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      };
      setMade((await act('POST /api/admin/invites', { body })).code);
      changed('/api/admin/invites', '/api/admin/log');
    });
  return (
    <>
      <Form sending={sending} verb="Make a code" onSend={() => void make()}>
        <Field
          label="Number of bots"
          type="number"
          min={1}
          max={10_000}
          required
          value={uses}
          onValue={setUses}
          error={sending.fields['uses']}
        />
        <Field
          label="Days that it is good for"
          type="number"
          min={1}
          max={3650}
          value={days}
          onValue={setDays}
          error={sending.fields['days']}
          hint="Left empty: for ever."
        />
        <Field
          label="For whom"
          maxLength={200}
          value={note}
          onValue={setNote}
          error={sending.fields['note']}
          hint="A note for yourself."
        />
      </Form>
      {made !== '' && (
        <div class="notice part" role="status">
          <Code text={made} label="The code" />
        </div>
      )}
    </>
  );
}
