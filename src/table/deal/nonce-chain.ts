import { nonceHash } from '../../cards/committed-deck.js';

/**
 * A player's nonces: a chain in which each is the hash of the one that follows. Each player announces the first nonce
 * before any other nonce is sent. So the later ones are fixed, and no player can choose its nonce by those of the
 * others.
 */
export class NonceChain {
  /** Announced with the running hand: what the next nonce must hash to. */
  #announced: string | null = null;
  /** The next nonce: it counts in the next deal. */
  #opened: string | null = null;
  /** The start of another chain, to be announced with the next hand. */
  #begun: string | null = null;

  /** Takes what a client sent; whether it counts in the next deal. Otherwise it is announced as the start of a chain. */
  take(nonce: string): boolean {
    if (nonce === this.#opened) return true;
    if (this.#opened === null && this.#announced !== null && nonceHash(nonce) === this.#announced) {
      this.#opened = nonce;
      return true;
    }
    this.#begun = nonce;
    return false;
  }

  /**
   * A hand begins: the nonce that counts in it, or null. An opened nonce is spent, even if its player is not dealt in.
   */
  spend(): string | null {
    const opened = this.#opened;
    this.#announced = this.#begun ?? opened ?? this.#announced;
    this.#opened = null;
    this.#begun = null;
    return opened;
  }

  /** The nonce that is announced with the hand that has just begun, or null. */
  get announced(): string | null {
    return this.#announced;
  }
}
