/** The parts in use of packages that are measured against, or checked against, and that bring no types of their own. */

declare module 'phe' {
  /** Strength of five to seven card codes (rank * 4 + suit, suits s h d c); lower is better. */
  export function evaluateCardCodes(codes: readonly number[]): number;
  /** The same for names such as "Ah". */
  export function evaluateCards(cards: readonly string[]): number;
  /** Category of a strength, 0 straight flush to 8 high card. */
  export function handRank(strength: number): number;
  export function stringifyCardCode(code: number): string;
}

declare module 'pokersolver' {
  export class Hand {
    static solve(cards: readonly string[]): Hand;
    /** The best of them: more than one when they tie. */
    static winners(hands: readonly Hand[]): Hand[];
    /** Such as "Two Pair, A's & Q's". */
    descr: string;
    /** Category, 1 high card to 9 straight flush. */
    rank: number;
  }
}
