/** Admission and requests while the database gives no answer. */
import { createHash, randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { Accounts } from '../../src/accounts/index.js';
import { MAX_UNKNOWN_KEYS, MAX_WAITING, UnknownKeys } from '../../src/gateway/unknown-keys.js';
import type { HttpError } from '../../src/protocol/rest/errors.js';
import type { Database } from '../../src/store/database.js';
import { DatabaseGate } from '../support/database-gate.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { Player } from '../support/player.js';
import { TestPlatform } from '../support/platform.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const randomKey = () => `ap_${randomBytes(32).toString('base64url')}`;

/** Nobody reads or writes the table until what this resolves to is called, or the test is over. */
async function locked(t: Test, sql: Database, table: string): Promise<() => Promise<void>> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let over: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    over = sql.begin(async (tx) => {
      await tx.unsafe(`lock table ${table} in access exclusive mode`);
      resolve();
      await released;
    });
    over.catch(reject);
  });
  const unlock = async () => {
    release();
    await over;
  };
  t.teardown(unlock);
  return unlock;
}

/** Statements that wait for the lock on a table, by a word of theirs. */
async function stuckAt(sql: Database, word: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from pg_stat_activity
    where wait_event_type = 'Lock' and query like ${`%${word}%`} and datname = current_database()`;
  return row!.count;
}

await t.test('of the questions to the lobby two wait for an answer, the next is told so', async (t) => {
  const platform = await TestPlatform.start(t);
  const player = await Player.open(platform, await platform.register());
  await player.next('connected');
  const unlock = await locked(t, platform.sql!, 'entries');
  player.send({ type: 'join_lobby' });
  player.send({ type: 'set_auto_rebuy', enabled: false });
  for (const type of ['rebuy', 'join_lobby', 'set_auto_rebuy']) {
    player.send({ type, amount: 0, enabled: true });
    const told = await player.next('error');
    t.match(told, { code: 'rate_limited', message: 'Wait for an answer first: 2 are under way; this one was dropped' });
  }
  player.send({ type: 'leave_table' });
  t.match(await player.next('error'), { code: 'not_at_table' }, 'what needs no database is answered');
  const { length } = player.frames;
  await unlock();
  await player.next('lobby_joined');
  t.match(await player.next('auto_rebuy_set'), { enabled: false });
  const types = player.frames.slice(length).map(({ type }) => type);
  t.same(types, ['lobby_joined', 'auto_rebuy_set'], 'in order, and none of those that were dropped');
  player.send({ type: 'set_auto_rebuy', enabled: true });
  t.match(await player.next('auto_rebuy_set'), { enabled: true }, 'then there is room again');
  t.same(platform.faults, []);
  await platform.stop();
});

await t.test('strangers who wait for the database keep nobody else from it', async (t) => {
  const platform = await TestPlatform.start(t, { DATABASE_CONNECTIONS: 2 });
  const account = await platform.register();
  const before = await Player.open(platform, account);
  before.send({ type: 'join_lobby' });
  await before.next('lobby_joined');
  await before.close();

  const unlock = await locked(t, platform.sql!, 'agents');
  let answered = 0;
  const strangers = Array.from({ length: 60 }, async (_, n) => {
    const headers = { 'x-forwarded-for': `198.51.100.${n}` };
    const { status } = await platform.api('GET', '/api/season/me', { key: randomKey(), headers });
    answered++;
    return status;
  });
  await eventually('strangers who wait', async () => (await stuckAt(platform.sql!, 'key_hash')) > 0);

  const player = await Player.open(platform, account);
  await player.next('connected');
  player.send({ type: 'join_lobby' });
  await player.next('lobby_joined');
  const ledger = () => platform.api('GET', '/api/season-chip-ledger', { key: account.key });
  const answers = await Promise.all(Array.from({ length: 10 }, ledger));
  t.same(new Set(answers.map(({ status }) => status)), new Set([200]), 'ten at once, of two connections');
  t.equal(answered, 0, 'the strangers wait on');
  await unlock();
  t.same(new Set(await Promise.all(strangers)), new Set([401]));
  await player.close();
  t.same(platform.faults, []);
  await platform.stop();
});

const LEDGER = '/api/season-chip-ledger';
const STRATEGY = '/api/bot/strategy';

await t.test('whoever waits for the database keeps nobody else from it, however many keys it has', async (t) => {
  const platform = await TestPlatform.start(t, { DATABASE_CONNECTIONS: 8 });
  const sql = platform.sql!;
  const [honest, neighbour, greedy, ...keys] = await Promise.all(Array.from({ length: 33 }, () => platform.register()));
  const ask = (path: string, key: string, ip: string) =>
    platform.api('GET', path, { key, headers: { 'x-forwarded-for': ip } });
  const tenLedgers = async (key: string, ip: string) =>
    new Set((await Promise.all(Array.from({ length: 10 }, () => ask(LEDGER, key, ip)))).map(({ status }) => status));
  const asked: Promise<number>[] = [];
  const stick = (key: string, ip: string, times: number) => {
    for (let n = 0; n < times; n++) asked.push(ask(STRATEGY, key, ip).then(({ status }) => status));
  };

  const stuck = () => stuckAt(sql, 'join bots');
  const unlock = await locked(t, sql, 'bots');
  stick(greedy!.key, '198.51.100.1', 20);
  await eventually('what one key waits for', async () => (await stuck()) === 2);
  t.same(await tenLedgers(neighbour!.key, '198.51.100.1'), new Set([200]), 'who shares its address is answered');
  for (const { key } of keys.slice(0, 20)) stick(key, '198.51.100.1', 3);
  await eventually('what one address waits for', async () => (await stuck()) === 4);
  t.same(await tenLedgers(honest!.key, '198.51.100.2'), new Set([200]), 'who comes from elsewhere is answered');
  t.ok((await stuck()) <= 4, 'they still have no more');
  for (const [n, { key }] of keys.slice(20).entries()) stick(key, `203.0.113.${n}`, 3);
  await eventually('what all wait for', async () => (await stuck()) === 6);
  const player = await Player.open(platform, honest!);
  await player.next('connected');
  player.send({ type: 'join_lobby' });
  await player.next('lobby_joined');
  await unlock();
  // 503 by now only where a slow machine needed longer than a statement may take.
  const strange = (await Promise.all(asked)).filter((status) => status !== 200 && status !== 503);
  t.same(strange, [], 'those who asked for what was locked are answered in the end');
  await player.close();
  t.same(platform.faults, []);
  await platform.stop();
});

await t.test('a key that was good once is no stranger, however long ago', async (t) => {
  const address = await freshDatabase(t);
  const gate = await DatabaseGate.open(t, address);
  let now = Date.now();
  const [sql, admission] = [openPool(t, address, 1), openPool(t, gate.address, 1)];
  const lobby = { disconnect: () => undefined, updatePlayer: () => undefined };
  const accounts = new Accounts({ sql, admission, lobby, emailVerified: true, now: () => now });
  const { apiKey } = await accounts.register({ name: 'ada', email: 'ada@example.org', wallet: null, avatarUrl: null, ip: null }); // prettier-ignore
  t.notOk(accounts.knows(apiKey));
  t.match(await accounts.authenticate(apiKey), { name: 'ada' });
  gate.mute();
  const stranger = accounts.authenticate(randomKey()).catch(() => null);
  now += 3_600_000;
  t.ok(accounts.knows(apiKey));
  t.match(await accounts.authenticate(apiKey), { name: 'ada' }, 'looked up beside those that get no answer');
  gate.breakConnections();
  t.equal(await stranger, null);
});

await t.test('an address may not have more look-ups by asking for them all at once', async (t) => {
  const platform = await TestPlatform.start(t);
  const { key } = await platform.register();
  const headers = { 'x-forwarded-for': '198.51.100.1' };
  const asked = Array.from({ length: 200 }, () => platform.api('GET', '/api/me', { key: randomKey(), headers }));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  const misses = statuses.filter((status) => status === 401).length;
  t.ok(misses >= MAX_UNKNOWN_KEYS && misses <= MAX_UNKNOWN_KEYS + 1, `${misses} were looked up`);
  t.equal(statuses.filter((status) => status === 429).length, 200 - misses);
  const elsewhere = { 'x-forwarded-for': '198.51.100.2' };
  t.equal((await platform.api('GET', '/api/me', { key, headers: elsewhere })).status, 200);
  t.equal((await platform.api('GET', '/api/me', { key, headers })).status, 200, 'who is known comes from anywhere');
  await platform.stop();
});

await t.test('sessions are no way around that', async (t) => {
  const platform = await TestPlatform.start(t);
  const { name } = await platform.register();
  const secret = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(secret).digest();
  await platform.sql!`insert into sign_in_sessions (session_hash, email) values (${hash}, ${`${name}@example.com`})`;
  const ask = async (cookie: string, ip: string) => {
    const headers = { cookie: `agent_poker_session=${cookie}`, 'x-forwarded-for': ip };
    return (await platform.api('GET', '/api/competitions', { headers })).status;
  };
  t.equal(await ask(secret, '198.51.100.2'), 200);
  const random = () => ask(randomBytes(32).toString('base64url'), '198.51.100.1');
  const statuses = await Promise.all(Array.from({ length: 100 }, random));
  const misses = statuses.filter((status) => status === 401).length;
  t.ok(misses >= MAX_UNKNOWN_KEYS && misses <= MAX_UNKNOWN_KEYS + 1, `${misses} were looked up`);
  t.equal(statuses.filter((status) => status === 429).length, 100 - misses);
  t.equal(await ask(secret, '198.51.100.1'), 200, 'who was signed in before is no stranger');
  await platform.stop();
});

await t.test('look-ups for strangers: two an address, sixteen in all, the others in their turn', async (t) => {
  const open = new Map<string, (found: string | null) => void>();
  const strangers = new UnknownKeys({ known: (credential) => credential === 'known', now: () => 0 });
  t.teardown(async () => strangers.close());
  const lookUp = (credential: string) => new Promise<string | null>((resolve) => open.set(credential, resolve));
  const ask = (ip: string, credential: string) =>
    strangers.ask(ip, credential, lookUp).catch((error: HttpError) => error.status);
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const answer = async (credential: string, found: string | null) => {
    open.get(credential)!(found);
    open.delete(credential);
    await settle();
  };

  const first = ['a', 'b', 'c'].map((key) => ask('192.0.2.1', key));
  t.same([...open.keys()], ['a', 'b']);
  void ask('192.0.2.1', 'known');
  t.ok(open.has('known'), 'who is known waits for nobody');
  await answer('a', 'ada');
  t.ok(open.has('c'), 'the next has its turn');
  await answer('b', null);
  await answer('c', null);
  t.same(await Promise.all(first), ['ada', null, null]);

  const crowd = Array.from({ length: 10 }, (_, n) => [ask(`192.0.2.${n}`, `${n}.1`), ask(`192.0.2.${n}`, `${n}.2`)]);
  await settle();
  t.equal(open.size - 1, 16);
  while (open.size > 1) {
    const next = [...open.keys()].find((key) => key !== 'known')!;
    await answer(next, next);
  }
  t.same((await Promise.all(crowd.flat())).length, 20);

  const many = Array.from({ length: MAX_WAITING + 10 }, (_, n) => ask('192.0.2.200', `many ${n}`));
  await settle();
  t.same(await Promise.all(many.slice(MAX_WAITING + 2)), Array<number>(8).fill(429), 'more than that do not wait');
  for (let n = 0; n <= MAX_UNKNOWN_KEYS; n++) await answer(`many ${n}`, null);
  const rest = await Promise.all(many);
  t.equal(rest.filter((found) => found === null).length, MAX_UNKNOWN_KEYS + 1);
  t.same(open.size, 1, 'nobody is looked up any more');
});

await t.test('a look-up whose turn does not come is given up, and nobody asks for it later', async (t) => {
  const open = new Map<string, (found: string | null) => void>();
  const strangers = new UnknownKeys({ known: () => false, now: () => 0, turnMs: 20 });
  t.teardown(async () => strangers.close());
  const lookUp = (credential: string) => new Promise<string | null>((resolve) => open.set(credential, resolve));
  const ask = (credential: string) =>
    strangers.ask('192.0.2.1', credential, lookUp).catch((error: HttpError) => error.status);
  const slow = [ask('a'), ask('b')];
  t.same(await Promise.all([ask('c'), ask('d')]), [503, 503]);
  for (const credential of ['a', 'b']) open.get(credential)!(credential);
  t.same(await Promise.all(slow), ['a', 'b']);
  t.same([...open.keys()], ['a', 'b']);
  const next = ask('e');
  open.get('e')!('e');
  t.equal(await next, 'e', 'there is room again');
});
