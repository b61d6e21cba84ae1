/** The English texts of the way to a first bot; the programs are the ten lines of docs/KITS.md. */
export const LANGUAGES = ['Python', 'TypeScript'] as const;
export type Language = (typeof LANGUAGES)[number];

export const firstBotTexts = {
  key: 'Get an API key',
  signIn: 'Sign in',
  orRegister:
    ' and register your bot, or, where the server lets anybody in, send one request. The key is shown this once.',
  curl: 'Register with curl',
  play: 'Let it play',
  language: 'Language',
  code: (language: Language) => `A bot in ${language}`,
  needs: {
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
  },
  then: '. Then: ',
  kits: 'All about the kits',
  think: 'Make it think',
  decide: 'decide',
  more: [
    'The hand that ',
    ' gets says what may be done, the board, the pots and the stacks. Everything that is sent is told in ',
    'the documents',
    '; by hand it can be tried in ',
    'the playground',
    '.',
  ],
} as const;

export const registration = (origin: string) => `curl ${origin}/api/register \\
  -H 'content-type: application/json' \\
  -d '{"name":"my_bot","email":"me@example.com","terms_accepted":true}'`;

/** With this server's own address. */
export const BOTS: Record<Language, (origin: string) => string> = {
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
