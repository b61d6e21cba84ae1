import { assert } from '../../ops/assert.js';
import { Buffer } from 'node:buffer';
import type { CommittedDeck } from '../../cards/committed-deck.js';
import { publicPermutation, type PlayerNonce, type Opening } from '../../cards/committed-deck.js';
import { drawOf } from '../../cards/dice.js';

/** How a hand was dealt, as it is stored: enough to prove its cards again. */
export interface StoredDeal {
  /** 32 bytes as hex (CommittedDeck). The secret reveals all cards: it never leaves the server. */
  secret: string;
  /** Those that counted, in seat order. */
  nonces: PlayerNonce[];
  /** The cards below the dealt ones, where the deck does not come of the secret (a duplicate pool). */
  undealt: number[] | null;
  /** The commitment covers dice. Absent in older records. */
  hasDice?: true;
}

/** Opens the dice of a seat. */
export interface OpenedDice {
  seed: string;
  /** The hash of the places below the dealt ones, and those of the dice by seat: `rest` of the deck covers them. */
  undealt: string;
  hashes: readonly string[];
}

/** The deal's part of hand_start. */
export interface StartedDeal {
  handNumber: number;
  commitment: string;
  nonces: PlayerNonce[];
  next: { commitment: string; anchors: PlayerNonce[] };
}

/** A deck that was committed to, and what became of it. */
export class Deal {
  constructor(
    readonly deck: CommittedDeck,
    readonly nonces: PlayerNonce[],
  ) {}

  /** Puts the first `count` cards, as they are dealt, into `out`. */
  cards(out: Uint8Array, count: number): void {
    const { cards, commitment } = this.deck;
    assert(count <= cards.length, 'a deck has so many cards', count);
    const permutation = publicPermutation(commitment, this.nonces);
    for (let i = 0; i < count; i++) out[i] = permutation === null ? cards[i]! : permutation[cards[i]!]!;
  }

  /** Openings of the dealt board cards and of the shown cards, by index. */
  shared({ seats, button, shown, boardCount }: DealtHand): Opening[] {
    assert(boardCount <= 5, 'a board has five cards', boardCount);
    const places: number[] = [];
    for (const seat of seats) if ((shown & (1 << seat)) !== 0) places.push(...holePlaces(seats, button, seat));
    for (let i = 0; i < boardCount; i++) places.push(2 * seats.length + i);
    return places.sort((a, b) => a - b).map((index) => this.deck.open(index));
  }

  /** Openings of a player's own cards. */
  own({ seats, button }: DealtHand, seat: number): Opening[] {
    return holePlaces(seats, button, seat).map((index) => this.deck.open(index));
  }

  /** The draw for a mixed action: `number` counts the actions of the hand from 0. */
  draw(seat: number, number: number): number {
    const { dice, commitment } = this.deck;
    assert(dice !== null, 'the commitment of a hand in play covers dice');
    return drawOf(commitment, dice.seeds[seat]!, number, this.nonces);
  }

  /** Opens the dice of a seat; null where the commitment covers none. */
  ownDice(seat: number): OpenedDice | null {
    const { dice, undealt } = this.deck;
    return dice === null ? null : { seed: dice.seeds[seat]!, undealt, hashes: dice.hashes };
  }

  stored(cards: number | null): StoredDeal {
    assert(cards === null || cards <= this.deck.cards.length, 'no more cards are dealt than a deck has', cards);
    return {
      secret: Buffer.from(this.deck.secret).toString('hex'),
      nonces: this.nonces,
      undealt: cards === null ? null : Array.from(this.deck.cards).slice(cards),
      ...(this.deck.dice !== null && { hasDice: true as const }),
    };
  }
}

/** The seats of the hand and the cards that were seen. */
export interface DealtHand {
  /** In seat order. */
  seats: readonly number[];
  button: number;
  /** Bit mask of the seats that showed their cards. */
  shown: number;
  boardCount: number;
}

/**
 * Places of a seat's two cards in dealing order: the first card goes to everybody from the left of the button, then the
 * second.
 */
export function holePlaces(seats: readonly number[], button: number, seat: number): [number, number] {
  const fromLeft = (other: number) => (other - button + 63) % 64;
  assert(seats.includes(seat), 'the seat was dealt in', seat);
  const place = seats.filter((other) => fromLeft(other) < fromLeft(seat)).length;
  return [place, place + seats.length];
}
