/**
 * The costs of payments, and the faults that may delay one payment but never the others: fees, nonces, keys that
 * change, bans.
 */
import t, { type Test } from 'tap';
import { insertSigned, raiseSignerEpoch } from '../../src/credits/chain/signer-queries.js';
import { transaction } from '../../src/store/database.js';
import { account, Anvil, CrookedNode, NodeError, treasuryAccount } from '../support/anvil.js';
import { CAPS, CreditHouse, onChain } from '../support/credit-house.js';
import { leadership, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);
const DOLLAR = 1_000_000n;
type Hash = `0x${string}`;

/** A funded treasury, and an agent with 50 dollars of credits and the wallet of account 1. */
async function open(t: Test, url?: (anvil: Anvil) => Promise<string>) {
  const anvil = await Anvil.start(t);
  await anvil.mint(treasuryAccount.address, 1000n * DOLLAR);
  const house = await CreditHouse.open(t, anvil, await url?.(anvil));
  const agent = await house.agent(account(1).address);
  await house.give(agent, 500_000);
  const statusOf = async (...ids: string[]) =>
    (await Promise.all(ids.map((id) => house.withdrawal(id)))).map((row) => row.status);
  /** The number of such lines in the log. */
  const told = (line: RegExp) => house.logged.filter((logged) => line.test(logged)).length;
  return { anvil, house, agent, wallet: account(1).address, statusOf, told };
}

await onChain(t, 'a wallet that is emptied while its payment is under way is paid all the same', async (t) => {
  const { anvil, house, agent, wallet, statusOf } = await open(t);
  await anvil.mint(wallet, 5n * DOLLAR);
  const signer = house.signer();
  const id = await house.withdraw(agent, 5);
  await signer.round();
  const [{ raw }] = (await house.sql`select raw from withdrawal_transactions`) as unknown as [{ raw: Hash }];
  await anvil.dropAll();
  await anvil.call(1, 'transfer', [account(5).address, 5n * DOLLAR]);
  await anvil.mine();
  await anvil.client.sendRawTransaction({ serializedTransaction: raw });
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(id), ['confirmed']);
  t.equal(await anvil.balance(wallet), 5n * DOLLAR);
});

await onChain(t, 'a withdrawal that failed counts for the day all the same: its fee was paid', async (t) => {
  const { house, agent } = await open(t);
  await house.give(agent, 10_000_000);
  for (let n = 0; n < 5; n++) await house.withdraw(agent, 100);
  await house.sql`update withdrawals set status = 'failed'`;
  await t.rejects(house.withdraw(agent, 1), { message: /^Daily withdrawal limit/ });
});

await onChain(t, 'fees rise to the cap and no further, and only where a raise helps', async (t) => {
  const { anvil, house, agent, statusOf, told } = await open(t);
  const eager = house.signer(0);
  const ids = [await house.withdraw(agent, 5), await house.withdraw(agent, 6)] as const;
  await eager.round();
  await eager.round();
  t.match(eager.waiting.counts, { chain_still: 1, lower_nonce: 1 }, 'no block: a higher fee changes nothing');
  // For an hour the node accepts everything and mines nothing.
  for (let n = 0; n < 40; n++) {
    await eager.round();
    await anvil.dropAll();
    await anvil.mine();
  }
  await eager.round();
  const signed = await house.sql`
    select count(*) as times, max(max_fee)::text as fee from withdrawal_transactions group by nonce order by nonce`;
  t.ok(BigInt(signed[0]!['fee'] as string) <= CAPS.maxFee, 'the first is at the cap');
  t.ok((signed[0]!['times'] as number) > 15);
  t.equal(signed[1]!['times'], 1, 'the one behind it waits as it is');
  t.match(eager.waiting.counts, { fee_cap: 1, lower_nonce: 1 });
  t.equal(told(/fees are above WITHDRAW_MAX_GAS_PRICE_GWEI/), 1, 'told once');
  t.match(await house.withdrawal(ids[0]), { status: 'submitted', error_message: /above the limit of a payment/ });
  await anvil.mine(12);
  await eager.round();
  t.same(await statusOf(...ids), ['confirmed', 'confirmed']);
  t.equal(await house.drift(), 0);
});

await onChain(t, 'while the chain is too dear nothing is signed, nor without coin for the fee', async (t) => {
  const { anvil, house, agent, statusOf, told } = await open(t);
  const ids = [await house.withdraw(agent, 5), await house.withdraw(agent, 6)] as const;
  for (const caps of [
    { ...CAPS, maxFee: 1n },
    { ...CAPS, payment: 1000n },
  ]) {
    const stingy = house.signer(0, { caps });
    await stingy.round();
    t.match(stingy.waiting.counts, { fee_cap: 2 });
    t.same(await statusOf(...ids), ['pending', 'pending']);
  }
  t.equal((await house.sql`select from withdrawal_transactions`).length, 0);

  const signer = house.signer(0);
  const coin = (value: bigint) => anvil.client.setBalance({ address: treasuryAccount.address, value });
  await coin(1000n);
  await signer.round();
  t.match(signer.waiting.counts, { no_gas_coin: 2, fee_cap: 0 });
  await coin(10n ** 18n);
  await signer.round();
  t.same(await statusOf(...ids), ['submitted', 'submitted']);
  await anvil.dropAll();
  await anvil.mine();
  await coin(1000n);
  await signer.round();
  t.match(signer.waiting.counts, { no_gas_coin: 1, lower_nonce: 1 }, 'nor is a fee raised that nobody can pay');
  t.equal((await house.sql`select from withdrawal_transactions`).length, 2);
  t.equal(told(/lacks the chain's coin/), 3);
});

await onChain(t, 'a withdrawal that cannot be handled holds up no other', async (t) => {
  const { anvil, house, agent, statusOf, told } = await open(t);
  const [stuck, broken, fine] = [
    await house.withdraw(agent, 5),
    await house.withdraw(agent, 6),
    await house.withdraw(agent, 7),
  ];
  await house.sql`update withdrawals set to_address = '0xnobody' where withdrawal_id = ${broken}`;
  const signer = house.signer(0);
  await signer.round();
  t.same(await statusOf(stuck, broken, fine), ['submitted', 'pending', 'submitted']);
  t.match(signer.waiting.counts, { trouble: 1 });
  // A transaction of an earlier release, with a fee too large to raise by a quarter in the number's type.
  await house.sql`update withdrawal_transactions set max_fee = ${'9'.repeat(40)} where withdrawal_id = ${stuck}`;
  await anvil.client.dropTransaction({ hash: (await house.withdrawal(stuck)).tx_hash as Hash });
  await anvil.mine();
  await signer.round();
  t.match(signer.waiting.counts, { fee_cap: 1 });
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(stuck, broken, fine), ['confirmed', 'pending', 'confirmed']);
  t.equal(told(/cannot be handled/), 1);
});

await onChain(
  t,
  'the key changes with payments under way: those of the old treasury end, the queue is paid by the new',
  async (t) => {
    const { anvil, house, agent, statusOf } = await open(t);
    const young = account(6).address;
    await anvil.mint(young, 100n * DOLLAR);
    const early = [await house.withdraw(agent, 1), await house.withdraw(agent, 2)];
    await house.signer().round();
    const [late, later] = [await house.withdraw(agent, 3), await house.withdraw(agent, 4)];
    const rotated = house.signer(0, { key: 6 });
    await rotated.round();
    t.match(await house.sql`select treasury, nonce from withdrawals order by ucents`, [
      { treasury: treasuryAccount.address, nonce: 0 },
      { treasury: treasuryAccount.address, nonce: 1 },
      { treasury: young, nonce: 0 },
      { treasury: young, nonce: 1 },
    ]);
    await anvil.dropAll();
    await rotated.round();
    await anvil.mine(12);
    await rotated.round();
    t.same(await statusOf(...early, late, later), Array(4).fill('confirmed'), 'what was dropped was sent again, too');

    const back = house.signer();
    const fifth = await house.withdraw(agent, 5);
    await back.round();
    t.match(await house.withdrawal(fifth), { nonce: 2 }, 'the first key again goes on where it was');
    // The holder of the former treasury empties it with the same nonce.
    await anvil.dropAll();
    await anvil.client.sendTransaction({ account: treasuryAccount, to: young, value: 1n, nonce: 2 });
    await anvil.mine(12);
    const again = house.signer(0, { key: 6 });
    await again.round();
    await again.round();
    await anvil.mine(12);
    await again.round();
    t.match(await house.withdrawal(fifth), { status: 'confirmed', nonce: 2 });
    const paid = await anvil.paid([young]);
    t.equal(paid.get(account(1).address), 12n * DOLLAR, '3, 4 and 5 by the new one');
    t.equal((await anvil.paid()).get(account(1).address), 3n * DOLLAR);
    t.equal(await house.drift(), 0);
  },
);

await onChain(t, 'signed by an earlier release: whose nonce it is tells the signature', async (t) => {
  const { anvil, house, agent, statusOf } = await open(t);
  const id = await house.withdraw(agent, 1);
  await house.signer().round();
  await house.sql`update withdrawals set treasury = null`;
  await house.sql`update withdrawal_transactions set treasury = null, signed_block = null`;
  const next = await house.withdraw(agent, 2);
  const signer = house.signer();
  await signer.round();
  t.match(await house.sql`select nonce, treasury from withdrawal_transactions order by nonce`, [
    { nonce: 0, treasury: treasuryAccount.address },
    { nonce: 1, treasury: treasuryAccount.address },
  ]);
  t.match(await house.sql`select address from treasuries`, [{ address: treasuryAccount.address }]);
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(id, next), ['confirmed', 'confirmed']);
});

for (const pruned of [false, true]) {
  const node = pruned ? 'also by a node that has forgotten the states of then' : 'however long ago';
  await onChain(t, `a nonce that was used elsewhere is found, ${node}`, async (t) => {
    let crooked: CrookedNode | null = null;
    const { anvil, house, agent, wallet, statusOf } = await open(t, async (anvil) => {
      crooked = await CrookedNode.before(t, anvil);
      return crooked.url;
    });
    const signer = house.signer();
    const id = await house.withdraw(agent, 5);
    await signer.round();
    await anvil.dropAll();
    await anvil.client.sendTransaction({ account: treasuryAccount, to: account(8).address, value: 1n, nonce: 0 });
    await anvil.mine(200);
    const head = Number(await anvil.client.getBlockNumber());
    crooked!.mischief = (method, params, result) => {
      const block = params?.[1];
      const old = method === 'eth_getTransactionCount' && block !== 'latest' && Number(block) < head - 128;
      if (pruned && old) throw new NodeError('missing trie node');
      return result;
    };
    for (let n = 0; n < 2; n++) await signer.round();
    await anvil.mine(12);
    await signer.round();
    t.same(await statusOf(id), ['confirmed']);
    t.equal(await anvil.balance(wallet), 5n * DOLLAR);
  });
}

await onChain(t, 'what a banned agent has queued is held, and paid only when it may', async (t) => {
  const { anvil, house, agent, statusOf, told } = await open(t);
  const other = await house.agent(account(2).address);
  await house.give(other, 500_000);
  const [held, fine] = [await house.withdraw(agent, 5), await house.withdraw(other, 6)];
  await house.sql`update agents set banned_at = now() where agent_id = ${agent}`;
  const signer = house.signer();
  for (let n = 0; n < 2; n++) await signer.round();
  t.same(await statusOf(held, fine), ['pending', 'submitted']);
  t.match(signer.waiting.counts, { held: 1 });
  t.equal(told(/withdrawals of banned agents are held/), 1);
  const signed = { raw: '0x', max_fee: '1', priority_fee: '1', treasury: treasuryAccount.address, signed_block: 1 };
  const epoch = await raiseSignerEpoch(house.sql, leadership);
  const sneak = transaction(house.sql, (tx) =>
    insertSigned(tx, epoch, { ...signed, tx_hash: '0x1', withdrawal_id: held, nonce: 7 }),
  );
  await t.rejects(sneak, { name: 'NotPayable' }, 'also one that was banned while it was being signed');

  await house.sql`update withdrawals set released_at = now() where withdrawal_id = ${held}`;
  const keeper = house.signer();
  await keeper.round();
  await anvil.mine(12);
  await keeper.round();
  t.same(await statusOf(held, fine), ['confirmed', 'confirmed'], 'released by an operator');
  t.match(keeper.waiting.counts, { held: 0 });
});
