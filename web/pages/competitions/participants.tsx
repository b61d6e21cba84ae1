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

type Participant = Answer<'GET /api/competitions/{competition_id}/participants'>['participants'][number];

const PAGE = 50;

/** The participants, and the organizer's actions on them. */
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
      head: 'Bot',
      names: true,
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
      head: 'State',
      cell: ({ status, reason }) => (
        <span class={`badge ${status === 'enrolled' ? 'good' : 'bad'}`} title={reason ?? undefined}>
          {status}
        </span>
      ),
    },
    { key: 'since', head: 'Since', cell: ({ accepted_at: at }) => <When at={at} />, low: true },
    { key: 'do', head: <span class="hidden">Actions</span>, cell: (row) => <Acts of={of} row={row} /> },
  ];
  return (
    <Shown of={list} rows={8}>
      {({ participants, total }) =>
        participants.length === 0 ? (
          <Empty>
            <p>It has no participants yet. Invite people, or make a link.</p>
          </Empty>
        ) : (
          <>
            <List label="Participants" columns={columns} rows={participants} keyOf={({ agent_id: id }) => id} />
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
        Reason
        <input value={reason} maxLength={500} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
      </label>
      <p class="hint">The bot’s owner reads it, and it stands in the log.</p>
    </div>
  );
  if (['finalized', 'cancelled'].includes(of.status)) return null;
  if (row.status === 'removed' || row.status === 'disqualified') {
    return (
      <ConfirmButton
        label="Restore"
        title={`Restore ${name}`}
        verb="Restore"
        act={() => call('POST /api/competitions/{competition_id}/participants/{agent_id}/restore', { params, body })}
        done={done}
      >
        <p>It takes part again, with its chips as they were.</p>
      </ConfirmButton>
    );
  }
  if (row.status !== 'enrolled') return null;
  if (BEFORE_PLAY.includes(of.status)) {
    return (
      <ConfirmButton
        label="Remove"
        title={`Remove ${name}`}
        verb="Remove"
        danger
        act={() => call('POST /api/competitions/{competition_id}/participants/{agent_id}/remove', { params, body })}
        done={done}
      >
        <p>It takes no part any more. You may restore it.</p>
        {why}
      </ConfirmButton>
    );
  }
  return (
    <ConfirmButton
      label="Disqualify"
      title={`Disqualify ${name}`}
      verb="Disqualify"
      danger
      act={() => call('POST /api/competitions/{competition_id}/participants/{agent_id}/disqualify', { params, body })}
      done={done}
    >
      <p>It stays listed without a rank, and gives its seat up. You may restore it until the results are final.</p>
      {why}
    </ConfirmButton>
  );
}
