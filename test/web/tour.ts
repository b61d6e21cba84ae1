import { PAGE_PATHS, type PageName } from '../../src/protocol/page-paths.js';
import type { Page } from 'playwright-core';
import { boardRow } from './board-row.js';
import { ASKED, CUP_HANDS, FINISHED_CUP, LONG_INDEX } from './cups.js';
import { drawn } from './browser.js';
import { hardVersus } from './hard-versus.js';
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
  /** Present once the page is whole, if it comes after the heading. */
  shows?: string;
  /** Answers in the place of the server's, by path. */
  answers?: Readonly<Record<string, unknown>>;
}

/** Resolves when the page is whole. */
export async function visit(page: Page, url: string, { path, shows, answers = {} }: Stop): Promise<void> {
  for (const [of, json] of Object.entries(answers)) await page.route(`**${of}*`, (route) => route.fulfill({ json }));
  await page.goto(url + path);
  await drawn(page);
  if (shows !== undefined) await page.locator(shows).first().waitFor();
}

const CARDS = '.table-picture .playing-card';
const WIDEST = 'W'.repeat(32);

/** 10,000 rows, with all that is hard: long names, seven digits, wide intervals, banned bots, bots without hands. */
const LONG_BOARD = Array.from({ length: 10_000 }, (_, index) =>
  boardRow(index + 1, {
    bot_name:
      index % 5 === 3 ? WIDEST : index % 5 === 1 ? `ada_is_a_bot_with_a_very_long_i${index % 10}` : `bot_${index}`,
    public_profile_slug: index % 2 === 0 ? `bot-${index}` : null,
    score: 9_876_543 - 321 * index,
    hands_played: index % 7 === 6 ? 0 : 1_234_567 - index,
    banned: index % 10 === 8,
    premium: index % 5 === 3,
    rebuys: index,
    win_rate: index % 7 === 6 ? 0 : 0.2,
    bb_per_100: index % 7 === 6 ? null : -1234.5,
    all_in_adj_bb_per_100: index % 7 === 6 ? null : index % 3 === 0 ? 4.1 : -1234.5,
    ci95: index % 7 === 6 ? null : index % 3 === 0 ? [-2, 10.2] : [-9999, 9999],
    rank_hour_ago: index + 1 + ((index * 37) % 5000),
    rank_day_ago: 10_000 - index,
  }),
);

/** A bot that never played has no part in the season, which the API says by this. */
const NO_SEASON = [/^404 \/api\/season\/me$/, /^40[34] \/api\/me\//];

export function tour(
  owner: Owner,
  fresh: Owner,
  { draft, open, slug, token }: Competitions,
  { table, hand }: Played,
): Stop[] {
  const at = (name: PageName, params: Record<string, string> = {}) =>
    PAGE_PATHS[name].replace(/\{(\w+)\}/g, (_, key: string) => params[key] ?? '');
  return [
    { name: 'home', path: at('home'), shows: CARDS },
    {
      name: 'home-hard',
      path: at('home'),
      answers: { '/api/season/leaderboard': LONG_BOARD.slice(0, 10) },
      shows: CARDS,
    },
    {
      name: 'home-quiet',
      path: at('home'),
      answers: { '/api/season/leaderboard': [], '/api/tables': [] },
      shows: '.empty',
    },
    { name: 'tables', path: at('tables') },
    { name: 'tables-none', path: at('tables'), answers: { '/api/tables': [] } },
    { name: 'tv', path: at('tv'), shows: CARDS },
    { name: 'tv-none', path: at('tv'), answers: { '/api/tables': [] }, shows: '.empty' },
    { name: 'table', path: at('table', { table_id: table }), shows: CARDS },
    { name: 'hand', path: at('hand', { hand_id: hand }) },
    { name: 'hand-result', path: `${at('hand', { hand_id: hand })}#result` },
    { name: 'hand-embedded', path: at('embedHand', { hand_id: hand }) },
    { name: 'replay', path: at('replay') },
    { name: 'leaderboard', path: at('leaderboard') },
    { name: 'leaderboard-own', path: at('leaderboard'), owner },
    { name: 'leaderboard-long', path: at('leaderboard'), answers: { '/api/season/leaderboard': LONG_BOARD } },
    { name: 'leaderboard-none', path: at('leaderboard'), answers: { '/api/season/leaderboard': [] } },
    { name: 'agent', path: at('agent', { slug: owner.slug }) },
    { name: 'versus-new', path: at('headToHead', { slug: owner.slug, other: fresh.slug }) },
    {
      name: 'versus',
      path: at('headToHead', { slug: owner.slug, other: 'bob' }),
      answers: { [`/api/public/agents/${owner.slug}/versus/bob`]: hardVersus() },
    },
    { name: 'agent-new', path: at('agent', { slug: fresh.slug }) },
    { name: 'no-agent', path: at('agent', { slug: 'nobody' }), expected: [/^404 \/api\/agents\/nobody/] },
    { name: 'sign-in', path: at('signIn') },
    { name: 'bot', path: at('bot'), owner },
    { name: 'bot-hands', path: at('botHands'), owner },
    { name: 'bot-hands-filtered', path: `${at('botHands')}?result=lost&street=river&order=biggest_loss`, owner },
    { name: 'bot-analytics', path: at('botAnalytics'), owner },
    { name: 'bot-opponents', path: at('botOpponents'), owner },
    { name: 'bot-mishaps', path: at('botMishaps'), owner },
    { name: 'bot-new', path: at('bot'), owner: fresh, expected: NO_SEASON },
    { name: 'bot-new-hands', path: at('botHands'), owner: fresh, expected: NO_SEASON },
    { name: 'bot-new-opponents', path: at('botOpponents'), owner: fresh, expected: NO_SEASON },
    { name: 'playground', path: at('playground'), owner },
    { name: 'bot-hosted', path: at('botHosted'), owner },
    { name: 'bot-credits', path: at('botCredits'), owner },
    { name: 'competitions-unknown', path: at('competitions') },
    { name: 'competitions', path: at('competitions'), owner },
    { name: 'competitions-yours', path: `${at('competitions')}?tab=yours`, owner },
    ...(['running', 'open', 'finished'] as const).map((tab) => ({
      name: `competitions-hard-${tab}`,
      path: `${at('competitions')}?tab=${tab}`,
      answers: { '/api/public/competitions': LONG_INDEX[tab] },
    })),
    {
      name: 'competition-finished',
      path: at('competition', { slug: 'cup-of-wide' }),
      answers: {
        '/api/public/competitions/cup-of-wide': FINISHED_CUP,
        '/api/public/competitions/cup-of-wide/hands': CUP_HANDS,
      },
      shows: '.podium',
    },
    {
      name: 'organize-asked',
      path: `${at('organize', { competition_id: open })}?tab=people`,
      owner,
      answers: { [`/api/competitions/${open}/join-requests`]: ASKED },
      shows: 'table[aria-label="Requests to join"]',
    },
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
