/** Answers of the REST side of the gateway: headers, long and streamed answers, and the documents. */
import { once } from 'node:events';
import t from 'tap';
import { rawConnection } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';
import { ask, key, LARGE, restTests } from '../support/rest-house.js';

t.setTimeout(FILE_MS);

await restTests(async (withHouse) => {
  await withHouse('who does not read its answers gets no further ones', async (t, house, { served }) => {
    const socket = await rawConnection(house.port);
    socket.pause().on('error', () => undefined);
    // Ends at once if the library can. Otherwise the connection is not read further.
    for (let n = 0; n < 50 && !socket.destroyed; n++) {
      socket.write('GET /api/large HTTP/1.1\r\nHost: a\r\n\r\n');
      t.equal((await ask(house, 'GET', '/api/things')).status, 200);
    }
    t.ok(served.large > 0 && served.large < 20, `${served.large} of 50 were answered`);
    socket.destroy();
  });

  await withHouse('a large answer is read whole, however slowly', async (t, house) => {
    const socket = await rawConnection(house.port);
    socket.write('GET /api/large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let [size, chunks] = [0, 0];
    for await (const chunk of socket) {
      size += (chunk as Buffer).length;
      if (++chunks % 16 === 0) await new Promise(setImmediate);
      if (size >= LARGE) break;
    }
    t.ok(size >= LARGE);
  });

  await withHouse('a failure tells the client nothing and the log everything', async (t, house) => {
    const { status, body, headers } = await ask(house, 'GET', '/api/broken');
    t.same([status, body], [500, { detail: 'Internal Server Error' }]);
    const requestId = headers.get('x-request-id');
    t.match(house.log.errors(), [{ detail: { requestId, path: '/api/broken', err: { message: /secret-7/ } } }]);
    const refused = await ask(house, 'GET', '/api/refusing');
    t.same([refused.status, refused.body], [429, { detail: 'Rebuy on cooldown. Retry after 9s.' }]);
    t.equal(refused.headers.get('retry-after'), '9');
    t.equal((await ask(house, 'GET', '/api/inject')).status, 500, 'a header cannot break out of its line');
  });

  await withHouse('every answer carries the security headers; nothing private is cached', async (t, house) => {
    const answers = [
      ['GET', '/api/things', {}, 'no-cache'],
      ['GET', '/api/things/mine', key(1), 'no-store'],
      ['GET', '/api/things/mine', {}, 'no-store'],
      ['GET', '/api/things', key(1), 'no-store'],
      ['GET', '/nothing', {}, 'no-store'],
      ['GET', '/api/broken', {}, 'no-cache'],
    ] as const;
    const ids = new Set<string | null>();
    for (const [method, path, init, cache] of answers) {
      const { headers } = await ask(house, method, path, init);
      t.equal(headers.get('content-type'), 'application/json');
      t.equal(headers.get('x-content-type-options'), 'nosniff');
      t.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
      t.equal(headers.get('referrer-policy'), 'no-referrer');
      t.equal(headers.get('cache-control'), cache, path);
      t.equal(headers.get('access-control-allow-origin'), null, 'CORS is off');
      ids.add(headers.get('x-request-id'));
    }
    t.equal(ids.size, answers.length, 'each request has an id of its own');
  });

  await withHouse(
    'CORS_ORIGIN lets the pages of that origin in, and no others',
    async (t, house) => {
      const from = (origin: string, more: Record<string, string> = {}) => ({ headers: { origin, ...more } });
      const question = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
      const asked = await ask(house, 'OPTIONS', '/api/things', from('https://play.example', question));
      t.equal(asked.status, 204);
      t.equal(asked.headers.get('access-control-allow-origin'), 'https://play.example');
      t.equal(asked.headers.get('access-control-allow-credentials'), 'true', 'the session, which trusts that origin');
      t.match(asked.headers.get('access-control-allow-headers'), /Authorization/);
      const answer = await ask(house, 'GET', '/api/things', from('https://play.example'));
      t.equal(answer.headers.get('access-control-allow-origin'), 'https://play.example');
      t.equal(answer.headers.get('access-control-allow-credentials'), 'true');
      t.match(answer.headers.get('access-control-expose-headers'), /Retry-After/);
      t.equal((await ask(house, 'OPTIONS', '/api/things', from('https://evil.example', question))).status, 405);
      const other = await ask(house, 'GET', '/api/things', from('https://evil.example'));
      t.equal(other.headers.get('access-control-allow-origin'), null);
      t.equal(other.headers.get('access-control-allow-credentials'), null);
      t.equal(other.headers.get('vary'), 'origin');
    },
    { CORS_ORIGIN: 'https://play.example' },
  );

  await withHouse('streams: whole, as fast as the client reads, ended when it leaves', async (t, house, { runs }) => {
    const file = await fetch(`${house.http}/api/stream?count=3&size=4`);
    t.equal(await file.text(), 'aaaabbbbcccc');
    t.equal(file.headers.get('content-disposition'), 'attachment; filename="things.txt"');
    const whole = await runs.next();
    await whole.returned;
    t.notOk(whole.signal.aborted);
    const head = await fetch(`${house.http}/api/stream`, { method: 'HEAD' });
    t.equal(head.headers.get('content-type'), 'text/plain');
    t.equal((await runs.next()).pulled, 0, 'nothing is produced for HEAD');

    const reader = await rawConnection(house.port);
    const count = 4000;
    reader.write(`GET /api/stream?count=${count}&size=65536 HTTP/1.1\r\nHost: x\r\n\r\n`);
    const run = await runs.next();
    await once(reader, 'data');
    reader.pause();
    for (let n = 0; n < 5; n++) await ask(house, 'GET', '/api/things');
    t.ok(run.pulled < count / 4, `only what the network takes is produced: ${run.pulled} of ${count}`);
    reader.destroy();
    await run.returned;
    t.ok(run.pulled < count, 'and the producer hears that nobody reads any more');
    t.ok(run.signal.aborted);
  });

  await withHouse('a stream that fails breaks the connection, so that the client knows', async (t, house) => {
    await t.rejects(fetch(`${house.http}/api/stream?count=5&fail=3`).then((response) => response.text()));
    while (house.log.errors().length === 0) await new Promise(setImmediate);
    t.match(house.log.errors(), [
      { message: 'an answer was cut off', detail: { err: { message: 'the source ran dry' } } },
    ]);
    t.equal((await ask(house, 'GET', '/api/things')).status, 200, 'the server goes on');
  });

  await withHouse('closing waits for answers under way', async (t, house, { hanging }) => {
    const pending = ask(house, 'GET', '/api/slow');
    const letGo = await hanging.next();
    const closed = house.gateway.close();
    letGo();
    t.same((await pending).body, { done: true });
    await closed;
  });

  await withHouse('documents: OpenAPI and AsyncAPI for programs, a page for people', async (t, house) => {
    const rest = (await ask(house, 'GET', '/api/openapi.json')).body as {
      openapi: string;
      paths: Record<string, object>;
    };
    t.match(rest.openapi, /^3\.1/);
    t.match(Object.keys(rest.paths['/api/things'] ?? {}), ['get', 'post']);
    t.ok(rest.paths['/api/asyncapi.json']);
    const events = await ask(house, 'GET', '/api/asyncapi.json');
    t.match(events.body, { asyncapi: /^3/, servers: { platform: { host: house.http.slice('http://'.length) } } });

    t.equal(await (await fetch(`${house.http}/metrics`)).text(), 'up 1\n', 'pages of others stand beside it');
  });
});
