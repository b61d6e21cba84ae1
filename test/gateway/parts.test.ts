/** The gateway's parts by themselves. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { Exchange } from '../../src/gateway/exchange.js';
import { FrameFault, readFrame } from '../../src/gateway/client-frames.js';
import { idleSeconds } from '../../src/gateway/gateway.js';
import { clientIp, ipLimitKey } from '../../src/gateway/ip.js';
import { candidates, chooseTransport } from '../../src/gateway/listen.js';
import { PathTree } from '../../src/gateway/path-tree.js';
import { bearerKey } from '../../src/gateway/credentials.js';
import { freeSerial, SocketHub } from '../../src/gateway/sockets.js';
import type { SocketListener, WireSocket } from '../../src/gateway/transport.js';
import { Allowance, type AllowanceVerdict } from '../../src/gateway/allowance.js';
import { MAX_SERIAL } from '../../src/table/api.js';
import { MAY_WAIT, MAY_WAIT_LONG } from '../../src/table/outbox.js';
import { batch, FakeLog, EventQueue } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

void t.test('a word that is none of those allowed is told which they are', async (t) => {
  const told = (frame: object) => {
    const fault = readFrame(JSON.stringify(frame));
    return fault instanceof FrameFault ? `${fault.code}: ${fault.message}` : 'no fault';
  };
  const actions = "action: Input should be 'fold', 'check', 'call', 'raise' or 'all_in'";
  for (const action of ['bet', 5, null]) {
    t.equal(told({ type: 'action', action, hand_id: 'x' }), `invalid_message: ${actions}`, String(action));
  }
  t.match(told({ type: 'jion_lobby' }), /^unknown_message: Unknown message type "jion_lobby": one of .*join_lobby/);
});

void t.test('client addresses', async (t) => {
  const ip = (remote: string, forwarded: string, proxies: number) => {
    const headers = { 'x-forwarded-for': forwarded };
    return clientIp(new Exchange({ method: 'GET', path: '/', query: '', remote, headers }), proxies);
  };
  t.equal(ip('1.1.1.1', '2.2.2.2', 0), '1.1.1.1', 'nobody is believed');
  t.equal(ip('1.1.1.1', '3.3.3.3, 2.2.2.2', 1), '2.2.2.2');
  t.equal(ip('1.1.1.1', '9.9.9.9, 3.3.3.3,2.2.2.2', 2), '3.3.3.3');
  t.equal(ip('1.1.1.1', '', 1), '1.1.1.1', 'a request that came past the proxy');
  t.equal(ip('1.1.1.1', '2.2.2.2', 2), '1.1.1.1', 'fewer entries than proxies: somebody made them up');
  t.equal(ip('1.1.1.1', 'unknown', 1), '1.1.1.1');
  t.equal(ip('1.1.1.1', '[2001:db8::1]:443', 1), '2001:db8::1');
  t.equal(ip('1.1.1.1', '2.2.2.2:5000', 1), '2.2.2.2');
  t.equal(ip('::ffff:1.2.3.4', '', 0), '1.2.3.4');
  t.equal(ip('0000:0000:0000:0000:0000:ffff:0102:0304', '', 0), '1.2.3.4', 'as one of the transports writes it');
  t.equal(ip('fe80::1%eth0', '', 0), 'fe80::1');

  t.equal(ipLimitKey('1.2.3.4'), '1.2.3.4');
  t.equal(ipLimitKey('2001:db8:0:7::1'), '2001:db8:0::/48');
  t.equal(ipLimitKey('2001:0db8:0000:0007:ffff::2'), '2001:db8:0::/48', 'one network, however it is written');
  t.equal(ipLimitKey('::1'), '0:0:0::/48');
});

void t.test('paths find their way back: any literal and parameter segments', async (t) => {
  const literal = fc.stringMatching(/^[a-z]{1,3}$/);
  const text = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }).filter((s) => !s.includes('\0'));
  const segment = fc.oneof(literal.map((word) => ({ word })), fc.record({ value: text })); // prettier-ignore
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), fc.boolean(), (segments, slash) => {
      const tree = new PathTree<string>();
      const pattern = segments.map((s, i) => ('word' in s ? s.word : `{p${i}}`)).join('/');
      tree.at(`/${pattern}`, () => 'here');
      const path = segments.map((s) => encodeURIComponent('word' in s ? s.word : s.value)).join('/');
      const expected = segments.flatMap((s, i) => ('word' in s ? [] : [[`p${i}`, s.value] as const]));
      t.same(tree.find(`/${path}${slash ? '/' : ''}`), { value: 'here', params: Object.fromEntries(expected) });
    }),
    { numRuns: 200 },
  );
  const tree = new PathTree<string>();
  tree.at('/season/{id}/leaderboard', () => 'frozen');
  tree.at('/season/me', () => 'mine');
  t.match(tree.find('/season/me/leaderboard'), { value: 'frozen', params: { id: 'me' } }, 'a dead end goes back');
  t.throws(() => tree.at('/season/{name}/leaderboard', () => 'x'), /named differently/);
  t.equal(tree.find('/season//leaderboard'), null, 'an empty segment is no parameter');
  t.equal(tree.find('http://elsewhere/season/me'), null);
});

void t.test('keys in the Authorization header', async (t) => {
  t.equal(bearerKey('Bearer abc'), 'abc');
  t.equal(bearerKey('bEARER   abc  '), 'abc');
  for (const none of ['', 'abc', 'Bearer', 'Bearer ', 'Bearerabc', 'Basic abc', 'Bearer a b', 'x Bearer a']) {
    t.equal(bearerKey(none), null, JSON.stringify(none));
  }
});

void t.test('silence is death only after more than a decision takes', async (t) => {
  t.equal(idleSeconds(120_000), 180);
  t.equal(idleSeconds(50), 120);
  t.equal(idleSeconds(3_600_000), 960, 'the most that the native transport counts');
});

void t.test('the loader takes the official package, then the build for this Node, else the fallback', async (t) => {
  t.same(candidates(20), ['uWebSockets.js', 'uWebSockets.js-node20']);
  t.same(candidates(22), ['uWebSockets.js', 'uWebSockets.js-node22']);
  t.same(candidates(24), ['uWebSockets.js', 'uWebSockets.js-node24']);
  t.same(candidates(26), ['uWebSockets.js', 'uWebSockets.js-node26']);
  t.same(candidates(23), ['uWebSockets.js']);
  const manifest = createRequire(import.meta.url)('../../../package.json') as { optionalDependencies: object };
  for (const major of [20, 22, 24, 26]) t.hasProp(manifest.optionalDependencies, candidates(major)[1]!);
  const log = new FakeLog();
  chooseTransport('ws', log);
  chooseTransport('auto', log);
  t.match(log.lines[0], { level: 'info', detail: { transport: 'ws' } });
  t.match(log.lines[1], { detail: { transport: /^(uws|ws)$/ } }, 'and the log says which');
  const folder = mkdtempSync(join(tmpdir(), 'agent-poker-test-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const broken = join(folder, 'broken.cjs');
  writeFileSync(broken, "throw new Error('GLIBC_2.38 not found')");
  chooseTransport('auto', log, ['no-such-package', broken]);
  t.match(log.lines[2], { level: 'warn', detail: { transport: 'ws' }, message: /loads here .*GLIBC_2.38 not found/ });
  t.throws(() => chooseTransport('uws', log, [broken]), /TRANSPORT=uws, but .*GLIBC_2.38 not found/);
});

/** A socket that notes all calls. */
class FakeSocket implements WireSocket {
  readonly calls: string[] = [];
  backlog = 0;
  drops = false;
  send(frame: string | Uint8Array): boolean {
    this.calls.push(typeof frame === 'string' ? frame : Buffer.from(frame).toString());
    return !this.drops;
  }
  cork(write: () => void): void {
    this.calls.push('[');
    write();
    this.calls.push(']');
  }
  buffered(): number {
    return this.backlog;
  }
  subscribe(topic: string): void {
    this.calls.push(`+${topic}`);
  }
  unsubscribe(topic: string): void {
    this.calls.push(`-${topic}`);
  }
  close(code: number): void {
    this.calls.push(`close ${code}`);
  }
}

void t.test('an allowance: so many a second, one more for each grant, told once, ended at ten times as much', (t) => {
  const said = (allowance: Allowance, now: number, count: number, bytes = 10) => {
    const verdicts: Partial<Record<AllowanceVerdict, number>> = {};
    for (let n = 0; n < count; n++) {
      const verdict = allowance.message(now, bytes);
      verdicts[verdict] = 1 + (verdicts[verdict] ?? 0);
    }
    return verdicts;
  };
  const flooded = new Allowance(20);
  t.same(said(flooded, 0, 200), { read: 20, warn: 1, drop: 179 });
  t.same(said(flooded, 999, 1), { end: 1 }, 'the 201st');

  const steady = new Allowance(20);
  t.same(said(steady, 0, 100), { read: 20, warn: 1, drop: 79 });
  t.same(said(steady, 1000, 100), { read: 20, warn: 1, drop: 79 }, 'told again in the next second');

  const asked = new Allowance(20);
  for (let n = 0; n < 30; n++) asked.grant(500);
  t.same(said(asked, 1400, 51), { read: 50, warn: 1 }, 'thirty turns and the twenty of everybody');
  const late = new Allowance(20);
  for (let n = 0; n < 30; n++) late.grant(0);
  t.same(said(late, 2000, 21), { read: 20, warn: 1 }, 'a grant is good for a second or two');

  const large = new Allowance(20);
  t.same(said(large, 0, 6, 16_384), { read: 4, warn: 1, drop: 1 }, '64 KiB a second');
  t.same(said(large, 1000, 1, 16_384), { read: 1 });

  const pinged = new Allowance(20);
  for (let n = 0; n < 5; n++) pinged.grant(0);
  const pings = Array.from({ length: 251 }, () => pinged.control(0));
  t.same([pings.filter((v) => v === 'read').length, pings.indexOf('warn'), pings.indexOf('end')], [20, 20, 250]);
  t.end();
});

function fakeHub() {
  const opened = new EventQueue<number>();
  const registry = {
    opened: (socket: number) => opened.push(socket),
    watching: () => undefined,
    message: () => undefined,
    mishap: () => undefined,
    closed: () => undefined,
  };
  const hub = new SocketHub({
    messagesPerSecond: 20,
    bufferBytes: 1000,
    deferMs: 1,
    delayHands: 0,
    clientIp: () => '1.1.1.1',
    log: new FakeLog(),
  });
  hub.serve({ registry, link: () => ({ send: () => undefined }) });
  const request = new Exchange({ method: 'GET', path: '/ws', query: '', remote: '', headers: {} });
  const open = async (): Promise<{ socket: FakeSocket; id: number; listener: SocketListener }> => {
    const socket = new FakeSocket();
    const listener = hub.open(socket, request);
    const id = await opened.next();
    hub.welcome(id, { agentId: `agent ${id}`, name: 'ada' }, null);
    hub.flush();
    socket.calls.length = 0;
    return { socket, id, listener };
  };
  return { hub, open };
}

void t.test('a batch is one corked write for each of its sockets', async (t) => {
  const { hub, open } = fakeHub();
  const [a, b, c] = [await open(), await open(), await open()];
  hub.send(a.id, { type: 'auto_rebuy_set', enabled: true });
  hub.forward(...batch([a, b, a, b, a].map(({ id }, n) => ({ socket: id, text: `f${n}` }))));
  t.same(
    a.socket.calls,
    ['[', '{"type":"auto_rebuy_set","enabled":true}', 'f0', 'f2', 'f4', ']'],
    'the pending frame first',
  );
  t.same(b.socket.calls, ['[', 'f1', 'f3', ']']);
  t.same(c.socket.calls, []);
  await new Promise(setImmediate);
  t.same(a.socket.calls.length, 6, 'nothing is sent twice');
  t.match(hub.stats, { frames: 5, frameBytes: 10, sockets: 3 });
});

void t.test('frames that may wait leave in one write, before the next that may not, or soon', async (t) => {
  const { hub, open } = fakeHub();
  const [a, b, c] = [await open(), await open(), await open()];
  const used: ArrayBuffer[] = [];
  const forward = (...frames: [socket: number, text: string][]) => {
    const [bytes, index] = batch(frames.map(([socket, text]) => ({ socket, text })));
    frames.forEach(([, text], i) => {
      if (text.startsWith('later')) index[i * 3 + 1]! |= MAY_WAIT;
    });
    hub.forward(bytes, index, (buffer) => used.push(buffer));
    return bytes;
  };
  const first = forward([a.id, 'later1'], [b.id, 'later2'], [c.id, 'now3'], [b.id, 'later4'], [c.id, 'later5']);
  t.same(c.socket.calls, ['[', 'now3', 'later5', ']'], 'one frame that may not wait takes the others along');
  t.same([a.socket.calls, b.socket.calls, used], [[], [], []]);
  forward([a.id, 'now6']);
  t.same(a.socket.calls, ['[', 'later1', 'now6', ']'], 'what is held goes first');
  t.equal(used.length, 1, 'a buffer without held frames is free at once');
  hub.send(a.id, { type: 'auto_rebuy_set', enabled: true });
  forward([a.id, 'later7'], [b.id, 'later8']);
  t.same(a.socket.calls.slice(4), ['[', '{"type":"auto_rebuy_set","enabled":true}', 'later7', ']'], 'no overtaking');
  t.same(b.socket.calls, []);
  while (used.length < 3) await new Promise(setImmediate);
  t.same(b.socket.calls, ['[', 'later2', 'later4', 'later8', ']']);
  t.equal(used[1], first);
  forward([a.id, 'later9'], [b.id, 'later10'], [c.id, 'later11']);
  hub.send(a.id, { type: 'auto_rebuy_set', enabled: false });
  hub.close(b.id, 1012, 'over');
  c.listener.closed(1000, '');
  await new Promise(setImmediate);
  t.same(a.socket.calls.slice(8), ['[', 'later9', '{"type":"auto_rebuy_set","enabled":false}', ']']);
  t.same(b.socket.calls.slice(5), ['[', 'later10', ']', 'close 1012'], 'the end comes after it');
  t.equal(c.socket.calls.length, 4);
  while (used.length < 4) await new Promise(setImmediate);
  t.match(hub.stats, { frames: 11, sockets: 2 });
});

void t.test(
  'frames that may wait long leave with the next of any kind, or late, and keep their buffers until then',
  async (t) => {
    const { hub, open } = fakeHub();
    const [out, playing] = [await open(), await open()];
    const used: ArrayBuffer[] = [];
    const marks = { now: 0, soon: MAY_WAIT, late: MAY_WAIT | MAY_WAIT_LONG };
    const forward = (...frames: [socket: number, kind: keyof typeof marks, text: string][]) => {
      const [bytes, index] = batch(frames.map(([socket, , text]) => ({ socket, text })));
      frames.forEach(([, kind], i) => (index[i * 3 + 1]! |= marks[kind]));
      hub.forward(bytes, index, (buffer) => used.push(buffer));
      return bytes;
    };
    const first = forward([out.id, 'late', 'f1'], [playing.id, 'soon', 'f2']);
    const second = forward([playing.id, 'soon', 'f3']);
    while (playing.socket.calls.length === 0) await new Promise(setImmediate);
    t.same(playing.socket.calls, ['[', 'f2', 'f3', ']']);
    while (used.length === 0) await new Promise(setImmediate);
    t.equal(used[0], second, 'the buffer of what left soon, before the other that somebody else still waits for');
    while (used.length === 1) await new Promise(setImmediate);
    t.same([out.socket.calls, used[1]], [['[', 'f1', ']'], first]);

    forward([out.id, 'late', 'f4']);
    forward([out.id, 'soon', 'f5']);
    forward([out.id, 'late', 'f7']);
    while (out.socket.calls.length === 3) await new Promise(setImmediate);
    t.same(out.socket.calls.slice(3), ['[', 'f4', 'f5', 'f7', ']'], 'all go when one of them goes');
    // In one turn of the event loop: on a busy machine the first frame's time may be over in the next one.
    forward([playing.id, 'late', 'f6']);
    forward([playing.id, 'now', 'f8']);
    t.same(playing.socket.calls.slice(4), ['[', 'f6', 'f8', ']'], 'and before what may not wait');
    while (used.length < 7) await new Promise(setImmediate);

    for (let n = 0; n < 200; n++) {
      forward([out.id, 'late', `l${n}`], [playing.id, 'soon', `s${n}`]);
      if (n % 20 === 0) await new Promise(setImmediate);
    }
    while (used.length < 207) await new Promise(setImmediate);
    const texts = (calls: readonly string[], mark: string) => calls.filter((call) => call.startsWith(mark));
    t.same(
      texts(out.socket.calls, 'l'),
      Array.from({ length: 200 }, (_, n) => `l${n}`),
    );
    t.same(
      texts(playing.socket.calls, 's'),
      Array.from({ length: 200 }, (_, n) => `s${n}`),
    );
  },
);

void t.test('a socket that dropped a frame, or is behind by too much, gets nothing more but its end', async (t) => {
  const { hub, open } = fakeHub();
  const [dropping, behind] = [await open(), await open()];
  dropping.socket.drops = true;
  behind.socket.backlog = 1001;
  const both = [dropping, behind, dropping, behind].map(({ id }, n) => ({ socket: id, text: `f${n}` }));
  hub.forward(...batch(both));
  hub.forward(...batch(both));
  hub.send(behind.id, { type: 'auto_rebuy_set', enabled: true });
  await new Promise(setImmediate);
  t.same(dropping.socket.calls, ['[', 'f0', ']', 'close 1013'], 'no frame after the one that was lost');
  t.same(behind.socket.calls, ['close 1013']);
  t.equal(hub.stats.slowReaders, 2);
});

void t.test('socket ids start again after the last serial number, past 0 and those in use', async (t) => {
  const { open } = fakeHub();
  const [first, second] = [await open(), await open()];
  t.same([first.id, second.id], [1, 2]);
  first.listener.closed(1000, '');
  t.equal((await open()).id, 3, 'a number just used is not used again at once');
  const from = (serial: number, ...inUse: number[]) => freeSerial(serial, (each) => inUse.includes(each));
  t.equal(from(MAX_SERIAL), MAX_SERIAL);
  t.equal(from(MAX_SERIAL + 1), 1);
  t.equal(from(MAX_SERIAL, MAX_SERIAL, 1, 2), 3);
});
