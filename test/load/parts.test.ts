/** The parts of the load tool: a bare socket, a histogram, a schedule, registration. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { json, text as consume } from 'node:stream/consumers';
import fc from 'fast-check';
import t from 'tap';
import { WebSocketServer, type WebSocket } from 'ws';
import { Bot } from '../../src/load/bot.js';
import { chooseAtRandom } from '../../src/load/choice.js';
import { actionsPlayed, isLeanBot, leanWordAt } from '../../src/load/frames.js';
import { Histogram } from '../../src/load/histogram.js';
import { registerAgents } from '../../src/load/keys.js';
import { serverReading, serverUse } from '../../src/load/metrics.js';
import { targetOf } from '../../src/load/options.js';
import { LoadPace } from '../../src/load/pace.js';
import { Schedule } from '../../src/load/schedule.js';
import { BareSocket } from '../../src/load/socket.js';
import { LoadTally } from '../../src/load/tally.js';
import { FrameReader } from '../../src/load/wire.js';
import { FILE_MS } from '../support/limits.js';
import { temporaryFolder } from '../support/platform.js';

t.setTimeout(FILE_MS);

/** Unmasked text frames, as a server sends them. */
function serverFrames(texts: readonly string[]): Buffer {
  const frames = texts.map((text) => {
    const { length } = text;
    const head = length < 126 ? [length] : length < 65_536 ? [126, length >> 8, length & 255] : [127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255]; // prettier-ignore
    return Buffer.concat([Buffer.from([0x81, ...head]), Buffer.from(text, 'latin1')]);
  });
  return Buffer.concat(frames);
}

await t.test('frames are the same however the bytes are cut', async (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 200 }),
    fc.constantFrom('x'.repeat(125), 'y'.repeat(126), 'z'.repeat(65_535), 'w'.repeat(65_536)),
  );
  const property = fc.property(fc.array(text, { maxLength: 8 }), fc.array(fc.nat(140_000)), (texts, cuts) => {
    const bytes = serverFrames(texts);
    const read: string[] = [];
    const reader = new FrameReader({
      text: (chunk, start, end) => read.push(chunk.toString('latin1', start, end)),
      ping: () => undefined,
      close: () => undefined,
    });
    const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b);
    for (let i = 1; i < places.length; i++) reader.read(Buffer.from(bytes.subarray(places[i - 1], places[i])));
    return JSON.stringify(read) === JSON.stringify(texts);
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 100 }));
});

await t.test('a bare socket talks to a real server: handshake, masks, pings, close codes', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.teardown(() => server.close());
  await once(server, 'listening');
  const heard: string[] = [];
  const told = new Promise<number>((resolve) => {
    const { port } = server.address() as AddressInfo;
    const socket = new BareSocket({ host: '127.0.0.1', port }, 'the-key', {
      chunk: () => undefined,
      text: (bytes, start, end) => {
        heard.push(bytes.toString('latin1', start, end));
        socket.send(`heard ${end - start}`);
      },
      closed: resolve,
      broken: (what) => t.fail(what),
    });
  });
  const [peer, request] = (await once(server, 'connection')) as [WebSocket, { headers: { authorization: string } }];
  t.equal(request.headers.authorization, 'Bearer the-key');
  const pong = once(peer, 'pong');
  peer.ping('alive?');
  t.equal(String((await pong)[0]), 'alive?');
  for (const text of ['short', 'long '.repeat(40), 'longer '.repeat(20_000)]) {
    peer.send(text);
    const [answer] = (await once(peer, 'message')) as [Buffer];
    t.equal(answer.toString(), `heard ${text.length}`, `${text.length} bytes arrive whole`);
  }
  t.equal(heard[2], 'longer '.repeat(20_000));
  peer.close(4002);
  t.equal(await told, 4002);
});

await t.test('a bare socket talks over TLS, by the certificates that Node trusts', async (t) => {
  const folder = temporaryFolder(t);
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...about, '-keyout', key, '-out', cert]); // prettier-ignore
  if (made.status !== 0) return t.pass('left out: there is no openssl to make a certificate', { skip: 'no openssl' });
  const https = createHttps({ key: readFileSync(key), cert: readFileSync(cert) }).listen(0, 'localhost');
  const server = new WebSocketServer({ server: https });
  t.teardown(() => https.close());
  await once(https, 'listening');
  server.on('connection', (peer, { url }) =>
    peer.on('message', (data: Buffer) => peer.send(`${url} ${data.toString()}`)),
  );
  const { port } = https.address() as AddressInfo;
  const program = `
    import { BareSocket } from ${JSON.stringify(new URL('../../src/load/socket.js', import.meta.url).href)};
    const target = { host: 'localhost', port: ${port}, tls: true, path: '/house/ws' };
    const told = (text) => (console.log(text), process.exit());
    const text = (bytes, start, end) => told(bytes.toString('latin1', start, end));
    const socket = new BareSocket(target, 'key', { chunk() {}, text, closed: told, broken: told });
    socket.opened.then(() => socket.send('hello'), (error) => told(error.code));`;
  const run = async (env: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env: { ...process.env, ...env } });
    return (await consume(child.stdout)).trim();
  };
  t.equal(await run({ NODE_EXTRA_CA_CERTS: cert }), '/house/ws hello');
  t.equal(await run({}), 'DEPTH_ZERO_SELF_SIGNED_CERT', 'a certificate that nobody vouches for');
});

await t.test('a refused socket says why', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', verifyClient: () => false });
  t.teardown(() => server.close());
  await once(server, 'listening');
  const nothing = { chunk: () => undefined, text: () => undefined, closed: () => undefined, broken: () => undefined };
  const { port } = server.address() as AddressInfo;
  await t.rejects(new BareSocket({ host: '127.0.0.1', port }, 'key', nothing).opened, /401/);
});

await t.test('a server without lean frames is refused by who wants them', async (t) => {
  const answered = async (handleProtocols: () => string | false) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols });
    t.teardown(() => server.close());
    await once(server, 'listening');
    const nothing = { chunk: () => undefined, text: () => undefined, closed: () => undefined, broken: () => undefined };
    const { port } = server.address() as AddressInfo;
    const socket = new BareSocket({ host: '127.0.0.1', port }, 'key', nothing, { lean: true });
    return socket.opened.then(() => socket.close());
  };
  await t.rejects(
    answered(() => false),
    /no lean frames/,
  );
  await t.rejects(
    answered(() => 'agent-poker'),
    /no lean frames/,
  );
  await answered(() => 'agent-poker.lean.1');
});

await t.test('what lean frames tell is read without parsing, and who reads them is spread evenly', (t) => {
  const bytes = (text: string) => Buffer.from(`..${text}`);
  const words = ['hand', 'turn', 'ack', 'result', 'connected', 'rebuy_confirmed', 'resync_response', 'auto_rebuy_set'];
  t.same(
    words.map((type) => leanWordAt(bytes(`{"type":"${type}","x":1}`), 2)),
    ['hand', 'turn', 'ack', 'result', null, null, null, null],
  );
  const lines = '[{"seat":1,"action":"check","amount":null,"street":"flop"},{"seat":2,"action":"raise","amount":80,"street":"flop"}]'; // prettier-ignore
  const offered = '[{"action":"fold","amount":null,"min":null,"max":null},{"action":"raise","amount":null,"min":140,"max":900}]'; // prettier-ignore
  const turn = `{"type":"turn","first":7,"actions":${lines},"board":[],"pot":100,"valid_actions":${offered},"turn_token":"t"}`;
  t.equal(actionsPlayed(turn), 9);
  t.same(chooseAtRandom(turn, 0), { action: 'raise', amount: 140 });
  t.same(chooseAtRandom(turn, 20), { action: 'fold', amount: null }, 'the check is another player’s');
  t.same(chooseAtRandom(turn.replace('"action":"fold"', '"action":"check"'), 20), { action: 'check', amount: null });
  const bots = Array.from({ length: 10 }, (_, n) => n);
  t.same(bots.filter((bot) => isLeanBot(bot, 30)), [3, 6, 9]); // prettier-ignore
  t.equal(bots.filter((bot) => isLeanBot(bot, 100)).length, 10);
  t.equal(bots.filter((bot) => isLeanBot(bot, 0)).length, 0);
  t.end();
});

await t.test('quantiles are exact to a thousandth, also of two histograms together', async (t) => {
  const [low, high] = [new Histogram(), new Histogram()];
  for (let ms = 1; ms <= 1000; ms++) (ms <= 500 ? low : high).add(ms);
  const all = new Histogram(low.encoded).merge(high);
  t.equal(all.count, 1000);
  for (const q of [0.01, 0.5, 0.99, 0.999]) {
    const exact = q * 1000;
    t.ok(Math.abs(all.quantile(q) / exact - 1) <= 0.0011, `quantile ${q} of 1…1000 ms is ${all.quantile(q)}`);
  }
  t.equal(all.max, 1000);
  t.ok(Math.abs(all.mean - 500.5) < 0.5, `the mean is ${all.mean}`);
  all.clear();
  t.ok(Number.isNaN(all.quantile(0.5)), 'nothing has no quantile');
});

await t.test('an action is due a pause after the one before was due, however late the server asks', async (t) => {
  const schedule = new Schedule(() => undefined);
  schedule.join();
  const due = (now: number, actions: number, hand = 'a', before = 0) =>
    schedule.due({ hand, actions, before }, { now, gapMs: 100, betweenMs: 50 });
  t.equal(due(1000, 0), 1100, 'the first one counts from when it was asked for');
  t.equal(due(1101, 1), 1200);
  // The server stalls for a second, then asks as fast as it is answered.
  const late = [2, 3, 4, 5, 6].map((actions) => 2200 + actions - due(2200 + actions, actions));
  t.same(late, [902, 803, 704, 605, 506], 'all that was missed is late, not the first action alone');
  t.equal(due(2207, 0, 'b', 7), 1850, 'the next hand is due a little later, all the same');
  t.equal(due(2208, 2, 'b', 7), 2308, 'when others act in between it begins anew');
  schedule.join();
  t.equal(due(2400, 3, 'b', 7), 2500, 'and when somebody sits down');
});

await t.test('a schedule asks for as many hands as its tables and their hands make of them', async (t) => {
  const pace = new LoadPace();
  const table = pace.table('one');
  t.equal(pace.table('one'), table, 'bots of one table share it');
  for (let n = 0; n < 6; n++) table.join();
  table.dealtTo(6);
  t.equal(pace.isScheduled, false);
  pace.hold(2, () => ({ hands: 1000, decided: 19_000 }));
  t.teardown(() => pace.end());
  pace.settle();
  pace.start();
  const dueAt = await new Promise<number>((resolve) => {
    pace.scheduled(table, { hand: 'a', actions: 0, before: 0 }, resolve);
  });
  t.equal(dueAt, 0, 'in time: it counts from when it is sent');
  const asked = performance.now();
  const gap = table.due({ hand: 'a', actions: 1, before: 0 }, { now: asked, gapMs: 0, betweenMs: 0 }) - asked;
  t.ok(gap <= 1.5 * (500 / 19), `two hands a second of 19 actions each: ${gap} ms`);
  for (let n = 0; n < 6; n++) table.leave();
  t.not(pace.table('one'), table, 'a table that everybody left is forgotten');
});

await t.test('a hand that began before a bot came is none of its hands: what it was asked in it nobody knows', (t) => {
  const tally = new LoadTally();
  const nothing = () => undefined;
  const bot = new Bot({
    target: targetOf('http://127.0.0.1:1'),
    apiKey: '',
    number: 0,
    seed: 1,
    lean: false,
    tally,
    pace: new LoadPace(),
    tableKey: (id) => id,
    onGreeted: nothing,
    onSeated: nothing,
    onRefused: nothing,
    onGone: nothing,
  });
  const reads = (type: string, body: string) => {
    const ids = '"table_id":"0197a000-0000-7000-8000-000000000001","hand_id":"0197a000-0000-7000-8000-000000000002"';
    const text = `{"stream":"event",${ids},"table_seq":1,"type":"${type}",${body}}`;
    bot.text(Buffer.from(text), 0, text.length);
  };
  reads('table_joined', '"seat":3');
  const result = () => reads('hand_result', '"final_stacks":{"3":900,"5":1100}');
  result();
  t.equal(tally.hands, 0, 'a schedule would take hands for shorter than they are');
  reads('hand_start', '"hand_number":2');
  result();
  t.equal(tally.hands, 0.5, 'its part of a hand of two');
  t.end();
});

await t.test('bots that are halted answer when they go on', (t) => {
  const pace = new LoadPace();
  const answered: string[] = [];
  const turn = (name: string) => pace.turn(() => answered.push(name));
  turn('before the start');
  pace.start();
  turn('at once');
  pace.halt();
  turn('halted');
  t.same(answered, ['before the start', 'at once']);
  pace.start();
  t.same(answered, ['before the start', 'at once', 'halted']);
  t.end();
});

await t.test('agents are registered as fast as the server lets them', async (t) => {
  const names: string[] = [];
  let refusals = 3;
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      if (refusals-- > 0) return response.writeHead(429, { 'retry-after': '1' }).end('{}');
      const { name } = body as { name: string };
      names.push(name);
      return response.writeHead(201).end(JSON.stringify({ api_key: `key of ${name}` }));
    });
  });
  server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const waits: number[] = [];
  const keys: string[] = [];
  const common = { url, name: 'load_x', first: 4, onKey: (key: string) => void keys.push(key) };
  const onWait = (ms: number) => void waits.push(ms);
  const registered = await registerAgents({ ...common, count: 5, onWait, abort: new AbortController().signal });
  t.same(
    registered,
    [4, 5, 6, 7, 8].map((n) => `key of load_x_${n}`),
    'in the order of their numbers',
  );
  t.same(waits, [1000, 1000, 1000], 'as long as it says');
  t.same([...keys].sort(), registered);
  refusals = Infinity;
  const abort = new AbortController();
  const cut = registerAgents({ ...common, count: 5, onWait: () => abort.abort(), abort: abort.signal });
  t.same(await cut, [], 'who does not want to wait any more has what there is');
  server.removeAllListeners('request');
  server.on('request', (_, response) => response.writeHead(403).end('{"detail":"Sign in first"}'));
  const refused = registerAgents({ ...common, count: 1, onWait, abort: new AbortController().signal });
  await t.rejects(refused, /answered 403 \{"detail":"Sign in first"\}: bring keys/);
});

await t.test('what a server tells of itself, whoever wrote it', async (t) => {
  const ours = `process_cpu_seconds_total 10
poker_shard_committed_hands_total{shard="0"} 100
poker_shard_committed_hands_total{shard="1"} 20
poker_commit_seconds_sum{shard="0"} 1
poker_commit_seconds_count{shard="0"} 50
poker_event_loop_delay_seconds{thread="front",stat="mean"} 0.5
poker_event_loop_delay_seconds{thread="front",stat="p99"} 0.002
poker_event_loop_delay_seconds{thread="shard-0",stat="p99"} 0.003
`;
  const later = ours.replace('_total 10', '_total 12').replace('"0"} 100', '"0"} 180').replace('sum{shard="0"} 1', 'sum{shard="0"} 1.4').replace('"0"} 50', '"0"} 150'); // prettier-ignore
  t.same(serverUse(serverReading(ours), serverReading(later), 4000, 77), {
    cpuPercent: 50,
    cpuMsPerHand: 25,
    committedHands: 80,
    commits: 100,
    commitMs: 4,
    loopP99Ms: 3,
  });
  const other = (cpu: number) =>
    serverReading(`process_cpu_seconds_total ${cpu}\nnodejs_eventloop_lag_p99_seconds 0.25\n`);
  t.match(serverUse(other(1), other(2), 1000, 10), {
    cpuMsPerHand: 100,
    commits: null,
    commitMs: null,
    loopP99Ms: 250,
  });
});

await t.test('a URL with TLS, a path, an address in brackets', async (t) => {
  t.same(targetOf('http://127.0.0.1:8080/'), { host: '127.0.0.1', port: 8080, path: '/ws' });
  t.same(targetOf('https://poker.example/house/'), { host: 'poker.example', port: 443, tls: true, path: '/house/ws' });
  t.match(targetOf('http://[::1]:9000'), { host: '::1', port: 9000 });
  t.throws(() => targetOf('poker.example:80'), /must be such as http:/);
});
