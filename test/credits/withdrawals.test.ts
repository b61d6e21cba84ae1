/** Withdrawals on a real EVM node: each is paid once or given back once, whatever chain, node and process do. */
import t, { type Test } from 'tap';
import { accounting } from '../../src/credits/index.js';
import { raceForBalance } from './races.js';
import { account, Anvil, CrookedNode, treasuryAccount } from '../support/anvil.js';
import { CreditHouse, onChain } from '../support/credit-house.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS, inSuite } from '../support/limits.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);
const DOLLAR = 1_000_000n;
const refusal = (detail: RegExp, status = 400) => ({ name: 'HttpError', status, message: detail }) as object as Error;

/** A funded treasury, and an agent with 50 dollars of credits and the wallet of account 1. */
async function openHouse(t: Test, url?: (anvil: Anvil) => Promise<string>) {
  const anvil = await Anvil.start(t);
  await anvil.mint(treasuryAccount.address, 1000n * DOLLAR);
  const house = await CreditHouse.open(t, anvil, await url?.(anvil));
  const agent = await house.agent(account(1).address);
  await house.give(agent, 500_000);
  return { anvil, house, agent, wallet: account(1).address };
}

await onChain(t, 'a withdrawal goes its way: queued, signed, submitted, confirmed', async (t) => {
  const { anvil, house, agent, wallet } = await openHouse(t);
  const signer = house.signer();
  const id = await house.withdraw(agent, 12.5);
  t.match(await house.withdrawal(id), { status: 'pending', nonce: null, tx_hash: null });
  t.equal(await house.balance(agent), 375_000, 'taken at once');
  await signer.round();
  const { tx_hash: hash } = await house.withdrawal(id);
  t.match(await house.withdrawal(id), { status: 'submitted', nonce: 0, tx_hash: /^0x/ });
  for (let confirmations = 1; confirmations < 12; confirmations++) {
    await anvil.mine();
    await signer.round();
    t.match(await house.withdrawal(id), { status: 'submitted', confirmations, tx_hash: hash });
  }
  await anvil.mine();
  await signer.round();
  await signer.round();
  t.match(await house.withdrawal(id), { status: 'confirmed', confirmations: 12, error_message: null });
  t.equal(await anvil.balance(wallet), 12_500_000n);
  const books = await accounting(house.sql);
  t.match(books, { drift: 0, withdrawn: 125_000, inFlight: 0, balance: 375_000, deposited: 500_000 });
});

await onChain(t, 'limits and balance', async (t) => {
  const { house, agent } = await openHouse(t);
  await t.rejects(house.withdraw(agent, 0.99), refusal(/Minimum withdrawal is \$1\.00/));
  await t.rejects(house.withdraw(agent, 100.01), refusal(/Maximum withdrawal is \$100\.00/));
  await t.rejects(house.withdraw(agent, 1.00001), refusal(/Invalid amount/));
  await t.rejects(
    house.withdraw(agent, 50.5),
    refusal(/^Insufficient balance\. Current: \$50\.00, requested: \$50\.50$/, 402),
  );
  const nobody = await house.agent(null);
  await t.rejects(house.withdraw(nobody, 5), refusal(/Set a wallet address in settings first/));
  await house.give(agent, 10_000_000);
  for (let n = 0; n < 5; n++) await house.withdraw(agent, 100);
  await t.rejects(house.withdraw(agent, 1), refusal(/Daily withdrawal limit is \$500\.00/));
  t.equal(await house.balance(agent), 10_500_000 - 5_000_000);
  t.equal(await house.drift(), 0);
});

await onChain(t, 'what a node drops is sent again; what stays too long is signed with a higher fee', async (t) => {
  const { anvil, house, agent, wallet } = await openHouse(t);
  const signer = house.signer();
  const [first, second] = [await house.withdraw(agent, 1), await house.withdraw(agent, 2)];
  await signer.round();
  const { tx_hash: hash } = await house.withdrawal(first);
  await anvil.client.dropTransaction({ hash: hash as `0x${string}` });
  await anvil.mine();
  t.equal(await anvil.balance(wallet), 0n, 'the second waits for the nonce before it');
  await signer.round();
  await anvil.mine();
  t.equal(await anvil.balance(wallet), 3n * DOLLAR);

  const third = await house.withdraw(agent, 4);
  await signer.round();
  const cheap = await house.withdrawal(third);
  const { baseFeePerGas } = await anvil.client.getBlock();
  await anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas! * 50n });
  await anvil.mine();
  t.equal(await anvil.balance(wallet), 3n * DOLLAR, 'too cheap for this block');
  await house.signer(0).round();
  const raised = await house.withdrawal(third);
  t.match(raised, { nonce: cheap.nonce });
  t.not(raised.tx_hash, cheap.tx_hash);
  const keeper = house.signer();
  await anvil.mine(12);
  await keeper.round();
  for (const id of [first, second, third]) t.match(await house.withdrawal(id), { status: 'confirmed' });
  t.equal(await anvil.balance(wallet), 7n * DOLLAR);
  t.equal(await house.drift(), 0);
});

await onChain(t, 'what the chain refuses or reverts is given back once', async (t) => {
  const { anvil, house, agent, wallet } = await openHouse(t);
  const signer = house.signer();
  const reverted = await house.withdraw(agent, 5);
  await signer.round();
  // Mined before it, in the same block, since it pays more.
  await anvil.client.impersonateAccount({ address: account(9).address });
  await anvil.call(9, 'refuse', [wallet, true]);
  await anvil.client.dropTransaction({ hash: (await house.withdrawal(reverted)).tx_hash as `0x${string}` });
  await anvil.mine();
  const [{ raw }] = (await house.sql`select raw from withdrawal_transactions`) as unknown as [{ raw: `0x${string}` }];
  await anvil.client.sendRawTransaction({ serializedTransaction: raw });
  await anvil.mine(11);
  await signer.round();
  t.match(await house.withdrawal(reverted), { status: 'submitted', confirmations: 11 });
  t.equal(await house.balance(agent), 450_000, 'a reverted payment may be reorganised yet');
  await anvil.mine();
  await signer.round();
  await signer.round();
  t.match(await house.withdrawal(reverted), { status: 'failed', error_message: /reverted/ });
  t.equal(await house.balance(agent), 500_000);

  const refused = await house.withdraw(agent, 7);
  for (let refusals = 1; refusals < 5; refusals++) {
    await signer.round();
    t.match(await house.withdrawal(refused), { status: 'pending', nonce: null, error_message: /refused/ });
    await house.sql`update withdrawals set due_at = now()`;
  }
  await signer.round();
  t.match(await house.withdrawal(refused), { status: 'failed', nonce: null });
  t.equal(await house.balance(agent), 500_000);
  t.equal(await anvil.balance(wallet), 0n);
  t.equal(await house.drift(), 0);
});

await onChain(t, 'a reorganisation drops a payment: it is sent again, and paid once', async (t) => {
  const { anvil, house, agent, wallet } = await openHouse(t);
  const signer = house.signer();
  const id = await house.withdraw(agent, 5);
  await signer.round();
  await anvil.mine(4);
  await signer.round();
  t.match(await house.withdrawal(id), { confirmations: 4 });
  await anvil.reorganise(4);
  t.equal(await anvil.balance(wallet), 0n);
  await signer.round();
  await anvil.mine(12);
  await signer.round();
  t.match(await house.withdrawal(id), { status: 'confirmed' });
  t.equal(await anvil.balance(wallet), 5n * DOLLAR);
  t.equal((await house.sql`select from withdrawal_transactions`).length, 1, 'nothing else was ever signed');
});

await onChain(t, 'a nonce that somebody else used: signed anew only when that is final', async (t) => {
  const { anvil, house, agent, wallet } = await openHouse(t);
  const signer = house.signer();
  const id = await house.withdraw(agent, 5);
  await signer.round();
  const { tx_hash: hash, nonce } = await house.withdrawal(id);
  await anvil.client.dropTransaction({ hash: hash as `0x${string}` });
  await anvil.client.sendTransaction({ account: treasuryAccount, to: account(8).address, value: 1n, nonce: nonce! });
  await anvil.mine(11);
  await signer.round();
  t.match(await house.withdrawal(id), { status: 'submitted', tx_hash: hash }, 'not final yet');
  await anvil.mine();
  await signer.round();
  t.match(await house.withdrawal(id), { status: 'pending', nonce: null });
  await signer.round();
  t.match(await house.withdrawal(id), { status: 'submitted', nonce: nonce! + 1 });
  await anvil.mine(12);
  await signer.round();
  t.match(await house.withdrawal(id), { status: 'confirmed' });
  t.equal(await anvil.balance(wallet), 5n * DOLLAR);
  t.equal(await house.drift(), 0);
});

await onChain(t, 'a node that does not answer, or takes what it then denies, makes nobody pay twice', async (t) => {
  let node: CrookedNode | null = null;
  const { anvil, house, agent, wallet } = await openHouse(t, async (anvil) => {
    node = await CrookedNode.before(t, anvil);
    return node.url;
  });
  const crooked = node!;
  const signer = house.signer();
  const id = await house.withdraw(agent, 5);
  crooked.down = true;
  await t.rejects(signer.round());
  t.match(await house.withdrawal(id), { status: 'pending' });
  crooked.down = false;
  // Sent, but the answer says otherwise; then it is mined while the node denies it.
  crooked.mischief = (method, _, result) => {
    if (method === 'eth_sendRawTransaction') throw new Error('the line is cut');
    return method.startsWith('eth_getTransactionR') || method === 'eth_getTransactionByHash' ? null : result;
  };
  await signer.round();
  t.match(await house.withdrawal(id), { status: 'processing' });
  await anvil.mine(20);
  for (let n = 0; n < 3; n++) await signer.round();
  t.match(await house.withdrawal(id), { status: 'processing', nonce: 0 }, 'the nonce was used by ourselves');
  crooked.mischief = null;
  await signer.round();
  t.match(await house.withdrawal(id), { status: 'confirmed' });
  t.equal(await anvil.balance(wallet), 5n * DOLLAR);
});

await onChain(t, 'a signer that was taken over from writes no more', async (t) => {
  const { anvil, house, agent, wallet } = await openHouse(t);
  const [old, young] = [house.signer(), house.signer()];
  await old.round();
  await young.round();
  const id = await house.withdraw(agent, 5);
  await t.rejects(old.round(), /another signer took over/);
  t.match(await house.withdrawal(id), { status: 'pending' }, 'nothing was signed');
  await young.round();
  await anvil.mine(12);
  await young.round();
  t.match(await house.withdrawal(id), { status: 'confirmed' });
  t.equal(await anvil.balance(wallet), 5n * DOLLAR);
});

await onChain(
  t,
  `${inSuite(50)} rounds of 100 withdrawals and passes of the whole balance at once: one succeeds`,
  async (t) => {
    const { house, agent } = await openHouse(t);
    const { wrong, outcomes } = await raceForBalance(house, inSuite(50));
    t.same(wrong, []);
    // Which of them is the scheduler's affair.
    t.comment(`won by: ${[...outcomes].join(', ')}`);
    t.equal(await house.balance(agent), 500_000);
    t.equal(await house.drift(), 0);
    await t.rejects(house.sql`update credit_accounts set balance = -1 where kind = 'agent'`, /credit_accounts_covered/);
  },
);
