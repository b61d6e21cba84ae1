import type { Static } from 'typebox';
import type { Page } from 'playwright-core';
import type { PublicHand } from '../../src/protocol/rest/public.js';
import { cardSign, cardWords } from '../../web/game/card-words.js';

/** Whether a page ever says what it is to keep to itself, however short it stands in the document. */

type Hand = Static<typeof PublicHand>;

/** Patterns of all that tells how a hand ends: the cards that are shown at its end, in every form, and who wins what. */
export function tellTales({ players, events }: Hand): string[] {
  const cards = players.flatMap(({ shown, hole_cards: hole }) => (shown && hole ? hole : []));
  const hands = events.flatMap((event) =>
    event.type === 'hand_result' ? event.winners.map(({ hand_description: words }) => words) : [],
  );
  return [
    ...cards.flatMap((card) => [`(?<![\\w-])${card}(?![\\w-])`, cardWords(card), cardSign(card)]),
    ...hands.flatMap((words) => (words === null ? [] : [words])),
    ...['>wins \\d', '>\\+\\d', '>shows', '>does not show', 'said-won', 'equity-text', 'figure (gain|loss)'],
  ];
}

/** A script that looks through the document after each change of it, at all steps but the last. */
export const watchedFor = (patterns: readonly string[]) => `
  const patterns = ${JSON.stringify(patterns)}.map((pattern) => new RegExp(pattern));
  const told = new Set();
  window.told = told;
  new MutationObserver(() => {
    // The switch is the reader's: what stood there before it was pressed is forgotten.
    if (localStorage.getItem('spoilers') !== 'hidden' || location.hash === '#result') return told.clear();
    const html = document.documentElement.outerHTML;
    for (const pattern of patterns) if (pattern.test(html)) told.add(pattern.source);
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  window.findNow = () => patterns.filter((pattern) => pattern.test(document.documentElement.outerHTML)).map(String);
`;

/** The announcements since the switch was pressed. */
export const told = (page: Page) => page.evaluate('[...window.told]') as Promise<string[]>;

/** The present text of the document. */
export const standing = (page: Page) => page.evaluate('window.findNow()') as Promise<string[]>;
