import { useState } from 'preact/hooks';
import { pathTo } from '../lib/paths.js';
import { BOTS, firstBotTexts as texts, LANGUAGES, registration, type Language } from '../texts/first-bot.js';
import { Code } from '../ui/values.js';

/** Three steps from nothing to a bot that plays, with this server's own address. */
export function FirstBot({ registered = false }: { registered?: boolean }) {
  const [language, setLanguage] = useState<Language>('Python');
  const { before, install, run } = texts.needs[language];
  const [hand, says, documents, tried, playground, end] = texts.more;
  return (
    <ol class="steps">
      {!registered && (
        <li>
          <h3>{texts.key}</h3>
          <p>
            <a href={pathTo('signIn')}>{texts.signIn}</a>
            {texts.orRegister}
          </p>
          <Code label={texts.curl} text={registration(location.origin)} />
        </li>
      )}
      <li>
        <h3>{texts.play}</h3>
        <div class="row choice" role="group" aria-label={texts.language}>
          {LANGUAGES.map((name) => (
            <button
              key={name}
              type="button"
              class="switch"
              aria-pressed={name === language}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <Code label={texts.code(language)} text={BOTS[language](location.origin)} />
        <p class="soft">
          {before}
          <code>{install}</code>
          {texts.then}
          <code>{run}</code>. <a href={pathTo('doc', { page: 'kits' })}>{texts.kits}</a>
        </p>
      </li>
      <li>
        <h3>{texts.think}</h3>
        <p>
          {hand}
          <code>{texts.decide}</code>
          {says}
          <a href={pathTo('docs')}>{documents}</a>
          {tried}
          <a href={pathTo('playground')}>{playground}</a>
          {end}
        </p>
      </li>
    </ol>
  );
}
