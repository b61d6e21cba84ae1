import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { CARD_NAMES, DECK_SIZE, RANKS, SUITS, type Card } from './card.js';
import { CommittedDice } from './dice.js';
import { HashStream } from './hash-stream.js';
import { drawCards } from './shuffle.js';

/**
 * A whole deck that was fixed before the hand. Its commitment can be public at once. Single cards can be opened later
 * without a hint of the others. docs/protocol.md ("Fair deals") has the formulas. All texts are ASCII, hashes and salts
 * lower-case hex.
 */

/** Places of the deck that can be dealt: two to each of six players, and the board. */
export const DEALT_PLACES = 17;
const SECRET_BYTES = 32;
const SALT_BYTES = 16;
const SECRET_DOMAIN = Buffer.from('agent-poker/secret|');

/** The proof of a place of the deck: its card, and the salt. Without the salt the hash could be guessed. */
export interface Opening {
  index: number;
  /** The name of the card before the nonces' permutation. */
  card: string;
  salt: string;
}

export class CommittedDeck {
  /** The 52 cards in dealing order, before the nonces' permutation. */
  readonly cards: ArrayLike<Card>;
  readonly commitment: string;
  /** Hashes of the places that can be dealt, and one over all other places and the dice. */
  readonly hashes: readonly string[];
  readonly rest: string;
  /** The dice in `rest`, and the hash of the other places beside them. Null in records of decks without dice. */
  readonly dice: CommittedDice | null;
  readonly undealt: string;
  readonly #salts: Buffer;

  /**
   * @param secret 32 random bytes: the salts come of them, and where no `cards` are given the deck too. So whoever keeps
   *   the secret can prove the deck at any time.
   * @param hasDice false: a stored deck with a commitment that covers no dice.
   */
  constructor(
    readonly tableId: string,
    readonly handNumber: number,
    readonly secret: Uint8Array,
    cards?: ArrayLike<Card>,
    hasDice = true,
  ) {
    if (secret.length !== SECRET_BYTES) throw new RangeError(`a secret has 32 bytes, not ${secret.length}`);
    const stream = new HashStream(Buffer.concat([SECRET_DOMAIN, secret]), DECK_SIZE * SALT_BYTES);
    this.#salts = stream.take(DECK_SIZE * SALT_BYTES);
    this.cards = cards ?? shuffled(stream);
    const place = `${tableId}|${handNumber}|`;
    this.hashes = hashLeaves(`agent-poker/leaf|${place}`, this.cards, this.#salts);
    this.dice = hasDice ? new CommittedDice(place, secret) : null;
    this.undealt = hashUndealt(`agent-poker/${hasDice ? 'undealt' : 'rest'}|${place}`, this.cards, this.#salts);
    this.rest =
      this.dice === null
        ? this.undealt
        : hash('sha256', `agent-poker/rest|${place}${this.undealt}${this.dice.hashes.join('')}`);
    this.commitment = hash('sha256', `agent-poker/deck|${place}${this.hashes.join('')}${this.rest}`);
  }

  open(index: number): Opening {
    return {
      index,
      card: CARD_NAMES[this.cards[index]!]!,
      salt: this.#salts.toString('hex', index * SALT_BYTES, (index + 1) * SALT_BYTES),
    };
  }
}

/**
 * Hashes of `head`, index, card and salt, separated by bars, of the places that can be dealt. This is the largest part
 * of a committed deck's cost. The text is built as bytes in place: making and encoding a string for each takes as long
 * as hashing it.
 */
function hashLeaves(head: string, cards: ArrayLike<Card>, salts: Uint8Array): string[] {
  const text = Buffer.alloc(head.length + 6 + 2 * SALT_BYTES, `${head}00|2c|`, 'latin1');
  const at = head.length;
  const leaves: string[] = [];
  for (let i = 0; i < DEALT_PLACES; i++) {
    text[at] = 48 + Math.floor(i / 10);
    text[at + 1] = 48 + (i % 10);
    writeCard(text, at + 3, cards[i]!);
    writeSalt(text, at + 6, salts, i);
    leaves.push(hash('sha256', text));
  }
  return leaves;
}

/** Hash of `head`, and card and salt of each place below, which are never opened one by one: so one hash does for them. */
function hashUndealt(head: string, cards: ArrayLike<Card>, salts: Uint8Array): string {
  const text = Buffer.alloc(head.length + (DECK_SIZE - DEALT_PLACES) * PLACE_BYTES, head, 'latin1');
  let at = head.length;
  for (let i = DEALT_PLACES; i < DECK_SIZE; i++, at += PLACE_BYTES) {
    writeCard(text, at, cards[i]!);
    writeSalt(text, at + 2, salts, i);
  }
  return hash('sha256', text);
}

/** A card's name and its salt in hex. */
const PLACE_BYTES = 2 + 2 * SALT_BYTES;

function writeCard(text: Buffer, at: number, card: Card): void {
  text[at] = RANK_BYTES[card >> 2]!;
  text[at + 1] = SUIT_BYTES[card & 3]!;
}

function writeSalt(text: Buffer, at: number, salts: Uint8Array, place: number): void {
  for (let k = 0; k < SALT_BYTES; k++) {
    const byte = salts[place * SALT_BYTES + k]!;
    text[at + 2 * k] = HEX_BYTES[byte >> 4]!;
    text[at + 2 * k + 1] = HEX_BYTES[byte & 15]!;
  }
}

const HEX_BYTES = Uint8Array.from(Buffer.from('0123456789abcdef', 'latin1'));
const RANK_BYTES = Uint8Array.from(Buffer.from(RANKS, 'latin1'));
const SUIT_BYTES = Uint8Array.from(Buffer.from(SUITS, 'latin1'));

/** A deck by the words of the stream, which nobody knows who does not have its seed. */
function shuffled(stream: HashStream): Uint8Array {
  const cards = new Uint8Array(DECK_SIZE);
  drawCards(cards, DECK_SIZE, stream);
  return cards;
}

/** A client's part in the cards: 64 hex digits. */
export interface PlayerNonce {
  seat: number;
  nonce: string;
}

/**
 * Maps each card of the committed deck to the dealt card: a permutation that anyone can compute from public data.
 * Without all nonces every permutation is equally likely. Null, which stands for no change, without nonces.
 */
export function publicPermutation(commitment: string, nonces: readonly PlayerNonce[]): Uint8Array | null {
  if (nonces.length === 0) return null;
  const parts = nonces.map(({ seat, nonce }) => `|${seat}:${nonce}`);
  const dealt = new Uint8Array(DECK_SIZE);
  drawCards(dealt, DECK_SIZE, new HashStream(Buffer.from(`agent-poker/nonces|${commitment}${parts.join('')}`)));
  return dealt;
}

/** The hash that a chain's next nonce must have: a nonce opens the one before it. */
export const nonceHash = (nonce: string): string => hash('sha256', nonce);
