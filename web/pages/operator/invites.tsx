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
import { invitesTexts as texts } from '../../texts/operator.js';

type Row = Answer<'GET /api/admin/invites'>['invites'][number];

const COLUMNS: readonly Column<Row>[] = [
  { key: 'code', head: texts.code, cell: ({ code }) => <code>{code}</code> },
  {
    key: 'uses',
    head: texts.used,
    cell: ({ uses, max_uses: most }) => texts.ofWord(count(uses), count(most)),
    right: true,
  },
  { key: 'until', head: texts.until, cell: ({ expires_at: at }) => (at === null ? texts.forEver : <When at={at} />) },
  { key: 'note', head: texts.forWhom, cell: ({ note }) => note ?? '', low: true },
  { key: 'made', head: texts.made, cell: ({ created_at: at }) => <When at={at} />, low: true },
];

/** Codes of the beta gate. */
export function Invites() {
  const found = useOperator('GET /api/admin/invites', {});
  return (
    <Section title={texts.invites}>
      <p>{texts.withTheBetaGateOn}</p>
      <Make />
      <Shown of={found} rows={4}>
        {({ invites }) =>
          invites.length === 0 ? (
            <Empty>
              <p>{texts.noCodeWasMadeYet}</p>
            </Empty>
          ) : (
            <List label={texts.invites} columns={COLUMNS} rows={invites} keyOf={({ code }) => code} />
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
      <Form sending={sending} verb={texts.makeACode} onSend={() => void make()}>
        <Field
          label={texts.forSoManyBots}
          type="number"
          min={1}
          max={10_000}
          required
          value={uses}
          onValue={setUses}
          error={sending.fields['uses']}
        />
        <Field
          label={texts.daysThatItIsGood}
          type="number"
          min={1}
          max={3650}
          value={days}
          onValue={setDays}
          error={sending.fields['days']}
          hint={texts.leftEmptyForEver}
        />
        <Field
          label={texts.forWhom}
          maxLength={200}
          value={note}
          onValue={setNote}
          error={sending.fields['note']}
          hint={texts.aNoteForYourself}
        />
      </Form>
      {made !== '' && (
        <div class="notice part" role="status">
          <Code text={made} label={texts.theCode} />
        </div>
      )}
    </>
  );
}
