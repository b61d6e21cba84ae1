import type { AmountUnit } from '../../src/formats/hand.js';
import { compact, count, fixed } from './format.js';

/** How amounts are written. */
export interface AmountWords {
  /** Exactly. */
  (chips: number): string;
  /** In three figures from 100,000 on: 243k, 1.24M. */
  short: (chips: number) => string;
  /** In three figures from 1,000 on. */
  shortest: (chips: number) => string;
}

/** In the unit, or as multiples of a big blind; 0: no big blinds. */
export function amountWords({ symbol, decimals }: AmountUnit, bigBlind = 0): AmountWords {
  const [before, after, size, digits] =
    bigBlind > 0 ? ['', ' bb', bigBlind, 1] : [symbol, '', decimals === 0 ? 1 : 100, decimals];
  const exact = (chips: number) => before + (digits === 0 ? count(chips / size) : fixed(chips / size, digits)) + after;
  const from = (least: number) => (chips: number) =>
    chips / size < least ? exact(chips) : before + compact(chips / size) + after;
  return Object.assign(exact, { short: from(100_000), shortest: from(1000) });
}
