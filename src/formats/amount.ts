import type { AmountUnit } from './hand.js';

/** The largest amount that the rules of src/holdem count. */
export const MOST_UNITS = 2 ** 31 - 1;

const AMOUNT = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/;

/**
 * An amount in whole units: "1,250.5" is 125050 with two decimals. Commas part thousands. Null where the text is no
 * such amount, or has a fraction although the unit has none.
 */
export function unitsOf(text: string, decimals: AmountUnit['decimals']): number | null {
  const found = AMOUNT.exec(text);
  if (found === null) return null;
  const [, whole = '', fraction] = found;
  if (decimals === 0 && fraction !== undefined) return null;
  const units = Number(whole.replaceAll(',', '') + (fraction ?? '').padEnd(decimals, '0'));
  return units <= MOST_UNITS ? units : null;
}

/** An amount as files write it: "$1", "$1.50", "20". */
export function amountText(units: number, { symbol, decimals }: AmountUnit): string {
  if (decimals === 0) return `${symbol}${units}`;
  const [whole, cents] = [Math.floor(units / 100), units % 100];
  return `${symbol}${whole}${cents === 0 ? '' : `.${String(cents).padStart(2, '0')}`}`;
}
