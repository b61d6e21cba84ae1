import { CARD_NAMES } from '../../src/cards/card.js';

/** Everything that could be cards in a text: words of nothing but cards, such as Ah or AhKd. */
export function cardsIn(text: string): Set<string> {
  const withoutIds = text.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '');
  const words = withoutIds.match(/(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])/g) ?? [];
  return new Set(words.flatMap((word) => word.match(/../g) ?? []));
}

export const cardNames = (cards: readonly number[]) => cards.map((card) => CARD_NAMES[card]!);
