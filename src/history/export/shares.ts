import type { SeenHand } from './seen.js';

/** Chips that a seat won from one pot, which is named as PokerStars does. */
export interface Share {
  seat: number;
  chips: number;
  pot: string;
}

export const potNames = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => (i === 0 ? 'main pot' : count === 2 ? 'side pot' : `side pot-${i}`));

/**
 * Who took what from which pot, the last side pot first. Pots with the same winners are divided as one (the rules of
 * odd chips), so each gets its part of the whole: the sums are the payouts.
 */
export function sharesOf({ pots, players }: SeenHand): Share[] {
  const names = pots.length === 1 ? ['pot'] : potNames(pots.length);
  const shares: Share[][] = [];
  let before = 0;
  for (const [i, { amount, winners }] of pots.entries()) {
    if (i > 0 && winners !== pots[i - 1]!.winners) before = 0;
    // In dealing order, which is the order of odd chips.
    const seats = players.map(({ seat }) => seat).filter((seat) => (winners & (1 << seat)) !== 0);
    const upTo = (chips: number, nth: number) => Math.floor((chips + seats.length - 1 - nth) / seats.length);
    const won = seats.map((seat, nth) => ({
      seat,
      chips: upTo(before + amount, nth) - upTo(before, nth),
      pot: names[i]!,
    }));
    shares.unshift(won.filter(({ chips }) => chips > 0));
    before += amount;
  }
  return shares.flat();
}
