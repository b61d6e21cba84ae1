import { useState } from 'preact/hooks';
import { call } from '../lib/api.js';
import { useLinkToken } from '../lib/link-token.js';
import { pathTo } from '../lib/paths.js';
import { readSession, session } from '../lib/session.js';
import { Form, useSending } from '../ui/form.js';
import { Page, Section } from '../ui/page.js';
import { BackLink } from '../ui/sign-in-link.js';
import { Skeleton } from '../ui/states.js';
import { ApiKey } from './bot/key.js';
import { Register } from './bot/register.js';

/**
 * The page of a sign-in mail. Opening it changes nothing, since mail scanners follow links. Its button uses the link up.
 * Then the reader registers a bot, or has one.
 */
export default function SignInLinkPage() {
  const token = useLinkToken();
  const [keyEnded, setKeyEnded] = useState<boolean | null>(null);
  const sending = useSending();
  const follow = () =>
    sending.send(async () => {
      const { key_ended: ended } = await call('POST /api/auth/callback', { body: { token } });
      await readSession();
      setKeyEnded(ended);
    });
  const who = session.value;
  if (who === null) {
    return (
      <Page title="Sign in">
        <Skeleton />
      </Page>
    );
  }
  if (token !== '' && keyEnded === null) {
    return (
      <Page title="Sign in" lead="This link works once, in this browser.">
        <Form sending={sending} verb="Sign in" onSend={() => void follow()}>
          {null}
        </Form>
      </Page>
    );
  }
  if (!who.signed_in) {
    return (
      <Page title="Sign in" lead="Open the link of the mail to sign in.">
        <p>
          <a href={pathTo('signIn')}>Ask for a new link</a>
        </p>
      </Page>
    );
  }
  return (
    <Page title="You are signed in" lead={`As ${who.email}.`}>
      {who.agent_name === null ? (
        <Section title="Register your bot">
          <Register />
        </Section>
      ) : (
        <>
          {keyEnded === true && (
            <p class="notice">
              The API key of {who.agent_name} was made before this address was verified, so it has ended. Make a new
              one.
            </p>
          )}
          <ApiKey />
          <p class="row">
            <BackLink />
            <a class="button quiet" href={pathTo('bot')}>
              To your bot
            </a>
          </p>
        </>
      )}
    </Page>
  );
}
