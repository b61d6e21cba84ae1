/** REST while the database is away: every operation of the OpenAPI document says so, or answers from memory. */
import t from 'tap';
import { exampleOf } from '../../src/protocol/example.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import type { RouteSpec } from '../../src/protocol/route.js';
import { DatabaseGate } from '../support/database-gate.js';
import { freshDatabase, stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform, type Account, type Answer } from '../support/platform.js';
import { Player } from '../support/player.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

const NOBODY = '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11';
const SECRET = 'A'.repeat(43);
const AWAY = { status: 503, body: { detail: 'The database is away; try again' } };
const database = await freshDatabase(t);
const gate = await DatabaseGate.open(t, database);
const ADMIN_KEY = 'the-key-of-the-operator';
const platform = await TestPlatform.start(t, { ADMIN_KEY }, database, gate.address);

let asked = 0;
/** A request that fits its operation as far as the document shows, each from an address of its own. */
async function ask(spec: RouteSpec, key: string) {
  const headers: Record<string, string> = {
    'x-forwarded-for': `203.0.113.${asked++ % 250}`,
    'x-competition-invite-token': SECRET,
  };
  if (spec.auth === 'none') headers['cookie'] = `agent_poker_session=${SECRET}`;
  const body = spec.body === undefined ? {} : { body: exampleOf(spec.body) };
  const needed = Object.entries(spec.query?.properties ?? {}).filter(
    ([name, field]) => spec.query?.required?.includes(name) === true && !('default' in field),
  );
  const query = new URLSearchParams(Object.fromEntries(needed.map(([name]) => [name, NOBODY]))).toString();
  const path = spec.path.replace(/\{(\w+)\}/g, NOBODY) + (query === '' ? '' : `?${query}`);
  const shown = spec.auth === 'operator' ? ADMIN_KEY : key;
  return platform.api(spec.method, path, { headers, ...body, ...(spec.auth === 'none' ? {} : { key: shown }) });
}

/** An agent with a cached key: the database is not asked for it again. */
async function known(): Promise<Account> {
  const account = await platform.register();
  await platform.sql!`update agents set is_platform = true where agent_id = ${account.agentId}`;
  await platform.api('GET', '/api/me', { key: account.key });
  return account;
}

/** All operations at once: each answer may take its time. */
async function askAll(keyOf: () => string): Promise<({ spec: RouteSpec } & Answer)[]> {
  return Promise.all(restSpecs.map(async (spec) => ({ spec, ...(await ask(spec, keyOf())) })));
}

await t.test('with a key that must be looked up', async (t) => {
  await gate.cut();
  for (const { spec, ...answer } of await askAll(() => `ap_${String(asked).padStart(43, 'k')}`)) {
    if (spec.inMemory !== true) {
      t.match(answer, AWAY, `${spec.method} ${spec.path}`);
      t.equal(answer.headers.get('retry-after'), '1');
    } else t.ok(answer.status < 500 || spec.id === 'getReady', `${spec.method} ${spec.path}: ${answer.status}`);
  }
  await gate.mend();
});

await t.test('with a key that is known already', async (t) => {
  const account = await known();
  await gate.cut();
  for (const { spec, status } of await askAll(() => account.key)) {
    if (spec.auth === 'none') continue;
    t.not(status, 500, `${spec.method} ${spec.path}: ${status}`);
  }
  await gate.mend();
});

await t.test('that is there, but never answers: nobody waits for ever', async (t) => {
  const [account, other] = [await known(), await platform.register()];
  const player = await Player.open(platform, account);
  await player.next('connected');
  gate.freeze();
  const arriving = await Player.open(platform, other);
  player.send({ type: 'join_lobby' });
  const [strange, own] = await Promise.all([askAll(() => `ap_${'f'.repeat(43)}`), askAll(() => account.key)]);
  for (const { spec, ...answer } of strange) {
    if (spec.inMemory !== true) t.match(answer, AWAY, `${spec.method} ${spec.path}`);
    else t.ok(answer.status < 500 || spec.id === 'getReady', `${spec.method} ${spec.path}: ${answer.status}`);
  }
  for (const { spec, status } of own) {
    t.not(status, 500, `with a key that is known: ${spec.method} ${spec.path}: ${status}`);
  }
  t.match(await arriving.closed, { code: 1013 }, 'who connects shall come again');
  await player.error('season_error');
  gate.thaw();
});

await t.test('that goes away just when a connection was made', async (t) => {
  const account = await platform.register();
  const mark = platform.output.length;
  gate.trap('typarray');
  gate.breakConnections();
  t.match(await platform.api('GET', '/api/me', { key: account.key }), AWAY);
  await gate.mend();
  const again = () => platform.api('GET', '/api/me', { key: account.key });
  await eventually('it is back', async () => (await again()).status === 200);
  t.notMatch(platform.output.slice(mark), /uncaught exception|shard lost/, 'no thread ended of it');
});

await t.test('that holds a lock for somebody else', async (t) => {
  const account = await platform.register();
  await eventually(
    'it is back',
    async () => (await platform.api('GET', '/api/me', { key: account.key })).status === 200,
  );
  const entries = await platform.sql!.reserve();
  await entries`begin`;
  await entries`lock table entries in access exclusive mode`;
  t.match(await platform.api('GET', '/api/season/me', { key: account.key }), AWAY);
  t.match(await platform.api('GET', '/api/me', { key: account.key }), { status: 200 }, 'others go on');
  await entries`rollback`;
  entries.release();
});

await t.test('and as soon as it is back all is well', async (t) => {
  const status = await eventually('an answer', async () => {
    const headers = { 'x-forwarded-for': `198.51.100.${asked++ % 250}` };
    const answer = await platform.api('GET', '/api/season/current', { headers });
    return answer.status !== 503 && answer.status;
  });
  t.equal(status, 200);
  t.notMatch(platform.output, /"request failed"/, 'no fault of ours');
});
