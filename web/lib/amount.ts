import { CHIPS, type AmountUnit } from '../../src/formats/hand.js';
import { amountWords, type AmountWords } from './amount-words.js';
import { unit } from './settings.js';

/**
 * How amounts are written in pictures and sentences: in the unit of the hand, or as big blinds where the reader wants
 * those.
 */
export const amountText = (bigBlind: number, of: AmountUnit = CHIPS): AmountWords =>
  amountWords(of, unit.value === 'bb' ? bigBlind : 0);
