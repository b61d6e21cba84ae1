import { CHIPS, type AmountUnit } from '../../src/formats/hand.js';
import { compact, count, fixed } from './format.js';
import { unit } from './settings.js';

/** How amounts are written. */
export interface AmountWords {
  /** Exactly. */
  (chips: number): string;
  /** In three figures from 100,000 on: 243k, 1.24M. */
  short: (chips: number) => string;
  /** In three figures from 1,000 on. */
  shortest: (chips: number) => string;
}

/**
 * How amounts are written in pictures and sentences: in the unit of the hand, or as big blinds where the reader wants
 * those.
 */
export function amountText(bigBlind: number, { symbol, decimals }: AmountUnit = CHIPS): AmountWords {
  const inBlinds = unit.value === 'bb' && bigBlind > 0;
  const [before, after, size, digits] = inBlinds
    ? ['', ' bb', bigBlind, 1]
    : [symbol, '', decimals === 0 ? 1 : 100, decimals];
  const exact = (chips: number) => before + (digits === 0 ? count(chips / size) : fixed(chips / size, digits)) + after;
  const from = (least: number) => (chips: number) =>
    chips / size < least ? exact(chips) : before + compact(chips / size) + after;
  return Object.assign(exact, { short: from(100_000), shortest: from(1000) });
}
