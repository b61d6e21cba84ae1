import type { Card } from '../../src/cards/card.js';

/** A five-card hand, judged by the rule book: its category 0–8 and the deciding ranks, most important first. */
export interface Judged {
  category: number;
  ranks: number[];
}

/**
 * Judges five cards in the plainest way: sort, count, compare. It shares nothing with the tested evaluator. `ranks`
 * begins with the most frequent rank. A straight's only rank is its top one, and the wheel's top is the five.
 */
export function judge(cards: readonly Card[]): Judged {
  const counts = new Map<number, number>();
  for (const card of cards) counts.set(card >> 2, (counts.get(card >> 2) ?? 0) + 1);
  const grouped = [...counts].sort(([rank, count], [otherRank, otherCount]) => otherCount - count || otherRank - rank);
  const ranks = grouped.map(([rank]) => rank);
  const shape = grouped.map(([, count]) => count).join('');

  const flush = cards.every((card) => (card & 3) === (cards[0]! & 3));
  const top = straightTop(ranks);
  if (top !== undefined) return { category: flush ? 8 : 4, ranks: [top] };
  if (flush) return { category: 5, ranks };
  return { category: { '41': 7, '32': 6, '311': 3, '221': 2, '2111': 1 }[shape] ?? 0, ranks };
}

/** One number for what `judge` says; the better hand has the higher one. */
export function naiveScore(cards: readonly Card[]): number {
  const { category, ranks } = judge(cards);
  return [0, 1, 2, 3, 4].reduce((score, i) => score * 16 + (ranks[i] ?? 0), category);
}

function straightTop(ranks: readonly number[]): number | undefined {
  if (ranks.length !== 5) return undefined;
  if (ranks[0]! - ranks[4]! === 4) return ranks[0];
  return ranks.join() === '12,3,2,1,0' ? 3 : undefined;
}
