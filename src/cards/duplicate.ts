import { createHmac } from 'node:crypto';
import { DECK_SIZE } from './card.js';
import { HashStream } from './hash-stream.js';
import { drawCards, uniformBelow } from './shuffle.js';

/**
 * The decks of a duplicate pool. All its tables play the same series of decks. Each deck returns in later passes after
 * the button has moved on, so each player holds the cards of every position in turn.
 */

/**
 * Decks of one pass: 1 more than a multiple of 2, 3, 4, 5 and 6. So the button is one seat further in the next pass.
 */
export const DECKS_A_PASS = 61;
/** Passes over the same decks: six players have then held every position of each. */
export const PASSES_A_BLOCK = 6;

export interface DuplicateSlot {
  /** The number of the deck in the pool's series: the same in all passes of a block, at every table. */
  deck: number;
  /** The passes before this one at the table. */
  pass: number;
}

/** Which deck of the series a table's hand is dealt from, by the hand's number (from 1). */
export function duplicateSlot(handNumber: number): DuplicateSlot {
  const hand = handNumber - 1;
  const pass = Math.floor(hand / DECKS_A_PASS);
  const block = Math.floor(pass / PASSES_A_BLOCK);
  return { deck: block * DECKS_A_PASS + (hand % DECKS_A_PASS), pass };
}

/** The numbers of a table's hands that are dealt from a deck of the series, one a pass: the reverse of the above. */
export function handsOfDeck(deck: number): number[] {
  const block = Math.floor(deck / DECKS_A_PASS);
  const first = block * PASSES_A_BLOCK * DECKS_A_PASS + (deck % DECKS_A_PASS) + 1;
  return Array.from({ length: PASSES_A_BLOCK }, (_, pass) => first + pass * DECKS_A_PASS);
}

/** How many decks a table has met that has played so many hands. */
export function decksMet(hands: number): number {
  if (hands === 0) return 0;
  const block = Math.floor((hands - 1) / (PASSES_A_BLOCK * DECKS_A_PASS));
  return block * DECKS_A_PASS + Math.min(DECKS_A_PASS, hands - block * PASSES_A_BLOCK * DECKS_A_PASS);
}

/**
 * Puts the whole deck of a table's hand into `out`, in dealing order: the slot's deck, with suits renamed for the pass.
 * Poker has no order of suits, so the cards' relative values stay.
 */
export function duplicateDeck(out: Uint8Array, secret: string, handNumber: number): void {
  const { deck, pass } = duplicateSlot(handNumber);
  drawCards(out, DECK_SIZE, stream(secret, `deck ${deck}`));
  const suits = suitsOf(stream(secret, `suits ${pass}`));
  for (let i = 0; i < DECK_SIZE; i++) out[i] = (out[i]! & ~3) | suits[out[i]! & 3]!;
}

const stream = (secret: string, label: string) =>
  new HashStream(createHmac('sha256', secret).update(`agent-poker duplicate ${label}`).digest());

/** One of the 24 orders of suits. */
function suitsOf(random: HashStream): number[] {
  const suits = [0, 1, 2, 3];
  for (let i = 0; i < 3; i++) {
    const chosen = i + uniformBelow(4 - i, random);
    [suits[i], suits[chosen]] = [suits[chosen]!, suits[i]!];
  }
  return suits;
}
