/** Every REST endpoint of the platform with its errors and its limit (docs/reference/rest.md, "What holds for all endpoints"). */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { WebSocket } from 'ws';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { KEEP_ALIVE_MS } from '../../src/gateway/exchange.js';
import { limitOf, type RouteSpec } from '../../src/protocol/route.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { recordFrame } from '../support/recorder.js';
import { TestPlatform, type Account, type Answer } from '../support/platform.js';
import { calling, passive, playOn, scenesOf, type Game } from '../support/scene.js';
import type { Player } from '../support/player.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const REGISTRATIONS = 50;
const ADMIN_KEY = 'the-key-of-the-operator';
const platform = await TestPlatform.start(t, { REGISTRATIONS_PER_MINUTE: REGISTRATIONS, ADMIN_KEY });

const NOBODY = '00000000-0000-4000-8000-000000000000';
let visitors = 0;
/** Another address each time: limits per address do not meet each other. */
const fromAnywhere = () => ({ 'x-forwarded-for': `198.51.${(visitors >> 8) & 255}.${visitors++ & 255}` });

const get = (path: string, key?: string): Promise<Answer> =>
  platform.api('GET', path, { headers: fromAnywhere(), ...(key === undefined ? {} : { key }) });
const post = (path: string, body: unknown, key?: string): Promise<Answer> =>
  platform.api('POST', path, { headers: fromAnywhere(), body, ...(key === undefined ? {} : { key }) });
const patch = (path: string, body: unknown, key: string): Promise<Answer> => platform.api('PATCH', path, { key, body });

const detail = (status: number, text: string | RegExp) => ({ status, body: { detail: text } });
/** A 422 with this field in its first item. */
const invalid = (...loc: (string | number)[]) => ({
  status: 422,
  body: { detail: [{ loc, msg: String, type: String }] },
});

await t.test('an agent registers once: name and e-mail are its own', async (t) => {
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';
  const body = {
    name: 'ada_bot',
    email: 'ada@example.com',
    terms_accepted: true,
    wallet_address: wallet.toLowerCase(),
  };
  const { status, body: ada } = await post('/api/register', body);
  t.equal(status, 201);
  t.match(ada, { name: 'ada_bot', email: 'ada@example.com', wallet_address: wallet, api_key: /^ap_[\w-]{43}$/ });
  const { agent_id, api_key } = ada as { agent_id: string; api_key: string };

  const another = { name: 'bob_bot', email: 'bob@example.com', terms_accepted: true };
  const refusals: [why: string, body: unknown, expected: object][] = [
    ['the terms', { ...another, terms_accepted: false }, detail(400, 'You must accept the Terms of Service')],
    ['a wallet whose checksum is wrong', { ...another, wallet_address: wallet.replace('E', 'e') }, { status: 400 }],
    ['the name, whatever its case', { ...another, name: 'ADA_BOT' }, detail(409, 'Agent name already taken')],
    ['the e-mail', { ...another, email: 'ADA@example.com' }, detail(409, 'Email already registered')],
    ['no name', { email: 'bob@example.com', terms_accepted: true }, invalid('body', 'name')],
    ['no e-mail', { name: 'bob_bot', terms_accepted: true }, invalid('body', 'email')],
    ['a name too short', { ...another, name: 'ab' }, invalid('body', 'name')],
    ['a name with a blank', { ...another, name: 'ada bot' }, invalid('body', 'name')],
    ['no e-mail address', { ...another, email: 'nobody' }, invalid('body', 'email')],
    ['a wrong type', { ...another, terms_accepted: 'yes' }, invalid('body', 'terms_accepted')],
    ['no JSON', '{"name":', invalid('body')],
    ['a list', [], invalid('body')],
    ['64 KiB', JSON.stringify({ ...another, pad: 'x'.repeat(65_536) }), detail(413, 'Request body too large')],
  ];
  for (const [why, refused, expected] of refusals) t.match(await post('/api/register', refused), expected, why);

  const [row] = await platform.sql!`select * from agents where agent_id = ${agent_id}`;
  t.notMatch(JSON.stringify(row), api_key.slice(3), 'the key itself is stored nowhere');
  const twin = { ...another, wallet_address: wallet };
  t.match(await post('/api/register', twin), { status: 201 }, 'to name a wallet reserves nothing');
});

await t.test('a socket that shows its key in the URL is told to send it in the header', async (t) => {
  const { key } = await platform.register('url');
  const socket = new WebSocket(`${platform.wsUrl}?token=${key}`);
  const [data] = (await once(socket, 'message')) as [Buffer];
  const frame = recordFrame(data.toString());
  t.match(frame, {
    type: 'error',
    code: 'auth_failed',
    message: /in the Authorization header, as "Authorization: Bearer/,
  });
  t.notMatch(JSON.stringify(frame), key);
  t.equal((await once(socket, 'close'))[0], 4001);
});

await t.test('the own profile, and what may change in it', async (t) => {
  const { key, agentId, name } = await platform.register('cyd');
  const { key: other } = await platform.register('dan');
  t.match(await get('/api/me', key), {
    status: 200,
    body: { agent_id: agentId, name, email: `${name}@example.com`, wallet_address: null, avatar_url: null, balance: 0 },
  });
  const avatar_url = 'https://example.com/a.png';
  t.match(await patch('/api/me', { name: 'cyd_two', avatar_url }, key), {
    status: 200,
    body: { name: 'cyd_two', avatar_url },
  });
  const wallet_address = '0xde709f2102306220921060314715629080e2fb77';
  t.match(await patch('/api/me', { wallet_address }, key), { status: 200, body: { wallet_address } });
  t.match(await get('/api/me', key), { status: 200, body: { wallet_address, avatar_url } });
  t.match(await patch('/api/me', { avatar_url: null }, key), {
    status: 200,
    body: { name: 'cyd_two', avatar_url: null },
  });
  t.match(await patch('/api/me', { name: 'CYD_TWO' }, other), detail(409, 'Agent name already taken'));
  t.match(await patch('/api/me', { name: '!' }, key), invalid('body', 'name'));
  t.match(await patch('/api/me', { wallet_address: '0x12' }, key), invalid('body', 'wallet_address'));
  t.match(await patch('/api/me', { wallet_address: '0x52908400098527886E0F7030069857D2E4169Ee7' }, key), {
    status: 400,
  });
});

await t.test('whoever shows no valid key is answered 401, everywhere alike', async (t) => {
  for (const { method, path, auth } of restSpecs as readonly RouteSpec[]) {
    if (auth === 'none') continue;
    for (const key of [undefined, 'ap_nonsense', `ap_${'x'.repeat(43)}`]) {
      if (auth === 'optional' && key === undefined) continue;
      const answer = await platform.api(method, path, {
        ...(key === undefined ? {} : { key }),
        headers: fromAnywhere(),
      });
      t.match(answer, detail(401, 'Invalid or missing API key'), `${method} ${path} ${key}`);
      t.equal(answer.headers.get('www-authenticate'), 'Bearer');
    }
  }
});

await t.test('a new key replaces the old one at once', async (t) => {
  const { key } = await platform.register('eve');
  const { body } = await post('/api/me/regenerate-key', undefined, key);
  const { api_key } = body as { api_key: string };
  t.not(api_key, key);
  t.equal((await get('/api/me', key)).status, 401);
  t.equal((await get('/api/me', api_key)).status, 200);
});

await t.test('the season, its list, and the own entry', async (t) => {
  const { body: season } = await get('/api/season/current');
  t.match(season, { season_number: 1, status: 'active', winding_down: false, total_registered: 0 });
  const { season_id, start_date, end_date, time_remaining_seconds } = season as Record<string, string>;
  t.equal(Date.parse(end_date!) - Date.parse(start_date!), 14 * 86_400_000, 'fourteen days');
  t.ok(Number(time_remaining_seconds) > 13 * 86_400);
  t.match(await get('/api/season/list'), { status: 200, body: [{ season_id, season_number: 1, status: 'active' }] });
  t.match(await get(`/api/season/${season_id}`), { status: 200, body: { season_id } });
  t.match(await get(`/api/season/${NOBODY}`), detail(404, 'Season not found'));
  t.match(await get('/api/season/seven'), { status: 400 });
  t.match(await get(`/api/season/${season_id}/leaderboard`), { status: 200, body: [] }, 'nothing is frozen yet');
  t.match(await get(`/api/season/${NOBODY}/leaderboard`), detail(404, 'Season not found'));
  t.match(await get('/api/season/seven/leaderboard'), { status: 400 });
  t.match(await get(`/api/season/${season_id}/leaderboard?limit=201`), invalid('query', 'limit'));

  const { key, agentId } = await platform.register('fay');
  t.match(await get('/api/season/me', key), detail(404, 'Not registered for this season'));
  t.match(await patch('/api/season/me', { auto_rebuy: true }, key), detail(404, 'Not registered for this season'));
  t.match(await post('/api/season/rebuy', undefined, key), detail(404, 'Not registered for this season'));
  const entry = { agent_id: agentId, chip_balance: 5000, chips_at_table: 0, rebuys: 0, premium: false, score: 5000 };
  t.match(await post('/api/season/register', undefined, key), { status: 200, body: entry });
  t.match(await post('/api/season/register', undefined, key), detail(409, 'Already registered for this season'));
  t.match(await get('/api/season/me', key), { status: 200, body: { ...entry, rank: 1, total_participants: 1 } });
  t.match(await patch('/api/season/me', { auto_rebuy: true }, key), { status: 200, body: { auto_rebuy: true } });
  t.match(await patch('/api/season/me', { auto_rebuy: 1 }, key), invalid('body', 'auto_rebuy'));
  t.match(await post('/api/season/rebuy', undefined, key), detail(400, 'Cannot rebuy - still have chips'));
});

const scene = scenesOf(t, platform);

await scene('the own hands, page by page and as files, and the trail of chips', async (t, scene) => {
  const game = await scene.game(2);
  const results = [await game.finish(calling), await game.finish(calling), await game.finish(calling)];
  const [ada, bob] = game.players as [Player, Player];
  const ids = results.map(({ hand_id }) => hand_id).reverse();
  const { status, body } = await get('/api/me/hand-history?limit=2', ada.account.key);
  t.equal(status, 200);
  t.match(body, { limit: 2, offset: 0, total_hands: 3, next_cursor: /^[\w-]{43}$/ });
  const { hands, next_cursor } = body as { hands: { hand_id: string; profit: number }[]; next_cursor: string };
  t.same(
    hands.map((hand) => hand.hand_id),
    ids.slice(0, 2),
  );
  t.match(await get(`/api/me/hand-history?cursor=${next_cursor}`, ada.account.key), {
    body: {
      hands: [{ hand_id: ids[2], table_id: game.tableId, hand_number: 1, stack_start: 2000 }],
      next_cursor: null,
    },
  });
  const files = { csv: 'text/csv', json: 'application/json', phh: 'application/toml', pokerstars: 'text/plain' };
  for (const [format, type] of Object.entries(files)) {
    const file = await get(`/api/me/hand-history/export?format=${format}`, bob.account.key);
    t.equal(file.status, 200);
    t.equal(file.headers.get('content-type')?.split(';')[0], type);
    t.match(file.headers.get('content-disposition'), /^attachment; filename="hands-\d{4}-\d\d-\d\d\.\w+"$/);
    const text = typeof file.body === 'string' ? file.body : JSON.stringify(file.body);
    t.ok(format === 'pokerstars' ? text.split('*** SUMMARY ***').length === 4 : ids.every((id) => text.includes(id)));
  }
  t.match(await get('/api/season-chip-ledger', ada.account.key), {
    status: 200,
    body: {
      limit: 50,
      offset: 0,
      entries: [
        { type: 'buy_in', amount: -2000, balance_after: 3000, table_id: game.tableId },
        { type: 'grant', amount: 5000, balance_after: 5000, table_id: null },
      ],
    },
  });
});

await scene('tables, the own game and the leaderboard, while and after hands are played', async (t, scene) => {
  const game = await scene.game(2);
  const [ada, bob] = game.players as [Player, Player];
  const { tableId } = game;
  t.match(await get('/api/tables'), {
    status: 200,
    body: [{ table_id: tableId, seats: 6, players: 2, small_blind: 10, big_blind: 20 }],
  });
  t.match(await get(`/api/tables/${tableId}`), {
    status: 200,
    body: { type: 'table_state', street: 'preflop', pot: 30 },
  });
  t.notOk('hero' in ((await get(`/api/tables/${tableId}`)).body as object));
  for (const id of [NOBODY, 'x']) t.match(await get(`/api/tables/${id}`), detail(404, 'Table not found'));

  const stack = ada.last('table_state').seats[ada.seat!]!.stack;
  t.same((await get('/api/me/active-game', ada.account.key)).body, {
    playing: true,
    table_id: tableId,
    seat: ada.seat,
    stack,
    stack_chips: stack,
    competition_id: null,
  });
  for (let hand = 0; hand < 12; hand++) await game.finish(passive);
  await leaveBoth(game);

  const { body } = await get('/api/season/leaderboard');
  const rows = body as Record<string, number | string>[];
  t.same(rows.map(({ bot_name }) => bot_name).sort(), [ada.name, bob.name].sort(), 'only who played ten hands');
  for (const [i, row] of rows.entries()) {
    t.match(row, { rank: i + 1, chips_at_table: 0, rebuys: 0, premium: false });
    t.equal(row['score'], row['chip_balance']);
    t.equal(row['win_rate'], Number(row['hands_won']) / Number(row['hands_played']));
  }
  t.equal(
    rows.reduce((sum, { score }) => sum + Number(score), 0),
    10_000,
    'no chip was lost',
  );
  for (const sort of ['hands_played', 'win_rate']) {
    const sorted = (await get(`/api/season/leaderboard?sort_by=${sort}`)).body as Record<string, number>[];
    t.ok(sorted[0]![sort]! >= sorted[1]![sort]!, sort);
  }
  t.match((await get('/api/season/leaderboard?limit=1&offset=1')).body, [{ rank: 2 }]);
  const second = (body as { bot_name: string; public_profile_slug: string }[])[1]!;
  const found = (await get(`/api/season/leaderboard?search=${second.bot_name.slice(1).toUpperCase()}`))
    .body as object[];
  t.match(found, [{ rank: 2, bot_name: second.bot_name, public_profile_slug: /^[a-z0-9-]+$/ }], 'found, with its rank');
  t.equal(found.length, 1);
  t.same((await get('/api/season/leaderboard?search=nobody_of_that_name')).body, []);
  t.same((await get('/api/season/leaderboard?min_hands=1000')).body, []);
  t.equal(((await get('/api/season/leaderboard?min_hands=1')).body as object[]).length, 2, 'below ten counts as ten');
  for (const query of ['limit=201', 'limit=0', 'offset=-1', 'sort_by=luck', 'limit=ten']) {
    t.match(await get(`/api/season/leaderboard?${query}`), invalid('query', query.split('=')[0]!), query);
  }
});

async function leaveBoth(game: Game): Promise<void> {
  playOn(game.players);
  for (const player of game.players) player.send({ type: 'leave_table' });
  await platform.healthWhen((health) => health.game.active_tables === 0);
}

await t.test('health, configuration and the documents are for everybody', async (t) => {
  t.match(await get('/health'), {
    status: 200,
    body: { status: 'ok', version: '0.1.0', services: { database: 'ok', cache: 'ok', coordinator: 'ok' } },
  });
  t.match(await get('/health/live'), { status: 200, body: { status: 'ok' } });
  t.match(await get('/health/ready'), { status: 200, body: { status: 'ok' } });
  t.match(await get('/api/public-config'), {
    status: 200,
    body: { identity_auth_url: String, action_timeout_ms: Number },
  });
  const { body: openapi } = await get('/api/openapi.json');
  const { paths } = openapi as { paths: Record<string, Record<string, unknown>> };
  for (const { method, path } of restSpecs) t.ok(paths[path]?.[method.toLowerCase()], `${method} ${path} is described`);
  t.match(await get('/api/asyncapi.json'), {
    status: 200,
    body: { asyncapi: '3.0.0', channels: { ws: { address: '/ws' } } },
  });
  const docs = await fetch(`${platform.url}/docs`);
  t.match(docs.headers.get('content-type'), 'text/html');
  t.match(await (await fetch(platform.url)).text(), '<div id="app">', 'a browser finds the pages at /');
});

await t.test('the balancer of compose.cluster.yaml takes a node that is ready for one', async (t) => {
  const config = readFileSync(new URL('../../../compose.cluster.haproxy.cfg', import.meta.url), 'utf8');
  // Without a version it asks in HTTP/1.0, which is answered 505.
  const check = /^ *http-check send meth (\S+) uri (\S+) ver (\S+) hdr (\S+) (\S+)$/m.exec(config);
  t.ok(check, 'the file says how it asks');
  const [, method, path, version, header, value] = check ?? [];
  const { hostname, port } = new URL(platform.url);
  const socket = connect(Number(port), hostname);
  socket.write(`${method} ${path} ${version}\r\n${header}: ${value}\r\nConnection: close\r\n\r\n`);
  t.match(await text(socket), /^HTTP\/1\.1 200 /);
});

await t.test(
  'the example for nginx speaks the HTTP that the server speaks, and keeps connections for less long',
  async (t) => {
    const config = readFileSync(new URL('../../../nginx.example.conf', import.meta.url), 'utf8');
    t.match(config, /^ *proxy_http_version 1\.1;$/m);
    const [, seconds] = /^ *keepalive_timeout (\d+)s;$/m.exec(config) ?? [];
    t.ok(Number(seconds) < KEEP_ALIVE_MS / 1000, `${seconds} s`);
  },
);

await t.test(
  'what is not there is 404, what cannot be done there 405; each answer has its security headers',
  async (t) => {
    for (const path of ['/api', '/api/nothing', '/api/me/x', '/apx', '/ws']) {
      t.match(await get(path), detail(404, 'Not Found'), path);
    }
    const answer = await platform.api('DELETE', '/api/me', { headers: fromAnywhere() });
    t.match(answer, detail(405, 'Method Not Allowed'));
    t.equal(answer.headers.get('allow'), 'GET, PATCH, HEAD');
    const head = await fetch(`${platform.url}/health/live`, { method: 'HEAD' });
    t.same([head.status, await head.text()], [200, '']);
    const { headers } = await get('/api/tables');
    t.equal(headers.get('content-type'), 'application/json');
    t.equal(headers.get('x-content-type-options'), 'nosniff');
    t.match(headers.get('content-security-policy'), "default-src 'none'");
    t.type(headers.get('x-request-id'), 'string');
    t.equal(headers.get('access-control-allow-origin'), null, 'no other origin may call, unless CORS_ORIGIN says so');
    const { key } = await platform.register('gus');
    t.equal((await get('/api/me', key)).headers.get('cache-control'), 'no-store');
  },
);

await t.test('every limit lets exactly so many through in a minute, then says how long to wait', async (t) => {
  for (const spec of restSpecs as readonly RouteSpec[]) {
    const limit = spec.id === 'registerAgent' ? { max: REGISTRATIONS, per: 'ip' } : limitOf(spec);
    if (limit === null) {
      t.fail(`${spec.path} has no limit`);
      continue;
    }
    const caller = spec.auth === 'none' || spec.auth === 'operator' ? null : await callerOf(spec);
    const headers = fromAnywhere();
    const path = spec.path.replace(/\{\w+\}/, NOBODY);
    let key = spec.auth === 'operator' ? ADMIN_KEY : caller?.key;
    const statuses: number[] = [];
    for (let n = 0; n < limit.max + 1; n++) {
      // A limit per key holds whatever the address, one per address whatever the key.
      const from = limit.per === 'ip' ? headers : fromAnywhere();
      const body = spec.body === undefined ? undefined : {};
      const answer = await platform.api(spec.method, path, {
        headers: from,
        body,
        ...(key === undefined ? {} : { key }),
      });
      statuses.push(answer.status);
      if (spec.id === 'regenerateKey' && answer.status === 200) key = (answer.body as { api_key: string }).api_key;
      if (answer.status === 429) t.match(answer.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
    }
    t.equal(statuses.indexOf(429), limit.max, `${spec.method} ${spec.path}: ${limit.max} a minute per ${limit.per}`);
  }
});

/** A fresh agent, registered for the season where the endpoint is about its entry. */
async function callerOf(spec: RouteSpec): Promise<Account> {
  const account = await platform.register('limit');
  if (spec.auth === 'admin') {
    await platform.sql!`update agents set is_platform = true where agent_id = ${account.agentId}`;
  }
  if (spec.path === '/api/season/me') await post('/api/season/register', undefined, account.key);
  return account;
}
