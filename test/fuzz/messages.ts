import type { Dice } from '../sim/dice.js';
import { brokenValue, hostileNumber, hostileString, hostileValue, longString, nested, randomValue } from './values.js';

/** The texts of a hostile client: each is made from its dice alone. */

/** Words in a text that stand for what the client knows of its table when it sends it; see `filled`. */
export const Blank = { token: '%TOKEN%', hand: '%HAND%', table: '%TABLE%', spent: '%SPENT%' } as const;

/** A message of each type as it should be, in fields. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  join_lobby: { type: '"join_lobby"', buy_in: '2000' },
  action: {
    type: '"action"',
    action: '"raise"',
    amount: '40',
    client_action_id: '"id-1"',
    turn_token: `"${Blank.token}"`,
    hand_id: `"${Blank.hand}"`,
  },
  rebuy: { type: '"rebuy"', amount: '0' },
  leave_table: { type: '"leave_table"' },
  resync_request: { type: '"resync_request"', table_id: `"${Blank.table}"`, last_table_seq: '0' },
  set_auto_rebuy: { type: '"set_auto_rebuy"', enabled: 'true' },
  deal_nonce: { type: '"deal_nonce"', nonce: `"${'5e'.repeat(32)}"` },
};

type Fields = readonly (readonly [name: string, value: string])[];

const objectOf = (fields: Fields) => `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;

/** The fields of some message; most often an action, which has the most to get wrong. */
function someMessage(dice: Dice): Fields {
  const type = dice.chance(0.5) ? 'action' : dice.pick(Object.keys(MESSAGES));
  return Object.entries(MESSAGES[type]!);
}

/** The largest frame a client may send, in bytes (protocol.md, "Connecting"). */
export const MAX = 16 * 1024;
/** The room that blanks may add to a text. */
const ROOM = 300;

type Maker = (dice: Dice) => string;

const garbage: Maker = (dice) => {
  const whole = objectOf(someMessage(dice));
  switch (dice.int(0, 9)) {
    case 0:
      return '';
    case 1:
      return ' '.repeat(dice.int(1, 200));
    case 2:
      return whole.slice(0, dice.int(1, whole.length - 1));
    case 3:
      return whole + whole;
    case 4:
      return `\ufeff${whole}`;
    case 5:
      return whole.replaceAll('"', "'");
    case 6:
      return brokenValue(dice);
    case 7:
      return '['.repeat(dice.int(1, 10_000));
    case 8:
      return '{"a":'.repeat(dice.int(1, 3200));
    default:
      return Array.from({ length: dice.int(1, 300) }, () => String.fromCharCode(dice.int(0, 0x7f))).join('');
  }
};

/** 8,000 arrays in each other, and what closes them, nearly fill a frame. */
const noObject: Maker = (dice) => {
  if (dice.chance(0.2)) return nested(dice, dice.pick([10, 500, 2700]));
  if (dice.chance(0.05)) return nested(dice, 8000);
  if (dice.chance(0.5)) return `[${objectOf(someMessage(dice))}]`;
  return hostileValue(dice);
};

const TYPES = [
  '"Action"',
  '" action"',
  '"action\\u0000"',
  '"actions"',
  '"connected"',
  '"your_turn"',
  '"__proto__"',
  '"constructor"',
  '"hasOwnProperty"',
  '"toString"',
  '"ping"',
  '"attach"',
];

const wrongType: Maker = (dice) => {
  const others = someMessage(dice).slice(1);
  if (dice.chance(0.15)) return objectOf(others);
  return objectOf([['type', dice.chance(0.5) ? dice.pick(TYPES) : hostileValue(dice)], ...others]);
};

/** One or two fields of a known message replaced, broken, or left out. */
const wrongField: Maker = (dice) => {
  const fields = someMessage(dice).map(([name, value]) => [name, value] as [string, string]);
  for (let n = dice.int(1, 2); n > 0 && fields.length > 1; n--) {
    const at = dice.int(1, fields.length - 1);
    const fate = dice.unit();
    if (fate < 0.15) fields.splice(at, 1);
    else fields[at]![1] = fate < 0.25 ? brokenValue(dice) : hostileValue(dice);
  }
  return objectOf(fields);
};

/** Well-formed to the last field, and still not what any honest client would send. */
const sly: Maker = (dice) => {
  const action = dice.pick(['"fold"', '"check"', '"call"', '"raise"', '"raise"', '"all_in"']);
  const id = dice.pick(['"one"', `"${Blank.spent}"`, '"__proto__"', '"\\ud800"', '"😀"', '"a\\u0000"', 'null', longString(dice), `"${dice.int(0, 1e9)}"`]); // prettier-ignore
  const token = dice.chance(0.8) ? `"${Blank.token}"` : dice.pick([hostileString(dice), 'null']);
  const hand = dice.chance(0.8) ? `"${Blank.hand}"` : dice.pick([hostileString(dice), 'null']);
  switch (dice.int(0, 10)) {
    case 10:
      return `{"type":"deal_nonce","nonce":"${dice.pick(['0', 'f', '5e']).repeat(64).slice(0, 64)}"}`;
    case 0:
      return `{"type":"join_lobby","buy_in":${hostileNumber(dice)}}`;
    case 1:
      return `{"type":"rebuy","amount":${hostileNumber(dice)}}`;
    case 2:
      return `{"type":"set_auto_rebuy","enabled":${dice.pick(['true', 'false'])}}`;
    case 3:
      return dice.chance(0.3)
        ? '{"type":"leave_table"}'
        : `{"type":"resync_request","table_id":${hostileString(dice)},"last_table_seq":${hostileNumber(dice)}}`;
    case 4:
      return `{"type":"resync_request","table_id":"${Blank.table}","last_table_seq":${dice.pick(['-1', '0.5', '1e999', '"0"'])}}`;
    default:
      return `{"type":"action","action":${action},"amount":${hostileNumber(dice)},"client_action_id":${id},"turn_token":${token},"hand_id":${hand}}`;
  }
};

/** Keys that are there twice, that mean something to the language, or that nobody asked for. */
const wrongShape: Maker = (dice) => {
  const fields = [...someMessage(dice)];
  const [name, value] = dice.pick(fields);
  switch (dice.int(0, 5)) {
    case 0:
      return objectOf([...fields, [name, hostileValue(dice)]]);
    case 1:
      return objectOf([[name, hostileValue(dice)], ...fields.filter(([other]) => other !== name), [name, value]]);
    case 2:
      return objectOf([['__proto__', objectOf(fields)]]);
    case 3:
      return objectOf([...fields, ['__proto__', '{"type":"leave_table"}'], ['constructor', 'null']]);
    case 4:
      return objectOf([...fields, ...Array.from({ length: dice.int(1, 800) }, (_, n) => [`k${n}`, '0'] as const)]);
    default:
      return objectOf([...fields, ['extra', dice.chance(0.5) ? nested(dice, 2500) : randomValue(dice, 6)]]);
  }
};

/** To be made exactly as large as a frame may be, or one byte less. */
const large: Maker = (dice) =>
  dice.chance(0.5) ? objectOf(someMessage(dice)) : `{"type":"x","a":${longString(dice)}}`;

interface Kind {
  name: string;
  make: Maker;
  /** The share of a hundred messages: of any client, and of one that speaks mostly on its turn. */
  share: number;
  onTurn: number;
}

const KINDS: readonly Kind[] = [
  { name: 'no JSON', make: garbage, share: 14, onTurn: 4 },
  { name: 'no object', make: noObject, share: 8, onTurn: 2 },
  { name: 'wrong type', make: wrongType, share: 14, onTurn: 2 },
  { name: 'wrong field', make: wrongField, share: 28, onTurn: 8 },
  { name: 'sly', make: sly, share: 24, onTurn: 80 },
  { name: 'wrong shape', make: wrongShape, share: 10, onTurn: 3 },
  { name: 'largest', make: large, share: 2, onTurn: 1 },
];

export const messageKinds: readonly string[] = KINDS.map(({ name }) => name);

export interface Message {
  kind: string;
  /** May hold words of Blank. */
  text: string;
  /** Spaces behind it bring it to this size in bytes. */
  size: number;
}

export function hostileMessage(dice: Dice, mix: 'share' | 'onTurn' = 'share'): Message {
  let left = dice.int(0, 99);
  const { name: kind, make } = KINDS.find((candidate) => (left -= candidate[mix]) < 0)!;
  const text = make(dice);
  const fits = Buffer.byteLength(text) <= MAX - ROOM;
  return { kind, text: fits ? text : text.slice(0, MAX / 4), size: make === large ? MAX - dice.int(0, 1) : 0 };
}

/** A client's knowledge for a hostile message. */
export interface Knowledge {
  token: string;
  hand: string;
  table: string;
  /** The id of its last accepted action. */
  spent: string;
}

/** The bytes of a message, with its blanks filled in. */
export function bytesOf({ text, size }: Message, known: Knowledge): Buffer {
  const whole = !text.includes('%')
    ? text
    : text
        .replaceAll(Blank.token, known.token)
        .replaceAll(Blank.hand, known.hand)
        .replaceAll(Blank.table, known.table)
        .replaceAll(Blank.spent, known.spent);
  const bytes = Buffer.from(whole);
  return bytes.length < size ? Buffer.concat([bytes, Buffer.alloc(size - bytes.length, ' ')]) : bytes;
}
