import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { account, Anvil, treasuryAccount } from './support/anvil.js';
import { onChain } from './support/credit-house.js';
import { stopCluster } from './support/database.js';
import { killWhilePaying } from './credits/paying.js';
import { TestPlatform, type Account } from './support/platform.js';

/** Credits from chain to chain as a bot's owner meets them: over HTTP, on a real EVM node, through kill -9. */

t.teardown(stopCluster);
t.setTimeout(300_000);
const DOLLAR = 1_000_000n;
const treasury = treasuryAccount.address;
const detail = (status: number, text: string | RegExp) => ({ status, body: { detail: text } });

/** A platform on a chain, its treasury funded. */
async function open(t: Test) {
  const anvil = await Anvil.start(t);
  await anvil.mint(treasury, 1000n * DOLLAR);
  const platform = await TestPlatform.start(t, anvil.settings());
  const get = (path: string, { key }: Account) => platform.api('GET', path, { key });
  const post = (path: string, body: unknown, { key }: Account, headers: Record<string, string> = {}) =>
    platform.api('POST', path, { key, body, headers });
  /** An agent with that account of the chain as its wallet, which is funded. */
  const holder = async (index: number) => {
    const agent = await platform.register('owner');
    await anvil.mint(account(index).address, 500n * DOLLAR);
    const change = { wallet_address: account(index).address };
    t.match(await platform.api('PATCH', '/api/me', { key: agent.key, body: change }), { status: 200 });
    return agent;
  };
  return { anvil, platform, get, post, holder };
}

/** Asks until the answer fits. */
async function eventually<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + 20_000; ; await new Promise((resume) => setTimeout(resume, 250))) {
    const answer = await ask();
    if (fits(answer) || Date.now() > deadline) return answer;
  }
}

await onChain(t, 'from the wallet to the credits, and back to the wallet', async (t) => {
  const { anvil, platform, get, post, holder } = await open(t);
  const ada = await holder(1);
  const hash = await anvil.call(1, 'transfer', [treasury, 60n * DOLLAR + 55n]);
  t.match(await post('/api/deposit/onchain', { tx_hash: hash }, ada), detail(400, /not found/));
  await anvil.mine();
  const pending = {
    ...{ tx_hash: hash, status: 'pending', amount: 60, amount_cents: 6000, amount_ucents: 600_000 },
    ...{ confirmations_seen: 1, confirmations_required: 12 },
  };
  t.match(await post('/api/deposit/onchain', { tx_hash: hash }, ada), { status: 200, body: pending });
  t.match(await post('/api/deposit/onchain/claim', { tx_hash: hash }, ada), {
    status: 200,
    body: { ...pending, log_index: 0 },
  });
  t.match((await platform.api('GET', '/health')).body, { deposits_pending: 1 });
  await anvil.mine(11);
  const balanceOf = async (agent: Account) => ((await get('/api/balance', agent)).body as { balance: number }).balance;
  t.equal(
    await eventually(
      () => balanceOf(ada),
      (balance) => balance > 0,
    ),
    60,
    'credited by itself',
  );
  for (const path of ['/api/deposit/onchain', '/api/deposit/onchain/claim']) {
    t.match(await post(path, { tx_hash: hash }, ada), detail(400, 'Transaction already credited'));
  }

  const idempotent = { 'idempotency-key': randomUUID() };
  const first = await post('/api/withdraw', { amount: 20.25 }, ada, idempotent);
  t.match(first, {
    status: 200,
    body: { type: 'withdraw', amount: -20.25, balance_after: 39.75, withdrawal_status: 'pending' },
  });
  const again = await post('/api/withdraw', { amount: 20.25 }, ada, idempotent);
  t.same(again.body, first.body, 'the same key, the same answer');
  t.match(await post('/api/withdraw', { amount: 1 }, ada, idempotent), detail(409, /Idempotency-Key/));
  t.equal(await balanceOf(ada), 39.75, 'taken once');
  const { withdrawal_id: id } = first.body as { withdrawal_id: string };
  const withdrawal = async () => (await get(`/api/withdrawal/${id}`, ada)).body as { status: string };
  t.match(await eventually(withdrawal, ({ status }) => status === 'submitted'), {
    ...{ withdrawal_id: id, agent_id: ada.agentId, to_address: account(1).address, status: 'submitted' },
    ...{ amount: 20.25, amount_cents: 2025, amount_ucents: 202_500, tx_hash: /^0x/, confirmations_seen: 0 },
  });
  const change = { key: ada.key, body: { wallet_address: account(7).address } };
  t.match(await platform.api('PATCH', '/api/me', change), detail(409, /while a withdrawal is in flight/));
  await anvil.mine(12);
  t.match(await eventually(withdrawal, ({ status }) => status === 'confirmed'), { status: 'confirmed' });
  t.equal(await anvil.balance(account(1).address), 500n * DOLLAR - 60n * DOLLAR - 55n + 20_250_000n);
  t.match(await platform.api('PATCH', '/api/me', change), { status: 200 }, 'and now the wallet may change');
  const [entry] = await platform.sql!`
    select entry_id, actor, detail from audit_log where action = 'wallet_changed' order by entry_id desc limit 1`;
  t.match(entry, { actor: ada.agentId, detail: { from: account(1).address, to: account(7).address } });
  const mails =
    await platform.sql!`select recipient from mail_outbox where dedupe_key = ${`wallet:${entry!['entry_id']}`}`;
  t.same(mails, [{ recipient: `${ada.name}@example.com` }], 'its owner is told');
  await anvil.call(9, 'refuse', [account(7).address, true]);
  await anvil.mine();
  const { withdrawal_id: refused } = (await post('/api/withdraw', { amount: 2 }, ada)).body as {
    withdrawal_id: string;
  };
  const why = async () => (await get(`/api/withdrawal/${refused}`, ada)).body as { error_message: string | null };
  t.match(await eventually(why, ({ error_message: message }) => message !== null), { error_message: /refused/ });
  t.match(await get('/api/withdrawals?limit=1', ada), { body: { withdrawals: [{ error_message: /refused/ }] } });
  t.match(await get('/api/withdrawals?limit=1&offset=1', ada), {
    status: 200,
    body: { withdrawals: [{ withdrawal_id: id, status: 'confirmed' }], limit: 1, offset: 1 },
  });
  t.match((await get('/api/transactions', ada)).body, {
    transactions: [
      { type: 'withdraw', amount: -2, balance_after: 37.75, reference: refused },
      { type: 'withdraw', amount: -20.25, balance_after: 39.75, reference: id },
      { type: 'deposit', amount: 60, balance_after: 60 },
    ],
  });

  const admin = await platform.register('admin');
  for (const path of ['/api/accounting', '/api/platform/revenue']) {
    t.match(await get(path, admin), detail(403, 'Platform admin only'));
  }
  await platform.sql!`update agents set is_platform = true where agent_id = ${admin.agentId}`;
  const boss = await platform.api('POST', '/api/me/regenerate-key', { key: admin.key });
  const { api_key: key } = boss.body as { api_key: string };
  t.match(await get('/api/accounting', { ...admin, key }), {
    status: 200,
    body: {
      ...{ total_deposited_ucents: 600_000, total_balance_ucents: 377_500, total_in_play_ucents: 0 },
      ...{ total_rake_ucents: 0, total_withdrawn_ucents: 222_500, invariant_holds: true, drift_ucents: 0 },
    },
  });
  t.match(await get('/api/platform/revenue', { ...admin, key }), { status: 200, body: { total_rake_cents: 0 } });
  t.match(await platform.health(), { withdrawal: { running: true }, financial_reconciliation: { units_match: true } });
  t.notMatch(platform.output, anvil.settings()['TREASURY_KEY'] as string, 'no key in the log');
  t.same(platform.faults, []);
});

await onChain(t, 'what is refused', async (t) => {
  const { anvil, platform, get, post, holder } = await open(t);
  const [ada, bob] = [await holder(1), await platform.register('walletless')];
  const some = `0x${'ab'.repeat(32)}`;
  t.match(
    await post('/api/deposit/onchain', { tx_hash: some }, bob),
    detail(400, 'Set a wallet address in settings first'),
  );
  for (const tx_hash of ['0x12', `${some}00`, 7]) {
    t.match(await post('/api/deposit/onchain', { tx_hash }, ada), { status: 422 });
    t.match(await post('/api/deposit/onchain/claim', { tx_hash }, ada), { status: 422 });
  }
  t.match(await post('/api/withdraw', { amount: 5 }, bob), detail(400, 'Set a wallet address in settings first'));
  t.match(
    await post('/api/withdraw', { amount: 5 }, ada),
    detail(402, 'Insufficient balance. Current: $0.00, requested: $5.00'),
  );
  t.match(await post('/api/withdraw', { amount: -5 }, ada), { status: 422 });
  t.match(await get('/api/withdrawal/nonsense', ada), detail(400, 'Invalid withdrawal_id format'));
  await post('/api/deposit/dev', { amount: 5 }, ada);
  const { withdrawal_id: id } = (await post('/api/withdraw', { amount: 5 }, ada)).body as { withdrawal_id: string };
  t.match(await get(`/api/withdrawal/${id}`, bob), detail(404, 'Withdrawal not found'), "another's is not there");
  t.match(await get('/api/withdrawals?limit=201', ada), { status: 422 });

  anvil.child.kill('SIGKILL');
  await new Promise((gone) => anvil.child.once('exit', gone));
  t.match(await post('/api/deposit/onchain', { tx_hash: some }, ada), detail(503, /chain cannot be reached/));
  const eve = await platform.register('eve');
  t.match(
    await post('/api/withdraw', { amount: 5 }, eve),
    detail(400, /wallet/),
    'a withdrawal needs no node to be queued',
  );

  const without = await TestPlatform.start(t);
  const gus = await without.register('gus');
  const lost = detail(503, 'On-chain deposits and withdrawals are not configured');
  for (const [path, body] of [
    ['/api/deposit/onchain', { tx_hash: some }],
    ['/api/deposit/onchain/claim', { tx_hash: some }],
    ['/api/withdraw', { amount: 5 }],
  ] as const) {
    t.match(await without.api('POST', path, { key: gus.key, body }), lost);
  }
  t.same(platform.faults, []);
});

await onChain(t, 'kill -9 in a stream of withdrawals: what left the treasury is what the ledger says', async (t) => {
  const outcome = await killWhilePaying(t, { kills: 10, seed: Date.now() % 1_000_000 });
  t.same(outcome.findings, [], `seed ${outcome.seed}: ${outcome.withdrawals} withdrawals, ${outcome.signed} signed`);
  t.ok(outcome.withdrawals > 20);
});
