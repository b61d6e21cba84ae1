import { count, fixed } from './format.js';
import { unit } from './settings.js';

/** How chips are written in pictures and sentences: as chips, or as big blinds where the reader wants those. */
export function amountText(bigBlind: number): (chips: number) => string {
  if (unit.value === 'chips' || bigBlind <= 0)
    return (chips) => (Number.isInteger(chips) ? count(chips) : fixed(chips, 2));
  return (chips) => `${fixed(chips / bigBlind)} bb`;
}
