import { assert } from '../../ops/assert.js';
import { CommittedDeck, type PlayerNonce } from '../../cards/committed-deck.js';
import { DECK_SIZE } from '../../cards/card.js';
import { duplicateDeck } from '../../cards/duplicate.js';
import type { RandomSource } from '../../cards/random.js';
import { drawCards } from '../../cards/shuffle.js';
import type { TableRules } from '../api.js';
import { Deal, type StartedDeal } from './deal.js';
import type { Seat } from '../seats/seat.js';

/** Where a table's cards come from. */
export interface Decks {
  /**
   * Puts the first `count` cards of a hand into `out`, in dealing order; hands are numbered from 1, `present` are all
   * players at the table. Returns the deal where it can be proven, else null.
   */
  deal(out: Uint8Array, count: number, handNumber: number, present: readonly Seat[]): Deal | null;
  /** After `deal`: what is announced of it and of the next one. */
  announce(deal: Deal, present: readonly Seat[]): StartedDeal;
  /** A client's nonce: the deck that is committed to for the next hand, and whether the nonce counts in it. */
  nonce(seat: Seat, nonce: string): { handNumber: number; commitment: string; counts: boolean } | null;
}

interface Source {
  rules: Pick<TableRules, 'duplicate' | 'fairDeals'>;
  tableId: string;
  /** The number of the table's last hand. */
  handNumber: number;
}

/** The decks that the rules ask for. */
export function decksOf({ rules, tableId, handNumber }: Source, random: RandomSource): Decks {
  const series = rules.duplicate === null ? null : new Series(rules.duplicate.secret);
  if (rules.fairDeals) return new CommittedDecks(tableId, handNumber + 1, series, random);
  return new PlainDecks(series, random);
}

/**
 * The number of a table's next hand: the next number. In a duplicate pool it is the first number above every deck that
 * a player here has seen at any table.
 */
export function nextHandNumber(last: number, duplicate: boolean, present: readonly Seat[]): number {
  return 1 + (duplicate ? present.reduce((most, { decksSeen }) => Math.max(most, decksSeen), last) : last);
}

/** The series of a duplicate pool (cards/duplicate.ts). */
class Series {
  constructor(private readonly secret: string) {}

  deck(handNumber: number): Uint8Array {
    assert(handNumber > 0, 'hands are numbered from 1', handNumber);
    const deck = new Uint8Array(DECK_SIZE);
    duplicateDeck(deck, this.secret, handNumber);
    return deck;
  }
}

/** Nothing is announced of these decks. */
class PlainDecks implements Decks {
  constructor(
    private readonly series: Series | null,
    private readonly random: RandomSource,
  ) {}

  deal(out: Uint8Array, count: number, handNumber: number): null {
    assert(count <= DECK_SIZE, 'a deck has so many cards', count);
    if (this.series === null) drawCards(out, count, this.random);
    else out.set(this.series.deck(handNumber).subarray(0, count));
    return null;
  }

  announce(): never {
    throw new Error('nothing is committed to');
  }

  nonce(): null {
    return null;
  }
}

/**
 * Each deck is fixed, and its commitment announced, when the hand before it begins: so before any nonce that counts in
 * it is known. In a duplicate pool the deck is the series' own, and nonces do not count.
 */
class CommittedDecks implements Decks {
  #next: CommittedDeck;

  constructor(
    private readonly tableId: string,
    /** The number of the first hand here. */
    first: number,
    private readonly series: Series | null,
    private readonly random: RandomSource,
  ) {
    this.#next = this.#commit(first);
  }

  deal(out: Uint8Array, count: number, handNumber: number, present: readonly Seat[]): Deal {
    // Somebody who knows the announced deck has sat down since, and others with it: it is skipped.
    if (this.series !== null && this.#next.handNumber < handNumber) this.#next = this.#commit(handNumber);
    const deck = this.#next;
    assert(deck.handNumber === handNumber, 'the deck of this hand was committed to', deck.handNumber);
    const nonces: PlayerNonce[] = [];
    for (const { index, eligible, nonces: chain } of present) {
      const nonce = chain.spend();
      if (nonce !== null && eligible && this.series === null) nonces.push({ seat: index, nonce });
    }
    const deal = new Deal(deck, nonces);
    deal.cards(out, count);
    this.#next = this.#commit(handNumber + 1);
    return deal;
  }

  announce({ deck, nonces }: Deal, present: readonly Seat[]): StartedDeal {
    const anchors: PlayerNonce[] = [];
    for (const { index, nonces: chain } of present) {
      if (chain.announced !== null && this.series === null) anchors.push({ seat: index, nonce: chain.announced });
    }
    const { handNumber, commitment } = deck;
    assert(this.#next.handNumber > handNumber, 'the next deck is committed to when a hand begins', handNumber);
    return { handNumber, commitment, nonces, next: { commitment: this.#next.commitment, anchors } };
  }

  nonce(seat: Seat, nonce: string): { handNumber: number; commitment: string; counts: boolean } {
    const { handNumber, commitment } = this.#next;
    const counts = this.series === null && seat.nonces.take(nonce);
    return { handNumber, commitment, counts };
  }

  #commit(handNumber: number): CommittedDeck {
    assert(handNumber > 0, 'hands are numbered from 1', handNumber);
    const secret = new Uint8Array(32);
    for (let i = 0; i < secret.length; i += 2) {
      const word = this.random.next16();
      secret[i] = word >> 8;
      secret[i + 1] = word & 0xff;
    }
    return new CommittedDeck(this.tableId, handNumber, secret, this.series?.deck(handNumber));
  }
}
