import { CARD_NAMES, type Card } from '../../cards/card.js';

/** Cards as PokerStars writes them: [Ah Kd]. */
export const cardText = (cards: readonly Card[]): string => `[${cards.map((card) => CARD_NAMES[card]!).join(' ')}]`;
