import type { ComponentChildren } from 'preact';
import { call, type Answer } from '../../lib/api.js';
import { changed, useApi } from '../../lib/use-api.js';
import { BotName } from '../../ui/bot-name.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Shown, Skeleton } from '../../ui/states.js';
import { When } from '../../ui/values.js';
import type { Competition } from './status.js';

type Request = Answer<'GET /api/competitions/{competition_id}/join-requests'>['requests'][number];

const done = () => changed('/api/competitions', '/api/public/competitions');

const COLUMNS: readonly Column<Request>[] = [
  {
    key: 'name',
    head: 'Bot',
    names: true,
    cell: ({ name, display_name: shown, public_profile_slug: slug }) => (
      <>
        <BotName name={name} slug={slug} />
        {shown !== null && (
          <span class="name soft">
            <span>as {shown}</span>
          </span>
        )}
      </>
    ),
  },
  { key: 'asked', head: 'Asked', cell: ({ asked_at: at }) => <When at={at} />, low: true },
  { key: 'do', head: <span class="hidden">Actions</span>, cell: (row) => <Acts row={row} /> },
];

/**
 * Bots that ask to join, the oldest first, above `children`, which wait for them. Nothing of its own where the
 * competition takes no requests and has none.
 */
export function Requests({ of, children }: { of: Competition; children: ComponentChildren }) {
  const params = { competition_id: of.competition_id };
  const list = useApi(
    'GET /api/competitions/{competition_id}/join-requests',
    of.status === 'enrolling' ? { params, query: { status: 'open', limit: 100 } } : null,
    { every: 15_000 },
  );
  if (of.status === 'enrolling' && list.data === null && list.error === null) return <Skeleton rows={8} />;
  const isShown = of.status === 'enrolling' && (of.join_requests || (list.data?.total ?? 0) > 0);
  return (
    <>
      {isShown && (
        <Section title="Requests to join">
          <Shown of={list} rows={2}>
            {({ requests }) =>
              requests.length === 0 ? (
                <p class="soft">No bot asks to join.</p>
              ) : (
                <List label="Requests to join" columns={COLUMNS} rows={requests} keyOf={({ agent_id: id }) => id} />
              )
            }
          </Shown>
        </Section>
      )}
      {children}
    </>
  );
}

function Acts({ row }: { row: Request }) {
  const params = { competition_id: row.competition_id, agent_id: row.agent_id };
  return (
    <span class="row">
      <ConfirmButton
        label="Accept"
        title={`Accept ${row.name}`}
        verb="Accept"
        act={() => call('POST /api/competitions/{competition_id}/join-requests/{agent_id}/accept', { params })}
        done={done}
      >
        <p>
          It takes part at once{row.display_name !== null && ` as ${row.display_name}`}, with the starting chips. You
          may remove it later.
        </p>
      </ConfirmButton>
      <ConfirmButton
        label="Decline"
        title={`Decline ${row.name}`}
        verb="Decline"
        danger
        act={() => call('POST /api/competitions/{competition_id}/join-requests/{agent_id}/decline', { params })}
        done={done}
      >
        <p>It cannot ask again. You may still invite it.</p>
      </ConfirmButton>
    </span>
  );
}
