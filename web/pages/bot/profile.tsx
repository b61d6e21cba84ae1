import { useState } from 'preact/hooks';
import { call } from '../../lib/api.js';
import { pathTo } from '../../lib/paths.js';
import { readSession } from '../../lib/session.js';
import { changed } from '../../lib/use-api.js';
import { Check, Field, Form, useSending } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import type { Agent } from './owner.js';

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
      title="Profile"
      id="profile"
      aside={agent.public_profile && slug !== null && <a href={pathTo('agent', { slug })}>As others see it</a>}
    >
      <Form sending={sending} verb="Save the profile" onSend={() => void save()}>
        <Field
          label="Name"
          required
          minLength={3}
          maxLength={32}
          pattern="[a-zA-Z0-9_]+"
          spellcheck={false}
          autocomplete="off"
          value={name}
          onValue={setName}
          error={sending.fields['name']}
          hint="3 to 32 letters, digits and _. The address of the profile stays as it is."
        />
        <Field
          label="Address of a picture"
          type="url"
          maxLength={2048}
          value={avatar}
          onValue={setAvatar}
          error={sending.fields['avatar_url']}
          hint="For other programs. These pages draw a picture of the name and load nothing from elsewhere."
        />
        <Check
          label="Everybody may see its page"
          hint="Its standing, figures and last hands. Without it the name is no link."
          checked={shown}
          onValue={setShown}
        />
        {saved && <p role="status">Saved.</p>}
      </Form>
    </Section>
  );
}
