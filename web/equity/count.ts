import { parseCard } from '../../src/cards/card.js';
import { describeHand } from '../../src/cards/describe.js';
import { Equities, placeIn } from '../../src/analytics/equity.js';
import type { EquityAnswer, EquityQuestion } from './question.js';

/**
 * The value of each hand, by the analytics' own count over all possible boards. Nothing is drawn by lot: two hands
 * before the flop have the most boards, 1,712,304, and more hands leave fewer of them.
 */

const equities = new Equities();

export const answerTo = (question: EquityQuestion): EquityAnswer => ({
  id: question.id,
  shares: sharesOf(question),
  words: wordsOf(question),
});

/** The expected part of a pot for each hand: ties are divided. */
function sharesOf({ holes, board }: EquityQuestion): number[] {
  if (holes.length < 2) return holes.map(() => 1);
  const hands = holes.map(([a, b]) => [parseCard(a), parseCard(b)] as const);
  const { boards, counts } = equities.orders(hands, board.map(parseCard));
  const shares = hands.map(() => 0);
  for (const [order, times] of counts) {
    const first = hands.flatMap((_, i) => (placeIn(order, i) === 0 ? [i] : []));
    for (const i of first) shares[i] = shares[i]! + times / first.length;
  }
  return shares.map((sum) => sum / boards);
}

/** The words for the hands, once there is a flop. */
const wordsOf = ({ holes, board }: EquityQuestion): (string | null)[] =>
  holes.map((hole) => (board.length < 3 ? null : describeHand([...hole, ...board].map(parseCard))));
