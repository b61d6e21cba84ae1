/**
 * The pages for people, by name: where they are. The gateway answers these paths with the one document, web/ draws the
 * page. A parameter is in braces, as in the paths of REST.
 */
export const PAGE_PATHS = {
  home: '/',
  leaderboard: '/leaderboard',
  agent: '/agents/{slug}',
  headToHead: '/agents/{slug}/versus/{other}',
  signIn: '/sign-in',
  signInLink: '/sign-in/link',
  walletCancel: '/wallet/cancel',
  bot: '/bot',
  botHands: '/bot/hands',
  botAnalytics: '/bot/analytics',
  botOpponents: '/bot/opponents',
  botMishaps: '/bot/mishaps',
  botHosted: '/bot/hosted',
  botCredits: '/bot/credits',
  competitions: '/competitions',
  competition: '/competitions/{slug}',
  competitionDecks: '/competitions/{slug}/decks',
  newCompetition: '/organize',
  organize: '/organize/{competition_id}',
  invite: '/invite',
  docs: '/docs',
  playground: '/playground',
  restReference: '/docs/rest',
  messageReference: '/docs/messages',
  doc: '/docs/{page}',
  tables: '/tables',
  table: '/tables/{table_id}',
  tv: '/tv',
  hand: '/hands/{hand_id}',
  embedHand: '/embed/hands/{hand_id}',
  replay: '/replay',
  operator: '/operator',
} as const;

/** Pages that have moved. Mails of an older version lead to them; browsers keep what stands behind the #. */
export const MOVED_PAGES: Readonly<Record<string, string>> = {
  '/api/auth/callback': PAGE_PATHS.signInLink,
  '/api/wallet/cancel': PAGE_PATHS.walletCancel,
};

/** Documents that have moved, by their former name in `/docs/{page}`. */
export const MOVED_DOCS: Readonly<Record<string, string>> = {
  analytics: 'rest',
  bots: 'strategy',
  files: 'watch-and-replay',
  nodes: 'cluster',
  operations: 'run-one',
  selfplay: 'training',
};

export type PageName = keyof typeof PAGE_PATHS;

/** Those below may stand in pages of other sites. */
export const EMBED_PREFIX = '/embed/';
