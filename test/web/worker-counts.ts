import * as fc from 'fast-check';
import type { Static } from 'typebox';
import type { Page } from 'playwright-core';
import { expectedPayouts } from '../../src/analytics/all-in.js';
import { Equities } from '../../src/analytics/equity.js';
import { CARD_NAMES, parseCard } from '../../src/cards/card.js';
import { Street } from '../../src/holdem/types.js';
import type { PublicHand } from '../../src/protocol/rest/public.js';
import type { EquityAnswer, EquityQuestion } from '../../web/equity/question.js';

/** The reference for the page's worker: the analytics' expected payouts of an all-in. */

type Hand = Static<typeof PublicHand>;
export type Asked = Pick<EquityQuestion, 'holes' | 'board'>;

const STREETS = [
  ['Deal', 0, Street.preflop],
  ['Flop', 3, Street.flop],
  ['Turn', 4, Street.turn],
] as const;

/** Divided by 1 to 6 without a rest, so that no chip is odd. */
const CHIPS = 60;
const equities = new Equities();

/** Two to six hands before the flop, on it or on the turn; few before the flop, where there are a thousand times more boards. */
export const DEALS: fc.Arbitrary<Asked> = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.constantFrom(3, 4, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4, 0))
  .chain(([players, open]) => {
    const count = 2 * players + open;
    return fc.shuffledSubarray([...CARD_NAMES], { minLength: count, maxLength: count }).map((drawn) => ({
      board: drawn.slice(0, open),
      holes: Array.from({ length: players }, (_, i) => [drawn[open + 2 * i]!, drawn[open + 2 * i + 1]!] as const),
    }));
  });

/** The share of the pot that each hand can expect when all of them are all-in for as much. */
export function expectedShares({ holes, board }: Asked): number[] {
  const [, , street] = STREETS.find(([, open]) => open === board.length)!;
  const players = holes.map(([a, b], seat) => ({
    seat,
    contributed: CHIPS,
    hole: [parseCard(a), parseCard(b)] as [number, number],
  }));
  const totalPot = CHIPS * players.length;
  const hand = { players, board: board.map(parseCard), button: 0, totalPot };
  const payouts = expectedPayouts(hand, (1 << players.length) - 1, street, equities)!;
  return players.map(({ seat }) => payouts[seat]! / totalPot);
}

/** Asks the very file that the page asks, in the browser. */
export const askWorker = (page: Page, asked: readonly Asked[]) =>
  page.evaluate(
    (questions) =>
      new Promise<EquityAnswer[]>((resolve, reject) => {
        const path = document.querySelector<HTMLMetaElement>('meta[name="equity-worker"]')!.content;
        const worker = new Worker(path, { type: 'module' });
        const answers: EquityAnswer[] = [];
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.onmessage = ({ data }: MessageEvent<EquityAnswer>) => {
          answers[data.id] = data;
          if (Object.keys(answers).length === questions.length) resolve(answers);
        };
        questions.forEach((question, id) => worker.postMessage({ id, ...question }));
      }),
    asked,
  );

/** The shown hands' equities at the start of each street before the river, by name. */
export function streetShares({ players, events }: Hand): { street: string; shares: [string, number][] }[] {
  const board = events.flatMap((event) => (event.type === 'community_cards' ? event.cards : []));
  return STREETS.filter(([, open]) => open === 0 || open <= board.length).flatMap(([street, open]) => {
    const dealt = events.findIndex(
      (event) => event.type === 'community_cards' && event.cards.includes(board[open - 1]!),
    );
    const before = events.slice(0, Math.max(0, dealt));
    const out = new Set(before.flatMap((event) => ('action' in event && event.action === 'fold' ? [event.seat] : [])));
    const seen = players.filter(({ seat, shown, hole_cards: hole }) => shown && hole !== null && !out.has(seat));
    if (seen.length < 2) return [];
    const holes = seen.map(({ hole_cards: hole }) => [hole![0]!, hole![1]!] as const);
    const shares = expectedShares({ holes, board: board.slice(0, open) });
    return [{ street, shares: seen.map(({ name }, i): [string, number] => [name, shares[i]!]) }];
  });
}
