import { lazy } from 'preact-iso';
import type { AnyComponent } from 'preact';
import type { PageName } from '../src/protocol/page-paths.js';
import { patternOf } from './lib/paths.js';

/** Which component draws which page. Each is loaded when its page is opened. */
export const ROUTES: readonly (readonly [PageName, AnyComponent])[] = [
  ['home', lazy(() => import('./pages/home.js'))],
  ['leaderboard', lazy(() => import('./pages/leaderboard.js'))],
  ['agent', lazy(() => import('./pages/agent.js'))],
  ['headToHead', lazy(() => import('./pages/versus.js'))],
  ['signIn', lazy(() => import('./pages/sign-in.js'))],
  ['signInLink', lazy(() => import('./pages/sign-in-link.js'))],
  ['walletCancel', lazy(() => import('./pages/wallet-cancel.js'))],
  ['bot', lazy(() => import('./pages/bot/overview.js'))],
  ['botHands', lazy(() => import('./pages/bot/hands.js'))],
  ['botAnalytics', lazy(() => import('./pages/bot/analytics.js'))],
  ['botOpponents', lazy(() => import('./pages/bot/opponents.js'))],
  ['botMishaps', lazy(() => import('./pages/bot/mishaps.js'))],
  ['botHosted', lazy(() => import('./pages/bot/hosted.js'))],
  ['botCredits', lazy(() => import('./pages/bot/credits.js'))],
  ['competitions', lazy(() => import('./pages/competitions/all.js'))],
  ['competition', lazy(() => import('./pages/competitions/public.js'))],
  ['competitionDecks', lazy(() => import('./pages/competitions/decks.js'))],
  ['newCompetition', lazy(() => import('./pages/competitions/create.js'))],
  ['organize', lazy(() => import('./pages/competitions/organize.js'))],
  ['invite', lazy(() => import('./pages/competitions/invite.js'))],
  ['playground', lazy(() => import('./pages/playground.js'))],
  ['docs', lazy(() => import('./pages/docs/start.js'))],
  ['restReference', lazy(() => import('./pages/docs/rest.js'))],
  ['messageReference', lazy(() => import('./pages/docs/messages.js'))],
  ['doc', lazy(() => import('./pages/docs/document.js'))],
  ['tables', lazy(() => import('./pages/tables.js'))],
  ['tv', lazy(() => import('./pages/tv.js'))],
  ['table', lazy(() => import('./pages/table.js'))],
  ['hand', lazy(() => import('./pages/hand.js'))],
  ['embedHand', lazy(() => import('./pages/embed-hand.js'))],
  ['replay', lazy(() => import('./pages/replay.js'))],
  ['operator', lazy(() => import('./pages/operator/room.js'))],
];

export const patterns = ROUTES.map(([name, component]) => [patternOf(name), component] as const);
