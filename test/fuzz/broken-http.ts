import { connect } from 'node:net';
import type { Dice } from '../sim/dice.js';
import { diceOf } from './plan.js';
import type { Target } from './raw-socket.js';
import type { Tally } from './tally.js';

/** Requests that are no HTTP, half of it, or an upgrade to what is no WebSocket. */

type Maker = (dice: Dice) => Buffer;

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const random = (dice: Dice, length: number) => Buffer.from(Array.from({ length }, () => dice.int(0, 255)));
const UPGRADE = 'upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'; // prettier-ignore
const get = (path: string, headers = '') => latin1(`GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
const post = (headers: string, body = '') => latin1(`POST /api/register HTTP/1.1\r\nhost: x\r\n${headers}\r\n${body}`);

const BROKEN: Readonly<Record<string, Maker>> = {
  'random bytes': (dice) => random(dice, dice.int(1, 500)),
  'TLS hello': () => Buffer.from('1603010200010001fc0303', 'hex'),
  'HTTP/2 preface': () => latin1('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'request line alone': () => latin1('GET /health HTTP/1.1\r\n'),
  'half a request line': () => latin1('GET /hea'),
  'no version': () => latin1('GET /health\r\n\r\n'),
  'strange version': (dice) => latin1(`GET /health HTTP/${dice.pick(['0.9', '1.0', '1.2', '3.0', 'x'])}\r\n\r\n`),
  'no host': () => latin1('GET /health HTTP/1.1\r\n\r\n'),
  'path without a slash': () => latin1('GET health HTTP/1.1\r\nhost: x\r\n\r\n'),
  'whole address': () => latin1('GET http://x/health HTTP/1.1\r\nhost: x\r\n\r\n'),
  star: () => latin1('OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n'),
  tunnel: () => latin1('CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n'),
  'NUL in the path': () => get('/health\0'),
  'bytes above ASCII in the path': () => get('/h\xe4lth\xff'),
  'space in the path': () => get('/health health'),
  'endless path': (dice) => get(`/${'a'.repeat(dice.pick([5000, 20_000, 100_000]))}`),
  'NUL in a header': () => get('/health', 'x: a\0b\r\n'),
  'header without a colon': () => get('/health', 'nothing\r\n'),
  'header without a name': () => get('/health', ': x\r\n'),
  'folded header': () => get('/health', 'x: a\r\n b\r\n'),
  'space before the colon': () => get('/health', 'x : a\r\n'),
  'line feeds alone': () => latin1('GET /health HTTP/1.1\nhost: x\n\n'),
  'huge header': (dice) => get('/health', `x: ${'a'.repeat(dice.pick([9000, 20_000, 100_000]))}\r\n`),
  'thousands of headers': () => get('/health', 'x: a\r\n'.repeat(3000)),
  'two lengths': () => post('content-length: 2\r\ncontent-length: 3\r\n', '{}}'),
  'length and chunks': () => post('content-length: 2\r\ntransfer-encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
  'length that is none': (dice) => post(`content-length: ${dice.pick(['-1', 'x', '1e3', '0x2', '', '99999999999999999999', '2,2'])}\r\n`, '{}'), // prettier-ignore
  'less body than said': () => post('content-length: 100\r\n', '{}'),
  'more body than said': () => post('content-length: 2\r\n', '{}{}{}'),
  'far more body than taken': () => post('content-length: 4000000000\r\n', '{'),
  'chunk of no size': () => post('transfer-encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'),
  'chunk of a huge size': () => post('transfer-encoding: chunked\r\n', 'ffffffffffffffff\r\n{}'),
  'chunks in a line': () => post('transfer-encoding: chunked\r\n', '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'),
  'chunks without end': () => post('transfer-encoding: chunked\r\n', '1\r\n{\r\n'.repeat(50)),
  'strange transfer encoding': () => post('transfer-encoding: gzip, x\r\n', '{}'),
  'many requests at once': () => Buffer.concat(Array.from({ length: 50 }, () => get('/health/live'))),
  'a request in a body': () => post('content-length: 0\r\n', 'GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'),
  'upgrade elsewhere': (dice) => get(dice.pick(['/', '/wss', '/ws/x', '/api/me', '//ws', '/ws%00']), UPGRADE),
  'upgrade to something else': () => get('/ws', 'upgrade: h2c\r\nconnection: Upgrade\r\n'),
  'upgrade by POST': () => latin1(`POST /ws HTTP/1.1\r\nhost: x\r\n${UPGRADE}\r\n`),
  'upgrade without a key': () => get('/ws', 'upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\n'), // prettier-ignore
  'upgrade with a strange key': (dice) => get('/ws', UPGRADE.replace(/key: .*/, `key: ${dice.pick(['', 'x', 'a'.repeat(500), '\xff'])}`)), // prettier-ignore
  'upgrade of a strange version': (dice) => get('/ws', UPGRADE.replace('13', dice.pick(['8', '14', '999', 'x', '']))),
  'upgrade with extensions': () => get('/ws', `${UPGRADE}sec-websocket-extensions: permessage-deflate; server_max_window_bits=99, x; y\r\n`), // prettier-ignore
  'upgrade with protocols': () => get('/ws', `${UPGRADE}sec-websocket-protocol: ${'a, '.repeat(200)}\r\n`),
  'frames before the upgrade is granted': () =>
    Buffer.concat([get('/ws', UPGRADE), Buffer.from('818500000000', 'hex'), latin1('{"a":')]),
  'upgrade for a competition': (dice) => get(`/ws?competition_id=${dice.pick(['', 'x', '%00', '%ff'])}`, UPGRADE),
};

export const brokenNames: readonly string[] = Object.keys(BROKEN);

/** The nth broken request of a run: the same for the same seed. */
export function brokenRequest(seed: number, n: number): { name: string; bytes: Buffer; half: boolean } {
  const dice = diceOf(seed ^ 0x27d4eb2f, n);
  const name = dice.pick(brokenNames);
  return { name, bytes: BROKEN[name]!(dice), half: dice.chance(0.3) };
}

/** Statuses with which HTTP servers refuse what is no proper request, or answer what they can make of it. */
const STATUSES: ReadonlySet<string> = new Set(
  ['101', '200', '302', '400', '401', '404', '405', '408', '411', '413', '414', '417', '422', '426', '429', '431', '501', '505'], // prettier-ignore
);
/** How long we wait for an answer or the end, before we hang up: half a request may be waited for. */
const WAIT_MS = 150;

/** Sends so many broken requests, one after the other, and judges how each ends. */
export async function assaultHttp(target: Target, seed: number, count: number, tally: Tally, onStep: () => void) {
  for (let n = 0; n < count && !tally.hopeless; n++) {
    const { name, bytes, half } = brokenRequest(seed, n);
    const ending = await exchange(target, bytes, half);
    tally.count(ending, 'broken HTTP');
    if (/^\d/.test(ending) && !STATUSES.has(ending)) tally.found(`seed ${seed}, '${name}' was answered ${ending}`);
    onStep();
  }
}

/** The status of the first answer, `drop` when the connection ended without one, `none` when we hung up. */
function exchange({ host, port }: Target, bytes: Buffer, half: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true });
    let head = '';
    let waiting = true;
    const timer = setTimeout(() => {
      waiting = false;
      socket.destroy();
    }, WAIT_MS);
    socket.on('data', (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (head.length >= 12) socket.destroy();
    });
    // Each error of a connection is followed by its end.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
      resolve(
        status ?? (head !== '' ? `no HTTP: ${JSON.stringify(head.slice(0, 20))}` : waiting ? 'drop' : 'no answer'),
      );
    });
    socket.write(bytes);
    if (half) socket.end();
  });
}

/** Connections that say a byte now and then, and never a whole request. */
export class SlowRequests {
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #sockets;
  #dropped = 0;

  constructor({ host, port }: Target, count: number) {
    const text = `POST /api/register HTTP/1.1\r\nhost: x\r\nx-slow: ${'a'.repeat(100_000)}`;
    this.#sockets = Array.from({ length: count }, (_, n) => {
      const socket = connect({ host, port, noDelay: true });
      let at = 1 + (n % 40);
      socket.write(text.slice(0, at));
      socket.on('error', () => socket.destroy()).resume();
      socket.once('close', () => this.#dropped++);
      this.#timers.push(setInterval(() => !socket.destroyed && socket.write(text[at++ % text.length]!), 300));
      return socket;
    });
  }

  /** Hangs up; how many the server had ended before. */
  end(): number {
    for (const timer of this.#timers) clearInterval(timer);
    const dropped = this.#dropped;
    for (const socket of this.#sockets) socket.destroy();
    return dropped;
  }
}
