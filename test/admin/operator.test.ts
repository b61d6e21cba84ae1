/**
 * The operator's endpoints over real sockets: their rights and their views. Each action does what the command of `npx
 * agent-poker admin` does, with its entry in the audit log.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { restSpecs } from '../../src/protocol/rest/index.js';
import type { RouteSpec } from '../../src/protocol/route.js';
import { newSecret, secretHash } from '../../src/accounts/index.js';
import { requestWithdrawal } from '../../src/credits/chain/withdrawals.js';
import { postCredits } from '../../src/credits/index.js';
import { MAX_WRONG_KEYS } from '../../src/gateway/operator-key.js';
import { transaction } from '../../src/store/database.js';
import { Cup } from '../support/cup.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { passive, join, scenesOf } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const ADMIN_KEY = 'the-key-of-the-operator';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
// A rebuy below the least buy-in is warned of, so that the log has a line.
const platform = await TestPlatform.start(t, { ADMIN_KEY, REBUY_CHIPS: 500 });
const sql = platform.sql!;
const scene = scenesOf(t, platform);
const operatorSpecs = (restSpecs as readonly RouteSpec[]).filter(({ auth }) => auth === 'operator');

let visitors = 0;
const fromAnywhere = () => ({ 'x-forwarded-for': `198.51.${(visitors >> 8) & 255}.${visitors++ & 255}` });
const ask = (method: string, path: string, body?: unknown, key: string | undefined = ADMIN_KEY) =>
  platform.api(method, `/api/admin/${path}`, { key, body, headers: fromAnywhere() });
const get = (path: string) => ask('GET', path);
const post = (path: string, body?: unknown) => ask('POST', path, body);
const detail = (status: number, text: string | RegExp) => ({ status, body: { detail: text } });
const logged = (subject: string) => sql`
  select actor, action, detail from audit_log where subject = ${subject} order by entry_id`;

await t.test('the bearer of ADMIN_KEY may, and nobody else', async (t) => {
  const { key, agentId } = await platform.register('boss');
  await sql`update agents set is_platform = true where agent_id = ${agentId}`;
  for (const { method, path } of operatorSpecs) {
    for (const wrong of [undefined, key, `${ADMIN_KEY}x`, ADMIN_KEY.toUpperCase()]) {
      const headers = fromAnywhere();
      const answer = await platform.api(method, path, { headers, ...(wrong === undefined ? {} : { key: wrong }) });
      t.match(answer, detail(401, 'Invalid or missing API key'), `${method} ${path} with ${wrong}`);
    }
  }
  const { status, headers } = await get('overview');
  t.same([status, headers.get('cache-control')], [200, 'no-store']);
  for (const query of [`key=${ADMIN_KEY}`, `authorization=Bearer%20${ADMIN_KEY}`]) {
    const answer = await platform.api('GET', `/api/admin/overview?${query}`, { headers: fromAnywhere() });
    t.equal(answer.status, 401, 'not in the address');
  }
});

await t.test('who guesses has to wait, with the right key too; others do not', async (t) => {
  const headers = fromAnywhere();
  const shown = (key: string) => platform.api('GET', '/api/admin/overview', { key, headers });
  for (let n = 0; n < MAX_WRONG_KEYS; n++) t.equal((await shown(`guess-number-${n}`)).status, 401);
  const late = await shown('one-guess-more');
  t.match(late, detail(429, 'Too many requests'));
  t.match(late.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
  t.equal((await shown(ADMIN_KEY)).status, 429);
  t.equal((await get('overview')).status, 200);
});

/** The headers of somebody who is signed in with an agent's address. */
async function session(of: TestPlatform, agentId: string): Promise<Record<string, string>> {
  const secret = newSecret();
  await of.sql!`
    insert into sign_in_sessions (session_hash, email) select ${secretHash(secret)}, email from agents
    where agent_id = ${agentId}`;
  return { ...fromAnywhere(), cookie: `agent_poker_session=${secret}` };
}

await t.test('who is signed in as a platform agent may, too, from our own pages', async (t) => {
  const [chief, other] = [await platform.register('chief'), await platform.register('other')];
  await sql`update agents set is_platform = true where agent_id = ${chief.agentId}`;
  const headers = await session(platform, chief.agentId);
  const asked = (method: string, path: string, more: Record<string, string> = {}, body?: unknown) =>
    platform.api(method, path, { headers: { ...headers, ...more }, body });
  const isOperator = (answer: boolean) => ({ status: 200, body: { signed_in: true, is_operator: answer } });
  t.match(await asked('GET', '/api/auth/session'), isOperator(true));
  t.equal((await asked('GET', '/api/admin/overview')).status, 200);
  const ban = `/api/admin/agents/${other.agentId}/ban`;
  for (const { method, path } of operatorSpecs) {
    const answer = await asked(method, path, { ...fromAnywhere(), origin: 'https://elsewhere.example' });
    t.match(answer, detail(403, /another origin/), `${method} ${path}: a page of another site cannot have it done`);
  }
  t.match(await asked('POST', ban, { origin: platform.url }, { reason: 'why' }), { status: 200 });
  t.match(await logged(other.agentId), [{ actor: chief.agentId, action: 'ban' }], 'the log names the agent');
  const wrong = await asked('GET', '/api/admin/overview', { authorization: 'Bearer not-the-key' });
  t.equal(wrong.status, 401, 'a wrong key is not made good by a session');
  await sql`update agents set banned_at = now() where agent_id = ${chief.agentId}`;
  t.match(await asked('GET', '/api/auth/session'), isOperator(false));
  t.equal((await asked('GET', '/api/admin/overview')).status, 401);
  const person = await platform.register('person');
  const theirs = { headers: await session(platform, person.agentId) };
  t.match(await platform.api('GET', '/api/auth/session', theirs), isOperator(false));
  t.equal((await platform.api('GET', '/api/admin/overview', theirs)).status, 401);
});

await t.test('without the setting nobody is the operator', async (t) => {
  const closed = await TestPlatform.start(t);
  for (const key of ['undefined', '', ADMIN_KEY]) {
    const { status } = await closed.api('GET', '/api/admin/overview', { key, headers: fromAnywhere() });
    t.equal(status, 401, JSON.stringify(key));
  }
  t.equal((await closed.api('GET', '/metrics')).status, 404);
  const { agentId } = await closed.register('chief');
  await closed.sql!`update agents set is_platform = true where agent_id = ${agentId}`;
  const headers = await session(closed, agentId);
  t.equal((await closed.api('GET', '/api/admin/overview', { headers })).status, 401, 'nor by a session');
  t.match(await closed.api('GET', '/api/auth/session', { headers }), { body: { is_operator: false } });
});

await scene(
  'the room shows threads, rates, commits, the season and the books, and an hour of them',
  async (t, scene) => {
    const [ada, bob] = [await scene.player('ada'), await scene.player('bob')];
    for (const player of [ada, bob]) player.auto = passive;
    await Promise.all([join(ada), join(bob)]);
    const { body: season } = await platform.api('GET', '/api/season/current');
    const overview = await eventually(
      'hands in the overview',
      async () => {
        const { body } = await get('overview');
        const seen = body as {
          commits: { mean_ms: number | null };
          rates: { hands_per_second: number };
          credits: { books: unknown };
        };
        return seen.commits.mean_ms !== null && seen.rates.hands_per_second > 0 && seen.credits.books !== null && seen;
      },
      500,
    );
    const { season_id, season_number, end_date } = season as Record<string, string>;
    t.match(overview, {
      threads: [
        { name: 'main', running: true },
        { name: 'shard-0', running: true, tables: 1 },
      ],
      play: { tables: 1, lobby: Number },
      shards_without_database: 0,
      season: { season_id, season_number, end_date, winding_down: false },
      credits: { paying: false, withdrawals_waiting: 0, books: { drift_ucents: 0, treasury_surplus_units: null } },
    });
    t.ok(overview.rates.hands_per_second > 0);
    const { body: found } = await get(`agents?search=${ada.account.agentId}`);
    const [line] = (found as { agents: { hands: number; last_hand_at: string | null }[] }).agents;
    t.ok(line!.hands > 0 && line!.last_hand_at !== null, 'its hands and the newest of them');
    const { body } = await get('history');
    const { at, every_seconds, ...columns } = body as Record<string, number[]> & { every_seconds: number };
    t.equal(every_seconds, 5);
    t.ok(at!.length >= 2);
    for (const [name, column] of Object.entries(columns)) t.equal(column.length, at!.length, name);
    t.ok(Math.max(...columns['hands_per_second']!) > 0);
    t.match(await get('errors'), {
      status: 200,
      body: { lines: [{ level: 'warn', message: /^settings: REBUY_CHIPS=500/, detail: '{}' }], total: Number },
    });
  },
);

await scene('a ban over REST is the ban of the command', async (t, scene) => {
  const player = await scene.player('cheat');
  const { agentId, key, name } = player.account;
  const here = `agents/${agentId}`;
  const agent = { agent_id: agentId, name };
  t.match(await post(`${here}/ban`, { reason: '' }), { status: 422 });
  t.match(await post(`${here}/ban`, { reason: '  ' }), { status: 422 });
  t.match(await post(`${here}/ban`, {}), { status: 422 });
  const reason = 'plays with <b>marked</b> cards';
  t.match(await post(`${here}/ban`, { reason }), { status: 200, body: { changed: true, ...agent } });
  t.match(await player.closed, { code: 4001 });
  t.equal((await platform.api('GET', '/api/me', { key })).status, 401);
  t.match(await post(`${here}/ban`, { reason: 'another' }), { status: 200, body: { changed: false } });
  t.match(await get(`agents?banned=true&search=${name.toUpperCase()}`), {
    status: 200,
    body: {
      matching: 1,
      agents: [
        {
          ...agent,
          banned_reason: reason,
          email_verified: true,
          is_house: false,
          hands: 0,
          last_hand_at: null,
        },
      ],
    },
  });
  t.match(await post(`${here}/unban`), { status: 200, body: { changed: true, ...agent } });
  t.match(await post(`${here}/unban`), { status: 200, body: { changed: false } });
  t.equal((await platform.api('GET', '/api/me', { key })).status, 200);
  await sql`update agents set email_verified_at = null where agent_id = ${agentId}`;
  t.match(await post(`${here}/verify-email`), { status: 200, body: { changed: true, ...agent } });
  t.match(await post(`${here}/verify-email`), { status: 200, body: { changed: false } });
  const reset = await post(`${here}/reset-key`);
  t.match(reset, { status: 200, body: { changed: true, ...agent, api_key: /^ap_[\w-]{43}$/ } });
  const { api_key } = reset.body as { api_key: string };
  const old = async () => (await platform.api('GET', '/api/me', { key })).status === 401;
  await eventually('the end of the old key', old);
  t.equal((await platform.api('GET', '/api/me', { key: api_key })).status, 200);
  t.same(
    (await logged(agentId)).map(({ actor, action, detail }) => [actor, action, detail]),
    [
      ['operator', 'ban', { reason }],
      ['operator', 'unban', {}],
      ['operator', 'verify_email', {}],
      ['operator', 'reset_key', {}],
    ],
    'what changed nothing is not logged',
  );
  const first = await get('log?limit=2');
  t.match(first, {
    status: 200,
    body: {
      entries: [
        {
          actor: 'operator',
          actor_name: null,
          action: 'reset_key',
          subject: agentId,
          subject_name: name,
          detail: '{}',
        },
        {},
      ],
      next_before: Number,
    },
  });
  const { next_before: before } = first.body as { next_before: number };
  const actions = async (query: string) => {
    const { body } = await get(`log?${query}`);
    return (body as { entries: { action: string }[] }).entries.map(({ action }) => action);
  };
  t.same(await actions(`limit=2&before=${before}&search=${name}`), ['unban', 'ban'], 'the next page');
  t.same(await actions(`search=${name.toUpperCase()}`), ['reset_key', 'verify_email', 'unban', 'ban'], 'by a name');
  t.same(await actions(`search=${agentId.slice(0, 20)}&limit=1`), ['reset_key'], 'by an id');
  t.same(await actions('search=verify email'), ['verify_email'], 'by an action');
  t.same(await actions('search=%25&from=2020-01-01'), [], 'a text, no pattern');
  t.same(await actions(`search=${name}&from=2100-01-01`), []);
  t.same(await actions(`search=${name}&to=2020-01-01`), []);
  const today = new Date().toISOString().slice(0, 10);
  t.equal((await actions(`search=${name}&from=2020-01-01T10:00:00Z&to=${today.replace(/^\d+/, '2100')}`)).length, 4);
  t.match(await get('log?from=yesterday'), { status: 422 });
  t.match(await get('log?before=0'), { status: 422 });
  t.notMatch(JSON.stringify(await sql`select * from audit_log`), api_key, 'the key is written down nowhere');
  const house = await platform.register('home');
  await sql`update agents set is_house = true where agent_id = ${house.agentId}`;
  t.match(await post(`agents/${house.agentId}/reset-key`), detail(409, /is a house bot/));
});

await t.test('what fits no schema, or is about nothing that is there', async (t) => {
  for (const { method, path, params, query, body } of operatorSpecs) {
    const name = `${method} ${path}`;
    const sent = body === undefined ? {} : { body: { reason: 'why', season_number: 1 } };
    const call = (filled: string, more: object = sent) =>
      platform.api(method, filled, { key: ADMIN_KEY, headers: fromAnywhere(), ...more });
    const filled = path.replace(/\{\w+\}/, NOBODY);
    if (params !== undefined) {
      t.match(await call(path.replace(/\{\w+\}/, 'x')), detail(400, /^Invalid \w+ format$/), name);
      const status = /\/(withdrawals|deposits|prizes)\//.test(path) ? 409 : 404;
      t.match(await call(filled), { status }, name);
    }
    if (query !== undefined) t.match(await call(`${filled}?limit=201`), { status: 422 }, name);
    if (body !== undefined) {
      t.match(await call(filled, { body: {} }), { status: 422 }, name);
      t.match(await call(filled, { body: 'x'.repeat(65_537) }), { status: 413 }, name);
    }
  }
});

await t.test('competitions are called off and made final in the organizer’s place', async (t) => {
  const [cup, other] = [await Cup.open(platform), await Cup.open(platform, { name: 'Winter Cup' })];
  t.match(await get('competitions'), {
    status: 200,
    body: { matching: 2, competitions: [{ name: 'Winter Cup', state: 'enrolling', participants: 0 }, {}] },
  });
  const path = (id: string, step: string) => `competitions/${id}/${step}`;
  t.match(
    await post(path(cup.id, 'finalize')),
    detail(409, 'competition Autumn Cup is enrolling: it cannot be finalized'),
  );
  t.match(await post(path(cup.id, 'cancel')), {
    status: 200,
    body: { changed: true, competition_id: cup.id, from: 'enrolling', to: 'cancelled' },
  });
  t.match(
    await post(path(cup.id, 'cancel')),
    detail(409, 'competition Autumn Cup is cancelled: it cannot be cancelled'),
  );
  for (const name of ['one', 'two']) await other.enroll(await platform.register(name));
  for (const step of ['start', 'end'] as const) await other.step(step);
  await eventually('its results', async () => (await other.state()) === 'results_pending');
  t.match(await post(path(other.id, 'finalize')), {
    status: 200,
    body: { changed: true, from: 'results_pending', to: 'finalized' },
  });
  t.match(await get('competitions'), { body: { matching: 0 } });
  t.match(await get('competitions?all=true&limit=1'), { body: { matching: 2, competitions: { length: 1 } } });
  t.match((await logged(other.id)).at(-1), { actor: 'operator', action: 'competitions_finalize' });
});

await t.test('withdrawals are listed, tried again, released and returned', async (t) => {
  const { agentId } = await platform.register('eve');
  await sql`update agents set wallet_address = ${WALLET} where agent_id = ${agentId}`;
  const legs = [
    { account: 'deposits' as const, ucents: -500_000 },
    { account: { agent: agentId }, ucents: 500_000 },
  ];
  await postCredits(sql, { type: 'dev_deposit', once: null, reference: null, legs });
  const limits = { minimum: 100, maximum: 10_000, daily: 50_000 };
  const ids = [];
  for (const amount of [5, 6, 7]) {
    const request = { agentId, amount, limits, own: {} };
    ids.push(await transaction(sql, async (tx) => (await requestWithdrawal(tx, request)).withdrawalId));
  }
  const [first, second, signed] = ids as [string, string, string];
  await sql`
    update withdrawals set status = 'submitted', nonce = 7, tx_hash = ${`0x${'5c'.repeat(32)}`}, error_message = 'late'
    where withdrawal_id = ${signed}`;
  const path = (id: string, step: string) => `withdrawals/${id}/${step}`;
  t.match(await post(path(first, 'return'), { reason: 'why' }), detail(409, `${first} is not held`));
  t.match(await get('withdrawals?held=true'), { body: { matching: 0 } });
  await post(`agents/${agentId}/ban`, { reason: 'stolen wallet' });
  t.match(await get('withdrawals?held=true'), {
    status: 200,
    body: {
      matching: 2,
      withdrawals: [{ held: true, status: 'pending', amount_ucents: 60_000, agent_id: agentId }, {}],
    },
  });
  t.match(await post(path(first, 'return'), { reason: 'why' }), { status: 200, body: { changed: true, id: first } });
  t.match(await post(path(first, 'return'), { reason: 'why' }), detail(409, `${first} is not held`));
  t.match(await post(path(second, 'release'), { reason: 'why' }), { status: 200, body: { changed: true, id: second } });
  t.match(await post(path(second, 'release'), { reason: 'why' }), detail(409, `${second} is not held`));
  t.match(await post(path(signed, 'retry')), { status: 200, body: { changed: true, id: signed } });
  t.match(await post(path(first, 'retry')), detail(409, /is none, or decided already/));
  t.match(await get('withdrawals?open=true'), {
    body: {
      matching: 2,
      withdrawals: [{ withdrawal_id: signed, status: 'processing', nonce: 7, error_message: 'late', held: false }, {}],
    },
  });
  t.match(await logged(first), [{ actor: 'operator', action: 'withdrawals_return', detail: { reason: 'why' } }]);
});

await t.test('deposits are listed, and followed again; a wallet is taken away', async (t) => {
  const { agentId, name } = await platform.register('dee');
  const [lost] = await sql`
    insert into deposits (deposit_id, agent_id, tx_hash, wallet, units, status, log_index, block_number, block_hash)
    values (gen_random_uuid(), ${agentId}, ${`0x${'7d'.repeat(32)}`}, ${WALLET}, 3000000, 'orphaned', 0, 1, 'gone')
    returning deposit_id`;
  const { deposit_id: id } = lost as { deposit_id: string };
  t.match(await get('deposits?open=true'), {
    status: 200,
    body: { matching: 1, deposits: [{ deposit_id: id, agent_name: name, units: 3_000_000, status: 'orphaned' }] },
  });
  t.match(await post(`deposits/${id}/retry`), { status: 200, body: { changed: true, id } });
  t.match(await logged(id), [{ actor: 'operator', action: 'deposits_retry' }]);
  await sql`update deposits set status = 'confirmed' where deposit_id = ${id}`;
  t.match(await post(`deposits/${id}/retry`), detail(409, `${id} is none, or credited already`));
  t.match(await get('deposits?open=true'), { body: { matching: 0 } });
  await sql`update deposits set lost_at = now() where deposit_id = ${id}`;
  t.match(await get('deposits?open=true'), { body: { deposits: [{ lost_at: String, loss_accepted_at: null }] } });
  const why = { reason: 'its wallet was robbed' };
  t.match(await post(`deposits/${id}/reverse`, why), detail(409, `the balance of its agent does not cover ${id}`));
  t.match(await post(`deposits/${id}/accept`, why), { status: 200, body: { changed: true, id } });
  t.match(await post(`deposits/${id}/accept`, why), detail(409, `${id} is not lost, or accepted already`));
  t.match(await get('deposits?open=true'), { body: { deposits: [{ loss_accepted_at: String }] } });
  await sql`update deposits set units = 50 where deposit_id = ${id}`;
  t.match(await post(`deposits/${id}/reverse`, why), { status: 200, body: { changed: true, id } });
  t.match(await post(`deposits/${id}/reverse`, why), detail(409, `${id} is not lost`));
  t.match(
    (await logged(id)).map(({ action, detail: given }) => [action, given]),
    [
      ['deposits_retry', {}],
      ['deposits_accept', why],
      ['deposits_reverse', why],
    ],
  );
  await sql`delete from deposits where deposit_id = ${id}`;

  await sql`update agents set wallet_address = ${WALLET} where agent_id = ${agentId}`;
  const clear = () => post(`agents/${agentId}/clear-wallet`);
  await sql`insert into wallet_proofs (address, agent_id, proven_block) values (${WALLET}, ${agentId}, 1)`;
  const cleared = { changed: true, agent_id: agentId, name, wallet: WALLET, proven: [WALLET] };
  t.match(await clear(), { status: 200, body: cleared });
  t.match(await clear(), { status: 200, body: { changed: false, wallet: null } });
  t.same((await logged(agentId)).map(({ actor, action }) => [actor, action]).sort(), [
    ['operator', 'clear_wallet'],
    ['operator', 'wallet_changed'],
  ]);
});

await scene('a table of a competition bears its name', async (t, scene) => {
  const cup = await Cup.open(platform, { name: 'The Named' });
  const [cyd, dan] = [await cup.player(scene, 'cyd'), await cup.player(scene, 'dan')];
  await cup.step('start');
  for (const player of [cyd, dan]) {
    player.auto = passive;
    player.send({ type: 'join_lobby' });
  }
  await cyd.next('table_joined');
  const { body } = await get('tables');
  const { tables } = body as { tables: { table_id: string }[] };
  const theirs = tables.find(({ table_id }) => table_id === cyd.table)!;
  t.match(theirs, { competition_name: 'The Named', season_number: null });
});

await scene('a table is closed after its hand', async (t, scene) => {
  const [ada, bob] = [await scene.player('ada'), await scene.player('bob')];
  for (const player of [ada, bob]) player.auto = passive;
  await Promise.all([join(ada), join(bob)]);
  const { body } = await get('tables');
  const { tables } = body as { tables: { table_id: string; players: number; season_number: number }[] };
  const mine = tables.find(({ table_id }) => table_id === ada.table)!;
  t.match(mine, { players: 2, season_number: Number, competition_name: null, closing: false });
  t.match(await post(`tables/${mine.table_id}/close`), {
    status: 200,
    body: { changed: true, table_id: mine.table_id },
  });
  t.match(await ada.next('table_closed'), { reason: 'closed_by_operator' });
  t.match(await logged(mine.table_id), [{ actor: 'operator', action: 'tables_close' }]);
  for (const player of [ada, bob]) player.auto = null;
});

await t.test('nodes are listed, and one is asked to leave', async (t) => {
  const { body } = await get('nodes');
  const { nodes } = body as { nodes: { node_id: string; leads: boolean }[] };
  const [{ open }] = await sql<[{ open: number }]>`select count(*)::int as open from tables where status = 'open'`;
  t.match(nodes, [{ name: String, leads: true, silent: false, drains: false, shards: 1, tables: open }]);
  t.equal(nodes.length, 1);
  const other = randomUUID();
  await sql`
    insert into nodes (node_id, name, lease_until, session_since)
    values (${other}, 'other:1', now() + interval '1 hour', now())`;
  await sql`insert into shards (shard_no, epoch, holder) values (90, 1, ${other}), (91, 1, ${other}), (92, 1, null)`;
  await sql`
    insert into tables (table_id, pool_id, shard_no, seq_reserved, status)
    select gen_random_uuid(), pool_id, 91, 0, status from (select pool_id from pools limit 1) p, unnest('{open,closed}'::text[]) status`;
  t.match(await post(`nodes/${NOBODY}/drain`), detail(404, 'Node not found'));
  for (const changed of [true, false])
    t.match(await post(`nodes/${other}/drain`), { status: 200, body: { changed, node_id: other, name: 'other:1' } });
  t.match(await get('nodes'), {
    body: {
      nodes: [
        { leads: true, drains: false, shards: 1, tables: open },
        { node_id: other, leads: false, silent: false, drains: true, shards: 2, tables: 1 },
      ],
    },
  });
  t.match(await logged(other), [{ actor: 'operator', action: 'drain', detail: { name: 'other:1' } }]);
  await sql`update nodes set lease_until = now() - interval '1 second' where node_id = ${other}`;
  t.match(await get('nodes'), { body: { nodes: [{}, { silent: true }] } });
  await sql`delete from nodes where node_id = ${other}`;
  await sql`delete from tables where shard_no = 91`;
  await sql`delete from shards where shard_no >= 90`;
});

await t.test('a code for the beta gate is made, and listed', async (t) => {
  const made = await post('invites', { uses: 3, days: 2, note: 'the course' });
  t.match(made, { status: 201, body: { changed: true, max_uses: 3, note: 'the course', expires_at: String } });
  const { code } = made.body as { code: string };
  t.match(await post('invites', { uses: 1 }), { status: 201, body: { note: null, expires_at: null } });
  t.match(await post('invites', { uses: 0 }), { status: 422 });
  const { body } = await get('invites');
  const { invites } = body as { invites: { code: string; uses: number }[] };
  t.match(
    invites.find((invite) => invite.code === code),
    { uses: 0, max_uses: 3 },
  );
  const entries = await sql`select actor, detail from audit_log where action = 'create_invite'`;
  t.equal(entries.length, 2);
  t.notMatch(JSON.stringify(entries), code, 'the log gives nobody a code');
});

await t.test('the audit runs beside the server, one at a time, and tells its result', async (t) => {
  t.match(await get('audit'), { status: 200, body: { state: 'none', started_at: null, ok: null } });
  // The audit waits for this lock, so that it surely runs still when the next one is asked for.
  const lock = await sql.reserve();
  await lock`begin`;
  await lock`lock table hand_players in access exclusive mode`;
  t.match(await post('audit'), {
    status: 202,
    body: { state: 'running', started_at: String },
  });
  t.match(await post('audit'), detail(409, 'An audit is running already'));
  await lock`rollback`;
  lock.release();
  const { body } = await eventually(
    'the result',
    async () => {
      const answer = await get('audit');
      return (answer.body as { state: string }).state !== 'running' && answer;
    },
    100,
  );
  t.match(body, { state: 'done', ok: true, ended_at: String });
  t.ok((body as { lines: string[] }).lines.includes('Every chip is accounted for.'));
  t.match(await sql`select actor from audit_log where action = 'audit'`, [{ actor: 'operator' }]);
  const again = () => post('audit');
  await eventually('another one', async () => (await again()).status === 202, 100);
});

await t.test('the season ends when its number is named, and never later than by itself', async (t) => {
  const current = async () => (await platform.api('GET', '/api/season/current', { headers: fromAnywhere() })).body;
  const { season_id, season_number } = (await current()) as { season_id: string; season_number: number };
  const end = (number: number, in_seconds?: number) => post('season/end', { season_number: number, in_seconds });
  t.match(await end(season_number + 1), detail(409, `season ${season_number} goes on: not confirmed`));
  t.match(await end(season_number, -1), { status: 422 });
  const hour = await end(season_number, 3600);
  t.match(hour, { status: 200, body: { changed: true, season_id, season_number } });
  const { end_date } = hour.body as { end_date: string };
  await eventually('its end moves', async () => ((await current()) as { end_date: string }).end_date === end_date, 100);
  t.match(await end(season_number, 7200), detail(409, /is over, or ends before that by itself/));
  t.match(await end(season_number), { status: 200, body: { changed: true } });
  await eventually(
    'the next season',
    async () => ((await current()) as { season_number: number }).season_number === season_number + 1,
    100,
  );
  t.match(
    (await logged(season_id)).filter(({ action }) => action === 'end_season'),
    [{ actor: 'operator', detail: { season_number } }, { actor: 'operator' }],
  );
});

await t.test('the log and the process hold the key nowhere', async (t) => {
  t.notMatch(platform.output, ADMIN_KEY);
  t.notMatch(JSON.stringify((await get('errors')).body), ADMIN_KEY);
  t.notMatch(JSON.stringify(await sql`select * from audit_log`), ADMIN_KEY);
});
