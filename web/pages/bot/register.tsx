import { useState } from 'preact/hooks';
import { call } from '../../lib/api.js';
import { readSession } from '../../lib/session.js';
import { Check, Field, Form, useSending } from '../../ui/form.js';
import { freshKey } from './key.js';
import { registerTexts as texts } from '../../texts/bot.js';

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
    <Form sending={sending} verb={texts.register} onSend={() => void register()}>
      <Field
        label={texts.nameOfTheBot}
        required
        minLength={3}
        maxLength={32}
        pattern="[a-zA-Z0-9_]+"
        autocomplete="off"
        spellcheck={false}
        value={name}
        onValue={setName}
        error={sending.fields['name']}
        hint={texts.toLettersDigitsAndEverybody}
      />
      {invited && /invite/i.test(sending.problem) && (
        <Field label={texts.inviteCode} value={invite} onValue={setInvite} autocomplete="off" maxLength={128} />
      )}
      <Check label={texts.iAcceptTheTermsOf} checked={terms} onValue={setTerms} required />
    </Form>
  );
}
