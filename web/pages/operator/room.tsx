import { useState } from 'preact/hooks';
import { forgetKey, keyRefused, operatorKey, keepKey, mayEnter } from '../../lib/operator.js';
import { useQuery } from '../../lib/use-query.js';
import { Field, Form, useSending } from '../../ui/form.js';
import { Page } from '../../ui/page.js';
import { Agents } from './agents.js';
import { Audit } from './audit.js';
import { Collusion } from './collusion.js';
import { Competitions } from './competitions.js';
import { Invites } from './invites.js';
import { Overview } from './overview.js';
import { Season } from './season.js';
import { Credits } from './credits.js';
import { Tables } from './tables.js';
import { Tabs } from '../../ui/tabs.js';
import { roomTexts as texts } from '../../texts/operator.js';

const TABS = [
  ['', texts.overview, Overview],
  ['agents', texts.agents, Agents],
  ['tables', texts.tables, Tables],
  ['season', texts.season, Season],
  ['competitions', texts.competitions, Competitions],
  ['collusion', texts.collusion, Collusion],
  ['credits', texts.credits, Credits],
  ['invites', texts.invites, Invites],
  ['audit', texts.audit, Audit],
] as const;

/** What only the holder of ADMIN_KEY sees and does, and whoever is signed in as the platform's own agent. */
export default function Room() {
  const [query, change] = useQuery();
  if (operatorKey.value === null && !mayEnter()) return <AskForKey />;
  const tab = query['tab'] ?? '';
  const [, , Part] = TABS.find(([key]) => key === tab) ?? TABS[0];
  return (
    <Page
      title={texts.operator}
      lead={texts.everythingThatIsDoneHere}
      actions={
        operatorKey.value !== null && (
          <button type="button" class="quiet" onClick={forgetKey}>
            {texts.forgetTheKey}
          </button>
        )
      }
    >
      <Tabs
        label={texts.partsOfTheOperatorsRoom}
        tabs={TABS}
        shown={tab}
        show={(key) => change({ tab: key, from: '', search: '', pool: '' })}
      />
      <Part />
    </Page>
  );
}

function AskForKey() {
  const [key, setKey] = useState('');
  const sending = useSending();
  return (
    <Page title={texts.operator} lead={texts.forWhoRunsThisServer}>
      <Form sending={sending} verb={texts.openTheRoom} onSend={() => keepKey(key.trim())}>
        <Field
          label={texts.operatorsKey}
          type="password"
          required
          autocomplete="off"
          spellcheck={false}
          value={key}
          onValue={setKey}
          error={keyRefused.value ? texts.keyRefused : undefined}
          hint={texts.adminKeyOfTheServers}
        />
      </Form>
    </Page>
  );
}
