import { signal } from '@preact/signals';
import { call } from '../../lib/api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { Section } from '../../ui/page.js';
import { Code } from '../../ui/values.js';
import { keyTexts as texts } from '../../texts/bot.js';

/** A key that has just been made: shown this once, and nowhere kept. */
export const freshKey = signal<string | null>(null);

export function ApiKey() {
  const key = freshKey.value;
  const renew = async () => {
    const { api_key: made } = await call('POST /api/me/regenerate-key', {});
    freshKey.value = made;
  };
  return (
    <Section title={texts.apiKey} id="key">
      {key === null ? (
        <>
          <p>
            {texts.yourBotSendsItAs}
            <code>{texts.authorizationBearerKey}</code>
            {texts.itWasShownWhenIt}
          </p>
          <ConfirmButton
            label={texts.makeANewKey}
            title={texts.makeANewApiKey}
            verb={texts.makeANewKey}
            danger
            act={renew}
          >
            <p>{texts.theOldKeyEndsAt}</p>
          </ConfirmButton>
        </>
      ) : (
        <div class="notice" role="status">
          <p>
            <strong>{texts.thisIsYourBotsApi}</strong>
          </p>
          <Code text={key} label={texts.apiKey} />
          <p>
            <button type="button" class="quiet" onClick={() => (freshKey.value = null)}>
              {texts.iHaveKeptIt}
            </button>
          </p>
        </div>
      )}
    </Section>
  );
}
