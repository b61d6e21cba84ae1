/** Requests to the REST side of the gateway, through real connections, with each transport. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import t from 'tap';
import { agentId, Client, rawConnection, refusedUpgrade, type House } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';
import { ask, key, post, restTests } from '../support/rest-house.js';

t.setTimeout(FILE_MS);

/** All that comes until the connection ends. */
async function answerTo(house: House, bytes: string): Promise<string> {
  const socket = await rawConnection(house.port);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  const ended = once(socket, 'close');
  // The rest of the bytes gets a reset when the other end closes.
  socket.on('error', () => undefined).write(bytes);
  await ended;
  return text;
}
const head = (...lines: string[]) => [...lines, '', ''].join('\r\n');

await restTests(async (withHouse) => {
  await withHouse('unknown paths are 404, known paths with another method 405 with Allow', async (t, house) => {
    for (const path of ['/nothing', '/api', '/api/things/x/y', '/api//things', '/api/things/%ff', '/api/things/%00']) {
      const { status, body } = await ask(house, 'GET', path);
      t.same([status, body], [404, { detail: 'Not Found' }], path);
    }
    const { status, body, headers } = await ask(house, 'DELETE', '/api/things');
    t.same([status, body, headers.get('allow')], [405, { detail: 'Method Not Allowed' }, 'GET, POST, HEAD']);
    t.equal((await ask(house, 'POST', '/metrics')).headers.get('allow'), 'GET, HEAD');
    t.equal((await ask(house, 'OPTIONS', '/api/things')).status, 405, 'CORS is off');
  });

  await withHouse('paths: trailing slash, literal before parameter, percent-encoding', async (t, house) => {
    t.equal((await ask(house, 'GET', '/api/things/')).status, 200);
    t.same((await ask(house, 'GET', '/api/things/mine/', key(5))).body, { mine: agentId(5) });
    t.same((await ask(house, 'GET', '/api/things/min%65', key(5))).body, { mine: agentId(5) });
    t.same((await ask(house, 'GET', '/api/things/a%2Fb%20%C3%A4?limit=7&x=%zz')).body, { thing: 'a/b ä', limit: 7 });
    t.same((await ask(house, 'GET', '/api/things/__proto__')).body, { thing: '__proto__', limit: 50 });
  });

  await withHouse('HEAD is GET without its body, and the connection lives on', async (t, house) => {
    const { status, headers, body } = await ask(house, 'HEAD', '/api/things');
    t.same([status, body], [200, null]);
    t.equal(headers.get('content-length'), String('{"ip":"127.0.0.1"}'.length));
    const socket = await rawConnection(house.port);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.write('HEAD /api/things HTTP/1.1\r\nHost: x\r\n\r\n');
    while (!text.endsWith('\r\n\r\n')) await once(socket, 'data');
    socket.write('GET /api/things HTTP/1.1\r\nHost: x\r\n\r\n');
    while (!text.includes('{"ip"')) await once(socket, 'data');
    t.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
    socket.destroy();
  });

  await withHouse('a head may be as long as 16 KiB, and not longer', async (t, house) => {
    const start = head('GET /api/things HTTP/1.1', 'Host: x', 'Connection: close', 'X-Long: ').slice(0, -4);
    const fits = `${start}${'x'.repeat(16_000 - start.length)}\r\n\r\n`;
    const socket = await rawConnection(house.port);
    socket.write(fits);
    t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 OK/);
    socket.destroy();
    t.match(await answerTo(house, `${start}${'x'.repeat(17_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
  });

  await withHouse(
    'a request that two readers may read differently is 400, and the last of its connection',
    async (t, house) => {
      const post = ['POST /api/things HTTP/1.1', 'Host: x', 'Authorization: Bearer key-1'];
      const upgrade = ['GET /ws HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
      const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
      const body = '{"name":"x"}';
      const chunked = `c\r\n${body}\r\n0\r\n\r\n`;
      const doubled: Record<string, string> = {
        length: head(...post, 'Content-Length: 12', 'Content-Length: 12') + body,
        'other length': head(...post, 'Content-Length: 12', 'Content-Length: 5') + body,
        host: head(...post, 'Host: y', 'Content-Length: 12') + body,
        authorization: head(...post, 'authorization: Bearer key-2', 'Content-Length: 12') + body,
        encoding: head(...post, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + chunked,
        'length and encoding': head(...post, 'Content-Length: 12', 'Transfer-Encoding: chunked') + chunked,
        'another encoding': head(...post, 'Transfer-Encoding: gzip, chunked') + chunked,
        'upgrade, by two keys': head(...upgrade, ...key, 'Authorization: Bearer key-1', 'Authorization: Bearer key-2'),
        'upgrade, to two hosts': head(...upgrade, 'Host: y', ...key, 'Authorization: Bearer key-1'),
      };
      const next = head('GET /api/things HTTP/1.1', 'Host: x');
      for (const [what, bytes] of Object.entries(doubled)) {
        const text = await answerTo(house, bytes);
        t.match(text, /^HTTP\/1\.1 400 Bad Request/, what);
        t.notMatch(text.slice(1), 'HTTP/1.1', `${what}: one answer`);
        // If more bytes have come already, one library still answers and the other does not.
        t.notMatch(await answerTo(house, bytes + next), '200 OK', `${what}: nothing behind it is answered`);
      }
      t.equal(house.registry.openings.rest.length, 0, 'no socket opened');
    },
  );

  await withHouse(
    'an API key in the URL is not read: who shows it there is told where it belongs',
    async (t, house) => {
      const shown = `ap_${'x'.repeat(43)}`;
      for (const query of [`?token=${shown}`, `?a=b&api_key=${shown}&c`]) {
        const { status, body } = await ask(house, 'GET', `/api/things/mine${query}`);
        t.equal(status, 401);
        t.match(body, { detail: /send it in the Authorization header, as "Authorization: Bearer KEY"/ });
        t.notMatch(body, shown);
        const client = await Client.connect(house.ws + query);
        t.match(await house.registry.openings.next(), { apiKey: null, keyInUrl: true });
        await client.closed;
      }
      t.match(await ask(house, 'GET', `/api/things/mine?token=${shown}`, key('nobody')), {
        body: { detail: 'Invalid or missing API key' },
      });
      await Client.connect(`${house.ws}?token=${shown}`, 'Bearer key-1');
      t.notOk((await house.registry.openings.next()).keyInUrl, 'a key in the header counts');
    },
  );

  await withHouse('keys: 401 without a valid one, 403 without the right one', async (t, house) => {
    const bad = [undefined, 'Bearer nobody', 'Basic a2V5LTE=', 'Bearer', 'key-1'];
    for (const authorization of bad) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await ask(house, 'GET', '/api/things/mine', { headers });
      t.same([answer.status, answer.body], [401, { detail: 'Invalid or missing API key' }], String(authorization));
      t.equal(answer.headers.get('www-authenticate'), 'Bearer');
    }
    t.equal((await ask(house, 'GET', '/api/admin')).status, 401);
    t.same((await ask(house, 'GET', '/api/admin', key(1))).body, { detail: 'Platform admin only' });
    t.equal((await ask(house, 'GET', '/api/admin', key('admin-key'))).status, 200);
  });

  await withHouse('bodies: read, checked, and refused as a list of what is wrong', async (t, house) => {
    const good = await ask(house, 'POST', '/api/things', post('{"name":"Zoë","size":3}', 2));
    t.same(good.body, {
      body: { name: 'Zoë', size: 3 },
      agent: { agentId: agentId(2), name: 'bot_2', isAdmin: false },
    });
    const cases: [body: string | Uint8Array, loc: (string | number)[], type: string][] = [
      ['', ['body'], 'missing'],
      ['{"name":', ['body'], 'json_invalid'],
      [new Uint8Array([0x7b, 0xff, 0x7d]), ['body'], 'json_invalid'],
      ['{}', ['body', 'name'], 'missing'],
      ['{"name":"a","size":1.5}', ['body', 'size'], 'int_type'],
      ['{"name":"a\\u0000b"}', ['body'], 'value_error'],
      ['[]', ['body'], 'dict_type'],
    ];
    for (const [body, loc, type] of cases) {
      const answer = await ask(house, 'POST', '/api/things', post(body));
      t.match([answer.status, answer.body], [422, { detail: [{ loc, type, msg: /./ }] }], String(body));
    }
    t.match((await ask(house, 'GET', '/api/things/a?limit=0')).body, { detail: [{ loc: ['query', 'limit'] }] });
    t.match((await ask(house, 'GET', '/api/things/a?x=%00')).status, 422);
    t.match((await ask(house, 'GET', '/api/things?x=%00')).status, 200, 'where no query is read, none is refused');
  });

  await withHouse('bodies above 64 KiB are 413, however they are sent', async (t, house) => {
    const body = (size: number) => JSON.stringify({ name: 'x'.repeat(size - 11) });
    t.equal(body(65_536).length, 65_536);
    t.equal((await ask(house, 'POST', '/api/things', post(body(65_536)))).status, 200);
    const answer = await ask(house, 'POST', '/api/things', post(body(65_537)));
    t.same([answer.status, answer.body], [413, { detail: 'Request body too large' }]);
    t.equal((await ask(house, 'POST', '/api/things', post(body(5_000_000)))).status, 413);
    const chunked = httpRequest(`${house.http}/api/things`, {
      method: 'POST',
      headers: { authorization: 'Bearer key-1' },
    });
    chunked.write(body(40_000));
    chunked.end(body(40_000));
    const [response] = (await once(chunked, 'response')) as [IncomingMessage];
    t.equal(response.statusCode, 413);
    response.resume();
    t.equal((await ask(house, 'GET', '/api/things')).status, 200, 'the server goes on');
  });

  await withHouse('who shows thirty keys that nobody holds waits, over REST and at the upgrade', async (t, house) => {
    const stranger = { headers: { authorization: 'Bearer nobody' } };
    for (let n = 0; n < 30; n++) t.equal((await ask(house, 'GET', '/api/things/mine', stranger)).status, 401);
    const refused = await ask(house, 'GET', '/api/things/mine', stranger);
    t.same([refused.status, refused.body], [429, { detail: 'Too many requests' }]);
    t.match(refused.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
    const upgrade = await refusedUpgrade(house.ws, 'Bearer nobody');
    t.same([upgrade.status, upgrade.body], [429, '{"detail":"Too many requests"}']);
    t.equal((await ask(house, 'GET', '/api/things/mine', key(1))).status, 200, 'a key that is known is no stranger');
  });

  await withHouse('pages, and paths where there is nothing, are limited by address', async (t, house) => {
    for (let n = 0; n < 300; n++) await ask(house, 'GET', '/nothing');
    t.equal((await ask(house, 'GET', '/metrics')).status, 429);
    t.equal((await ask(house, 'GET', '/api/things')).status, 200);
  });

  await withHouse('limits: per key and per address, each on its own, with Retry-After', async (t, house) => {
    for (const [path, first, other] of [
      ['/api/per-key', key(1), key(2)],
      ['/api/per-ip', {}, null],
    ] as const) {
      t.equal((await ask(house, 'GET', path, first)).status, 200);
      t.equal((await ask(house, 'GET', path, first)).status, 200);
      const { status, body, headers } = await ask(house, 'GET', path, first);
      t.same([status, body], [429, { detail: 'Too many requests' }]);
      t.match(headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
      if (other) t.equal((await ask(house, 'GET', path, other)).status, 200);
    }
    const statuses = [];
    for (let n = 0; n < 61; n++) statuses.push((await ask(house, 'GET', '/api/unlisted', key(1))).status);
    t.same([statuses.indexOf(429), statuses.length], [60, 61], 'sixty a minute where nothing else is said');
  });

  await withHouse('who is refused again and again waits for it, and nobody else does', async (t, house) => {
    const use = async () => (await ask(house, 'GET', '/api/per-key', key(1))).status;
    for (let n = 0; n < 2; n++) t.equal(await use(), 200);
    let unanswered = 0;
    // A standstill of the machine may hide the effect once, but not ten times.
    for (let round = 0; round < 10 && unanswered <= 30; round++) {
      const over: number[] = [];
      const flood = Array.from({ length: 60 }, () => use().then((status) => over.push(status)));
      t.equal((await ask(house, 'GET', '/api/things/mine', key(2))).status, 200);
      unanswered = 60 - over.length;
      await Promise.all(flood);
      t.same(new Set(over), new Set([429]), 'all are refused in the end');
    }
    t.ok(unanswered > 30, `${unanswered} of 60 refusals waited when somebody else was answered`);
  });

  await withHouse(
    'registrations are limited by address, as configured',
    async (t, house) => {
      t.equal((await ask(house, 'POST', '/api/register', { body: '{}' })).status, 422, 'counted, whatever it is');
      t.equal((await ask(house, 'POST', '/api/register', { body: '{}' })).status, 429);
    },
    { REGISTRATIONS_PER_MINUTE: 1 },
  );

  await withHouse(
    'behind a proxy the address is what the proxy saw, not what the client claims',
    async (t, house) => {
      const from = (value: string) => ({ headers: { 'x-forwarded-for': value } });
      t.same((await ask(house, 'GET', '/api/things', from('6.6.6.6, 1.2.3.4'))).body, { ip: '1.2.3.4' });
      for (const spoof of ['1.1.1.1', '2.2.2.2']) await ask(house, 'GET', '/api/per-ip', from(`${spoof}, 1.2.3.4`));
      t.equal((await ask(house, 'GET', '/api/per-ip', from('3.3.3.3, 1.2.3.4'))).status, 429);
      t.equal((await ask(house, 'GET', '/api/per-ip', from('3.3.3.3, 1.2.3.5'))).status, 200);
    },
    { TRUSTED_PROXY: 1 },
  );

  await withHouse('without a trusted proxy X-Forwarded-For means nothing', async (t, house) => {
    const answer = await ask(house, 'GET', '/api/things', { headers: { 'x-forwarded-for': '1.2.3.4' } });
    t.same(answer.body, { ip: '127.0.0.1' });
  });
});
