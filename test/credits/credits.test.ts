/** The ledger of credits: whatever is posted, by whomever at the same time, not a ucent comes or goes by itself. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { balanceOf, dollarsOf, postCredits, ucentsOf, type Posting } from '../../src/credits/index.js';
import { insertAgent } from '../../src/accounts/queries.js';
import { ChainPoller, type ChainPollerOptions } from '../../src/credits/chain/chain-poller.js';
import { PendingDeposits } from '../../src/credits/service.js';
import { enqueueEmail } from '../../src/email/index.js';
import { AssertionFailed } from '../../src/ops/assert.js';
import { recordAudit } from '../../src/store/audit-log.js';
import { transaction, type Database } from '../../src/store/database.js';
import { idempotent } from '../../src/store/idempotency.js';
import { sweepAnswers } from '../../src/store/store.js';
import { freshDatabase, freshPool, leadership, openPool, silent, stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const sql = await freshPool(t, 8);

async function newAgent(db: Database): Promise<string> {
  const agentId = randomUUID();
  const name = `bot_${agentId.slice(0, 8)}`;
  await insertAgent(db, {
    agentId,
    name,
    email: `${name}@example.com`,
    wallet: null,
    avatarUrl: null,
    ip: null,
    keyHash: Buffer.from(agentId.replace(/-/g, '').repeat(2), 'hex'),
    isHouse: false,
    emailVerified: true,
  });
  return agentId;
}

const deposit = (agent: string, ucents: number, once: string | null = null): Posting => ({
  type: 'dev_deposit',
  once,
  reference: null,
  legs: [
    { account: 'deposits', ucents: -ucents },
    { account: { agent }, ucents },
  ],
});
const pass = (agent: string, ucents: number): Posting => ({
  type: 'season_pass',
  once: null,
  reference: 'a season',
  legs: [
    { account: { agent }, ucents: -ucents },
    { account: 'passes', ucents },
  ],
});

/** Every balance is the sum of its postings, and each posting states the balance after it. */
async function isExact(): Promise<boolean> {
  const [row] = await sql<{ exact: boolean }[]>`
    select bool_and(a.balance = coalesce(p.total, 0) and coalesce(p.running, true)) and sum(a.balance) = 0 as exact
    from credit_accounts a left join (
      select account_id, sum(amount) as total, bool_and(balance_after = before + amount) as running
      from (select *, coalesce(lag(balance_after) over (partition by account_id order by posting_id), 0) as before
            from credit_postings) x
      group by account_id) p using (account_id)`;
  return row!.exact;
}

await t.test('a contradiction takes its whole transaction back, and the next one runs', async (t) => {
  const agent = await newAgent(sql);
  const unbalanced: Posting = {
    ...deposit(agent, 700),
    legs: [...deposit(agent, 700).legs, { account: 'rake', ucents: 1 }],
  };
  const fractional: Posting = deposit(agent, 0.5);
  for (const posting of [unbalanced, fractional]) {
    const both = transaction(sql, async (tx) => {
      await postCredits(tx, deposit(agent, 500));
      await postCredits(tx, posting);
    });
    await t.rejects(both, AssertionFailed);
  }
  t.equal(await balanceOf(sql, agent), 0, 'the posting before it is gone, too');
  t.equal(await postCredits(sql, deposit(agent, 500)), 'posted');
  t.equal(await balanceOf(sql, agent), 500);
  t.ok(await isExact());
});

await t.test('what comes in can be spent, and no more', async (t) => {
  const agent = await newAgent(sql);
  t.equal(await balanceOf(sql, agent), 0);
  t.equal(await postCredits(sql, pass(agent, 1)), 'insufficient');
  t.equal(await postCredits(sql, deposit(agent, 30_000, `first:${agent}`)), 'posted');
  t.equal(await postCredits(sql, deposit(agent, 30_000, `first:${agent}`)), 'already');
  t.equal(await postCredits(sql, pass(agent, 30_001)), 'insufficient');
  t.equal(await postCredits(sql, pass(agent, 30_000)), 'posted');
  t.equal(await balanceOf(sql, agent), 0);
  const before = await sql`select count(*) from credit_transactions`;
  t.equal(await postCredits(sql, pass(agent, 1)), 'insufficient');
  t.same(await sql`select count(*) from credit_transactions`, before, 'a refused posting leaves nothing behind');
});

await t.test('the database refuses what does not sum to zero, and any change of what was posted', async (t) => {
  const agent = await newAgent(sql);
  // Past postCredits, which asserts it before it asks.
  const lopsided = sql`
    select post_credits('dev_deposit', null, null, '{agent}'::text[], ${[agent]}::uuid[], '{500}'::bigint[])`;
  await t.rejects(lopsided, /does not sum to zero/);
  await t.rejects(sql`insert into credit_transactions (type) values ('deposit')`, /does not sum to zero/);
  await t.rejects(
    postCredits(sql, { ...deposit(agent, 5), type: 'rake' as 'prize' }),
    /credit_transactions_type_check/,
  );
  await postCredits(sql, deposit(agent, 500));
  await t.rejects(sql`update credit_postings set amount = amount + 1`, /append-only/);
  await t.rejects(sql`delete from credit_transactions`, /append-only/);
  t.equal(await balanceOf(sql, agent), 500);
});

await t.test('a posting is part of the transaction around it', async (t) => {
  const agent = await newAgent(sql);
  const broken = transaction(sql, async (tx) => {
    t.equal(await postCredits(tx, deposit(agent, 700)), 'posted');
    t.equal(await postCredits(tx, pass(agent, 800)), 'insufficient', 'a refusal does not end the transaction');
    await enqueueEmail(tx, [{ dedupeKey: agent, to: 'a@example.com', subject: 'a', text: 'b' }]);
    await recordAudit(tx, { actor: 'system', action: 'test', subject: agent, detail: {} });
    throw new Error('changed our mind');
  });
  await t.rejects(broken, /changed our mind/);
  t.equal(await balanceOf(sql, agent), 0);
  t.same(await sql`select from mail_outbox`, []);
  t.same(await sql`select from audit_log`, []);
});

await t.test('whatever is posted at once, balances are exact and never negative', async (t) => {
  const agents = [await newAgent(sql), await newAgent(sql), await newAgent(sql)];
  const move = fc.record({
    agent: fc.nat(agents.length - 1),
    ucents: fc.integer({ min: 1, max: 1000 }),
    spend: fc.boolean(),
    once: fc.option(fc.nat(5)),
  });
  const property = fc.asyncProperty(fc.array(move, { minLength: 2, maxLength: 24 }), async (moves) => {
    const run = randomUUID();
    const post = ({ agent, ucents, spend, once }: (typeof moves)[number]) => {
      const posting = spend ? pass(agents[agent]!, ucents) : deposit(agents[agent]!, ucents);
      return postCredits(sql, { ...posting, once: once === null ? null : `${run}:${once}` });
    };
    const results = await Promise.all(moves.map(post));
    const counts = new Map<number, number>();
    for (const [i, { once }] of moves.entries()) {
      if (once !== null && results[i] === 'posted') counts.set(once, (counts.get(once) ?? 0) + 1);
    }
    return [...counts.values()].every((count) => count === 1) && (await isExact());
  });
  await fc.assert(property, { numRuns: 60 });
  t.ok(await isExact());
});

await t.test('dollars and ucents', async (t) => {
  t.equal(ucentsOf(3), 30_000);
  t.equal(ucentsOf(0.0001), 1);
  for (const bad of [0, -1, 0.00001, Infinity, NaN, 1e15]) t.equal(ucentsOf(bad), null, String(bad));
  fc.assert(fc.property(fc.integer({ min: 1, max: 1e12 }), (ucents) => ucentsOf(dollarsOf(ucents)) === ucents));
});

await t.test(
  'while the database is away the last number of pending deposits stands, and it is told once',
  async (t) => {
    const address = await freshDatabase(t);
    const [own, other] = [openPool(t, address), openPool(t, address)];
    const logged: string[] = [];
    const pending = new PendingDeposits(own, { ...silent, warn: (_, message) => void logged.push(message) });
    t.equal(await pending.count(), 0);
    const agent = await newAgent(own);
    await own`
    insert into deposits (deposit_id, tx_hash, agent_id, wallet, units, log_index, block_number, block_hash)
    values (${randomUUID()}, ${`0x${'ab'.repeat(32)}`}, ${agent}, ${`0x${'1'.repeat(40)}`}, 100, 0, 1, ${`0x${'cd'.repeat(32)}`})`;
    t.same(await Promise.all([pending.count(), pending.count()]), [1, 1]);
    await other`alter table deposits rename to hidden`;
    t.equal(await pending.count(), 1, 'not 0');
    t.equal(await pending.count(), 1);
    t.same(logged, ['pending deposits could not be counted']);
    await other`alter table hidden rename to deposits`;
    await other`delete from deposits`;
    t.equal(await pending.count(), 0);
  },
);

await t.test('a first answer is kept for 7 days, then the request may be made anew', async (t) => {
  const own = await freshPool(t);
  const agentId = await newAgent(own);
  let done = 0;
  const ask = (key: string) => {
    const request = { agentId, operation: 'count', key, body: null };
    return idempotent(own, request, async () => ({ status: 200, body: ++done }));
  };
  t.same([(await ask('old')).body, (await ask('young')).body, (await ask('old')).body], [1, 2, 1]);
  await own`update idempotency_keys set created_at = now() - interval '7 days' + interval '1 hour'`;
  t.equal(await sweepAnswers(own), 0);
  await own`update idempotency_keys set created_at = now() - interval '7 days' where answer = '1'`;
  t.equal(await sweepAnswers(own), 1);
  t.same([(await ask('young')).body, (await ask('old')).body], [2, 3]);

  await own`
    insert into idempotency_keys (agent_id, operation, key, body_hash, created_at)
    select ${agentId}, 'many', n, '', now() - interval '8 days' from generate_series(1, 10001) n`;
  t.equal(await sweepAnswers(own), 10_001, 'however many');
});

void t.test('while the clock is not certain deposits are followed, and nothing is paid', async (t) => {
  const sql = await freshPool(t);
  const clock = { certain: false };
  let followed = 0;
  let paid = 0;
  const poller = new ChainPoller({
    sql,
    leadership,
    clock,
    log: silent,
    pollMs: 5,
    fenced: (error: Error) => t.fail(error.message),
    chain: { treasury: `0x${'1'.repeat(40)}`, check: async () => undefined },
    deposits: { followAll: async () => void followed++, watchCredited: async () => undefined },
    signer: { round: async () => void paid++ },
  } as unknown as ChainPollerOptions);
  poller.start();
  t.teardown(() => poller.stop());
  await eventually('a few rounds', () => followed > 3);
  t.equal(paid, 0);
  clock.certain = true;
  await eventually('a payment', () => paid > 0);
});
