import { useEffect } from 'preact/hooks';
import type { Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Search } from '../../ui/search.js';
import { Empty, Shown } from '../../ui/states.js';
import { Id, When } from '../../ui/values.js';
import { actorOf, detailOf, wordsOf } from './deeds.js';

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
  {
    key: 'what',
    head: 'What',
    cell: ({ actor, actor_name, action, subject, subject_name }) => (
      <span class="wraps">
        <strong title={actor}>{actorOf(actor, actor_name)}</strong> {wordsOf(action)}{' '}
        {subject !== null && (subject_name === null ? <Named id={subject} /> : <strong>{subject_name}</strong>)}
      </span>
    ),
  },
  {
    key: 'detail',
    head: 'More',
    cell: ({ detail }) => detail !== '{}' && <span class="soft wraps">{detailOf(detail)}</span>,
    low: true,
  },
  {
    key: 'id',
    head: 'Id',
    cell: ({ subject, subject_name }) => subject !== null && subject_name !== null && <Id id={subject} />,
    low: true,
  },
];

/** A table has a name; other ids are shortened. A season is a number. */
const Named = ({ id }: { id: string }) => (id.length > 20 ? <Id id={id} /> : <>{id}</>);

function Log() {
  const [query, change] = useQuery();
  const [search, from, to] = [query['search'] ?? '', query['since'] ?? '', query['until'] ?? ''];
  const before = Number(query['before'] ?? 0) || undefined;
  const log = useOperator('GET /api/admin/log', {
    query: {
      search,
      limit: ENTRIES,
      ...(from === '' ? {} : { from }),
      ...(to === '' ? {} : { to }),
      ...(before === undefined ? {} : { before }),
    },
  });
  return (
    <Section title="Audit log">
      <div class="row filters">
        <Search
          value={search}
          placeholder="Find an entry"
          label="Find entries by action, name or id"
          onValue={(text) => change({ search: text, before: '' })}
        />
        <Day label="From" value={from} onValue={(day) => change({ since: day, before: '' })} />
        <Day label="To" value={to} onValue={(day) => change({ until: day, before: '' })} />
      </div>
      <Shown of={log} rows={6}>
        {({ entries, next_before: next }) =>
          entries.length === 0 ? (
            <Empty>
              <p>No entry is like that.</p>
            </Empty>
          ) : (
            <>
              <List label="Audit log" columns={COLUMNS} rows={entries} keyOf={({ entry_id: id }) => id} />
              <p class="row part">
                {before !== undefined && (
                  <button type="button" class="quiet" onClick={() => change({ before: '' })}>
                    Newest
                  </button>
                )}
                {next !== null && (
                  <button type="button" class="quiet" onClick={() => change({ before: String(next) })}>
                    Older
                  </button>
                )}
              </p>
            </>
          )
        }
      </Shown>
    </Section>
  );
}

function Day({ label, value, onValue }: { label: string; value: string; onValue: (day: string) => void }) {
  return (
    <label class="row">
      {label}
      <input type="date" value={value} onInput={({ currentTarget }) => onValue(currentTarget.value)} />
    </label>
  );
}
