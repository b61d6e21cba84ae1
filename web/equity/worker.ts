import { parseCard } from '../../src/cards/card.js';
import { describeHand } from '../../src/cards/describe.js';
import { Equities, placeIn } from '../../src/analytics/equity.js';
import type { EquityAnswer, EquityQuestion } from './question.js';

/** Counts boards beside the page, so that it stays at hand: before the flop there are up to 1.7 million of them. */

const equities = new Equities();

self.onmessage = ({ data }: MessageEvent<EquityQuestion>) => {
  const answer: EquityAnswer = { id: data.id, shares: sharesOf(data), words: wordsOf(data) };
  self.postMessage(answer);
};

/** What part of a pot each hand can expect: ties are divided. */
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
