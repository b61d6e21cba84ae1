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
import { competitionsTexts as texts } from '../../texts/operator.js';

type Row = Answer<'GET /api/admin/competitions'>['competitions'][number];

const PAGE = 50;
const BEFORE_PLAY = ['draft', 'enrolling', 'enrollment_closed'];

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'name',
    head: texts.competition,
    cell: ({ name, slug, state }) =>
      state === 'draft' ? (
        <span class="cut">{name}</span>
      ) : (
        <a class="cut" href={pathTo('competition', { slug })} title={name}>
          {name}
        </a>
      ),
  },
  { key: 'state', head: texts.state, cell: ({ state }) => <span class="badge">{state.replaceAll('_', ' ')}</span> },
  { key: 'organizer', head: texts.organizer, cell: ({ organizer }) => organizer, low: true },
  { key: 'bots', head: texts.bots, cell: ({ participants }) => count(participants), right: true },
  { key: 'ends', head: texts.ends, cell: ({ ends_at: at }) => <When at={at} />, low: true },
  {
    key: 'pairs',
    head: texts.collusion,
    cell: ({ competition_id: id, state }) =>
      BEFORE_PLAY.includes(state) ? null : <a href={`${pathTo('operator')}?tab=collusion&pool=${id}`}>{texts.pairs}</a>,
    low: true,
  },
  { key: 'do', head: <span class="hidden">{texts.whatCanBeDone}</span>, cell: (row) => <Acts of={row} /> },
];

export function Competitions() {
  const [query, change] = useQuery();
  const from = Number(query['from'] ?? 0) || 0;
  const all = query['all'] === 'yes';
  const found = useOperator('GET /api/admin/competitions', { query: { all, limit: PAGE, offset: from } });
  return (
    <Section title={texts.competitions}>
      <div class="row filters">
        <button
          type="button"
          class="switch"
          aria-pressed={all}
          onClick={() => change({ all: all ? '' : 'yes', from: '' })}
        >
          {texts.alsoThoseThatAreOver}
        </button>
      </div>
      <Shown of={found} rows={6}>
        {({ competitions, matching }) =>
          competitions.length === 0 ? (
            <Empty>
              <p>{texts.noCompetitionIsUnderWay}</p>
            </Empty>
          ) : (
            <>
              <List
                label={texts.competitions}
                columns={COLUMNS}
                rows={competitions}
                keyOf={(row) => row.competition_id}
              />
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
        label={texts.callOff}
        title={texts.callOff2(name)}
        verb={texts.callItOff}
        typed={name}
        danger
        act={() => act('POST /api/admin/competitions/{competition_id}/cancel', { params })}
        done={done}
      >
        <p>
          {texts.inWord}
          {organizer}
          {texts.sPlaceItIsNever}
          {counted(participants, 'bot')}
          {texts.takeNoPartThisCannot}
        </p>
      </ConfirmButton>
    );
  }
  if (state !== 'results_pending') return null;
  return (
    <ConfirmButton
      label={texts.makeFinal}
      title={texts.makeTheResultsOfFinal(name)}
      verb={texts.makeThemFinal}
      danger
      act={() => act('POST /api/admin/competitions/{competition_id}/finalize', { params })}
      done={done}
    >
      <p>
        {texts.inWord}
        {organizer}
        {texts.sPlaceTheRanksOf}
        {counted(participants, 'bot')}
        {texts.cannotChangeAnyMore}
      </p>
    </ConfirmButton>
  );
}
