/** Deposits on a real EVM node: what counts, when it is credited, and that it is credited once. */
import type { Address, Hex } from 'viem';
import t from 'tap';
import { account, Anvil, CrookedNode, treasuryAccount } from '../support/anvil.js';
import { CreditHouse, onChain } from '../support/credit-house.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);
const DOLLAR = 1_000_000n;
const treasury = treasuryAccount.address;
/** As an HttpError tells it. */
const refusal = (detail: RegExp, status = 400) => ({ name: 'HttpError', status, message: detail }) as object as Error;

/** The transaction of account 1 as it was sent, for when the chain has forgotten it. */
async function signedAgain(anvil: Anvil, hash: Hex): Promise<Hex> {
  const { input, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = await anvil.client.getTransaction({ hash });
  return account(1).signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    to: anvil.token,
    data: input,
    nonce,
    gas,
    maxFeePerGas: maxFeePerGas!,
    maxPriorityFeePerGas: maxPriorityFeePerGas!,
  });
}

await onChain(t, 'a deposit is credited with its twelfth block, once, whoever names it how often', async (t) => {
  const anvil = await Anvil.start(t);
  const house = await CreditHouse.open(t, anvil);
  const { deposits } = house;
  const agent = await house.holder(1, 100n * DOLLAR);
  const hash = await anvil.call(1, 'transfer', [treasury, 25n * DOLLAR]);
  await t.rejects(deposits.claim(agent, hash), refusal(/not found/), 'not mined yet');
  await anvil.mine();
  for (let confirmations = 1; confirmations < 12; confirmations++) {
    t.match(await deposits.claim(agent, hash), { status: 'pending', confirmations, units: Number(25n * DOLLAR) });
    await deposits.followAll();
    t.equal(await house.balance(agent), 0, `nothing is credited with ${confirmations}`);
    await anvil.mine();
  }
  const claims = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) =>
      deposits.claim(agent, n % 2 === 0 ? hash : (hash.toUpperCase().replace('0X', '0x') as Hex)),
    ),
  );
  for (const claim of claims) {
    if (claim.status === 'fulfilled') t.match(claim.value, { status: 'confirmed', confirmations: 12 });
    else t.match(claim.reason, refusal(/already credited/));
  }
  t.equal(await house.balance(agent), 250_000);
  await t.rejects(deposits.claim(agent, hash), refusal(/already credited/));
  await t.rejects(deposits.claim(await house.agent(account(2).address), hash), refusal(/already credited/));
  t.equal(await house.drift(), 0);
});

await onChain(t, 'only transfers of the token from the own wallet to the treasury count', async (t) => {
  const anvil = await Anvil.start(t);
  const house = await CreditHouse.open(t, anvil);
  const { deposits } = house;
  const agent = await house.holder(1, 100n * DOLLAR);
  const other = await house.holder(2, 100n * DOLLAR);
  const [token, foreign] = [anvil.token, await anvil.deploy()];
  anvil.token = token;
  await anvil.mint(account(1).address, 5n * DOLLAR, foreign);
  const mined = async (hash: Promise<Hex>) => {
    const known = await hash;
    await anvil.mine();
    return known;
  };
  const none = refusal(/No transfer of the token/);
  const wrongToken = await mined(anvil.call(1, 'transfer', [treasury, DOLLAR], foreign));
  await t.rejects(deposits.claim(agent, wrongToken), none, 'another token');
  await t.rejects(deposits.claim(agent, await mined(anvil.call(1, 'transfer', [treasury, 0n]))), none, 'nothing');
  const elsewhere = await mined(anvil.call(1, 'transfer', [account(3).address, DOLLAR]));
  await t.rejects(deposits.claim(agent, elsewhere), none, 'another recipient');
  const foreignSender = await mined(anvil.call(2, 'transfer', [treasury, DOLLAR]));
  await t.rejects(deposits.claim(agent, foreignSender), none, 'another sender');
  const failed = await mined(anvil.call(1, 'transfer', [treasury, 1000n * DOLLAR]));
  await t.rejects(deposits.claim(agent, failed), refusal(/failed on the chain/), 'more than there is');
  await t.rejects(deposits.claim(agent, `0x${'12'.repeat(32)}`), refusal(/not found/), 'a hash that nobody knows');
  const walletless = await house.agent(null);
  await t.rejects(deposits.claim(walletless, foreignSender), refusal(/Set a wallet address/), 'no wallet');
  t.same(await house.sql`select from deposits`, [], 'nothing of it was taken down');

  const approved = await mined(anvil.call(2, 'approve', [account(1).address, DOLLAR]));
  await t.rejects(deposits.claim(other, approved), none, 'no transfer at all');
  const spent = await mined(anvil.call(1, 'transferFrom', [account(2).address, treasury, DOLLAR]));
  await t.rejects(deposits.claim(agent, spent), none, 'who sent the transaction is not whose money it is');
  t.match(await deposits.claim(other, spent), { units: Number(DOLLAR) }, 'the wallet that paid counts');
});

await onChain(t, 'all transfers of a transaction count together; what is below a ucent is collected', async (t) => {
  const anvil = await Anvil.start(t);
  const house = await CreditHouse.open(t, anvil);
  const agent = await house.holder(1, 100n * DOLLAR);
  const each = (values: bigint[]) =>
    anvil.call(1, 'transferEach', [values.map((_, n): Address => (n === 1 ? account(5).address : treasury)), values]);
  const first = await each([150n, 7_000n, 25n]);
  await anvil.mine();
  const second = await each([30n, 1n, 45n]);
  await anvil.mine(12);
  t.match(await house.deposits.claim(agent, first), { units: 175, status: 'confirmed' });
  t.match(await house.deposits.claim(agent, second), { units: 75, status: 'confirmed' });
  t.equal(await house.balance(agent), 1, '175 and 75 units are a ucent and nothing');
  const [row] = await house.sql`
    select remainder_units, (select balance from credit_accounts where kind = 'remainders') as remainders from treasury`;
  t.same(row, { remainder_units: 50, remainders: 1 }, 'and 150 left over');
  t.equal(await house.drift(), 0);
});

await onChain(t, 'a reorganisation drops a deposit before it is credited, and brings it back', async (t) => {
  const anvil = await Anvil.start(t);
  const house = await CreditHouse.open(t, anvil);
  const agent = await house.holder(1, 100n * DOLLAR);
  const hash = await anvil.call(1, 'transfer', [treasury, 3n * DOLLAR]);
  await anvil.mine();
  const raw = await signedAgain(anvil, hash);
  await anvil.mine(5);
  t.match(await house.deposits.claim(agent, hash), { status: 'pending', confirmations: 6 });
  await anvil.reorganise(6);
  await house.deposits.followAll();
  const statusOf = async () => (await house.sql<{ status: string }[]>`select status from deposits`)[0]?.status;
  t.equal(await statusOf(), 'orphaned');
  await anvil.mine(20);
  await house.deposits.followAll();
  t.equal(await house.balance(agent), 0);
  t.equal(await anvil.client.sendRawTransaction({ serializedTransaction: raw }), hash, 'the same transaction again');
  await anvil.mine();
  await house.deposits.followAll();
  t.equal(await statusOf(), 'pending');
  await anvil.mine(11);
  await house.deposits.followAll();
  t.equal(await statusOf(), 'confirmed');
  await house.deposits.followAll();
  t.equal(await house.balance(agent), 30_000);
});

await onChain(
  t,
  'dropped after it was credited: nothing is taken back or credited twice, and the operator is told',
  async (t) => {
    const anvil = await Anvil.start(t);
    const house = await CreditHouse.open(t, anvil);
    const agent = await house.holder(1, 100n * DOLLAR);
    const hash = await anvil.call(1, 'transfer', [treasury, 3n * DOLLAR]);
    await anvil.mine(12);
    t.match(await house.deposits.claim(agent, hash), { status: 'confirmed' });
    await house.deposits.watchCredited();
    t.notMatch(house.logged, ['no longer part']);
    await anvil.reorganise(12);
    await house.deposits.watchCredited();
    await house.deposits.watchCredited();
    const alarms = house.logged.filter((line) => line === 'a credited deposit is no longer part of the chain');
    t.equal(alarms.length, 1, 'told once');
    t.equal(await house.balance(agent), 30_000);
    await t.rejects(house.deposits.claim(agent, hash), refusal(/already credited/));
  },
);

await onChain(t, 'a node that is late raises no alarm over what was credited', async (t) => {
  const anvil = await Anvil.start(t);
  const node = await CrookedNode.before(t, anvil);
  const house = await CreditHouse.open(t, anvil, node.url);
  const { deposits } = house;
  const agent = await house.holder(1, 100n * DOLLAR);
  const hash = await anvil.call(1, 'transfer', [treasury, 3n * DOLLAR]);
  await anvil.mine();
  const raw = await signedAgain(anvil, hash);
  await anvil.mine(11);
  t.match(await deposits.claim(agent, hash), { status: 'confirmed' });
  const watch = async (mischief: CrookedNode['mischief']) => {
    house.logged.length = 0;
    node.mischief = mischief;
    await deposits.watchCredited();
    return house.logged;
  };
  const knowsNothing: CrookedNode['mischief'] = (method, _, result) => (/Receipt|Block/.test(method) ? null : result);
  const knowsNoReceipt: CrookedNode['mischief'] = (method, _, result) => (method.includes('Receipt') ? null : result);
  const gone = ['a credited deposit is no longer part of the chain'];
  t.same(await watch(knowsNothing), []);
  t.same(await watch(knowsNoReceipt), [], 'its block is where it was');
  await anvil.reorganise(12);
  t.same(await watch(knowsNothing), [], 'nothing proves it yet');
  t.same(await watch(null), gone, 'another block is in its place');
  t.same(await watch(knowsNothing), [], 'and it is not found again by not being known');

  await anvil.client.sendRawTransaction({ serializedTransaction: raw });
  await anvil.mine();
  t.same(await watch(null), ['a credited deposit is part of the chain again']);
  t.same(await watch(knowsNoReceipt), [], 'its block is another now, and that one is there');
  const failed: CrookedNode['mischief'] = (method, _, result) =>
    method.includes('Receipt') ? { ...(result as object), status: '0x0' } : result;
  t.same(await watch(failed), [], 'its block is where it was: a receipt alone proves nothing');
  await anvil.reorganise(1);
  await anvil.call(9, 'refuse', [treasury, true]);
  await anvil.mine();
  await anvil.client.sendRawTransaction({ serializedTransaction: raw });
  await anvil.mine(2);
  t.same(await watch(null), gone, 'mined in another block, but failed');
});

await onChain(t, 'a node that is away, slow, late or lying harms nobody', async (t) => {
  const anvil = await Anvil.start(t);
  const node = await CrookedNode.before(t, anvil);
  const house = await CreditHouse.open(t, anvil, node.url);
  const { deposits } = house;
  const agent = await house.holder(1, 100n * DOLLAR);
  const hash = await anvil.call(1, 'transfer', [treasury, 2n * DOLLAR]);
  await anvil.mine();

  node.down = true;
  await t.rejects(deposits.claim(agent, hash), refusal(/cannot be reached/, 503));
  node.down = false;
  node.delayMs = 200;
  t.match(await deposits.claim(agent, hash), { status: 'pending', confirmations: 1 }, 'slow is no harm');
  node.delayMs = 0;
  node.down = true;
  await t.rejects(deposits.followAll());
  node.down = false;

  // A node that claims a hundred blocks which nobody has seen.
  const { hash: best } = await anvil.client.getBlock();
  node.mischief = (method, params, result) => {
    if (method === 'eth_blockNumber') return '0x100';
    if (method !== 'eth_getBlockByNumber' || result !== null) return result;
    return { number: params?.[0], hash: `0x${'ab'.repeat(32)}`, parentHash: `0x${'cd'.repeat(32)}`, transactions: [] };
  };
  await deposits.followAll();
  t.equal(await house.balance(agent), 0, 'blocks that are not linked confirm nothing');
  t.match(await house.sql`select status, confirmations from deposits`, [{ status: 'pending', confirmations: 1 }], best);

  // A node that is late: it knows neither receipt nor block.
  node.mischief = (method, _, result) => (method.includes('Receipt') || method.includes('Block') ? null : result);
  await deposits.followAll();
  t.match(await house.sql`select status from deposits`, [{ status: 'pending' }], 'late is not dropped');
  node.mischief = null;
  await anvil.mine(11);
  await deposits.followAll();
  t.equal(await house.balance(agent), 20_000);
});
