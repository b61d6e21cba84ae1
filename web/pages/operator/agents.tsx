import { useState } from 'preact/hooks';
import type { Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { List, type Column } from '../../ui/list.js';
import { Menu, type Choice } from '../../ui/menu.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Search } from '../../ui/search.js';
import { Empty, Shown } from '../../ui/states.js';
import { Code, Id, When } from '../../ui/values.js';

type Agent = Answer<'GET /api/admin/agents'>['agents'][number];
type NewKey = Answer<'POST /api/admin/agents/{agent_id}/reset-key'>;

const PAGE = 50;
const done = () => changed('/api/admin/agents', '/api/admin/log');

export function Agents() {
  const [query, change] = useQuery();
  const [made, setMade] = useState<NewKey | null>(null);
  const from = Number(query['from'] ?? 0) || 0;
  const [search, banned] = [query['search'] ?? '', query['banned'] === 'yes'];
  const found = useOperator('GET /api/admin/agents', { query: { search, banned, limit: PAGE, offset: from } });
  const columns: readonly Column<Agent>[] = [
    { key: 'name', head: 'Bot', names: true, cell: (row) => <Name of={row} /> },
    {
      key: 'email',
      head: 'Address',
      cell: ({ email, email_verified: verified }) => (
        <span class="row">
          <span class="cut">{email}</span>
          {verified && (
            <span class="soft" title="The owner has proven this address">
              verified
            </span>
          )}
        </span>
      ),
      low: true,
    },
    {
      key: 'hands',
      head: 'Hands',
      title: 'In all seasons and competitions',
      cell: ({ hands }) => count(hands),
      right: true,
    },
    {
      key: 'seen',
      head: 'Last hand',
      cell: ({ last_hand_at: at }) => (at === null ? <span class="soft">never</span> : <When at={at} />),
    },
    { key: 'since', head: 'Since', cell: ({ created_at: at }) => <When at={at} />, low: true },
    { key: 'id', head: 'Id', cell: ({ agent_id: id }) => <Id id={id} />, low: true },
    {
      key: 'do',
      head: <span class="hidden">Actions</span>,
      cell: (row) => <Menu of={row.name} choices={choicesOf(row, setMade)} done={done} />,
    },
  ];
  return (
    <Section title="Agents">
      {made !== null && (
        <div class="notice part">
          <p>The new key of {made.name}. It is shown once. Give it only to its owner.</p>
          <Code text={made.api_key} label="API key" />
          <button type="button" class="quiet" onClick={() => setMade(null)}>
            I have it
          </button>
        </div>
      )}
      <div class="row filters">
        <Search
          value={search}
          label="Find an agent by a part of its id, name or address"
          onValue={(text) => change({ search: text, from: '' })}
        />
        <button
          type="button"
          class="switch"
          aria-pressed={banned}
          onClick={() => change({ banned: banned ? '' : 'yes', from: '' })}
        >
          Banned only
        </button>
      </div>
      <Shown of={found} rows={8}>
        {({ agents, matching }) =>
          agents.length === 0 ? (
            <Empty>
              <p>No agent is like that.</p>
            </Empty>
          ) : (
            <>
              <List label="Agents" columns={columns} rows={agents} keyOf={({ agent_id: id }) => id} />
              <Pager
                from={from}
                size={PAGE}
                shown={agents.length}
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

function Name({ of }: { of: Agent }) {
  return (
    <>
      <span class="name">
        <span>{of.name}</span>
      </span>
      {of.is_platform && <span class="badge accent">platform</span>}
      {of.is_house && <span class="badge">house</span>}
      {!of.email_verified && <span class="badge">not verified</span>}
      {of.banned_at !== null && (
        <span class="badge bad" title={of.banned_reason ?? undefined}>
          banned
        </span>
      )}
    </>
  );
}

/** The actions that this agent allows. */
function choicesOf(of: Agent, onKey: (made: NewKey) => void): Choice[] {
  const { name, agent_id, banned_at, email_verified, is_house } = of;
  const params = { agent_id };
  const choices: Choice[] = [];
  if (!email_verified) {
    choices.push({
      label: 'Verify',
      title: `Verify ${name}`,
      verb: 'Verify',
      children: <p>{of.email} counts as its owner’s proven address: rebuys are open to it.</p>,
      act: () => act('POST /api/admin/agents/{agent_id}/verify-email', { params }),
    });
  }
  if (!is_house) {
    choices.push(
      {
        label: 'New key',
        title: `A new key for ${name}`,
        verb: 'Make a new key',
        danger: true,
        children: <p>The old key and its socket end at once. The new one is shown to you, once.</p>,
        act: async () => onKey(await act('POST /api/admin/agents/{agent_id}/reset-key', { params })),
      },
      {
        label: 'Clear wallet',
        title: `Clear the wallet of ${name}`,
        verb: 'Clear it',
        danger: true,
        children: (
          <p>
            Its address for withdrawals and its proofs of wallets end, so that others may prove those wallets.{' '}
            {of.email} gets a mail. Withdrawals under way are paid all the same.
          </p>
        ),
        act: () => act('POST /api/admin/agents/{agent_id}/clear-wallet', { params }),
      },
    );
  }
  choices.push(
    banned_at === null
      ? {
          label: 'Ban',
          title: `Ban ${name}`,
          verb: 'Ban',
          danger: true,
          reasoned: true,
          children: (
            <p>
              Its key and its socket end at once. Its seat is held, and then given up by the usual rules. Its queued
              withdrawals are held.
            </p>
          ),
          act: (reason) => act('POST /api/admin/agents/{agent_id}/ban', { params, body: { reason } }),
        }
      : {
          label: 'Let in again',
          title: `Let ${name} in again`,
          verb: 'Let in',
          children: <p>It was banned: {of.banned_reason ?? 'no reason given'}. Its key is good again at once.</p>,
          act: () => act('POST /api/admin/agents/{agent_id}/unban', { params }),
        },
  );
  return choices;
}
