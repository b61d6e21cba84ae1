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
      <Section title="Audit">
        <p>Every chip, credit and hand is reckoned anew, from one moment of the database.</p>
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
          It runs: {count(progress.done)} of {count(progress.of)} {progress.unit}.
        </p>
      ) : (
        <ConfirmButton
          label="Run the audit"
          quiet={false}
          title="Run the audit"
          verb="Run it"
          act={() => act('POST /api/admin/audit', {})}
          done={() => changed('/api/admin/audit', '/api/admin/log')}
        >
          <p>It plays every stored hand again on its own thread. A core is busy for about a minute a million hands.</p>
        </ConfirmButton>
      )}
      {state === 'failed' && (
        <p class="problem part" role="alert">
          The audit could not be made. The warnings and errors of the overview say why.
        </p>
      )}
      {state === 'done' && (
        <>
          <p class={ok === true ? 'notice part' : 'problem part'} role="status">
            {ok === true ? 'Every chip is accounted for.' : 'Something is wrong. The report says what.'}
            {ended !== null && started !== null && (
              <span class="soft">
                {' '}
                <When at={ended} />
              </span>
            )}
          </p>
          <div class="code part">
            <pre tabIndex={0} aria-label="Report of the audit">
              <code>{lines.join('\n')}</code>
            </pre>
          </div>
        </>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  { key: 'when', head: 'When', cell: ({ at }) => <When at={at} /> },
  { key: 'who', head: 'Who', cell: ({ actor }) => <Named id={actor} /> },
  { key: 'what', head: 'What', cell: ({ action }) => action.replaceAll('_', ' ') },
  { key: 'whom', head: 'To whom', cell: ({ subject }) => subject !== null && <Named id={subject} />, low: true },
  {
    key: 'detail',
    head: 'More',
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
    <Section title="Audit log">
      <Shown of={log} rows={6}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>
              <p>The log is empty.</p>
            </Empty>
          ) : (
            <List label="Audit log" columns={COLUMNS} rows={entries} keyOf={({ entry_id: id }) => id} />
          )
        }
      </Shown>
    </Section>
  );
}
