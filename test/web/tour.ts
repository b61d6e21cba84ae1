import { PAGE_PATHS, type PageName } from '../../src/protocol/page-paths.js';
import { ADMIN_KEY, type Competitions, type Owner, type Played } from './stage.js';

/** Every page with an address at which it shows something; and what it asks for in vain, knowingly. */
export interface Stop {
  name: string;
  path: string;
  /** Seen by whoever is signed in. */
  owner?: Owner;
  /** Seen by the operator. */
  operatorKey?: string;
  expected?: readonly RegExp[];
}

export function tour(owner: Owner, { draft, open, slug, token }: Competitions, { table, hand }: Played): Stop[] {
  const at = (name: PageName, params: Record<string, string> = {}) =>
    PAGE_PATHS[name].replace(/\{(\w+)\}/g, (_, key: string) => params[key] ?? '');
  return [
    { name: 'home', path: at('home') },
    { name: 'tables', path: at('tables') },
    { name: 'table', path: at('table', { table_id: table }) },
    { name: 'hand', path: at('hand', { hand_id: hand }) },
    { name: 'hand-embedded', path: at('embedHand', { hand_id: hand }) },
    { name: 'replay', path: at('replay') },
    { name: 'leaderboard', path: at('leaderboard') },
    { name: 'leaderboard-own', path: at('leaderboard'), owner },
    { name: 'agent', path: at('agent', { slug: owner.slug }) },
    { name: 'no-agent', path: at('agent', { slug: 'nobody' }), expected: [/^404 \/api\/agents\/nobody/] },
    { name: 'sign-in', path: at('signIn') },
    { name: 'bot', path: at('bot'), owner },
    { name: 'bot-hands', path: at('botHands'), owner },
    { name: 'bot-analytics', path: at('botAnalytics'), owner },
    { name: 'bot-opponents', path: at('botOpponents'), owner },
    { name: 'bot-mishaps', path: at('botMishaps'), owner },
    { name: 'playground', path: at('playground'), owner },
    { name: 'bot-hosted', path: at('botHosted'), owner },
    { name: 'bot-credits', path: at('botCredits'), owner },
    { name: 'competitions-unknown', path: at('competitions') },
    { name: 'competitions', path: at('competitions'), owner },
    { name: 'competition-new', path: at('newCompetition'), owner },
    { name: 'competition', path: at('competition', { slug }) },
    {
      name: 'competition-decks',
      path: at('competitionDecks', { slug }),
      // Play is not over.
      expected: [/^409 .*\/decks\/1$/],
    },
    { name: 'competition-invite', path: `${at('invite')}#token=${token}`, owner },
    { name: 'organize-draft', path: at('organize', { competition_id: draft }), owner },
    ...['', 'people', 'invitations', 'rules', 'audit'].map((tab) => ({
      name: `organize${tab === '' ? '' : `-${tab}`}`,
      path: `${at('organize', { competition_id: open })}${tab === '' ? '' : `?tab=${tab}`}`,
      owner,
    })),
    { name: 'docs', path: at('docs') },
    { name: 'docs-rest', path: at('restReference') },
    { name: 'docs-messages', path: `${at('messageReference')}#your_turn` },
    { name: 'docs-protocol', path: at('doc', { page: 'protocol' }) },
    { name: 'operator-key', path: at('operator') },
    ...['', 'agents', 'tables', 'season', 'competitions', 'collusion', 'credits', 'invites', 'audit'].map((tab) => ({
      name: `operator${tab === '' ? '' : `-${tab}`}`,
      path: `${at('operator')}${tab === '' ? '' : `?tab=${tab}`}`,
      operatorKey: ADMIN_KEY,
    })),
    { name: 'nothing', path: '/no-such-page', expected: [/^404 \/no-such-page$/] },
  ];
}
