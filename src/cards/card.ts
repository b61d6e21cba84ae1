/**
 * Cards as small integers: `rank * 4 + suit`, rank 0 (deuce) to 12 (ace), suit 0-3 in the order c d h s.
 * On the wire a card is its two-character name, rank then suit: "As", "Td". `??` is a card the viewer may not see.
 */
export type Card = number;
/** The two cards that a player is dealt. */
export type Hole = readonly [Card, Card];

export const DECK_SIZE = 52;
export const RANKS = '23456789TJQKA';
export const SUITS = 'cdhs';

/** Names by card code: CARD_NAMES[card] is "2c" … "As". */
export const CARD_NAMES: readonly string[] = Array.from(
  { length: DECK_SIZE },
  (_, card) => RANKS[card >> 2]! + SUITS[card & 3]!,
);

/** Rank and suit by the code of their character, -1 for any other. */
const RANK_OF = placesOf(RANKS);
const SUIT_OF = placesOf(SUITS);

function placesOf(letters: string): Int8Array {
  const places = new Int8Array(128).fill(-1);
  for (let i = 0; i < letters.length; i++) places[letters.charCodeAt(i)] = i;
  return places;
}

/** The code of a two-character card name; throws a RangeError on anything else. */
export function parseCard(name: string): Card {
  // No such character, or one beyond the table, comes out as undefined.
  const rank = RANK_OF[name.charCodeAt(0)] ?? -1;
  const suit = SUIT_OF[name.charCodeAt(1)] ?? -1;
  if (name.length !== 2 || rank < 0 || suit < 0) throw new RangeError(`not a card: ${name}`);
  return (rank << 2) | suit;
}
