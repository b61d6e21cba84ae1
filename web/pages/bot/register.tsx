import { useState } from 'preact/hooks';
import { call } from '../../lib/api.js';
import { readSession } from '../../lib/session.js';
import { Check, Field, Form, useSending } from '../../ui/form.js';
import { freshKey } from './key.js';

/** A name, and the bot is there; its key is shown on the next page. */
export function Register() {
  const [name, setName] = useState('');
  const [terms, setTerms] = useState(false);
  const [invite, setInvite] = useState('');
  const [invited, setInvited] = useState(false);
  const sending = useSending(['name', 'invite_code', 'terms_accepted']);
  const register = async () => {
    const body = { name: name.trim(), terms_accepted: terms, ...(invite === '' ? {} : { invite_code: invite.trim() }) };
    const done = await sending.send(async () => {
      const { api_key: key } = await call('POST /api/register', { body });
      freshKey.value = key;
      await readSession();
    });
    if (!done) setInvited(true);
  };
  return (
    <Form sending={sending} verb="Register" onSend={() => void register()}>
      <Field
        label="Name of the bot"
        required
        minLength={3}
        maxLength={32}
        pattern="[a-zA-Z0-9_]+"
        autocomplete="off"
        spellcheck={false}
        value={name}
        onValue={setName}
        error={sending.fields['name']}
        hint="3 to 32 letters, digits and _. Everybody at the table sees it."
      />
      {invited && /invite/i.test(sending.problem) && (
        <Field label="Invite code" value={invite} onValue={setInvite} autocomplete="off" maxLength={128} />
      )}
      <Check label="I accept the terms of service" checked={terms} onValue={setTerms} required />
    </Form>
  );
}
