import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import type { Answer } from '../../lib/api.js';
import { pathTo } from '../../lib/paths.js';
import { session } from '../../lib/session.js';
import { useApi } from '../../lib/use-api.js';
import { playgroundTexts } from '../../texts/playground.js';
import { opponentTexts } from '../../texts/opponents.js';
import { mishapTexts } from '../../texts/mishaps.js';
import { Page, Tabs } from '../../ui/page.js';
import { Empty, Shown, Skeleton } from '../../ui/states.js';
import { AskForLink } from '../sign-in.js';
import { Register } from './register.js';
import { ownerTexts as words } from '../../texts/bot.js';

export type Agent = Answer<'GET /api/me'>;

const TABS = [
  [pathTo('bot'), words.overview],
  [pathTo('botHands'), words.hands],
  [pathTo('botAnalytics'), words.analytics],
  [pathTo('botOpponents'), opponentTexts.title],
  [pathTo('botMishaps'), mishapTexts.title],
  [pathTo('botHosted'), words.hostedBot],
  [pathTo('botCredits'), words.credits],
  [pathTo('playground'), playgroundTexts.title],
] as const;

/** A page of the own bot: asks who is signed in, and lets somebody without a bot register one. */
export function OwnerPage({ title, children }: { title?: string; children: (agent: Agent) => ComponentChildren }) {
  const who = session.value;
  if (who === null) {
    return (
      <Page title={title ?? words.myBot}>
        <Skeleton rows={6} />
      </Page>
    );
  }
  if (!who.signed_in) {
    return (
      <Page title={words.signInToSeeYour} lead={words.aLinkComesByE}>
        <AskForLink />
      </Page>
    );
  }
  if (who.agent_id === null) {
    return (
      <Page title={words.registerYourBot} lead={words.youAreSignedInAs(who.email)}>
        <Register />
      </Page>
    );
  }
  return <Owned title={title}>{children}</Owned>;
}

function Owned({ title, children }: { title: string | undefined; children: (agent: Agent) => ComponentChildren }) {
  const { path } = useLocation();
  const me = useApi('GET /api/me', {});
  const name = session.value?.agent_name ?? words.myBot;
  return (
    <Page title={title === undefined ? name : `${name}: ${title.toLowerCase()}`}>
      <Tabs label={words.partsOfMyBot} tabs={TABS} path={path} />
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
        {what}
        {words.comeWithTheSeasonPass}
        <a href={`${pathTo('bot')}#season`}>{words.toThePass}</a>
      </p>
    </Empty>
  );
}
