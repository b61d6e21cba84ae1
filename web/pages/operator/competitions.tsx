import type { Answer } from '../../lib/api.js';
import { count, counted } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { pathTo } from '../../lib/paths.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';

type Row = Answer<'GET /api/admin/competitions'>['competitions'][number];

const PAGE = 50;
const BEFORE_PLAY = ['draft', 'enrolling', 'enrollment_closed'];

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'name',
    head: 'Competition',
    cell: ({ name, slug, state }) =>
      state === 'draft' ? (
        <span class="cut">{name}</span>
      ) : (
        <a class="cut" href={pathTo('competition', { slug })} title={name}>
          {name}
        </a>
      ),
  },
  { key: 'state', head: 'State', cell: ({ state }) => <span class="badge">{state.replaceAll('_', ' ')}</span> },
  { key: 'organizer', head: 'Organizer', cell: ({ organizer }) => organizer, low: true },
  { key: 'bots', head: 'Bots', cell: ({ participants }) => count(participants), right: true },
  { key: 'ends', head: 'Ends', cell: ({ ends_at: at }) => <When at={at} />, low: true },
  {
    key: 'pairs',
    head: 'Collusion',
    cell: ({ competition_id: id, state }) =>
      BEFORE_PLAY.includes(state) ? null : <a href={`${pathTo('operator')}?tab=collusion&pool=${id}`}>Pairs</a>,
    low: true,
  },
  { key: 'do', head: <span class="hidden">Actions</span>, cell: (row) => <Acts of={row} /> },
];

export function Competitions() {
  const [query, change] = useQuery();
  const from = Number(query['from'] ?? 0) || 0;
  const all = query['all'] === 'yes';
  const found = useOperator('GET /api/admin/competitions', { query: { all, limit: PAGE, offset: from } });
  return (
    <Section title="Competitions">
      <div class="row filters">
        <button
          type="button"
          class="switch"
          aria-pressed={all}
          onClick={() => change({ all: all ? '' : 'yes', from: '' })}
        >
          Also those that are over
        </button>
      </div>
      <Shown of={found} rows={6}>
        {({ competitions, matching }) =>
          competitions.length === 0 ? (
            <Empty>
              <p>No competition is under way.</p>
            </Empty>
          ) : (
            <>
              <List label="Competitions" columns={COLUMNS} rows={competitions} keyOf={(row) => row.competition_id} />
              <Pager
                from={from}
                size={PAGE}
                shown={competitions.length}
                total={matching}
                onFrom={(next) => change({ from: String(next) })}
              />
            </>
          )
        }
      </Shown>
    </Section>
  );
}

function Acts({ of: { competition_id, name, state, participants, organizer } }: { of: Row }) {
  const params = { competition_id };
  const done = () => changed('/api/admin/competitions', '/api/admin/log', '/api/competitions');
  if (BEFORE_PLAY.includes(state)) {
    return (
      <ConfirmButton
        label="Call off"
        title={`Call off ${name}`}
        verb="Call it off"
        typed={name}
        danger
        act={() => act('POST /api/admin/competitions/{competition_id}/cancel', { params })}
        done={done}
      >
        <p>
          In {organizer}’s place: it is never played, and {counted(participants, 'bot')} take no part. This cannot be
          undone.
        </p>
      </ConfirmButton>
    );
  }
  if (state !== 'results_pending') return null;
  return (
    <ConfirmButton
      label="Make final"
      title={`Make the results of ${name} final`}
      verb="Make them final"
      danger
      act={() => act('POST /api/admin/competitions/{competition_id}/finalize', { params })}
      done={done}
    >
      <p>
        In {organizer}’s place: the ranks of {counted(participants, 'bot')} cannot change any more.
      </p>
    </ConfirmButton>
  );
}
