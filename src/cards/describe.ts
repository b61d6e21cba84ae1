import type { Card } from './card.js';
import { evaluate5, evaluate6, evaluate7 } from './evaluator.js';
import { Category, category, leadingRank, secondRank, type HandValue } from './value.js';

const ONE = ['Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Jack', 'Queen', 'King', 'Ace'];
const MANY = ONE.map((name) => (name === 'Six' ? 'Sixes' : `${name}s`));
const ACE = ONE.length - 1;

/**
 * The usual words for a value of the evaluator, as `hand_description` tells them: "Full House, Kings over Sevens".
 * Kickers are not named.
 */
export function describeValue(value: HandValue): string {
  const rank = leadingRank(value);
  switch (category(value)) {
    case Category.highCard:
      return `High Card, ${ONE[rank]}`;
    case Category.pair:
      return `Pair of ${MANY[rank]}`;
    case Category.twoPair:
      return `Two Pair, ${MANY[rank]} and ${MANY[secondRank(value)]}`;
    case Category.threeOfAKind:
      return `Three of a Kind, ${MANY[rank]}`;
    case Category.straight:
      return `Straight, ${ONE[rank]} high`;
    case Category.flush:
      return `Flush, ${ONE[rank]} high`;
    case Category.fullHouse:
      return `Full House, ${MANY[rank]} over ${MANY[secondRank(value)]}`;
    case Category.fourOfAKind:
      return `Four of a Kind, ${MANY[rank]}`;
    case Category.straightFlush:
      return rank === ACE ? 'Royal Flush' : `Straight Flush, ${ONE[rank]} high`;
  }
}

/**
 * The words for the best five of five to seven cards, in any order.
 * @throws {RangeError} when there are fewer or more.
 */
export function describeHand(cards: ArrayLike<Card>): string {
  const [c0, c1, c2, c3, c4, c5, c6] = Array.from(cards) as [Card, Card, Card, Card, Card, Card, Card];
  switch (cards.length) {
    case 5:
      return describeValue(evaluate5(c0, c1, c2, c3, c4));
    case 6:
      return describeValue(evaluate6(c0, c1, c2, c3, c4, c5));
    case 7:
      return describeValue(evaluate7(c0, c1, c2, c3, c4, c5, c6));
    default:
      throw new RangeError(`a hand to describe has five to seven cards, not ${cards.length}`);
  }
}
