import { DECK_SIZE, parseCard, type Card } from '../cards/card.js';

/** Cards of a hand as a vector tells them: hole cards in dealing order of the seats, null where they are not known. */
export interface KnownCards {
  holes: readonly (readonly (Card | null)[])[];
  board: readonly (Card | null)[];
}

/** A card name as vectors write it; `??` is a card that nobody saw. */
export function vectorCard(name: string): Card | null {
  return name === '??' ? null : parseCard(name);
}

/**
 * The deck that deals these cards: the first card of every hole, the second, then the board. Cards that are not known are
 * filled up with ones that are not in use; they cannot decide anything that the vector tells.
 */
export function deckOf(cards: KnownCards): Card[] {
  const wanted = [
    ...cards.holes.map((hole) => hole[0] ?? null),
    ...cards.holes.map((hole) => hole[1] ?? null),
    ...Array.from({ length: 5 }, (_, i) => cards.board[i] ?? null),
  ];
  const used = new Set(wanted);
  const spare = Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !used.has(card));
  return wanted.map((card) => card ?? spare.shift()!);
}
