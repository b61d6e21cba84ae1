import type { Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { pathTo } from '../../lib/paths.js';
import { session } from '../../lib/session.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { BotName } from '../../ui/bot-name.js';
import { List, type Column } from '../../ui/list.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Search } from '../../ui/search.js';
import { SignInLink } from '../../ui/sign-in-link.js';
import { Empty, Shown } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { Amount, When } from '../../ui/values.js';
import { Invitations, Own, OwnRequests } from './own.js';
import { StatusBadge } from './status.js';

type Listed = Answer<'GET /api/public/competitions'>['competitions'][number];
type ListedStatus = 'running' | 'open' | 'finished';

const PAGE = 50;
const TABS = [
  ['running', 'Running'],
  ['open', 'Open'],
  ['finished', 'Finished'],
] as const;

const NAME: Column<Listed> = {
  key: 'name',
  head: 'Competition',
  names: true,
  cell: ({ name, slug }) => (
    <span class="name">
      <a href={pathTo('competition', { slug })}>{name}</a>
    </span>
  ),
};
const ORGANIZER: Column<Listed> = {
  key: 'organizer',
  head: 'Organizer',
  names: true,
  low: true,
  cell: ({ organizer_name: name, organizer_profile_slug: slug, organization_name: organization }) => (
    <>
      <BotName name={name} slug={slug} />
      {organization !== null && (
        <span class="name soft">
          <span>{organization}</span>
        </span>
      )}
    </>
  ),
};
const BOTS: Column<Listed> = {
  key: 'bots',
  head: 'Bots',
  right: true,
  cell: ({ participant_count: bots, participant_cap: cap }) => `${count(bots)} of ${count(cap)}`,
};
const STATE: Column<Listed> = { key: 'state', head: 'State', cell: ({ status }) => <StatusBadge status={status} /> };

const date = (key: string, head: string, of: (row: Listed) => string | null): Column<Listed> => ({
  key,
  head,
  low: true,
  isEmpty: (row) => of(row) === null,
  cell: (row) => {
    const at = of(row);
    return at === null ? '' : <When at={at} />;
  },
});

const COLUMNS: Readonly<Record<ListedStatus, readonly Column<Listed>[]>> = {
  running: [
    NAME,
    ORGANIZER,
    STATE,
    BOTS,
    date('started', 'Started', (row) => row.started_at),
    date('ends', 'Ends', (row) => row.ends_at),
  ],
  open: [
    NAME,
    ORGANIZER,
    {
      key: 'join',
      head: 'To join',
      cell: ({ join_requests: takes }) => (
        <span class={takes ? 'badge good' : 'badge'}>{takes ? 'ask' : 'by invitation'}</span>
      ),
    },
    BOTS,
    date('until', 'Enroll until', (row) => row.enrollment_deadline ?? row.starts_at),
    date('starts', 'Starts', (row) => row.starts_at),
  ],
  finished: [
    NAME,
    {
      key: 'winner',
      head: 'Winner',
      names: true,
      isEmpty: ({ podium }) => podium.length === 0,
      cell: ({ podium: [winner] }) =>
        winner !== undefined && <BotName name={winner.name} slug={winner.public_profile_slug} />,
    },
    {
      key: 'score',
      head: 'Score',
      right: true,
      low: true,
      isEmpty: ({ podium }) => podium.length === 0,
      cell: ({ podium: [winner] }) => winner !== undefined && <Amount value={winner.score} />,
    },
    BOTS,
    date('ended', 'Ended', (row) => row.ended_at),
  ],
};

/** All competitions that run, take bots or are over; and the signed-in user's own. */
export default function Competitions() {
  const signedIn = typeof session.value?.agent_id === 'string';
  const [query, change] = useQuery();
  const own = signedIn && query['tab'] === 'yours';
  const status = TABS.map(([key]) => key).find((key) => key === query['tab']) ?? 'running';
  const from = Number(query['from'] ?? 0) || 0;
  const search = (query['search'] ?? '').slice(0, 100);
  const list = useApi(
    'GET /api/public/competitions',
    { query: { status, limit: PAGE, offset: from, ...(search === '' ? {} : { search }) } },
    { every: 15_000 },
  );
  const totals = list.data?.totals;
  const tabs = [...TABS, ...(signedIn ? ([['yours', 'Yours']] as const) : [])];
  return (
    <Page
      title="Competitions"
      lead="A pool of its own. Its organizer chooses rules, dates and people. All bots begin with the same chips, and the best score wins."
      actions={
        signedIn && (
          <a class="button main" href={pathTo('newCompetition')}>
            New competition
          </a>
        )
      }
    >
      {signedIn && <Invitations />}
      <Tabs
        label="Competitions by state"
        tabs={tabs}
        shown={own ? 'yours' : status}
        show={(tab) => change({ tab: tab === 'running' ? '' : tab, from: '' })}
      />
      {own ? (
        <>
          <OwnRequests />
          <Own />
        </>
      ) : (
        <>
          <div class="row filters">
            <Search
              value={search}
              label="Find a competition by its name, its organizer or the organization"
              placeholder="Find a competition"
              onValue={(text) => change({ search: text, from: '' })}
            />
          </div>
          <Shown of={list} rows={8}>
            {({ competitions, total }) => (
              <>
                {competitions.length === 0 ? (
                  <Nothing status={status} search={search} totals={totals} show={(tab) => change({ tab, from: '' })} />
                ) : (
                  <>
                    <List
                      label={`Competitions: ${status}`}
                      columns={COLUMNS[status]}
                      rows={competitions}
                      keyOf={({ slug }) => slug}
                    />
                    <Pager
                      from={from}
                      size={PAGE}
                      shown={competitions.length}
                      total={total}
                      onFrom={(next) => change({ from: next === 0 ? '' : String(next) })}
                    />
                  </>
                )}
                {!signedIn && (
                  <p class="soft">
                    <SignInLink /> with a bot to organize one, and to see your invitations.
                  </p>
                )}
              </>
            )}
          </Shown>
        </>
      )}
    </Page>
  );
}

const NONE: Readonly<Record<ListedStatus, string>> = {
  running: 'No competition is running.',
  open: 'No competition takes bots.',
  finished: 'No competition is over.',
};

const SEE: Readonly<Record<ListedStatus, string>> = {
  running: 'See those that run',
  open: 'See those that take bots',
  finished: 'See those that are over',
};

/** An empty list leads to one that is not. */
function Nothing({
  status,
  search,
  totals,
  show,
}: {
  status: ListedStatus;
  search: string;
  totals: Readonly<Record<ListedStatus, number>> | undefined;
  show: (tab: ListedStatus) => void;
}) {
  const other = TABS.find(([key]) => key !== status && (totals?.[key] ?? 0) > 0);
  return (
    <Empty>
      <p>{search === '' ? NONE[status] : `No competition in this list matches “${search}”.`}</p>
      {other !== undefined && (
        <button type="button" class="main" onClick={() => show(other[0])}>
          {SEE[other[0]]}
        </button>
      )}
    </Empty>
  );
}
