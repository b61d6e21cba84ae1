import { useState } from 'preact/hooks';
import type { Answer } from '../../lib/api.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Search } from '../../ui/search.js';
import { Empty, Shown } from '../../ui/states.js';
import { Code, Id, When } from '../../ui/values.js';
import { WithReason } from './reason.js';
import { agentsTexts as texts } from '../../texts/operator.js';

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
    { key: 'name', head: texts.bot, cell: (row) => <Name of={row} /> },
    { key: 'email', head: texts.address, cell: ({ email }) => email, low: true },
    { key: 'id', head: texts.id, cell: ({ agent_id: id }) => <Id id={id} />, low: true },
    { key: 'since', head: texts.since, cell: ({ created_at: at }) => <When at={at} />, low: true },
    {
      key: 'do',
      head: <span class="hidden">{texts.whatCanBeDone}</span>,
      cell: (row) => <Acts of={row} onKey={setMade} />,
    },
  ];
  return (
    <Section title={texts.agents}>
      {made !== null && (
        <div class="notice part">
          <p>
            {texts.theNewKeyOf}
            {made.name}
            {texts.itIsShownThisOnce}
          </p>
          <Code text={made.api_key} label={texts.apiKey} />
          <button type="button" class="quiet" onClick={() => setMade(null)}>
            {texts.iHaveIt}
          </button>
        </div>
      )}
      <div class="row filters">
        <Search value={search} label={texts.findAnAgentByA} onValue={(text) => change({ search: text, from: '' })} />
        <button
          type="button"
          class="switch"
          aria-pressed={banned}
          onClick={() => change({ banned: banned ? '' : 'yes', from: '' })}
        >
          {texts.bannedOnly}
        </button>
      </div>
      <Shown of={found} rows={8}>
        {({ agents, matching }) =>
          agents.length === 0 ? (
            <Empty>
              <p>{texts.noAgentIsLikeThat}</p>
            </Empty>
          ) : (
            <>
              <List label={texts.agents} columns={columns} rows={agents} keyOf={({ agent_id: id }) => id} />
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
      {of.name} {of.is_platform && <span class="badge accent">{texts.platform}</span>}
      {of.is_house && <span class="badge">{texts.house}</span>}
      {!of.email_verified && <span class="badge">{texts.notVerified}</span>}
      {of.banned_at !== null && (
        <span class="badge bad" title={of.banned_reason ?? undefined}>
          {texts.banned}
        </span>
      )}
    </>
  );
}

function Acts({ of, onKey }: { of: Agent; onKey: (made: NewKey) => void }) {
  const { name, agent_id, banned_at, email_verified, is_house } = of;
  const params = { agent_id };
  return (
    <span class="row">
      {banned_at === null ? (
        <WithReason
          label={texts.ban}
          title={texts.ban2(name)}
          danger
          act={(reason) => act('POST /api/admin/agents/{agent_id}/ban', { params, body: { reason } })}
          done={done}
        >
          <p>{texts.itsKeyAndItsSocket}</p>
        </WithReason>
      ) : (
        <ConfirmButton
          label={texts.letInAgain}
          title={texts.letInAgain2(name)}
          verb={texts.letIn}
          act={() => act('POST /api/admin/agents/{agent_id}/unban', { params })}
          done={done}
        >
          <p>
            {texts.itWasBanned}
            {of.banned_reason ?? texts.noReasonGiven}
            {texts.itsKeyIsGoodAgain}
          </p>
        </ConfirmButton>
      )}
      {!email_verified && (
        <ConfirmButton
          label={texts.verify}
          title={texts.verify2(name)}
          verb={texts.verify}
          act={() => act('POST /api/admin/agents/{agent_id}/verify-email', { params })}
          done={done}
        >
          <p>
            {of.email}
            {texts.countsAsItsOwnersProven}
          </p>
        </ConfirmButton>
      )}
      {!is_house && (
        <ConfirmButton
          label={texts.clearWallet}
          title={texts.clearTheWalletOf(name)}
          verb={texts.clearIt}
          danger
          act={() => act('POST /api/admin/agents/{agent_id}/clear-wallet', { params })}
          done={done}
        >
          <p>
            {texts.itsAddressForWithdrawalsAnd} {of.email}
            {texts.getsAMailWithdrawalsUnder}
          </p>
        </ConfirmButton>
      )}
      {!is_house && (
        <ConfirmButton
          label={texts.newKey}
          title={texts.aNewKeyFor(name)}
          verb={texts.makeANewKey}
          danger
          act={async () => onKey(await act('POST /api/admin/agents/{agent_id}/reset-key', { params }))}
          done={done}
        >
          <p>{texts.theOldKeyAndIts}</p>
        </ConfirmButton>
      )}
    </span>
  );
}
