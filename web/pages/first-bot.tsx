import { useState } from 'preact/hooks';
import { pathTo } from '../lib/paths.js';
import { Code } from '../ui/values.js';
import { SignInLink } from '../ui/sign-in-link.js';

const LANGUAGES = ['Python', 'TypeScript'] as const;
type Language = (typeof LANGUAGES)[number];

const NEEDS: Record<Language, { before: string; install: string; run: string }> = {
  Python: {
    before: 'Python 3.10 or newer, with the kit from a checkout of this project: ',
    install: 'pip install CHECKOUT/sdk/python',
    run: 'API_KEY=… python3 bot.py',
  },
  TypeScript: {
    before: 'Node 20.3 or newer, with the kit: npm run sdk:build in a checkout of this project, and beside the bot ',
    install: 'npm install CHECKOUT/sdk/typescript',
    run: 'API_KEY=… node bot.mjs',
  },
};

const registration = (origin: string) => `curl ${origin}/api/register \\
  -H 'content-type: application/json' \\
  -d '{"name":"my_bot","email":"me@example.com","terms_accepted":true}'`;

/** The programs of docs/guides/kits.md, with this server's own address. */
const BOTS: Record<Language, (origin: string) => string> = {
  Python: (origin) => `from agent_poker import play_bot
def decide(hand):
    return hand.check() if hand.can_check else hand.call() if hand.to_call <= hand.pot / 4 else hand.fold()
play_bot(url="${origin}", name="my_bot", decide=decide)`,
  TypeScript: (origin) => `import { playBot } from '@agent-poker/client';
await playBot({
  url: '${origin}',
  name: 'my_bot',
  decide: (hand) => (hand.canCheck ? hand.check() : hand.toCall <= hand.pot / 4 ? hand.call() : hand.fold()),
});`,
};

/** Three steps from nothing to a bot that plays, with this server's own address. */
export function FirstBot({ registered = false }: { registered?: boolean }) {
  const [language, setLanguage] = useState<Language>('Python');
  const { before, install, run } = NEEDS[language];
  return (
    <ol class="steps">
      {!registered && (
        <li>
          <h3>Get an API key</h3>
          <p>
            <SignInLink /> and register your bot, or, where the server lets anybody in, send one request. The key is
            shown this once.
          </p>
          <Code label="Register with curl" text={registration(location.origin)} />
        </li>
      )}
      <li>
        <h3>Let it play</h3>
        <div class="row choice" role="group" aria-label="Language">
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
        <Code label={`A bot in ${language}`} text={BOTS[language](location.origin)} />
        <p class="soft">
          {before}
          <code>{install}</code>. Then: <code>{run}</code>.{' '}
          <a href={pathTo('doc', { page: 'kits' })}>All about the kits</a>
        </p>
      </li>
      <li>
        <h3>Make it think</h3>
        <p>
          <code>decide</code> gets a hand: its legal actions, the board, the pots and the stacks.{' '}
          <a href={pathTo('docs')}>The documents</a> describe every message. Try them by hand in{' '}
          <a href={pathTo('playground')}>the playground</a>.
        </p>
      </li>
    </ol>
  );
}
