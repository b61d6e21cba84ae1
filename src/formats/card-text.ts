import { CARD_NAMES, parseCard, type Card } from '../cards/card.js';
import { evaluate7 } from '../cards/evaluator.js';
import type { HandValue } from '../cards/value.js';

/** A card that the file does not name. */
export const UNKNOWN_CARD = '??';

const KNOWN = new Set(CARD_NAMES);

/**
 * The cards of a text, written one behind the other or apart: "AhKd", "Ah Kd", "10h". Null where the text is no row of
 * cards.
 */
export function cardsOfText(text: string): string[] | null {
  const joined = text.replace(/\s+/g, '').replaceAll('10', 'T');
  if (joined.length % 2 !== 0) return null;
  const cards = joined.match(/../g) ?? [];
  return cards.every((card) => KNOWN.has(card) || card === UNKNOWN_CARD) ? cards : null;
}

/** Cards as PokerStars writes them: [Ah Kd]. */
export const bracketed = (cards: readonly string[]): string => `[${cards.join(' ')}]`;

export const isKnownPair = (cards: readonly string[] | null): cards is readonly [string, string] =>
  cards?.length === 2 && !cards.includes(UNKNOWN_CARD);

/** The value of two cards on a whole board. */
export function worthOf(hole: readonly [string, string], board: readonly string[]): HandValue {
  const cards: Card[] = [...board, ...hole].map(parseCard);
  const [a, b, c, d, e, f, g] = cards as [Card, Card, Card, Card, Card, Card, Card];
  return evaluate7(a, b, c, d, e, f, g);
}
