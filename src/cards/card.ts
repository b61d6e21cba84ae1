/**
 * Cards as small integers: `rank * 4 + suit`, rank 0 (deuce) to 12 (ace), suit 0-3 in the order c d h s.
 * On the wire a card is its two-character name, rank then suit: "As", "Td". `??` is a card the viewer may not see.
 */
export type Card = number;

export const DECK_SIZE = 52;
export const RANKS = '23456789TJQKA';
export const SUITS = 'cdhs';

/** Names by card code: CARD_NAMES[card] is "2c" … "As". */
export const CARD_NAMES: readonly string[] = Array.from(
  { length: DECK_SIZE },
  (_, card) => RANKS[card >> 2]! + SUITS[card & 3]!,
);

const CODES = new Map(CARD_NAMES.map((name, card) => [name, card]));

/** The code of a two-character card name; throws a RangeError on anything else. */
export function parseCard(name: string): Card {
  const card = CODES.get(name);
  if (card === undefined) throw new RangeError(`not a card: ${name}`);
  return card;
}
