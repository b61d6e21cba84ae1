/** The internal port answers only signed calls of other nodes. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { InternalPort, NO_BODY, type NodeCall } from '../../../src/cluster/wire/internal-port.js';
import { NodeAway } from '../../../src/cluster/wire/peers.js';
import { SIGNATURE_HEADER, Signatures } from '../../../src/cluster/wire/signature.js';
import { AssertionFailed } from '../../../src/ops/assert.js';
import { FakeLog } from '../../support/gateway.js';
import { introduce, openInternalNode, SECRET, type InternalNodeOptions } from '../../support/internal-ports.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { temporaryFolder } from '../../support/platform.js';

t.setTimeout(FILE_MS);

const A = 'a0000000-0000-4000-8000-000000000000';
const B = 'b0000000-0000-4000-8000-000000000000';
const AWAY = { name: 'NodeAway' };

/** Node A calls. Node B answers with the caller and the call. */
async function twoNodes(t: Test, change: Partial<InternalNodeOptions> = {}) {
  const log = new FakeLog();
  const echo = async ({ from, body }: NodeCall) => ({ status: 200, headers: {}, body: `${from} ${body.toString()}` });
  const calls = { '/echo': echo };
  const a = await openInternalNode(t, { nodeId: A, log, calls: {}, sockets: {}, ...change });
  const b = await openInternalNode(t, { nodeId: B, log, calls, sockets: {}, ...change });
  introduce(a, b);
  return { a, b, log };
}

async function textOf(answer: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** Status and body of a call with this header. */
async function plainCall(port: number, path: string, header: string | null, method = 'POST', body = '') {
  const asked = request({ port, path, method, headers: header === null ? {} : { [SIGNATURE_HEADER]: header } });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode as number, body: await textOf(answer) };
}

const signed = (path: string, { secret = SECRET, to = B, method = 'POST', body = '' } = {}) =>
  new Signatures({ secret, nodeId: A, now: Date.now }).sign(to, { method, path, body: Buffer.from(body) });

await t.test('a signed call reaches its service', async (t) => {
  const { a, log } = await twoNodes(t);
  const answer = await a.peers.call(B, '/echo', Buffer.from('hello'));
  t.equal(answer.statusCode, 200);
  t.equal(await textOf(answer), `${A} hello`);
  t.same(log.lines, []);
});

await t.test('a contradiction fails its own call with 500, and the node answers the next one', async (t) => {
  const log = new FakeLog();
  const broken = async () => ({ status: 99, headers: {}, body: null });
  const calls = { '/broken': broken, '/whole': async () => ({ status: 204, headers: {}, body: null }) };
  const a = await openInternalNode(t, { nodeId: A, log, calls: {}, sockets: {} });
  const b = await openInternalNode(t, { nodeId: B, log, calls, sockets: {} });
  introduce(a, b);
  t.equal((await a.peers.call(B, '/broken', NO_BODY)).statusCode, 500);
  t.match(log.lines, [{ detail: { err: AssertionFailed, path: '/broken' }, message: 'a call of a node failed' }]);
  t.equal((await a.peers.call(B, '/whole', NO_BODY)).statusCode, 204);
  await t.rejects(a.peers.call(B, 'no path', NO_BODY), AssertionFailed);
});

await t.test('strangers get no detail', async (t) => {
  const { b } = await twoNodes(t);
  const none = { status: 401, body: '' };
  const { port } = b.port;
  t.same(await plainCall(port, '/echo', null), none, 'unsigned');
  t.same(await plainCall(port, '/nowhere', null), none, 'unsigned, to no service');
  t.same(await plainCall(port, '/echo', 'v1 garbage'), none, 'garbage');
  t.same(await plainCall(port, '/echo', signed('/echo', { secret: 'another' })), none, 'another secret');
  t.same(await plainCall(port, '/echo', signed('/echo', { to: A })), none, 'signed for another node');
  const header = signed('/echo');
  t.match(await plainCall(port, '/echo', header), { status: 200 });
  t.same(await plainCall(port, '/echo', header), none, 'a replay');
});

await t.test('all else is not found', async (t) => {
  const { b } = await twoNodes(t);
  for (const path of ['/', '/echo/', '/echo?a=b', '/toString', '/health'])
    t.match(await plainCall(b.port.port, path, signed(path)), { status: 404 }, path);
  t.match(await plainCall(b.port.port, '/echo', signed('/echo', { method: 'GET' }), 'GET'), { status: 404 }, 'GET');
});

await t.test('a call that is too long is refused', async (t) => {
  const { b } = await twoNodes(t);
  const body = 'x'.repeat(200_000);
  const asked = request({ port: b.port.port, path: '/echo', method: 'POST', headers: { 'content-length': 200_000 } });
  asked.on('error', () => undefined);
  asked.end(body);
  const [answer] = await once(asked, 'response');
  t.equal(answer.statusCode, 413);
  answer.resume();
});

await t.test('a node without its lease answers 503, and is away', async (t) => {
  const { a, b } = await twoNodes(t);
  b.lease.good = false;
  await t.rejects(a.peers.call(B, '/echo', NO_BODY), new NodeAway(B, 'its lease is over'));
  const ws = a.peers.open(B, '/relay')!;
  const [error] = await once(ws, 'error');
  t.match((error as Error).message, /503/);
});

await t.test('a service that fails is an error of that node', async (t) => {
  const fails = async () => {
    throw new Error('a planted fault');
  };
  const { a, log } = await twoNodes(t, { calls: { '/fails': fails } });
  const answer = await a.peers.call(B, '/fails', NO_BODY);
  t.equal(answer.statusCode, 500);
  answer.resume();
  t.match(log.errors(), [{ detail: { path: '/fails' } }]);
});

await t.test('a node is away that is not known, refuses, or does not answer', async (t) => {
  const silent = () => new Promise<never>(() => undefined);
  const { a, b } = await twoNodes(t, { calls: { '/silent': silent } });
  await t.rejects(a.peers.call('nobody', '/echo', NO_BODY), AWAY);
  t.equal(a.peers.open('nobody', '/relay'), null);
  await t.rejects(a.peers.call(B, '/silent', NO_BODY, { timeoutMs: 20 }), /away: no answer within 20 ms/);
  await b.port.close();
  await t.rejects(a.peers.call(B, '/echo', NO_BODY), AWAY);
  t.same(a.peers.ids, [B], 'itself is not among the others');
});

await t.test('a caller that goes ends its call', async (t) => {
  const calls: NodeCall[] = [];
  const { a } = await twoNodes(t, {
    calls: {
      '/waits': (call) => {
        calls.push(call);
        return new Promise<never>(() => undefined);
      },
    },
  });
  const leaving = new AbortController();
  const answer = a.peers.call(B, '/waits', NO_BODY, { signal: leaving.signal });
  const call = await eventually('the call', () => calls[0]);
  t.equal(call.signal.aborted, false);
  leaving.abort();
  await t.rejects(answer, AWAY);
  await eventually('its end', () => call.signal.aborted);
});

await t.test('sockets are signed, too', async (t) => {
  const froms: string[] = [];
  const sockets = { '/socket': (ws: WebSocket, _: unknown, from: string) => (froms.push(from), ws.close(1000, from)) };
  const { a, b } = await twoNodes(t, { sockets });
  const ws = a.peers.open(B, '/socket')!;
  const [code, reason] = await once(ws, 'close');
  t.same([code, String(reason)], [1000, A]);
  for (const [path, header] of [
    ['/socket', ''],
    ['/socket', signed('/socket', { method: 'GET', secret: 'another' })],
    ['/other', ''],
  ] as const) {
    const refused = new WebSocket(`ws://${b.address}${path}`, { headers: { [SIGNATURE_HEADER]: header } });
    const [error] = await once(refused, 'error');
    t.match((error as Error).message, /401/);
  }
  const lost = a.peers.open(B, '/other')!;
  const [error] = await once(lost, 'error');
  t.match((error as Error).message, /404/);
  t.same(froms, [A]);
});

await t.test('connections are counted, and end with the port', async (t) => {
  const { b } = await twoNodes(t, { maxConnections: 2 });
  const [one, two] = [connect(b.port.port, '127.0.0.1'), connect(b.port.port, '127.0.0.1')];
  await Promise.all([once(one, 'connect'), once(two, 'connect')]);
  const three = connect(b.port.port, '127.0.0.1');
  three.on('error', () => undefined);
  await once(three, 'close');
  t.equal(one.destroyed || two.destroyed, false);
  const ended = Promise.all([once(one.resume(), 'close'), once(two.resume(), 'close')]);
  await b.port.close();
  await ended;
});

await t.test('an address that cannot be had', async (t) => {
  const { b, log } = await twoNodes(t);
  const taken = InternalPort.listen({
    address: { host: '127.0.0.1', port: b.port.port },
    signatures: new Signatures({ secret: SECRET, nodeId: A, now: Date.now }),
    calls: {},
    sockets: {},
    serves: () => true,
    log,
  });
  await t.rejects(taken, /NODE_ADDRESS: cannot listen on 127\.0\.0\.1/);
});

await t.test('with certificates', async (t) => {
  const folder = temporaryFolder(t);
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const about = ['-subj', '/CN=node', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const files = ['-keyout', keyFile, '-out', certFile];
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...about, ...files]);
  if (made.status !== 0) return t.pass('left out: there is no openssl to make a certificate', { skip: 'no openssl' });
  const cert = readFileSync(certFile);
  const tls = { key: readFileSync(keyFile), cert, ca: cert };
  const sockets = { '/socket': (ws: WebSocket) => ws.close(1000) };
  const { a } = await twoNodes(t, { tls, sockets });
  t.equal(await textOf(await a.peers.call(B, '/echo', Buffer.from('x'))), `${A} x`);
  const [code] = await once(a.peers.open(B, '/socket')!, 'close');
  t.equal(code, 1000);
});
