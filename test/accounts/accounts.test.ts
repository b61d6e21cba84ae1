/** Registration, keys and profiles: who gets a key, what is refused, how a key is looked up and replaced. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { accountRoutes, createInviteCode, listInviteCodes } from '../../src/accounts/index.js';
import { ban, unban } from '../../src/admin/queries.js';
import { KeyCache } from '../../src/accounts/key-cache.js';
import type { KeyHolderRow } from '../../src/accounts/queries.js';
import { HttpError } from '../../src/protocol/rest/errors.js';
import type { Database } from '../../src/store/database.js';
import { field, form, openAccounts as open, registered } from '../support/account-house.js';
import { leadership, stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { asker } from '../support/rest.js';

t.setTimeout(FILE_MS);

/** EIP-55's own examples. */
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OTHER_WALLET = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

const countOf = async (sql: Database) => (await sql<{ count: number }[]>`select count(*) from agents`)[0]?.count;

await t.test('registration answers the agent with its key, which is stored nowhere', async (t) => {
  const { ask, sql } = await open(t);
  const body = form('Ada_bot', { wallet_address: WALLET.toLowerCase(), avatar_url: 'https://example.org/a.png' });
  const answer = await ask('registerAgent', { body, ip: '198.51.100.7' });
  t.equal(answer.status, 201);
  t.match(answer.body, { email: 'Ada_bot@example.org', name: 'Ada_bot', wallet_address: WALLET }, 'EIP-55 form');
  const key = field(answer, 'api_key');
  t.match(key, /^ap_[\w-]{43}$/, 'a recognisable prefix and 256 bits');

  const [row] =
    await sql`select key_hash, host(registered_ip) as ip, avatar_url, is_house, email_verified_at from agents`;
  t.same(row?.key_hash, createHash('sha256').update(key).digest());
  t.match(row, { ip: '198.51.100.7', avatar_url: 'https://example.org/a.png', is_house: false });
  t.ok(row?.email_verified_at, 'verified at once in development');
});

await t.test('outside of development the address is not verified by registering', async (t) => {
  const { ask, sql } = await open(t, { emailVerified: false });
  await registered(ask, 'ada');
  t.same(await sql`select email_verified_at from agents`, [{ email_verified_at: null }]);
});

await t.test('an address that is none (a socket without a peer) is simply not stored', async (t) => {
  const { ask, sql } = await open(t);
  t.equal((await ask('registerAgent', { body: form('ada'), ip: '' })).status, 201);
  t.same(await sql`select registered_ip from agents`, [{ registered_ip: null }]);
});

await t.test('registration is refused', async (t) => {
  const { ask, sql } = await open(t);
  await registered(ask, 'ada', { wallet_address: WALLET });
  const refused = async (what: string, body: object, status: number, detail: unknown) =>
    t.match(await ask('registerAgent', { body }), { status, body: { detail } }, what);

  await refused(
    'without the terms',
    form('bob', { terms_accepted: false }),
    400,
    'You must accept the Terms of Service',
  );
  await refused(
    'with a known e-mail address',
    form('bob', { email: 'ADA@example.org' }),
    409,
    'Email already registered',
  );
  await refused('with a known name', form('ADA', { email: 'bob@example.org' }), 409, 'Agent name already taken');
  const mistyped = form('bob', { wallet_address: WALLET.replace('aA', 'Aa') });
  await refused('with a mistyped wallet', mistyped, 400, 'Invalid wallet address: its EIP-55 checksum does not match');
  const noEmail = { name: 'bob', terms_accepted: true };
  await refused('without an address', noEmail, 422, [{ loc: ['body', 'email'], type: 'missing' }]);
  await refused('with a short name', form('ab'), 422, [{ loc: ['body', 'name'] }]);
  await refused('without a word on the terms', { name: 'bob', email: 'b@x.org' }, 422, [
    { loc: ['body', 'terms_accepted'] },
  ]);
  t.equal(await countOf(sql), 1);
});

await t.test('an invite code is taken and means nothing while no gate is shut', async (t) => {
  const { ask } = await open(t);
  t.equal((await ask('registerAgent', { body: form('ada', { invite_code: 'let me in' }) })).status, 201);
});

await t.test('where a sign-in session is required nobody registers without one', async (t) => {
  const { ask, sql } = await open(t, { registration: 'session' });
  const answer = await ask('registerAgent', { body: form('ada') });
  t.match(answer, { status: 403, body: { detail: 'Registration requires a signed-in session' } });
  t.equal(await countOf(sql), 0);
});

await t.test('of forty who race for one name exactly one gets it', async (t) => {
  const { ask, sql } = await open(t);
  const race = Array.from({ length: 40 }, (_, i) =>
    ask('registerAgent', { body: form('ada', { email: `ada${i}@example.org` }) }),
  );
  const answers = await Promise.all(race);
  t.equal(answers.filter(({ status }) => status === 201).length, 1);
  const late = answers.filter(({ status }) => status !== 201);
  t.ok(late.every(({ status, body }) => status === 409 && JSON.stringify(body).includes('Agent name already taken')));
  t.equal(await countOf(sql), 1);
});

await t.test('the own profile', async (t) => {
  const { ask, accounts, told } = await open(t);
  const { agentId, apiKey } = await registered(ask, 'ada');
  await registered(ask, 'bob', { wallet_address: OTHER_WALLET });
  const me = (body?: object) => ask(body === undefined ? 'getMe' : 'updateMe', { agentId, body });

  t.match(await me(), {
    status: 200,
    body: {
      agent_id: agentId,
      email: 'ada@example.org',
      name: 'ada',
      wallet_address: null,
      avatar_url: null,
      balance: 0,
    },
  });

  await t.test('changes what is given and keeps the rest', async (t) => {
    t.match(await me({ wallet_address: WALLET.toLowerCase() }), {
      status: 200,
      body: { wallet_address: WALLET, name: 'ada' },
    });
    t.match(await me({ avatar_url: 'https://example.org/a.png' }), { body: { wallet_address: WALLET } });
    t.match(await me({}), { body: { name: 'ada', wallet_address: WALLET, avatar_url: 'https://example.org/a.png' } });
    t.match(await me({ wallet_address: null }), {
      body: { wallet_address: null, avatar_url: 'https://example.org/a.png' },
    });
    t.match(await me({ avatar_url: null }), { body: { avatar_url: null } });
  });

  await t.test('tells tables and sessions a new name at once', async (t) => {
    t.equal((await accounts.authenticate(apiKey))?.name, 'ada', 'now in the cache');
    told.length = 0;
    t.match(await me({ name: 'ada_two' }), { body: { name: 'ada_two' } });
    t.same(told, [{ update: agentId, name: 'ada_two', avatarUrl: null, publicProfileSlug: 'ada' }]);
    t.equal((await accounts.authenticate(apiKey))?.name, 'ada_two');
  });

  await t.test('does not take what is another’s', async (t) => {
    t.match(await me({ name: 'BOB' }), { status: 409, body: { detail: 'Agent name already taken' } });
    t.equal((await me({ wallet_address: WALLET.replace('aA', 'Aa') })).status, 400);
    t.equal((await me({ name: 'a b' })).status, 422);
    t.match(await me(), { body: { name: 'ada_two', wallet_address: null } });
  });

  await t.test('may name any wallet to withdraw to, since naming one reserves nothing', async (t) => {
    t.match(await me({ wallet_address: OTHER_WALLET }), { status: 200, body: { wallet_address: OTHER_WALLET } });
    const twin = form('cyd', { wallet_address: OTHER_WALLET });
    t.match(await ask('registerAgent', { body: twin }), { status: 201, body: { wallet_address: OTHER_WALLET } });
  });
});

await t.test('keys', async (t) => {
  const { ask, accounts, sql, told } = await open(t);
  const { agentId, apiKey } = await registered(ask, 'ada');

  await t.test('name their agent, and nothing else does', async (t) => {
    t.match(await accounts.authenticate(apiKey), { agentId, name: 'ada', email: 'ada@example.org', isHouse: false });
    for (const wrong of ['', 'ap_', `${apiKey}x`, apiKey.slice(0, -1), `ap_${'A'.repeat(43)}`, agentId]) {
      t.equal(await accounts.authenticate(wrong), null, JSON.stringify(wrong));
    }
  });

  await t.test('die at once when a new one is made, with their session', async (t) => {
    const answer = await ask('regenerateKey', { agentId });
    const fresh = field(answer, 'api_key');
    t.not(fresh, apiKey);
    t.same(told.at(-1), { disconnect: agentId });
    t.equal(await accounts.authenticate(apiKey), null, 'though it was in the cache');
    t.match(await accounts.authenticate(fresh), { agentId });
  });

  await t.test('open nothing for a banned agent', async (t) => {
    const key = field(await ask('regenerateKey', { agentId }), 'api_key');
    t.ok(await accounts.authenticate(key));
    // As npx agent-poker admin does it, and the running server's ear for it (test/admin/admin.test.ts has both).
    await ban(sql, agentId, 'collusion');
    accounts.expel(agentId, new Date());
    t.same(told.at(-1), { disconnect: agentId });
    t.equal(await accounts.authenticate(key), null);
    await unban(sql, agentId);
    // That nobody has the key is remembered for some seconds.
    await eventually('it opens again afterwards', () => accounts.authenticate(key));
  });
});

await t.test('the cache of keys', async (t) => {
  const holder = (name: string): KeyHolderRow => ({
    agent_id: `id of ${name}`,
    email: '',
    email_verified: true,
    name,
    avatar_url: null,
    shown_slug: null,
    is_house: false,
    is_platform: false,
  });
  /** Look-ups wait until they are let go, in order. */
  function slowCache({ fails = false, ...more }: Partial<{ maxAgeMs: number; size: number; fails: boolean }> = {}) {
    const world = {
      now: 0,
      open: [] as ((row: KeyHolderRow | 'banned' | undefined) => void)[],
      known: [] as boolean[],
    };
    const lookUp = (_hash: Buffer, known: boolean) => {
      world.known.push(known);
      if (fails) return Promise.reject(new Error('the database is away'));
      return new Promise<KeyHolderRow | 'banned' | undefined>((resolve) => world.open.push(resolve));
    };
    return { world, cache: new KeyCache(lookUp, { now: () => world.now, maxAgeMs: 1000, size: 10, ...more }) };
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

  await t.test('does not let a key back in that died during the look-up', async (t) => {
    const { world, cache } = slowCache();
    const found = cache.find(Buffer.from('key'));
    cache.drop('id of ada');
    world.open.shift()?.(holder('ada'));
    await settle();
    t.equal(world.open.length, 1, 'the look-up is made again');
    world.open.shift()?.(undefined);
    t.equal(await found, undefined);
  });

  await t.test('asks again when an entry is old, and never for one that is young', async (t) => {
    const { world, cache } = slowCache();
    const first = cache.find(Buffer.from('key'));
    world.open.shift()?.(holder('ada'));
    t.match(await first, { name: 'ada' });
    world.now = 999;
    t.match(await cache.find(Buffer.from('key')), { name: 'ada' });
    t.equal(world.open.length, 0);
    world.now = 1000;
    const again = cache.find(Buffer.from('key'));
    t.equal(world.open.length, 1);
    world.open.shift()?.(undefined);
    t.equal(await again, undefined);
  });

  await t.test('remembers for five seconds that nobody has a key, unless a key changes meanwhile', async (t) => {
    const { world, cache } = slowCache();
    const nobody = async () => {
      const found = cache.find(Buffer.from('key'));
      const asked = world.open.length === 1;
      world.open.shift()?.(undefined);
      t.equal(await found, undefined);
      return asked;
    };
    t.equal(await nobody(), true);
    world.now = 4999;
    t.equal(await nobody(), false);
    world.now = 5000;
    t.equal(await nobody(), true);
    cache.drop('id of ada');
    t.equal(await nobody(), true, 'it may be the new one');
    for (let n = 0; n < 1000; n++) {
      const other = cache.find(Buffer.from(`key ${n}`));
      world.open.shift()?.(undefined);
      await other;
    }
    t.equal(await nobody(), true, 'of a thousand others none is kept beside it');
  });

  await t.test("does not remember a banned agent's key: the ban may end at any moment", async (t) => {
    const { world, cache } = slowCache();
    const banned = cache.find(Buffer.from('key'));
    world.open.shift()?.('banned');
    t.equal(await banned, undefined);
    const back = cache.find(Buffer.from('key'));
    world.open.shift()?.(holder('ada'));
    t.match(await back, { name: 'ada' });
  });

  await t.test('asks once for all who come with a key at one time', async (t) => {
    const { world, cache } = slowCache();
    const all = [1, 2, 3].map(() => cache.find(Buffer.from('key')));
    t.equal(world.open.length, 1);
    cache.drop('id of ada');
    all.push(cache.find(Buffer.from('key')));
    world.open.shift()?.(holder('ada'));
    await settle();
    t.equal(world.open.length, 1, 'a change meanwhile holds for all of them');
    world.open.shift()?.(undefined);
    t.same(await Promise.all(all), [undefined, undefined, undefined, undefined]);
    void cache.find(Buffer.from('other'));
    t.equal(world.open.length, 1);
    const failing = slowCache({ fails: true }).cache;
    await t.rejects(failing.find(Buffer.from('key')), /away/);
    await t.rejects(failing.find(Buffer.from('key')), /away/, 'a failure is not kept');
  });

  await t.test("knows a key until it is found to be nobody's", async (t) => {
    const { world, cache } = slowCache();
    const key = Buffer.from('key');
    const finds = async (row: KeyHolderRow | undefined) => {
      const found = cache.find(key);
      world.open.shift()?.(row);
      return found;
    };
    t.notOk(cache.has(key));
    await finds(holder('ada'));
    world.now = 100_000;
    t.ok(cache.has(key), 'however old');
    await finds(undefined);
    t.notOk(cache.has(key), 'banned, or another key in its place');
    t.same(world.known, [false, true], 'who looks it up is told');
  });

  await t.test('stays small', async (t) => {
    const { world, cache } = slowCache({ size: 2 });
    for (const name of ['ada', 'bob', 'cid']) {
      const found = cache.find(Buffer.from(name));
      world.open.shift()?.(holder(name));
      await found;
    }
    void cache.find(Buffer.from('ada'));
    t.equal(world.open.length, 1, 'the first had to go');
    t.match(await cache.find(Buffer.from('cid')), { name: 'cid' });
  });
});

await t.test('the beta gate', async (t) => {
  const { ask, sql } = await open(t, { betaGate: true });
  const refused = { status: 403, body: { detail: 'Invalid invite code' } };
  const come = (name: string, code?: string | null, more: object = {}) =>
    ask('registerAgent', { body: form(name, { ...(code === undefined ? {} : { invite_code: code }), ...more }) });
  const usesOf = async (code: string) => (await listInviteCodes(sql)).find((row) => row.code === code)?.uses;

  await t.test('opens for a code, however it is typed, as often as it says', async (t) => {
    const code = await createInviteCode(sql, { maxUses: 3, expiresAt: null, note: 'friends' });
    t.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    t.equal((await come('ada', code)).status, 201);
    t.equal((await come('bob', code.toLowerCase().replace(/-/g, ' '))).status, 201);
    t.equal((await come('cid', code.replace(/-/g, '').replace(/0/g, 'o').replace(/1/g, 'l'))).status, 201);
    t.match(await come('dan', code), refused);
    t.match(await listInviteCodes(sql), [{ code, max_uses: 3, uses: 3, expires_at: null, note: 'friends' }]);
    t.same(await sql`select name from invite_uses join agents using (agent_id) order by 1`, [
      { name: 'ada' },
      { name: 'bob' },
      { name: 'cid' },
    ]);
  });

  await t.test('stays shut for all else', async (t) => {
    const old = await createInviteCode(sql, { maxUses: 3, expiresAt: new Date(Date.now() - 1) });
    for (const code of [undefined, null, '', 'ABCD-EFGH-JKMN-PQRS', old]) t.match(await come('eve', code), refused);
    t.equal(await usesOf(old), 0);
  });

  await t.test('a registration that fails uses nothing up', async (t) => {
    const code = await createInviteCode(sql, { maxUses: 1, expiresAt: new Date(Date.now() + 60_000) });
    t.match(await come('ADA', code, { email: 'other@example.org' }), { status: 409 });
    t.match(await come('eve', code, { email: 'ada@example.org' }), { status: 409 });
    t.match(await come('eve', code, { wallet_address: WALLET.replace('aA', 'Aa') }), { status: 400 });
    t.equal(await usesOf(code), 0);
    t.equal((await come('eve', code)).status, 201);
    t.equal(await usesOf(code), 1);
  });
});

await t.test('of thirty who race with a code for seven, over HTTP, exactly seven register', async (t) => {
  const platform = await TestPlatform.start(t, { BETA_GATE: 'on' });
  const sql = platform.sql!;
  const code = await createInviteCode(sql, { maxUses: 7, expiresAt: null });
  const come = (n: number) =>
    // Every third has a name that another one has, too.
    platform.api('POST', '/api/register', {
      body: form(`bot_${n % 3 === 0 ? 'same' : n}`, { email: `bot${n}@example.org`, invite_code: code }),
    });
  const statuses = (await Promise.all(Array.from({ length: 30 }, (_, n) => come(n)))).map(({ status }) => status);
  t.equal(statuses.filter((status) => status === 201).length, 7);
  t.ok(statuses.every((status) => [201, 403, 409].includes(status)));
  t.match(await listInviteCodes(sql), [{ uses: 7 }]);
  t.match(await sql`select count(*) as n from agents`, [{ n: 7 }]);

  await t.test('and there they take their first steps', async (t) => {
    const code = await createInviteCode(sql, { maxUses: 1, expiresAt: null });
    const { body } = await platform.api('POST', '/api/register', { body: form('zoe', { invite_code: code }) });
    const { api_key: key } = body as { api_key: string };
    const onboarding = { key, body: { bot_name: 'zoe_bot', mode: 'byo' } };
    t.match(await platform.api('POST', '/api/me/complete-onboarding', onboarding), {
      status: 200,
      body: { name: 'zoe_bot', mode: 'byo', email_verified: true },
    });
    const switched = { key, body: { runtime: 'browser', expected_generation: 1 } };
    t.match(await platform.api('POST', '/api/me/runtime/switch', switched), {
      status: 200,
      body: { runtime: 'browser', runtime_generation: 2 },
    });
    t.equal((await platform.api('POST', '/api/me/runtime/switch', switched)).status, 409);
    t.match(await platform.api('GET', '/api/me', { key }), { body: { runtime: 'browser', runtime_generation: 2 } });
  });
});

await t.test('onboarding sets name and mode, and may be repeated for the name alone', async (t) => {
  const { ask, told, accounts } = await open(t);
  const more = { wallet_address: WALLET, avatar_url: 'https://example.org/a.png' };
  const { agentId, apiKey } = await registered(ask, 'ada', more);
  await registered(ask, 'bob');
  t.match((await ask('getMe', { agentId })).body, { onboarded_at: null, mode: null });
  const onboard = (bot_name: string, mode: string) => ask('completeOnboarding', { agentId, body: { bot_name, mode } });
  t.match(await onboard('BOB', 'byo'), { status: 409, body: { detail: 'Agent name already taken' } });
  t.match((await ask('getMe', { agentId })).body, { name: 'ada', onboarded_at: null, mode: null });

  const first = await onboard('ada_one', 'byo');
  t.match(first, { status: 200, body: { agent_id: agentId, name: 'ada_one', mode: 'byo' } });
  t.match(told.at(-1), { update: agentId, name: 'ada_one' });
  const again = await onboard('ada_two', 'hosted');
  t.same(again.body, { ...(first.body as object), name: 'ada_two' }, 'same time, same mode');
  t.equal((await accounts.authenticate(apiKey))?.name, 'ada_two');
  t.same((await ask('updateMe', { agentId, body: {} })).body, again.body);
  t.equal((await onboard('no', 'byo')).status, 422);
  t.equal((await onboard('ada', 'rented')).status, 422);
});

await t.test('the runtime changes hands by generation', async (t) => {
  const { ask } = await open(t);
  const { agentId } = await registered(ask, 'ada');
  const hand = (runtime: string, more: object = {}) => ask('switchRuntime', { agentId, body: { runtime, ...more } });
  const stale = { status: 409, body: { detail: 'Runtime generation does not match' } };
  t.match((await ask('getMe', { agentId })).body, { runtime: 'self_hosted', runtime_generation: 1 });
  t.same((await hand('browser')).body, { runtime: 'browser', runtime_generation: 2 });
  t.same((await hand('browser', { expected_generation: 2 })).body, { runtime: 'browser', runtime_generation: 2 });
  t.match(await hand('stopped', { expected_generation: 1 }), stale);
  t.match(await hand('browser', { expected_generation: 3 }), stale);
  t.same((await hand('hosted', { expected_generation: null })).body, { runtime: 'hosted', runtime_generation: 3 });
  t.equal((await hand('elsewhere')).status, 422);
  t.equal((await hand('stopped', { expected_generation: 3_000_000_000 })).status, 422);

  const race = await Promise.all(Array.from({ length: 10 }, () => hand('stopped', { expected_generation: 3 })));
  t.equal(race.filter(({ status }) => status === 200).length, 1, 'one of those who race gets it');
  t.match((await ask('getMe', { agentId })).body, { runtime: 'stopped', runtime_generation: 4 });
});

await t.test('active-game tells where the agent sits, or nulls', async (t) => {
  const { ask, seats } = await open(t);
  const { agentId } = await registered(ask, 'ada');
  const none = { playing: false, table_id: null, seat: null, stack: null, stack_chips: null, competition_id: null };
  t.same((await ask('getActiveGame', { agentId })).body, none);
  seats.set(agentId, { tableId: 'T1', seat: 3, stack: 1990, competitionId: null });
  const game = { playing: true, table_id: 'T1', seat: 3, stack: 1990, stack_chips: 1990, competition_id: null };
  t.same((await ask('getActiveGame', { agentId })).body, game);
});

await t.test('active-game of a seat whose table does not answer is 503', async (t) => {
  const { accounts, ask } = await open(t);
  const { agentId } = await registered(ask, 'ada');
  const silent = new HttpError(503, 'The table does not answer; try again', { 'retry-after': '1' });
  const views = { activeGame: () => Promise.reject(silent) };
  const session = () => Promise.resolve(null);
  const credits = () => Promise.resolve(0);
  const asked = asker(
    accountRoutes({ accounts, registration: 'open', session, views, credits, renames: { take: () => 0 } }),
  );
  t.match(await asked('getActiveGame', { agentId }), { status: 503, headers: { 'retry-after': '1' } });
});

await t.test('a house bot is found again by its name with a fresh key, and never takes a guest’s', async (t) => {
  const { ask, accounts, sql } = await open(t);
  const first = await accounts.houseBot(leadership, 1);
  const again = await accounts.houseBot(leadership, 1);
  t.equal(again.agentId, first.agentId);
  t.equal(await accounts.authenticate(first.apiKey), null);
  t.match(await accounts.authenticate(again.apiKey), { name: 'house_1', isHouse: true });

  const guest = await registered(ask, 'early');
  // From before these names were reserved.
  await sql`update agents set name = 'house_2' where agent_id = ${guest.agentId}`;
  const second = await accounts.houseBot(leadership, 2);
  t.not(second.agentId, guest.agentId);
  t.match(await accounts.authenticate(guest.apiKey), { name: 'house_2', isHouse: false });
  t.match(await accounts.authenticate(second.apiKey), { isHouse: true });
  t.same(await sql`select count(*) from agents where is_house and email_verified_at is not null`, [{ count: 2 }]);
});

t.teardown(stopCluster);
