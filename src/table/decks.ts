import { duplicateDeck } from '../cards/duplicate.js';
import type { RandomSource } from '../cards/random.js';
import { DECK_SIZE } from '../cards/card.js';
import { drawCards } from '../cards/shuffle.js';
import type { TableRules } from './api.js';

/** Where a table's cards come from. */
export interface Decks {
  /** Puts the first `count` cards of a hand into `out`, in dealing order; hands are numbered from 1. */
  deal(out: Uint8Array, count: number, handNumber: number): void;
}

/** The decks that the rules ask for. */
export function decksOf(rules: Pick<TableRules, 'duplicate'>, random: RandomSource): Decks {
  return rules.duplicate === null ? new PlainDecks(random) : new DuplicateDecks(rules.duplicate.secret);
}

/** Each deck drawn anew, as far as it is dealt. */
class PlainDecks implements Decks {
  constructor(private readonly random: RandomSource) {}

  deal(out: Uint8Array, count: number): void {
    drawCards(out, count, this.random);
  }
}

/** The series of a duplicate pool (cards/duplicate.ts). */
class DuplicateDecks implements Decks {
  readonly #deck = new Uint8Array(DECK_SIZE);

  constructor(private readonly secret: string) {}

  deal(out: Uint8Array, count: number, handNumber: number): void {
    duplicateDeck(this.#deck, this.secret, handNumber);
    out.set(this.#deck.subarray(0, count));
  }
}
