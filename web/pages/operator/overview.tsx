import type { Answer } from '../../lib/api.js';
import { count, duration, fixed } from '../../lib/format.js';
import { useOperator } from '../../lib/operator.js';
import { Chart } from '../../ui/chart.js';
import { List, type Column } from '../../ui/list.js';
import { Figures, Section } from '../../ui/page.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import { Nodes } from './nodes.js';

type Room = Answer<'GET /api/admin/overview'>;
type Thread = Room['threads'][number];
type Past = Answer<'GET /api/admin/history'>;
type Line = Answer<'GET /api/admin/errors'>['lines'][number];

const EVERY_MS = 5000;
const PAST_EVERY_MS = 15_000;

/** How the platform runs: now, in the last hour, and what went wrong. */
export function Overview() {
  const room = useOperator('GET /api/admin/overview', {}, { every: EVERY_MS });
  const past = useOperator('GET /api/admin/history', {}, { every: PAST_EVERY_MS });
  return (
    <>
      <Shown of={room} rows={6}>
        {(now) => <Now of={now} />}
      </Shown>
      <Nodes />
      <Section title="The last hour">
        <Shown of={past} rows={6}>
          {(of) => <Hour of={of} />}
        </Shown>
      </Section>
      <Errors />
    </>
  );
}

const THREADS: readonly Column<Thread>[] = [
  {
    key: 'name',
    head: 'Thread',
    cell: ({ name, running }) => (
      <>
        {name} {!running && <span class="badge bad">recovering</span>}
      </>
    ),
  },
  { key: 'cpu', head: 'CPU', title: '1 is a whole core', cell: ({ cpu }) => fixed(cpu, 2), right: true },
  { key: 'late', head: 'Late, ms', title: 'Its event loop, p99', cell: (row) => fixed(row.loop_p99_ms), right: true },
  { key: 'mean', head: 'Mean, ms', cell: (row) => fixed(row.loop_mean_ms), right: true, low: true },
  { key: 'hands', head: 'Hands/s', cell: (row) => figure(row.hands_per_second, 1), right: true },
  { key: 'tables', head: 'Tables', cell: ({ tables }) => figure(tables), right: true },
  { key: 'sockets', head: 'Sockets', cell: ({ sockets }) => figure(sockets), right: true },
];

const figure = (value: number | null, digits = 0) => (value === null ? '' : fixed(value, digits));

function Now({ of }: { of: Room }) {
  const { rates, commits, play } = of;
  return (
    <>
      <Figures
        of={[
          ['Hands a second', fixed(rates.hands_per_second)],
          ['Tables', count(play.tables)],
          ['Sockets', count(play.sockets)],
          ['Watchers', count(play.watchers)],
          ['In the lobby', count(play.lobby)],
          ['Commit', commits.mean_ms === null ? 'none' : `${fixed(commits.mean_ms)} ms`, 'Mean of the last 5 s'],
          ['Hands not stored', count(commits.hands_waiting)],
          ['Mails that wait', count(of.mails_waiting)],
          ['Messages a second', fixed(rates.messages_per_second)],
          ['Up for', duration(of.uptime_seconds)],
        ]}
      />
      {of.shards_without_database > 0 && (
        <p class="notice part" role="alert">
          The database is away for {count(of.shards_without_database)} of the shards: their tables wait.
        </p>
      )}
      <div class="part">
        <List label="Threads" columns={THREADS} rows={of.threads} keyOf={({ name }) => name} />
      </div>
    </>
  );
}

type Series = Exclude<keyof Past, 'at' | 'every_seconds'>;

const CHARTS: readonly (readonly [series: Series, title: string, unit: string, digits: number])[] = [
  ['hands_per_second', 'Hands a second', 'hands/s', 1],
  ['commit_ms', 'Commits', 'ms', 1],
  ['cpu', 'CPU of the process', 'cores', 2],
  ['main_loop_p99_ms', 'Main thread late, p99', 'ms', 1],
  ['shards_loop_p99_ms', 'Slowest shard late, p99', 'ms', 1],
  ['sockets', 'Sockets', 'sockets', 0],
  ['lobby', 'In the lobby', 'agents', 0],
  ['memory_mb', 'Memory', 'MB', 0],
];

function Hour({ of }: { of: Past }) {
  return (
    <div class="charts">
      {CHARTS.map(([series, title, unit, digits]) => (
        <section key={series}>
          <h3>{title}</h3>
          <Chart
            label={`${title} in the last hour`}
            xs={of.at}
            ys={of[series]}
            xName="At"
            yName={unit}
            digits={digits}
            height={160}
            overTime
          />
        </section>
      ))}
    </div>
  );
}

const LINES: readonly Column<Line>[] = [
  { key: 'when', head: 'When', cell: ({ at }) => <When at={at} /> },
  {
    key: 'level',
    head: 'Level',
    cell: ({ level }) => <span class={`badge ${level === 'warn' ? 'accent' : 'bad'}`}>{level}</span>,
  },
  { key: 'message', head: 'What', cell: ({ message }) => <span class="wraps">{message}</span> },
  {
    key: 'detail',
    head: 'More',
    cell: ({ detail }) => detail !== '{}' && <code class="cut">{detail}</code>,
    low: true,
  },
];

function Errors() {
  const errors = useOperator('GET /api/admin/errors', {}, { every: PAST_EVERY_MS });
  return (
    <Section title="Warnings and errors">
      <Shown of={errors}>
        {({ lines, total }) =>
          lines.length === 0 ? (
            <Empty>
              <p>Nothing was complained of since the start.</p>
            </Empty>
          ) : (
            <>
              <p class="soft">
                The latest {count(lines.length)} of {count(total)} since the start.
              </p>
              <List label="Warnings and errors" columns={LINES} rows={lines} keyOf={(row) => lines.indexOf(row)} />
            </>
          )
        }
      </Shown>
    </Section>
  );
}
