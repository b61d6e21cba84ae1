/** Payments as operators handle them: by `npx agent-poker admin`, beside a signer that goes on. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { account, Anvil, treasuryAccount } from '../support/anvil.js';
import { adminJson } from '../support/command.js';
import { CreditHouse, onChain } from '../support/credit-house.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const DOLLAR = 1_000_000n;

await onChain(t, 'withdrawals are listed, released, returned and tried again', async (t) => {
  const anvil = await Anvil.start(t);
  await anvil.mint(treasuryAccount.address, 100n * DOLLAR);
  const house = await CreditHouse.open(t, anvil);
  const { sql } = house;
  const run = (...args: string[]) => adminJson(house.address.url, ...args);
  const [eve, ada] = [await house.agent(account(1).address), await house.agent(account(2).address)];
  for (const agent of [eve, ada]) await house.give(agent, 500_000);
  const [first, second] = [await house.withdraw(eve, 5), await house.withdraw(eve, 6)];
  const honest = await house.withdraw(ada, 7);
  await sql`update agents set banned_at = now() where agent_id = ${eve}`;

  const held = await run('withdrawals', '--held');
  t.match(held, {
    code: 0,
    data: { matching: 2, withdrawals: [{ held: true, status: 'pending', ucents: 60_000 }, {}] },
  });
  t.match(await run('withdrawals', '--open', '--limit', '1'), { data: { matching: 3, withdrawals: { length: 1 } } });
  const why = ['--reason', 'looked at'];
  t.match(await run('withdrawals', 'return', first, ...why), { code: 0, data: { changed: true, id: first } });
  t.match(await run('withdrawals', 'return', first, ...why), { code: 1, data: { error: /is not held/ } });
  t.equal(await house.balance(eve), 500_000 - 60_000, 'back once');
  t.match(await run('withdrawals', 'release', second, ...why), { code: 0, data: { changed: true } });
  t.match(await run('withdrawals', 'release', honest, ...why), { code: 1, data: { error: /is not held/ } });
  t.match(await run('withdrawals', 'return', honest, ...why), { code: 1, data: { error: /is not held/ } });
  t.match(await run('withdrawals', 'release', 'nonsense', ...why), {
    code: 1,
    data: { error: /nonsense is not held/ },
  });
  await sql`update withdrawals set due_at = now() + interval '1 hour', refusals = 4 where withdrawal_id = ${honest}`;
  const signer = house.signer();
  await signer.round();
  t.match(await house.withdrawal(honest), { status: 'pending' });
  t.match(await run('withdrawals', 'retry', honest), { code: 0, data: { changed: true } });
  await signer.round();
  await anvil.mine(12);
  await signer.round();
  t.match(await house.withdrawal(honest), { status: 'confirmed' });
  t.match(await house.withdrawal(second), { status: 'confirmed' });
  t.match(await house.withdrawal(first), { status: 'failed', error_message: 'returned by the operator' });
  t.match(await run('withdrawals', 'retry', honest), { code: 1, data: { error: /is none, or decided already/ } });
  t.same(await sql`select action, subject, detail from audit_log order by entry_id`, [
    { action: 'withdrawals_return', subject: first, detail: { reason: 'looked at' } },
    { action: 'withdrawals_release', subject: second, detail: { reason: 'looked at' } },
    { action: 'withdrawals_retry', subject: honest, detail: {} },
  ]);
  t.same((await audit(sql)).problems, []);
});

await onChain(t, 'deposits are listed and followed again; a wallet is cleared, and free for another', async (t) => {
  const anvil = await Anvil.start(t);
  const house = await CreditHouse.open(t, anvil);
  const { sql } = house;
  const run = (...args: string[]) => adminJson(house.address.url, ...args);
  const ada = await house.holder(1, 10n * DOLLAR);
  const hash = await anvil.call(1, 'transfer', [treasuryAccount.address, 3n * DOLLAR]);
  await anvil.mine();
  await house.deposits.claim(ada, hash);
  await sql`update deposits set status = 'orphaned', created_at = now() - interval '8 days'`;
  await anvil.mine(12);
  await house.deposits.followAll();
  t.equal(await house.balance(ada), 0, 'given up');
  const listed = await run('deposits', '--open');
  t.match(listed, { code: 0, data: { matching: 1, deposits: [{ tx_hash: hash, status: 'orphaned' }] } });
  const [{ deposit_id: id }] = (listed.data as { deposits: [{ deposit_id: string }] }).deposits;
  t.match(await run('deposits', 'retry', id), { code: 0, data: { changed: true, id } });
  await house.deposits.followAll();
  t.equal(await house.balance(ada), 30_000);
  t.match(await run('deposits', 'retry', id), { code: 1, data: { error: /credited already/ } });
  t.match(await run('deposits', 'retry', randomUUID()), { code: 1, data: { error: /is none/ } });
  t.match(await run('deposits', '--open'), { data: { matching: 0 } });

  const wallet = account(1).address;
  t.match(await run('clear-wallet', ada), { code: 0, data: { changed: true, wallet, proven: [wallet] } });
  t.match(await run('clear-wallet', ada), { code: 0, data: { changed: false, wallet: null, proven: [] } });
  t.match(await sql`select detail from audit_log where action = 'clear_wallet'`, [
    { detail: { wallet, proven: [wallet] } },
  ]);
  t.match(await sql`select actor from audit_log where action = 'wallet_changed' order by entry_id desc limit 1`, [
    { actor: 'cli' },
  ]);
  t.match(await house.prove(await house.agent(null), 1), { address: wallet });
});
