/** Credits as bots meet them: balance, ledger, and the deposits of development, over HTTP. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { creditRoutes } from '../../src/credits/routes.js';
import { freshPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform, type Account } from '../support/platform.js';
import { asker } from '../support/rest.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const platform = await TestPlatform.shared(t);
const get = (path: string, { key }: Account) => platform.api('GET', path, { key });
const post = (path: string, body: unknown, { key }: Account) => platform.api('POST', path, { key, body });
const money = (balance: number) => ({ status: 200, body: { balance, locked_in_play: 0, total: balance } });

await t.test('a deposit of development is there at once, everywhere', async (t) => {
  const [ada, bob] = [await platform.register('ada'), await platform.register('bob')];
  t.match(await get('/api/balance', ada), { ...money(0), body: { agent_id: ada.agentId } });
  const first = await post('/api/deposit/dev', { amount: 12.5, note: 'unknown keys mean nothing' }, ada);
  t.match(first, {
    status: 200,
    body: { transaction_id: String, type: 'dev_deposit', amount: 12.5, balance_after: 12.5 },
  });
  t.match(await post('/api/deposit', { amount: 0.0001 }, ada), { status: 200, body: { balance_after: 12.5001 } });
  t.match(await get('/api/balance', ada), money(12.5001));
  t.match(await get('/api/me', ada), { body: { balance: 12.5001 } });
  t.match(await get('/api/me', bob), { body: { balance: 0 } });
  t.match(await get('/api/balance', bob), money(0));
});

await t.test('the ledger, latest first, page by page', async (t) => {
  const cyd = await platform.register('cyd');
  for (const amount of [1, 2, 3, 4, 5]) await post('/api/deposit', { amount }, cyd);
  const page = async (query: string) =>
    (await get(`/api/transactions${query}`, cyd)).body as {
      transactions: { transaction_id: string; amount: number; balance_after: number; created_at: string }[];
    };
  const { transactions: all, ...where } = await page('');
  t.same(where, { limit: 50, offset: 0 });
  t.same(
    all.map(({ amount, balance_after }) => [amount, balance_after]),
    [
      [5, 15],
      [4, 10],
      [3, 6],
      [2, 3],
      [1, 1],
    ],
  );
  t.match(all[0], { type: 'dev_deposit', reference: null });
  t.equal(new Set(all.map(({ transaction_id }) => transaction_id)).size, 5);
  t.same(await page('?limit=2&offset=1'), { transactions: all.slice(1, 3), limit: 2, offset: 1 });
  t.same(await page('?offset=5'), { transactions: [], limit: 50, offset: 5 });
  for (const query of ['limit=0', 'limit=201', 'offset=-1', 'limit=x']) {
    const loc = ['query', query.split('=')[0]];
    t.match(await get(`/api/transactions?${query}`, cyd), { status: 422, body: { detail: [{ loc }] } }, query);
  }
});

await t.test('an amount that is none is refused, and nothing is added', async (t) => {
  const dan = await platform.register('dan');
  const detail = 'Invalid amount: dollars above 0, at most 1000000, at most 4 decimals';
  for (const path of ['/api/deposit', '/api/deposit/dev']) {
    for (const amount of [0, -1, 1_000_001, 0.00001, 1.23456, '5', null, true, [5]]) {
      t.match(await post(path, { amount }, dan), { status: 400, body: { detail } }, `${path} ${amount}`);
    }
    const missing = { status: 422, body: { detail: [{ loc: ['body', 'amount'], type: 'missing' }] } };
    t.match(await post(path, {}, dan), missing);
  }
  t.match(await get('/api/balance', dan), money(0));
});

await t.test('what moves tokens refuses a malformed or non-positive value in plain words', async (t) => {
  const gil = await platform.register('gil');
  const dollars = { detail: 'Invalid amount: a positive number of dollars, at most 4 decimals' };
  for (const amount of [0, -1, '5', null, 'much']) {
    t.match(await post('/api/withdraw', { amount }, gil), { status: 400, body: dollars }, String(amount));
  }
  const hash = { detail: 'Invalid tx_hash: 0x and 64 hexadecimal digits' };
  for (const path of ['/api/deposit/onchain', '/api/deposit/onchain/claim']) {
    for (const tx_hash of ['', '0x12', `0x${'g'.repeat(64)}`, 5, null]) {
      t.match(await post(path, { tx_hash }, gil), { status: 400, body: hash }, `${path} ${tx_hash}`);
    }
    t.equal((await post(path, { tx_hash: `0x${'5c'.repeat(32)}` }, gil)).status, 503, 'a good one: no chain here');
    t.equal((await post(path, {}, gil)).status, 422);
  }
});

await t.test('deposits at once are all counted, each with the balance it left', async (t) => {
  const eve = await platform.register('eve');
  const amounts = Array.from({ length: 50 }, (_, n) => n + 1);
  await Promise.all(amounts.map((amount) => post('/api/deposit', { amount }, eve)));
  t.match(await get('/api/balance', eve), money((50 * 51) / 2));
  const { transactions } = (await get('/api/transactions', eve)).body as {
    transactions: { amount: number; balance_after: number }[];
  };
  let running = 0;
  for (const { amount, balance_after } of transactions.reverse()) t.equal(balance_after, (running += amount));
});

await t.test('a deposit with an Idempotency-Key happens once', async (t) => {
  const gus = await platform.register('gus');
  for (const path of ['/api/deposit', '/api/deposit/dev']) {
    const headers = { 'idempotency-key': path };
    const ask = (amount: number) => platform.api('POST', path, { key: gus.key, body: { amount }, headers });
    const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => ask(2)));
    for (const other of others) t.same(other.body, first?.body);
    t.match(await ask(3), { status: 409, body: { detail: 'Idempotency-Key was used with another request' } });
  }
  t.match(await get('/api/balance', gus), money(4));
});

await t.test('in production nobody gets credits for nothing', async (t) => {
  const sql = await freshPool(t);
  const ask = asker(creditRoutes({ sql, development: false }));
  const agentId = randomUUID();
  const refused = { status: 403, body: { detail: 'Deposits without funds are possible in development mode only' } };
  for (const id of ['deposit', 'depositDev']) {
    t.match(await ask(id, { agentId, body: { amount: 1 } }), refused);
    t.match(await ask(id, { agentId, body: { amount: 1.23456 } }), refused, 'whatever the amount');
  }
  t.same(await sql`select from credit_transactions`, []);
});
