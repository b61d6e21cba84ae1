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

const TABS = [
  ['', 'Overview', Overview],
  ['agents', 'Agents', Agents],
  ['tables', 'Tables', Tables],
  ['season', 'Season', Season],
  ['competitions', 'Competitions', Competitions],
  ['collusion', 'Collusion', Collusion],
  ['credits', 'Credits', Credits],
  ['invites', 'Invites', Invites],
  ['audit', 'Audit', Audit],
] as const;

/** The operator's page, for the holder of ADMIN_KEY and for the user signed in as the platform's own agent. */
export default function Room() {
  const [query, change] = useQuery();
  if (operatorKey.value === null && !mayEnter()) return <AskForKey />;
  const tab = query['tab'] ?? '';
  const [, , Part] = TABS.find(([key]) => key === tab) ?? TABS[0];
  return (
    <Page
      title="Operator"
      lead="Everything that is done here is written down in the audit log."
      actions={
        operatorKey.value !== null && (
          <button type="button" class="quiet" onClick={forgetKey}>
            Forget the key
          </button>
        )
      }
    >
      <Tabs
        label="Parts of the operator's room"
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
    <Page title="Operator" lead="For the operator of this server.">
      <Form sending={sending} verb="Open the room" onSend={() => keepKey(key.trim())}>
        <Field
          label="Operator's key"
          type="password"
          required
          autocomplete="off"
          spellcheck={false}
          value={key}
          onValue={setKey}
          error={keyRefused.value ? 'The server does not take this key.' : undefined}
          hint="ADMIN_KEY of the server's settings. This tab keeps it until it is closed."
        />
      </Form>
    </Page>
  );
}
