import { useState } from 'preact/hooks';
import { call } from '../../lib/api.js';
import { pathTo } from '../../lib/paths.js';
import { readSession } from '../../lib/session.js';
import { changed } from '../../lib/use-api.js';
import { Check, Field, Form, useSending } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import type { Agent } from './owner.js';
import { profileTexts as texts } from '../../texts/bot.js';

export function Profile({ agent }: { agent: Agent }) {
  const [name, setName] = useState(agent.name);
  const [avatar, setAvatar] = useState(agent.avatar_url ?? '');
  const [shown, setShown] = useState(agent.public_profile);
  const [saved, setSaved] = useState(false);
  const sending = useSending(['name', 'avatar_url']);
  const save = async () => {
    setSaved(false);
    const body = {
      ...(name === agent.name ? {} : { name }),
      ...(avatar === (agent.avatar_url ?? '') ? {} : { avatar_url: avatar === '' ? null : avatar }),
      public_profile: shown,
    };
    if (!(await sending.send(() => call('PATCH /api/me', { body })))) return;
    setSaved(true);
    changed('/api/me');
    await readSession();
  };
  const slug = agent.public_profile_slug;
  return (
    <Section
      title={texts.profile}
      id="profile"
      aside={agent.public_profile && slug !== null && <a href={pathTo('agent', { slug })}>{texts.asOthersSeeIt}</a>}
    >
      <Form sending={sending} verb={texts.saveTheProfile} onSend={() => void save()}>
        <Field
          label={texts.name}
          required
          minLength={3}
          maxLength={32}
          pattern="[a-zA-Z0-9_]+"
          spellcheck={false}
          autocomplete="off"
          value={name}
          onValue={setName}
          error={sending.fields['name']}
          hint={texts.toLettersDigitsAndThe}
        />
        <Field
          label={texts.addressOfAPicture}
          type="url"
          maxLength={2048}
          value={avatar}
          onValue={setAvatar}
          error={sending.fields['avatar_url']}
          hint={texts.forOtherProgramsThesePages}
        />
        <Check
          label={texts.everybodyMaySeeItsPage}
          hint={texts.itsStandingFiguresAndLast}
          checked={shown}
          onValue={setShown}
        />
        {saved && <p role="status">{texts.saved}</p>}
      </Form>
    </Section>
  );
}
