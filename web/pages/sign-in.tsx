import { useState } from 'preact/hooks';
import { call } from '../lib/api.js';
import { pathTo } from '../lib/paths.js';
import { session, signOut } from '../lib/session.js';
import { keepWay } from '../lib/way-back.js';
import { Field, Form, useSending } from '../ui/form.js';
import { Page } from '../ui/page.js';
import { BackLink } from '../ui/sign-in-link.js';
import { Skeleton } from '../ui/states.js';

/** Asks for a link by e-mail. */
export default function SignIn() {
  const who = session.value;
  if (who === null) {
    return (
      <Page title="Sign in">
        <Skeleton />
      </Page>
    );
  }
  if (who.signed_in) {
    return (
      <Page title="You are signed in" lead={`As ${who.email}.`}>
        <div class="row">
          <BackLink />
          <a class="button main" href={pathTo('bot')}>
            {who.agent_name === null ? 'Register your bot' : `To ${who.agent_name}`}
          </a>
          <button type="button" class="quiet" onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
      </Page>
    );
  }
  return (
    <Page title="Sign in" lead="A link comes by e-mail. It works once, and there is no password.">
      <AskForLink />
    </Page>
  );
}

export function AskForLink() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState('');
  const sending = useSending(['email']);
  const send = async () => {
    if (await sending.send(() => call('POST /api/auth/request-link', { body: { email } }))) {
      keepWay();
      setSent(email);
    }
  };
  if (sent !== '') {
    return (
      <div class="notice" role="status">
        <p>
          If <strong>{sent}</strong> can be reached, a link is on its way. Open it in this browser.
        </p>
        <p class="soft">A server without a mail server writes the link to its log.</p>
        <button type="button" class="quiet" onClick={() => setSent('')}>
          Another address
        </button>
      </div>
    );
  }
  return (
    <Form sending={sending} verb="Send me a link" onSend={() => void send()}>
      <Field
        label="E-mail address"
        type="email"
        autocomplete="email"
        required
        value={email}
        onValue={setEmail}
        error={sending.fields['email']}
        hint="It is used for this link, for what you are invited to, and for nothing else."
      />
    </Form>
  );
}
