import type { Answer } from '../../lib/api.js';
import { count, duration, fixed } from '../../lib/format.js';
import { useOperator } from '../../lib/operator.js';
import { Chart } from '../../ui/chart.js';
import { List, type Column } from '../../ui/list.js';
import { Figures, Section } from '../../ui/page.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import { Nodes } from './nodes.js';
import { overviewTexts as texts } from '../../texts/operator.js';

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
      <Section title={texts.theLastHour}>
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
    head: texts.thread,
    cell: ({ name, running }) => (
      <>
        {name} {!running && <span class="badge bad">{texts.recovering}</span>}
      </>
    ),
  },
  { key: 'cpu', head: 'CPU', title: texts.isAWholeCore, cell: ({ cpu }) => fixed(cpu, 2), right: true },
  { key: 'late', head: texts.lateMs, title: texts.itsEventLoopP, cell: (row) => fixed(row.loop_p99_ms), right: true },
  { key: 'mean', head: texts.meanMs, cell: (row) => fixed(row.loop_mean_ms), right: true, low: true },
  { key: 'hands', head: 'Hands/s', cell: (row) => figure(row.hands_per_second, 1), right: true },
  { key: 'tables', head: texts.tables, cell: ({ tables }) => figure(tables), right: true },
  { key: 'sockets', head: texts.sockets, cell: ({ sockets }) => figure(sockets), right: true },
];

const figure = (value: number | null, digits = 0) => (value === null ? '' : fixed(value, digits));

function Now({ of }: { of: Room }) {
  const { rates, commits, play } = of;
  return (
    <>
      <Figures
        of={[
          [texts.handsASecond, fixed(rates.hands_per_second)],
          [texts.tables, count(play.tables)],
          [texts.sockets, count(play.sockets)],
          [texts.watchers, count(play.watchers)],
          [texts.inTheLobby, count(play.lobby)],
          [texts.commit, commits.mean_ms === null ? 'none' : texts.ms(fixed(commits.mean_ms)), texts.meanOfTheLastS],
          [texts.handsNotStored, count(commits.hands_waiting)],
          [texts.mailsThatWait, count(of.mails_waiting)],
          [texts.messagesASecond, fixed(rates.messages_per_second)],
          [texts.upFor, duration(of.uptime_seconds)],
        ]}
      />
      {of.shards_without_database > 0 && (
        <p class="notice part" role="alert">
          {texts.theDatabaseIsAwayFor}
          {count(of.shards_without_database)}
          {texts.ofTheShardsTheirTables}
        </p>
      )}
      <div class="part">
        <List label={texts.threads} columns={THREADS} rows={of.threads} keyOf={({ name }) => name} />
      </div>
    </>
  );
}

type Series = Exclude<keyof Past, 'at' | 'every_seconds'>;

const CHARTS: readonly (readonly [series: Series, title: string, unit: string, digits: number])[] = [
  ['hands_per_second', texts.handsASecond, 'hands/s', 1],
  ['commit_ms', texts.commits, 'ms', 1],
  ['cpu', texts.cpuOfTheProcess, 'cores', 2],
  ['main_loop_p99_ms', texts.mainThreadLateP, 'ms', 1],
  ['shards_loop_p99_ms', texts.slowestShardLateP, 'ms', 1],
  ['sockets', texts.sockets, 'sockets', 0],
  ['lobby', texts.inTheLobby, 'agents', 0],
  ['memory_mb', texts.memory, 'MB', 0],
];

function Hour({ of }: { of: Past }) {
  return (
    <div class="charts">
      {CHARTS.map(([series, title, unit, digits]) => (
        <section key={series}>
          <h3>{title}</h3>
          <Chart
            label={texts.inTheLastHour(title)}
            xs={of.at}
            ys={of[series]}
            xName={texts.at}
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
  { key: 'when', head: texts.when, cell: ({ at }) => <When at={at} /> },
  {
    key: 'level',
    head: texts.level,
    cell: ({ level }) => <span class={`badge ${level === 'warn' ? 'accent' : 'bad'}`}>{level}</span>,
  },
  { key: 'message', head: texts.what, cell: ({ message }) => <span class="wraps">{message}</span> },
  {
    key: 'detail',
    head: texts.more,
    cell: ({ detail }) => detail !== '{}' && <code class="cut">{detail}</code>,
    low: true,
  },
];

function Errors() {
  const errors = useOperator('GET /api/admin/errors', {}, { every: PAST_EVERY_MS });
  return (
    <Section title={texts.warningsAndErrors}>
      <Shown of={errors}>
        {({ lines, total }) =>
          lines.length === 0 ? (
            <Empty>
              <p>{texts.nothingWasComplainedOfSince}</p>
            </Empty>
          ) : (
            <>
              <p class="soft">
                {texts.theLatest}
                {count(lines.length)}
                {texts.ofWord}
                {count(total)}
                {texts.sinceTheStart}
              </p>
              <List label={texts.warningsAndErrors} columns={LINES} rows={lines} keyOf={(row) => lines.indexOf(row)} />
            </>
          )
        }
      </Shown>
    </Section>
  );
}
