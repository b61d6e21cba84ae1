import { MOST_UNITS } from '../amount.js';
import { HandFileError } from '../file.js';
import type { AmountUnit } from '../hand.js';
import type { PhhSection } from './sections.js';

const FIELDS = [
  'antes',
  'blinds_or_straddles',
  'min_bet',
  'starting_stacks',
  'winnings',
  'finishing_stacks',
  '_small_blind',
];
const SYMBOLS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£' };

/** The amounts of a hand in whole units: cents where an amount of the hand has a fraction, else chips. */
export class PhhAmounts {
  readonly unit: AmountUnit;

  constructor(
    private readonly section: PhhSection,
    raises: readonly { text: string; line: number }[],
  ) {
    const { values } = section;
    const numbers = FIELDS.flatMap((field) => [values[field]].flat());
    const broken = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value);
    const hasCents = numbers.some(broken) || raises.some(({ text }) => /^\d+\.\d*[1-9]/.test(text));
    const { currency, currency_symbol: symbol } = values;
    this.unit = {
      symbol: typeof symbol === 'string' ? symbol : (typeof currency === 'string' && SYMBOLS[currency]) || '',
      decimals: hasCents ? 2 : 0,
    };
  }

  /** A list of amounts, of `count` where that is known. Null where there is no such field. @throws {HandFileError} */
  list(field: string, count: number | null): number[] | null {
    const value = this.section.values[field];
    if (value === undefined) return null;
    if (!Array.isArray(value)) return this.section.fail(`The field ${field} is no list.`, field);
    if (count !== null && value.length !== count) {
      return this.section.fail(`The field ${field} has ${value.length} amounts for ${count} players.`, field);
    }
    return value.map((amount) => this.#whole(amount, field));
  }

  /** One amount; null where there is no such field. @throws {HandFileError} */
  one(field: string): number | null {
    const value = this.section.values[field];
    return value === undefined ? null : this.#whole(value, field);
  }

  /** An amount of an action, read digit by digit. @throws {HandFileError} */
  ofText(text: string, line: number): number {
    const { decimals } = this.unit;
    const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+?)0*)?$/.exec(text) ?? [];
    const cents = fraction === '0' ? '' : fraction;
    const units = Number(whole + cents.padEnd(decimals, '0'));
    if (whole !== '' && cents.length <= decimals && units <= MOST_UNITS) return units;
    throw new HandFileError(`"${text}" is no amount in whole cents.`, line);
  }

  /** A double is the nearest to the cents that its text names, so that the cents give it back exactly. */
  #whole(value: unknown, field: string): number {
    const scale = this.unit.decimals === 2 ? 100 : 1;
    const units = typeof value === 'number' ? Math.round(value * scale) : NaN;
    if (units / scale === value && units >= 0 && units <= MOST_UNITS) return units;
    const shown = typeof value === 'number' || typeof value === 'string' ? String(value) : 'another value';
    const what = typeof value === 'number' && value < 0 ? 'a negative amount' : 'no amount in whole cents';
    return this.section.fail(`The field ${field} has ${shown}, which is ${what}.`, field);
  }
}
