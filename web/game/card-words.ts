/** Cards in sentences. */

const SUIT_SIGNS: Readonly<Record<string, string>> = { s: '♠', h: '♥', d: '♦', c: '♣' };

/** A card as text: "10♥". */
export const cardSign = (card: string): string =>
  `${card[0] === 'T' ? '10' : card[0]}${SUIT_SIGNS[card[1] ?? ''] ?? ''}`;

const SUIT_NAMES: Readonly<Record<string, string>> = { s: 'spades', h: 'hearts', d: 'diamonds', c: 'clubs' };
const RANK_NAMES: Readonly<Record<string, string>> = { A: 'ace', K: 'king', Q: 'queen', J: 'jack', T: 'ten' };

/** A card for those who hear it: "ten of hearts". */
export const cardWords = (card: string): string =>
  `${RANK_NAMES[card[0] ?? ''] ?? card[0]} of ${SUIT_NAMES[card[1] ?? ''] ?? ''}`;
