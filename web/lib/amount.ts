import { CHIPS, type AmountUnit } from '../../src/formats/hand.js';
import { count, fixed } from './format.js';
import { unit } from './settings.js';

/**
 * How amounts are written in pictures and sentences: in the unit of the hand, or as big blinds where the reader wants
 * those.
 */
export function amountText(bigBlind: number, { symbol, decimals }: AmountUnit = CHIPS): (chips: number) => string {
  if (unit.value === 'bb' && bigBlind > 0) return (chips) => `${fixed(chips / bigBlind)} bb`;
  return (chips) => symbol + (decimals === 0 ? count(chips) : fixed(chips / 100, decimals));
}
