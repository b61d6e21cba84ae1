import { DECK_SIZE, parseCard, type Card } from '../cards/card.js';
import { evaluate7 } from '../cards/evaluator.js';

/** Cards of a hand as a vector gives them: hole cards in dealing order of the seats, null where they are not known. */
export interface KnownCards {
  holes: readonly (readonly (Card | null)[])[];
  board: readonly (Card | null)[];
}

/** A card name as vectors write it; `??` is a card that nobody saw. */
export function vectorCard(name: string): Card | null {
  return name === '??' ? null : parseCard(name);
}

/**
 * The deck that deals these cards: the first card of every hole, the second, then the board. Cards that are not known
 * are filled up with ones that are not in use; they cannot decide anything that the vector gives.
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

/** The two cards not in use that make the least of a whole board. */
export function weakestHole(board: readonly (Card | null)[], used: readonly (Card | null)[]): [Card, Card] {
  const [b0, b1, b2, b3, b4] = board as [Card, Card, Card, Card, Card];
  const taken = new Set(used);
  let weakest: [Card, Card] | null = null;
  let least = Infinity;
  for (let a = 0; a < DECK_SIZE; a++) {
    for (let b = a + 1; b < DECK_SIZE; b++) {
      if (taken.has(a) || taken.has(b)) continue;
      const value = evaluate7(b0, b1, b2, b3, b4, a, b);
      if (value < least) [weakest, least] = [[a, b], value];
    }
  }
  if (weakest === null) throw new RangeError('no two cards are left');
  return weakest;
}
