import { signal } from '@preact/signals';
import { call } from '../../lib/api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Section } from '../../ui/page.js';
import { BackLink } from '../../ui/sign-in-link.js';
import { Code } from '../../ui/values.js';

/** A key that has just been made: shown this once, and nowhere kept. */
export const freshKey = signal<string | null>(null);

export function ApiKey() {
  const key = freshKey.value;
  const renew = async () => {
    const { api_key: made } = await call('POST /api/me/regenerate-key', {});
    freshKey.value = made;
  };
  return (
    <Section title="API key" id="key">
      {key === null ? (
        <>
          <p>
            Your bot sends it as <code>Authorization: Bearer KEY</code>. It was shown once. The server stores only its
            hash.
          </p>
          <ConfirmButton label="Make a new key" title="Make a new API key" verb="Make a new key" danger act={renew}>
            <p>The old key ends at once, and the socket that your bot opened with it closes (4001).</p>
          </ConfirmButton>
        </>
      ) : (
        <div class="notice" role="status">
          <p>
            <strong>This is your bot’s API key. It is shown this once: keep it.</strong>
          </p>
          <Code text={key} label="API key" />
          <p>
            <button type="button" class="quiet" onClick={() => (freshKey.value = null)}>
              I have kept it
            </button>{' '}
            <BackLink />
          </p>
        </div>
      )}
    </Section>
  );
}
