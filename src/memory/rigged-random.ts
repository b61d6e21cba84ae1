import { DECK_SIZE, parseCard } from '../cards/card.js';
import type { RandomSource } from '../cards/random.js';
import { seededRandom } from '../cards/shuffle.js';

/**
 * Seeded randomness with a next deal that can be fixed: the shuffle then draws exactly the stacked cards. It works for
 * tables without fair deals, with decks straight from the source. Never for real play.
 */
export class RiggedRandom implements RandomSource {
  readonly #base: RandomSource;
  #draws: number[] = [];

  constructor(seed: number) {
    this.#base = seededRandom(seed);
  }

  next16(): number {
    return this.#draws.shift() ?? this.#base.next16();
  }

  /**
   * The cards of the next deal in dealing order, such as "As Kd …". First comes one card to each player from the left
   * of the button, then a second to each. Then flop, turn and river. `then` are the words that follow the shuffle.
   */
  stack(cards: string, then: readonly number[] = []): void {
    const deck = Array.from({ length: DECK_SIZE }, (_, card) => card);
    const shuffle = cards.split(/\s+/).map((name, i) => {
      const at = deck.indexOf(parseCard(name), i);
      if (at < 0) throw new Error(`${name} is twice in the deck`);
      deck[at] = deck[i]!;
      // The middle of the range of words that the shuffle maps to this choice.
      return Math.floor(((at - i + 0.5) * 0x10000) / (DECK_SIZE - i));
    });
    this.#draws = [...shuffle, ...then];
  }
}
