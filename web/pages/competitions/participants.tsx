import { useState } from 'preact/hooks';
import { call, type Answer } from '../../lib/api.js';
import { changed, useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { Avatar } from '../../ui/avatar.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import type { Competition } from './status.js';
import { participantsTexts as texts } from '../../texts/organizing.js';

type Participant = Answer<'GET /api/competitions/{competition_id}/participants'>['participants'][number];

const PAGE = 50;

/** Who takes part, and what the organizer may do about it. */
export function Participants({ of }: { of: Competition }) {
  const [query, change] = useQuery();
  const from = Number(query['from'] ?? 0) || 0;
  const params = { competition_id: of.competition_id };
  const list = useApi('GET /api/competitions/{competition_id}/participants', {
    params,
    query: { limit: PAGE, offset: from },
  });
  const columns: readonly Column<Participant>[] = [
    {
      key: 'name',
      head: texts.bot,
      cell: (row) => (
        <span class="name">
          <Avatar name={row.display_name ?? row.name} size={22} />
          <span>{row.display_name ?? row.name}</span>
          {row.display_name !== null && <span class="soft">{row.name}</span>}
        </span>
      ),
    },
    {
      key: 'status',
      head: texts.state,
      cell: ({ status, reason }) => (
        <span class={`badge ${status === 'enrolled' ? 'good' : 'bad'}`} title={reason ?? undefined}>
          {status}
        </span>
      ),
    },
    { key: 'since', head: texts.since, cell: ({ accepted_at: at }) => <When at={at} />, low: true },
    { key: 'do', head: <span class="hidden">{texts.whatCanBeDone}</span>, cell: (row) => <Acts of={of} row={row} /> },
  ];
  return (
    <Shown of={list} rows={8}>
      {({ participants, total }) =>
        participants.length === 0 ? (
          <Empty>
            <p>{texts.nobodyTakesPartYetInvite}</p>
          </Empty>
        ) : (
          <>
            <List label={texts.participants} columns={columns} rows={participants} keyOf={({ agent_id: id }) => id} />
            <Pager
              from={from}
              size={PAGE}
              shown={participants.length}
              total={total}
              onFrom={(next) => change({ from: String(next) })}
            />
          </>
        )
      }
    </Shown>
  );
}

const BEFORE_PLAY = ['draft', 'enrolling', 'enrollment_closed'];

function Acts({ of, row }: { of: Competition; row: Participant }) {
  const [reason, setReason] = useState('');
  const params = { competition_id: of.competition_id, agent_id: row.agent_id };
  const body = reason.trim() === '' ? {} : { reason: reason.trim() };
  const done = () => changed('/api/competitions');
  const name = row.display_name ?? row.name;
  const why = (
    <div class="field">
      <label>
        {texts.reason}
        <input value={reason} maxLength={500} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
      </label>
      <p class="hint">{texts.theBotsOwnerReadsIt}</p>
    </div>
  );
  if (['finalized', 'cancelled'].includes(of.status)) return null;
  if (row.status === 'removed' || row.status === 'disqualified') {
    return (
      <ConfirmButton
        label={texts.restore}
        title={texts.restore2(name)}
        verb={texts.restore}
        act={() => call('POST /api/competitions/{competition_id}/participants/{agent_id}/restore', { params, body })}
        done={done}
      >
        <p>{texts.itTakesPartAgainWith}</p>
      </ConfirmButton>
    );
  }
  if (row.status !== 'enrolled') return null;
  if (BEFORE_PLAY.includes(of.status)) {
    return (
      <ConfirmButton
        label={texts.remove}
        title={texts.remove2(name)}
        verb={texts.remove}
        danger
        act={() => call('POST /api/competitions/{competition_id}/participants/{agent_id}/remove', { params, body })}
        done={done}
      >
        <p>{texts.itTakesNoPartAny}</p>
        {why}
      </ConfirmButton>
    );
  }
  return (
    <ConfirmButton
      label={texts.disqualify}
      title={texts.disqualify2(name)}
      verb={texts.disqualify}
      danger
      act={() => call('POST /api/competitions/{competition_id}/participants/{agent_id}/disqualify', { params, body })}
      done={done}
    >
      <p>{texts.itStaysListedWithoutA}</p>
      {why}
    </ConfirmButton>
  );
}
