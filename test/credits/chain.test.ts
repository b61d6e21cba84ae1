/** Credits from chain to chain as a bot's owner meets them: over HTTP, on a real EVM node, through kill -9. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { newSecret, secretHash } from '../../src/accounts/index.js';
import { account, Anvil, treasuryAccount } from '../support/anvil.js';
import { onChain } from '../support/credit-house.js';
import { stopCluster } from '../support/database.js';
import { killWhilePaying } from './paying.js';
import { eventually, FILE_MS, FULL } from '../support/limits.js';
import { TestPlatform, type Account } from '../support/platform.js';
import { proveWallet } from '../support/wallets.js';
import { SEED } from '../support/seed.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);
const DOLLAR = 1_000_000n;
const KILLS = FULL ? 10 : 2;
const treasury = treasuryAccount.address;
const ADMIN_KEY = 'the-key-of-the-operator';
const detail = (status: number, text: string | RegExp) => ({ status, body: { detail: text } });

/** A platform on a chain, its treasury funded. */
async function open(t: Test) {
  const anvil = await Anvil.start(t);
  await anvil.mint(treasury, 1000n * DOLLAR);
  const platform = await TestPlatform.start(t, { ...anvil.settings(), ADMIN_KEY });
  const get = (path: string, { key }: Account) => platform.api('GET', path, { key });
  const post = (path: string, body: unknown, { key }: Account, headers: Record<string, string> = {}) =>
    platform.api('POST', path, { key, body, headers });
  /** An agent with that account of the chain as its wallet, which is funded. */
  const holder = async (index: number) => {
    const agent = await platform.register('owner');
    await anvil.mint(account(index).address, 500n * DOLLAR);
    const { address: wallet_address } = account(index);
    t.match(await proveWallet(platform, agent, index), { status: 200, body: { wallet_address } });
    t.match(await platform.api('GET', '/api/me', { key: agent.key }), { body: { wallet_address } });
    return agent;
  };
  return { anvil, platform, get, post, holder };
}

/** Asks until the answer fits, no more often than the limit by the minute allows. */
async function untilFits<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  const look = async () => {
    const answer = await ask();
    return fits(answer) ? { answer } : null;
  };
  return (await eventually(`an answer with ${String(fits)}`, look, 250)).answer;
}

await onChain(t, 'from the wallet to the credits, and back to the wallet', async (t) => {
  const { anvil, platform, get, post, holder } = await open(t);
  const ada = await holder(1);
  const hash = await anvil.call(1, 'transfer', [treasury, 60n * DOLLAR + 55n]);
  t.match(await post('/api/deposit/onchain', { tx_hash: hash }, ada), detail(400, /not found/));
  await anvil.mine();
  const pending = {
    tx_hash: hash,
    status: 'pending',
    amount: 60,
    amount_cents: 6000,
    amount_ucents: 600_000,
    confirmations_seen: 1,
    confirmations_required: 12,
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
    await untilFits(
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
  t.match(await untilFits(withdrawal, ({ status }) => status === 'submitted'), {
    withdrawal_id: id,
    agent_id: ada.agentId,
    to_address: account(1).address,
    status: 'submitted',
    amount: 20.25,
    amount_cents: 2025,
    amount_ucents: 202_500,
    tx_hash: /^0x/,
    confirmations_seen: 0,
  });
  const change = { key: ada.key, body: { wallet_address: account(7).address } };
  t.match(await platform.api('PATCH', '/api/me', change), detail(409, /while a withdrawal is in flight/));
  await anvil.mine(12);
  t.match(await untilFits(withdrawal, ({ status }) => status === 'confirmed'), { status: 'confirmed' });
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
  t.match(await untilFits(why, ({ error_message: message }) => message !== null), { error_message: /refused/ });
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
      total_deposited_ucents: 600_000,
      total_balance_ucents: 377_500,
      total_in_play_ucents: 0,
      total_rake_ucents: 0,
      total_withdrawn_ucents: 222_500,
      invariant_holds: true,
      drift_ucents: 0,
    },
  });
  t.match(await get('/api/platform/revenue', { ...admin, key }), { status: 200, body: { total_rake_cents: 0 } });
  t.match(await platform.api('GET', '/api/admin/overview', { key: ADMIN_KEY }), {
    status: 200,
    body: { credits: { paying: true, withdrawals_waiting: 0, books: { treasury_surplus_units: Number } } },
  });
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
    for (const path of ['/api/deposit/onchain', '/api/deposit/onchain/claim']) {
      t.match(await post(path, { tx_hash }, ada), detail(400, /^Invalid tx_hash/));
    }
  }
  t.match(await post('/api/withdraw', { amount: 5 }, bob), detail(400, 'Set a wallet address in settings first'));
  for (const wallet_address of [anvil.token, treasury]) {
    const own = detail(400, /^Withdrawals cannot go to this address/);
    t.match(await platform.api('PATCH', '/api/me', { key: bob.key, body: { wallet_address } }), own);
    const stranger = { name: 'gil_1', email: 'gil@example.com', terms_accepted: true, wallet_address };
    t.match(await platform.api('POST', '/api/register', { body: stranger }), own);
  }
  const named = { wallet_address: account(2).address };
  t.match(await platform.api('PATCH', '/api/me', { key: bob.key, body: named }), { status: 200 });
  await anvil.mint(account(2).address, DOLLAR);
  const sent = await anvil.call(2, 'transfer', [treasury, DOLLAR]);
  await anvil.mine();
  for (const path of ['/api/deposit/onchain', '/api/deposit/onchain/claim']) {
    t.match(await post(path, { tx_hash: sent }, bob), detail(403, 'Prove that the wallet is yours first'));
  }
  t.match(await proveWallet(platform, bob, 1), detail(409, 'Another agent has proven this wallet'));
  const unsigned = { message: 'mine', signature: '0x00' };
  t.match(await post('/api/me/wallet/proof', unsigned, bob), detail(400, /^The signature is not that of the wallet/));
  t.match(await post('/api/me/wallet/proof', { ...unsigned, signature: 'mine' }, bob), { status: 422 });
  const mistyped = account(1).address.replace(/[a-f]/, (letter) => letter.toUpperCase());
  t.match(await post('/api/me/wallet/challenge', { address: mistyped }, bob), detail(400, /EIP-55/));
  t.match(await post('/api/me/wallet/challenge', { address: '0x12' }, bob), { status: 422 });
  t.match(await proveWallet(platform, bob, 2), { status: 200 });
  t.match(await post('/api/deposit/onchain', { tx_hash: sent }, bob), { status: 200, body: { amount: 1 } });
  t.match(
    await post('/api/withdraw', { amount: 5 }, ada),
    detail(402, 'Insufficient balance. Current: $0.00, requested: $5.00'),
  );
  t.match(await post('/api/withdraw', { amount: -5 }, ada), detail(400, /^Invalid amount/));
  t.match(await get('/api/withdrawal/nonsense', ada), detail(400, 'Invalid withdrawal_id format'));
  await post('/api/deposit/dev', { amount: 5 }, ada);
  const { withdrawal_id: id } = (await post('/api/withdraw', { amount: 5 }, ada)).body as { withdrawal_id: string };
  t.match(await get(`/api/withdrawal/${id}`, bob), detail(404, 'Withdrawal not found'), "another's is not there");
  t.match(await get('/api/withdrawals?limit=201', ada), { status: 422 });

  anvil.child.kill('SIGKILL');
  await new Promise((gone) => anvil.child.once('exit', gone));
  t.match(await post('/api/deposit/onchain', { tx_hash: some }, ada), detail(503, /chain cannot be reached/));
  t.match(await proveWallet(platform, ada, 4), detail(503, /chain cannot be reached/));
  const eve = await platform.register('eve');
  t.match(
    await post('/api/withdraw', { amount: 5 }, eve),
    detail(400, /wallet/),
    'a withdrawal needs no node to be queued',
  );

  const without = await TestPlatform.shared(t);
  const gus = await without.register('gus');
  const lost = detail(503, 'On-chain deposits and withdrawals are not configured');
  for (const [path, body] of [
    ['/api/deposit/onchain', { tx_hash: some }],
    ['/api/deposit/onchain/claim', { tx_hash: some }],
    ['/api/withdraw', { amount: 5 }],
    ['/api/me/wallet/challenge', { address: account(1).address }],
    ['/api/me/wallet/proof', unsigned],
  ] as const) {
    t.match(await without.api('POST', path, { key: gus.key, body }), lost);
  }
  t.same(platform.faults, []);
});

await onChain(
  t,
  'a wallet changes five times a day, by whatever way: the sixth is refused and changes nothing',
  async (t) => {
    const { platform } = await open(t);
    const { name, key } = await platform.register('fickle');
    const change = (wallet_address: string | null) =>
      platform.api('PATCH', '/api/me', { key, body: { wallet_address } });
    const [one, two] = [account(1).address, account(2).address];
    for (const wallet of [one, two, null, one, null]) t.match(await change(wallet), { status: 200 });
    const often = detail(429, 'Too many changes of wallets in 24 hours');
    for (const answer of [await change(one), await proveWallet(platform, { key }, 2)]) {
      t.match(answer, often);
      t.equal(answer.headers.get('retry-after'), '3600');
    }
    t.match(await platform.api('GET', '/api/me', { key }), { body: { wallet_address: null } });
    t.same(await platform.sql!`select from wallet_proofs`, []);
    const mails = await platform.sql!`select from mail_outbox where recipient = ${`${name}@example.com`}`;
    t.equal(mails.length, 5);
    await platform.sql!`update mail_outbox set created_at = created_at - interval '1 day'`;
    t.match(await proveWallet(platform, { key }, 2), { status: 200, body: { wallet_address: two } }, 'a day later');
    t.match(await platform.api('GET', '/api/me', { key }), { body: { wallet_address: two } });
    t.same(platform.faults, []);
  },
);

await onChain(t, 'who is signed in proves a wallet without the key, but no page of another origin does', async (t) => {
  const { platform } = await open(t);
  const { name, key } = await platform.register('ada');
  const secret = newSecret();
  const email = `${name}@example.com`;
  await platform.sql!`insert into sign_in_sessions (session_hash, email) values (${secretHash(secret)}, ${email})`;
  const signedIn = (origin?: string) => ({
    api: (method: string, path: string, { body }: { body?: unknown }) => {
      const headers = { cookie: `agent_poker_session=${secret}`, ...(origin === undefined ? {} : { origin }) };
      return platform.api(method, path, { body, headers });
    },
  });
  const elsewhere = signedIn('https://elsewhere.example');
  const address = account(1).address;
  const other = detail(403, 'Requests from pages of another origin are not allowed');
  t.match(await elsewhere.api('POST', '/api/me/wallet/challenge', { body: { address } }), other);
  t.match(await elsewhere.api('POST', '/api/me/wallet/proof', { body: { message: 'm', signature: '0x00' } }), other);
  t.match(await proveWallet(signedIn(), null, 1), { status: 200, body: { wallet_address: address } });
  t.match(await platform.api('GET', '/api/me', { key }), { body: { wallet_address: address } });
});

await onChain(
  t,
  'kill -9 in a stream of withdrawals, a ban, another key: what left the treasuries is what the ledger says',
  async (t) => {
    const outcome = await killWhilePaying(t, { kills: KILLS, seed: SEED });
    t.same(outcome.findings, [], `seed ${outcome.seed}: ${outcome.withdrawals} withdrawals, ${outcome.signed} signed`);
    t.ok(outcome.withdrawals > 2 * KILLS);
  },
);
