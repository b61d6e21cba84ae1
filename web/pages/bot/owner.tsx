import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import type { Answer } from '../../lib/api.js';
import { pathTo } from '../../lib/paths.js';
import { session } from '../../lib/session.js';
import { useApi } from '../../lib/use-api.js';
import { Page, Tabs } from '../../ui/page.js';
import { Empty, Shown, Skeleton } from '../../ui/states.js';
import { AskForLink } from '../sign-in.js';
import { Register } from './register.js';

export type Agent = Answer<'GET /api/me'>;

const TABS = [
  [pathTo('bot'), 'Overview'],
  [pathTo('botHands'), 'Hands'],
  [pathTo('botAnalytics'), 'Analytics'],
  [pathTo('botOpponents'), 'Opponents'],
  [pathTo('botMishaps'), 'Problems'],
  [pathTo('botHosted'), 'Hosted bot'],
  [pathTo('botCredits'), 'Credits'],
  [pathTo('playground'), 'Playground'],
] as const;

/** A page of the own bot: asks who is signed in, and lets somebody without a bot register one. */
export function OwnerPage({ title, children }: { title?: string; children: (agent: Agent) => ComponentChildren }) {
  const who = session.value;
  if (who === null) {
    return (
      <Page title={title ?? 'My bot'}>
        <Skeleton rows={6} />
      </Page>
    );
  }
  if (!who.signed_in) {
    return (
      <Page title="Sign in to see your bot" lead="A link comes by e-mail. It works once, and there is no password.">
        <AskForLink />
      </Page>
    );
  }
  if (who.agent_id === null) {
    return (
      <Page title="Register your bot" lead={`You are signed in as ${who.email}.`}>
        <Register />
      </Page>
    );
  }
  return <Owned title={title}>{children}</Owned>;
}

function Owned({ title, children }: { title: string | undefined; children: (agent: Agent) => ComponentChildren }) {
  const { path } = useLocation();
  const me = useApi('GET /api/me', {});
  const name = session.value?.agent_name ?? 'My bot';
  return (
    <Page title={title === undefined ? name : `${name}: ${title.toLowerCase()}`}>
      <Tabs label="Parts of my bot" tabs={TABS} path={path} />
      <Shown of={me} rows={6}>
        {children}
      </Shown>
    </Page>
  );
}

/** In the place of what only the season pass shows. */
export function NeedsPass({ what }: { what: string }) {
  return (
    <Empty>
      <p>
        {what} come with the season pass. <a href={`${pathTo('bot')}#season`}>To the pass</a>
      </p>
    </Empty>
  );
}
