import { Category, category, leadingRank, secondRank, type HandValue } from '../cards/value.js';

const ONE = ['Deuce', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Jack', 'Queen', 'King', 'Ace'];
const MANY = ONE.map((name) => (name === 'Six' ? 'Sixes' : `${name}s`));
const ACE = ONE.length - 1;

/** A hand in the words of PokerStars: "a full house, Kings full of Sevens". */
export function pokerStarsWords(value: HandValue): string {
  const rank = leadingRank(value);
  switch (category(value)) {
    case Category.highCard:
      return `high card ${ONE[rank]}`;
    case Category.pair:
      return `a pair of ${MANY[rank]}`;
    case Category.twoPair:
      return `two pair, ${MANY[rank]} and ${MANY[secondRank(value)]}`;
    case Category.threeOfAKind:
      return `three of a kind, ${MANY[rank]}`;
    case Category.straight:
      return `a straight, ${lowest(rank)} to ${ONE[rank]}`;
    case Category.flush:
      return `a flush, ${ONE[rank]} high`;
    case Category.fullHouse:
      return `a full house, ${MANY[rank]} full of ${MANY[secondRank(value)]}`;
    case Category.fourOfAKind:
      return `four of a kind, ${MANY[rank]}`;
    case Category.straightFlush:
      return rank === ACE ? 'a Royal Flush' : `a straight flush, ${lowest(rank)} to ${ONE[rank]}`;
  }
}

/** The lowest card of a straight: below the five stands the ace. */
const lowest = (rank: number) => (rank < 4 ? ONE[ACE] : ONE[rank - 4]);
