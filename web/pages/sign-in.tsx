import { useState } from 'preact/hooks';
import { call } from '../lib/api.js';
import { pathTo } from '../lib/paths.js';
import { session, signOut } from '../lib/session.js';
import { Field, Form, useSending } from '../ui/form.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/states.js';
import { signInTexts as texts } from '../texts/public.js';

/** Asks for a link by e-mail. */
export default function SignIn() {
  const who = session.value;
  if (who === null) {
    return (
      <Page title={texts.signIn}>
        <Skeleton />
      </Page>
    );
  }
  if (who.signed_in) {
    return (
      <Page title={texts.youAreSignedIn} lead={texts.asWord(who.email)}>
        <div class="row">
          <a class="button main" href={pathTo('bot')}>
            {who.agent_name === null ? texts.registerYourBot : texts.to(who.agent_name)}
          </a>
          <button type="button" class="quiet" onClick={() => void signOut()}>
            {texts.signOut}
          </button>
        </div>
      </Page>
    );
  }
  return (
    <Page title={texts.signIn} lead={texts.aLinkComesByE}>
      <AskForLink />
    </Page>
  );
}

export function AskForLink() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState('');
  const sending = useSending(['email']);
  const send = async () => {
    if (await sending.send(() => call('POST /api/auth/request-link', { body: { email } }))) setSent(email);
  };
  if (sent !== '') {
    return (
      <div class="notice" role="status">
        <p>
          {texts.ifWord}
          <strong>{sent}</strong>
          {texts.canBeReachedALink}
        </p>
        <p class="soft">{texts.aServerWithoutAMail}</p>
        <button type="button" class="quiet" onClick={() => setSent('')}>
          {texts.anotherAddress}
        </button>
      </div>
    );
  }
  return (
    <Form sending={sending} verb={texts.sendMeALink} onSend={() => void send()}>
      <Field
        label={texts.eMailAddress}
        type="email"
        autocomplete="email"
        required
        value={email}
        onValue={setEmail}
        error={sending.fields['email']}
        hint={texts.itIsUsedForThis}
      />
    </Form>
  );
}
