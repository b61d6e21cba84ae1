import type { Dice } from '../sim/dice.js';

/** JSON values as text, made to hurt whoever parses, checks, stores, prints or compares them. Some are no JSON at all. */

const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1',
  '0.1',
  '99.5',
  '100.0',
  '1e2',
  '1E+2',
  '2000',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '-9007199254740993',
  '18446744073709551616',
  '123456789012345678901234567890',
  '1e308',
  '1e999',
  '-1e999',
  '5e-324',
  '1e-400',
];

/** Texts that a parser may not take for a value. */
const NO_JSON = [
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  '01',
  '+1',
  '.5',
  '1.',
  '0x10',
  '1_000',
  "'fold'",
  'True',
  '"\t"',
  '"\n"',
  '"\0"',
  '"\\x41"',
  '"\\u12"',
  '"unterminated',
  '[1,]',
  '{"a":1,}',
  '{a:1}',
  '/* fold */ 1',
  '',
  ',',
  ']',
];

const STRINGS = [
  '""',
  '" "',
  '"fold"',
  '"FOLD"',
  '"fold "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\ud83d\\ude00"',
  '"😀"',
  '"\u2028\u2029"',
  '"\u202etxet"',
  '"\ufeff"',
  '"é́́́"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"\\u0066old"',
  '"\'; drop table agents; --"',
  '"${jndi:ldap://127.0.0.1/a}"',
  '"{{7*7}}%s%n%p"',
  '"<script>alert(1)</script>"',
  '"../../../../etc/passwd"',
  '"\\r\\nx-injected: 1"',
  '"00000000-0000-0000-0000-000000000000"',
  '"{00000000-0000-0000-0000-000000000000}"',
  '"urn:uuid:00000000-0000-0000-0000-000000000000"',
  '"NaN"',
  '"1e999"',
  '"null"',
  '"2025-13-45T99:99:99Z"',
];

const OTHERS = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[null]',
  '["fold"]',
  '{"type":"action"}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"toString":1,"valueOf":2}',
  '{"toJSON":"x"}',
  '{"length":4294967295}',
  '{"then":1}',
  '{"$ref":"#"}',
  '{"":""}',
];

const LENGTHS = [2, 33, 127, 128, 129, 255, 1000, 4000, 12_000];

/** A value of any kind, well-formed. */
export function hostileValue(dice: Dice): string {
  const kind = dice.unit();
  if (kind < 0.3) return dice.pick(NUMBERS);
  if (kind < 0.6) return dice.pick(STRINGS);
  if (kind < 0.8) return dice.pick(OTHERS);
  if (kind < 0.86) return longString(dice);
  if (kind < 0.92) return nested(dice, dice.int(1, 1500));
  return randomValue(dice, 4);
}

/** A text in the place of a value that is none. */
export const brokenValue = (dice: Dice): string => dice.pick(NO_JSON);

export const hostileNumber = (dice: Dice): string =>
  dice.chance(0.7) ? dice.pick(NUMBERS) : String(dice.int(-10, 6000));

export const hostileString = (dice: Dice): string => (dice.chance(0.8) ? dice.pick(STRINGS) : longString(dice));

export function longString(dice: Dice): string {
  const length = dice.pick(LENGTHS) + dice.int(-1, 1);
  const unit = dice.pick(['a', '0', ' ', '%', '\\\\', '\\u0041', '\\"', 'ä']);
  return `"${unit.repeat(Math.floor(length / unit.length))}"`;
}

/** Arrays, or objects where they still fit a frame, in each other; closed as they were opened. */
export function nested(dice: Dice, depth: number): string {
  if (depth > 2500 || dice.chance(0.5)) return '['.repeat(depth) + ']'.repeat(depth);
  return '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
}

const KEYS = ['type', 'action', 'amount', '__proto__', 'constructor', '', 'a', 'toString', '\\u0000', 'hand_id', '0'];

/** Any JSON at all. */
export function randomValue(dice: Dice, depth: number): string {
  const kind = dice.int(0, depth > 0 ? 5 : 3);
  if (kind === 0) return dice.pick(NUMBERS);
  if (kind === 1) return dice.pick(STRINGS);
  if (kind <= 3) return dice.pick(OTHERS);
  const size = dice.int(0, 4);
  const items = Array.from({ length: size }, () => randomValue(dice, depth - 1));
  if (kind === 4) return `[${items.join(',')}]`;
  return `{${items.map((item) => `"${dice.pick(KEYS)}":${item}`).join(',')}}`;
}
