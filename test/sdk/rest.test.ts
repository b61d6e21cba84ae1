/** The kit's REST client: what it sends, what it makes of refusals and limits, pages, files, and proofs of real hands. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { ApiError, playBot, RestClient, Unreachable, verify, type LogRecord } from '../../sdk/typescript/src/index.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers as the test says, one answer after the other, and notes what it was asked. */
async function scripted(t: Test, ...answers: Answer[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (text: Buffer) => (body += String(text)));
    request.on('end', () => {
      asked.push(`${String(request.method)} ${String(request.url)} ${body}`.trim());
      answers[Math.min(asked.length, answers.length) - 1]!(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { asked, url, rest: new RestClient({ url, apiKey: 'ap_x' }) };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const tooMany = json(429, { detail: 'Too many requests' }, { 'retry-after': '0' });

void t.test('refusals are typed; a 429 is waited out where the call may be repeated', async (t) => {
  const { rest, asked } = await scripted(t, tooMany, json(200, { name: 'ada' }));
  t.match(await rest.getMe(), { name: 'ada' });
  t.same(asked, ['GET /api/me', 'GET /api/me']);

  const stubborn = await scripted(t, tooMany);
  await t.rejects(stubborn.rest.getMe(), {
    name: 'ApiError',
    status: 429,
    detail: 'Too many requests',
    retryAfter: 0,
    operation: 'getMe',
  });
  t.equal(stubborn.asked.length, 4, 'three times more');
  const once = await scripted(t, tooMany);
  await t.rejects(once.rest.withdraw({ amount: 1 }), { name: 'ApiError', status: 429 });
  t.same(once.asked, ['POST /api/withdraw {"amount":1}'], 'money is not asked for twice');
  const withKey = await scripted(t, tooMany, (request, response) =>
    json(200, request.headers['idempotency-key'])(request, response),
  );
  t.equal(await withKey.rest.withdraw({ amount: 1 }, { idempotencyKey: 'k' }), 'k' as never, 'but under a key');

  const long = await scripted(
    t,
    json(429, { detail: 'Rebuy on cooldown. Retry after 600s.' }, { 'retry-after': '600' }),
  );
  await t.rejects(long.rest.getBalance(), { name: 'ApiError', retryAfter: 600 });
  const invalid = await scripted(
    t,
    json(422, { detail: [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }] }),
  );
  await t.rejects(invalid.rest.updateMe(), { message: 'updateMe: 422 body.name: Field required' });
  const proxy = await scripted(t, (_, response) => response.writeHead(502).end('<html>bad gateway'));
  await t.rejects(proxy.rest.getMe(), { name: 'ApiError', status: 502, detail: '<html>bad gateway' });

  void t.test('a bot that is to register later waits for that', async (t) => {
    const registers = async (...answers: Answer[]) => {
      const { url, asked } = await scripted(t, ...answers);
      const waits: string[] = [];
      const onLog = ({ event, text }: LogRecord) => void (event === 'register' && waits.push(text));
      const end = playBot({ url, name: 'ada', decide: (hand) => hand.fold(), on: { log: onLog } });
      const why = await end.then(
        () => 'it played',
        (error: Error) => error.message,
      );
      return { why, waits, asked: asked.length };
    };
    const again = 'too many register from this address: ada tries again in 0 s';
    t.same(await registers(tooMany, tooMany, json(409, { detail: 'Agent name already taken' })), {
      why: 'cannot register ada: 409 Agent name already taken; give apiKey or keyFile if the agent is yours',
      waits: [again, again],
      asked: 3,
    });
    t.match(await registers(tooMany), { why: 'cannot register ada: 429 Too many requests', asked: 6 }, 'not for ever');
    const tomorrow = json(429, { detail: 'Too many requests' }, { 'retry-after': '61' });
    t.match(await registers(tomorrow), { why: /429/, waits: [], asked: 1 }, 'nor for long');
  });
});

void t.test('no answer, a late one and a given-up call are told apart', async (t) => {
  const silent = await scripted(t, () => undefined);
  await t.rejects(silent.rest.getMe({ timeoutMs: 50 }), { name: 'Unreachable', message: 'getMe: no answer in time' });
  const reason = new Error('enough');
  await t.rejects(silent.rest.getMe({ signal: AbortSignal.abort(reason) }), reason);
  await t.rejects(new RestClient({ url: 'http://127.0.0.1:1' }).getHealth(), Unreachable);
});

void t.test('pages are gone through, by cursor and by offset', async (t) => {
  const page = (hands: number[], next_cursor: string | null) => json(200, { hands, next_cursor });
  const cursors = await scripted(t, page([1, 2], 'c'), page([3], null));
  const hands: unknown[] = [];
  for await (const hand of cursors.rest.iterateHandHistory({ offset: 5, limit: 2 })) hands.push(hand);
  t.same(hands, [1, 2, 3]);
  t.same(cursors.asked, ['GET /api/me/hand-history?limit=2&offset=5', 'GET /api/me/hand-history?limit=2&cursor=c']);
  const offsets = await scripted(t, json(200, [1, 2]), json(200, [3]));
  const rows: unknown[] = [];
  for await (const row of offsets.rest.iterateLeaderboard({ limit: 2 })) rows.push(row);
  t.same(rows, [1, 2, 3]);
  t.match(offsets.asked[1], 'limit=2&offset=2');
});

void t.test('a file comes piece by piece, and says when it is not whole', async (t) => {
  const { rest } = await scripted(
    t,
    (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="h.csv"' })
        .end('a,ü'),
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '100' }).write('a,b');
      setTimeout(() => response.destroy(), 20);
    },
  );
  const file = await rest.exportHandHistory({ format: 'csv' });
  t.match(file, { contentType: 'text/csv', fileName: 'h.csv' });
  t.equal(await file.text(), 'a,ü');
  const broken = await rest.exportHandHistory({ format: 'csv' });
  await t.rejects(broken.text(), Unreachable);
});

void t.test('a piece of a file is there before the next is made; what is not read is given up', async (t) => {
  const events = new EventEmitter();
  const { rest } = await scripted(
    t,
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write('a,b');
      events.once('wanted', () => response.end('1,2'));
    },
    (_, response) => {
      response.on('close', () => events.emit('given up'));
      response.writeHead(200, { 'content-type': 'text/csv' }).write('a,b');
    },
  );
  const seen: string[] = [];
  for await (const chunk of (await rest.exportHandHistory({ format: 'csv' })).chunks) {
    seen.push(Buffer.from(chunk).toString());
    events.emit('wanted');
  }
  t.same(seen, ['a,b', '1,2']);
  const givenUp = once(events, 'given up');
  for await (const chunk of (await rest.exportHandHistory({ format: 'csv' })).chunks) {
    t.equal(Buffer.from(chunk).toString(), 'a,b');
    break;
  }
  await givenUp;
});

void t.test('a hand of a real server is proven, and a changed card is found', async (t) => {
  const platform = await TestPlatform.start(t, { HOUSE_BOTS: 2 });
  const { key } = await platform.register('prover');
  let handId = '';
  const log = () => undefined;
  const on = { log, hand_result: (result: { hand_id: string }) => void (handId = result.hand_id) };
  await playBot({ url: platform.url, apiKey: key, hands: 1, decide: (hand) => hand.call(), on });
  const rest = new RestClient({ url: platform.url, apiKey: key });
  const proof = await rest.getHandProof({ hand_id: handId });
  t.same(verify(proof), []);
  const [first, second] = proof.hole_cards;
  t.same(verify({ ...proof, hole_cards: [second!, first!] }), ['own cards: not the cards of the deck']);
  t.same(verify({ ...proof, deck_commitment: '0'.repeat(64) }), ['not the committed deck']);
  await t.rejects(
    rest.getHandProof({ hand_id: crypto.randomUUID() }),
    new ApiError(404, 'Hand not found', null, 'getHandProof'),
  );
});
