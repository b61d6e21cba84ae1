import { METHODS } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { RouteSpec } from '../../src/protocol/route.js';
import type { Dice } from '../sim/dice.js';
import { diceOf } from './plan.js';
import { sampleFields, type Fields } from './samples.js';
import { brokenValue, hostileNumber, hostileString, hostileValue, nested, randomValue } from './values.js';

/** In order; a name may be there twice. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** A request to the REST API that is well-formed HTTP and nothing else. */
export interface HostileRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
  body: Buffer | null;
  /** Which agent's key goes with it, as a number drawn from a great many; null: `headers` say what there is to say. */
  agent: number | null;
}

/** The platform's limit of a request's body, in bytes. */
export const BODY_LIMIT = 64 * 1024;
const UUID = '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11';
/** CONNECT asks a proxy for a tunnel: it has no answer that a client could read. */
const ANY_METHOD = METHODS.filter((method) => method !== 'CONNECT');

/** The nth request of a run: the same for the same seed. */
export function hostileRequest(specs: readonly RouteSpec[], seed: number, n: number): HostileRequest {
  const dice = diceOf(seed ^ 0x5bd1e995, n);
  // One after the other, so that none is left out.
  const spec = specs[n % specs.length]!;
  const body = hostileBody(dice, spec);
  const headers = hostileHeaders(dice, body !== null);
  const withKey = dice.chance(0.75);
  return {
    method: dice.chance(0.9) ? spec.method : dice.pick(ANY_METHOD),
    path: hostilePath(dice, spec) + hostileQuery(dice, spec),
    headers: withKey ? headers : [...headers, ...strangeKey(dice)],
    body,
    agent: withKey ? dice.int(0, 1_000_000) : null,
  };
}

// ---- the address

/** Words in a path that stand for what is there when it is asked for. */
export const Live = { table: 'LIVE-TABLE', season: 'LIVE-SEASON' } as const;

const SEGMENTS = [
  Live.table,
  Live.table,
  Live.season,
  Live.season,
  '..',
  '.',
  '%2e%2e',
  '%2F',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%C0%80',
  '%ED%A0%80',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e999',
  '*',
  ';x=1',
  "'--",
  '%F0%9F%98%80',
  UUID,
  UUID.toUpperCase(),
  UUID.replaceAll('-', ''),
  `%7B${UUID}%7D`,
  `urn:uuid:${UUID}`,
  `${UUID}%20`,
  '00000000-0000-0000-0000-000000000000',
];

const segment = (dice: Dice) =>
  dice.chance(0.05) ? 'a'.repeat(dice.pick([128, 129, 1000, 9000])) : dice.pick(SEGMENTS);

function hostilePath(dice: Dice, spec: RouteSpec): string {
  const path = spec.path.replace(/\{\w+\}/g, () => segment(dice));
  if (dice.chance(0.9)) return path;
  switch (dice.int(0, 6)) {
    case 0:
      return `${path}/`;
    case 1:
      return `${path}//`;
    case 2:
      return `/${path}`;
    case 3:
      return path.toUpperCase();
    case 4:
      return `${path}/${segment(dice)}`;
    case 5:
      return path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    default:
      return `/${segment(dice)}/${segment(dice)}`;
  }
}

const PLAIN_VALUES = ['', '1', '0', '-1', '200', '201', '1e3', '0x1', ' 5', '+5', '9007199254740993', 'NaN', 'null'];
const SORTS = ['score', 'hands_played', 'win_rate', 'SCORE', 'score;drop table agents', '__proto__'];

function hostileQuery(dice: Dice, spec: RouteSpec): string {
  const known = Object.keys(spec.query?.properties ?? {});
  if (known.length === 0 ? dice.chance(0.85) : dice.chance(0.15)) return '';
  if (dice.chance(0.1)) return dice.pick(['?', '??', '?&&&', '?=', '?%', '?%00=1', '?a=%00', '?%ff=%fe', '?a[]=1&a[]=2', '?#']); // prettier-ignore
  const pairs = Array.from({ length: dice.int(1, 4) }, () => {
    const name = known.length > 0 && dice.chance(0.85) ? dice.pick(known) : dice.pick(['__proto__', 'a', 'limit', '']);
    return `${name}=${encodeURIComponent(queryValue(dice, name))}`;
  });
  return `?${pairs.join('&')}`;
}

function queryValue(dice: Dice, name: string): string {
  if (name === 'sort_by' && dice.chance(0.7)) return dice.pick(SORTS);
  if (dice.chance(0.5)) return dice.pick(PLAIN_VALUES);
  const value = dice.chance(0.6) ? hostileNumber(dice) : hostileString(dice).slice(1, -1);
  return Buffer.from(value.slice(0, 1000)).toString();
}

// ---- the body

const WALLETS = [
  '"0x0000000000000000000000000000000000000000"',
  '"0x52908400098527886E0F7030069857D2E4169EE7"',
  '"0x52908400098527886e0F7030069857D2E4169EE7"',
  '"0X52908400098527886E0F7030069857D2E4169EE7"',
  '"0x52908400098527886E0F7030069857D2E4169EE"',
];
const EMAILS = [
  '"a@b"',
  '"@"',
  '"a@@b.c"',
  '"a b@c.de"',
  '"\\ud800@example.com"',
  '"a@\\u0000.com"',
  '"ä@exämple.com"',
  '"\\"a b\\"@example.com"',
  '"a@[127.0.0.1]"',
  `"${'a'.repeat(250)}@example.com"`,
  '"a\\r\\nbcc: b@c.de@example.com"',
];
const URLS = ['"javascript:alert(1)"', '"http://"', '"https://\\ud800"', '"HTTP://x"', `"https://${'a'.repeat(2040)}"`];

const objectOf = (fields: Fields) => `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;

/** Changes of the body as a whole, by their share. All other bodies get a wrong field or two. */
const WHOLE: readonly (readonly [share: number, make: (dice: Dice, whole: string) => Buffer | null])[] = [
  [0.04, () => null],
  [0.08, (_, whole) => Buffer.from(whole)],
  [0.06, (dice, whole) => Buffer.from(whole.slice(0, dice.int(0, whole.length)))],
  [0.04, (_, whole) => Buffer.concat([Buffer.from(whole), Buffer.from('c3', 'hex')])],
  [0.03, (_, whole) => gzipSync(whole)],
  [0.04, (_, whole) => Buffer.from(`[${whole}]`)],
  [0.04, (dice) => Buffer.from(nested(dice, dice.pick([100, 2500, 30_000])))],
  [0.04, (dice) => Buffer.from(randomValue(dice, 6))],
  [0.02, (dice, whole) => Buffer.from(whole.padEnd(BODY_LIMIT + dice.int(-1, 1)))],
  [0.01, (dice) => Buffer.alloc(dice.pick([100_000, 1_000_000]), 'x')],
];

function hostileBody(dice: Dice, spec: RouteSpec): Buffer | null {
  if (spec.body === undefined && dice.chance(0.8)) return null;
  const fields = spec.body === undefined ? [] : sampleFields(dice, spec.body);
  if (fields.length === 0) fields.push(['a', '1']);
  let left = dice.unit();
  const whole = WHOLE.find(([share]) => (left -= share) < 0);
  if (whole !== undefined) return whole[1](dice, objectOf(fields));
  for (let n = dice.int(1, 2); n > 0; n--) {
    const at = dice.int(0, fields.length - 1);
    const field = fields[at]![0];
    const fate = dice.unit();
    if (fate < 0.08) fields.push([field, hostileValue(dice)]);
    else if (fate < 0.16) fields[at]![1] = brokenValue(dice);
    else if (fate < 0.5) fields[at]![1] = hostileFor(dice, field);
    else fields[at]![1] = hostileValue(dice);
  }
  return Buffer.from(objectOf(fields));
}

function hostileFor(dice: Dice, field: string): string {
  if (field === 'email') return dice.pick(EMAILS);
  if (field === 'wallet_address') return dice.pick(WALLETS);
  if (field === 'avatar_url') return dice.pick(URLS);
  return hostileString(dice);
}

// ---- the headers

const CONTENT_TYPES = ['application/json', 'text/plain', 'application/xml', 'multipart/form-data', '', 'application/json; charset=utf-16', '\xff']; // prettier-ignore

const BAD_IPS = ['', 'x', '1.2.3', '::::', ',,,', '[::1', '%00', '999.1.1.1', '\xff'];
const BAD_HOSTS = ['', 'a b', '<script>', 'x'.repeat(300), '\xff', '127.0.0.1:1:2'];

/** Beside what every request has. */
const STRANGE: readonly ((dice: Dice) => Headers)[] = [
  (dice) => [['content-encoding', dice.pick(['gzip', 'br', 'x'])]],
  (dice) => [['x-long', 'a'.repeat(dice.pick([1000, 3000]))]],
  (dice) => [['x-long', 'a'.repeat(dice.pick([9000, 17_000, 70_000]))]],
  () => Array.from({ length: 60 }, (_, n) => [`x-${n}`, 'a'] as const),
  () => [['accept', 'application/x-nothing'], ['range', 'bytes=0-0,-1'], ['if-none-match', '*']], // prettier-ignore
  (dice) => [['origin', dice.pick(['null', 'https://evil.example', '\xff'])], ['access-control-request-method', 'DELETE']], // prettier-ignore
  () => [['x-http-method-override', 'DELETE'], ['x-forwarded-host', 'evil.example']], // prettier-ignore
  () => [['__proto__', 'x'], ['constructor', 'x'], ['cookie', '__proto__=1; a=\xff']], // prettier-ignore
  (dice) => [['x-forwarded-for', someIp(dice)]],
];

function hostileHeaders(dice: Dice, hasBody: boolean): Headers {
  return [
    ['host', dice.chance(0.97) ? '127.0.0.1' : dice.pick(BAD_HOSTS)],
    ['x-forwarded-for', dice.chance(0.98) ? someIp(dice) : dice.pick(BAD_IPS)],
    ...(hasBody ? [['content-type', dice.chance(0.7) ? CONTENT_TYPES[0]! : dice.pick(CONTENT_TYPES)] as const] : []),
    ...(dice.chance(0.2) ? dice.pick(STRANGE)(dice) : []),
  ];
}

/** An address of a set that is small enough for the server's memory, and large enough for its limits. */
const someIp = (dice: Dice) => `198.${dice.int(18, 19)}.${dice.int(0, 255)}.${dice.int(1, 8)}`;

const KEYS = ['x', 'null', 'a'.repeat(3000), '\xff\xfe', "' or 1=1 --", '__proto__', '', '%00', `ap_${'0'.repeat(43)}`];

function strangeKey(dice: Dice): Headers {
  if (dice.chance(0.2)) return [];
  return [['authorization', dice.pick(['Bearer ', 'bearer  ', 'Basic ', '', 'Bearer']) + dice.pick(KEYS)]];
}
