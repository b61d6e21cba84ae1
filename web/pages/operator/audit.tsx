import { useEffect } from 'preact/hooks';
import type { Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Empty, Shown } from '../../ui/states.js';
import { Id, When } from '../../ui/values.js';
import { auditTexts as texts } from '../../texts/operator.js';

type State = Answer<'GET /api/admin/audit'>;
type Entry = Answer<'GET /api/admin/log'>['entries'][number];

const EVERY_MS = 2000;
const ENTRIES = 100;

export function Audit() {
  const run = useOperator('GET /api/admin/audit', {}, { every: EVERY_MS });
  const state = run.data?.state;
  useEffect(() => changed('/api/admin/log'), [state]);
  return (
    <>
      <Section title={texts.audit}>
        <p>{texts.everyChipCreditAndHand}</p>
        <Shown of={run}>{(of) => <Run of={of} />}</Shown>
      </Section>
      <Log />
    </>
  );
}

function Run({ of }: { of: State }) {
  const { state, progress, ok, started_at: started, ended_at: ended, lines } = of;
  return (
    <>
      {state === 'running' ? (
        <p class="notice" role="status">
          {texts.itRuns}
          {count(progress.done)}
          {texts.ofWord}
          {count(progress.of)} {progress.unit}.
        </p>
      ) : (
        <ConfirmButton
          label={texts.runTheAudit}
          quiet={false}
          title={texts.runTheAudit}
          verb={texts.runIt}
          act={() => act('POST /api/admin/audit', {})}
          done={() => changed('/api/admin/audit', '/api/admin/log')}
        >
          <p>{texts.itPlaysEveryStoredHand}</p>
        </ConfirmButton>
      )}
      {state === 'failed' && (
        <p class="problem part" role="alert">
          {texts.theAuditCouldNotBe}
        </p>
      )}
      {state === 'done' && (
        <>
          <p class={ok === true ? 'notice part' : 'problem part'} role="status">
            {ok === true ? texts.everyChipIsAccountedFor : texts.somethingIsWrongTheReport}
            {ended !== null && started !== null && (
              <span class="soft">
                {' '}
                <When at={ended} />
              </span>
            )}
          </p>
          <div class="code part">
            <pre tabIndex={0} aria-label={texts.reportOfTheAudit}>
              <code>{lines.join('\n')}</code>
            </pre>
          </div>
        </>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  { key: 'when', head: texts.when, cell: ({ at }) => <When at={at} /> },
  { key: 'who', head: texts.who, cell: ({ actor }) => <Named id={actor} /> },
  { key: 'what', head: texts.what, cell: ({ action }) => action.replaceAll('_', ' ') },
  { key: 'whom', head: texts.toWhom, cell: ({ subject }) => subject !== null && <Named id={subject} />, low: true },
  {
    key: 'detail',
    head: texts.more,
    cell: ({ detail }) => detail !== '{}' && <code class="cut">{detail}</code>,
    low: true,
  },
];

/** An id, or a word such as `cli`. */
function Named({ id }: { id: string }) {
  return id.length > 20 ? <Id id={id} /> : <>{id}</>;
}

function Log() {
  const log = useOperator('GET /api/admin/log', { query: { limit: ENTRIES } });
  return (
    <Section title={texts.auditLog}>
      <Shown of={log} rows={6}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>
              <p>{texts.nobodyHasChangedAnythingYet}</p>
            </Empty>
          ) : (
            <List label={texts.auditLog} columns={COLUMNS} rows={entries} keyOf={({ entry_id: id }) => id} />
          )
        }
      </Shown>
    </Section>
  );
}
