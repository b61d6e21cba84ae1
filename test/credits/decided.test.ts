/** Decisions stay: deposits and withdrawals that the chain takes back, nonces, and lying nodes. */
import t, { type Test } from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { acceptLoss, reverseStoredDeposit } from '../../src/credits/operator.js';
import { insertSigned, raiseSignerEpoch } from '../../src/credits/chain/signer-queries.js';
import { Treasury } from '../../src/credits/chain/treasury.js';
import { transaction } from '../../src/store/database.js';
import { account, Anvil, CrookedNode, keyOf, treasuryAccount } from '../support/anvil.js';
import { CAPS, CreditHouse, onChain } from '../support/credit-house.js';
import { leadership, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);
const DOLLAR = 1_000_000n;
const treasury = treasuryAccount.address;
type Hash = `0x${string}`;
const refusal = (detail: RegExp, status = 400) => ({ name: 'HttpError', status, message: detail }) as object as Error;

/** A funded treasury behind a node that may lie, and an agent with 50 dollars of credits and the wallet of account 1. */
async function open(t: Test) {
  const anvil = await Anvil.start(t);
  await anvil.mint(treasury, 1000n * DOLLAR);
  const node = await CrookedNode.before(t, anvil);
  const house = await CreditHouse.open(t, anvil, node.url);
  const agent = await house.agent(account(1).address);
  await house.give(agent, 500_000);
  const rows = (...ids: string[]) => Promise.all(ids.map((id) => house.withdrawal(id)));
  const statusOf = async (...ids: string[]) => (await rows(...ids)).map((row) => row.status);
  const lost = async () =>
    (await house.sql<{ id: string }[]>`select withdrawal_id as id from withdrawals where lost_at is not null`).length;
  const told = (line: RegExp) => house.logged.filter((logged) => line.test(logged)).length;
  const sound = async () => t.same((await audit(house.sql)).problems, []);
  const signed = async (id: string) => {
    const [row] = await house.sql<{ raw: Hash }[]>`
      select raw from withdrawal_transactions where withdrawal_id = ${id} order by nonce`;
    return row!.raw;
  };
  return { anvil, node, house, agent, wallet: account(1).address, statusOf, lost, told, sound, signed };
}

await onChain(t, 'paid withdrawals that a deep reorganisation drops are sent again, and paid once', async (t) => {
  const { anvil, house, agent, wallet, statusOf, lost, told, sound, node } = await open(t);
  const signer = house.signer();
  const [first, second] = [await house.withdraw(agent, 5), await house.withdraw(agent, 6)];
  await signer.round();
  await anvil.mine(13);
  await signer.round();
  t.same(await statusOf(first, second), ['confirmed', 'confirmed']);
  await signer.round();
  node.asked.length = 0;
  await signer.round();
  t.ok(node.asked.length <= 4, `a quiet look is cheap: ${node.asked.join()}`);

  node.mischief = (method, params, result) =>
    method === 'eth_getBlockByNumber' && result !== null && params?.[0] !== 'latest'
      ? { ...(result as object), hash: `0x${'ab'.repeat(32)}` }
      : result;
  await signer.round();
  t.equal(told(/no longer part of the chain/), 0, 'blocks that are not linked take nothing back');
  node.mischief = null;

  await anvil.reorganise(13);
  await anvil.dropAll();
  t.equal(await anvil.balance(wallet), 0n);
  const third = await house.withdraw(agent, 7);
  await signer.round();
  t.equal(told(/a paid withdrawal is no longer part of the chain: it is sent again/), 2);
  t.equal(await lost(), 2);
  t.same(await statusOf(first, second, third), ['submitted', 'submitted', 'submitted']);
  await sound();
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(first, second, third), ['confirmed', 'confirmed', 'confirmed']);
  t.equal(await lost(), 0);
  t.equal(await anvil.balance(wallet), 18n * DOLLAR);
  t.equal((await house.sql`select from withdrawal_transactions`).length, 3, 'nothing else was ever signed');
  await sound();

  // Once more, what may be booked once was booked once for each time.
  await anvil.reorganise(12);
  await anvil.dropAll();
  await signer.round();
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(first, second, third), ['confirmed', 'confirmed', 'confirmed']);
  t.equal(await anvil.balance(wallet), 18n * DOLLAR);
  await sound();
});

await onChain(t, 'a paid withdrawal that moves to another block stays paid; after its time nobody looks', async (t) => {
  const { anvil, house, agent, statusOf, told, signed } = await open(t);
  const signer = house.signer();
  const id = await house.withdraw(agent, 5);
  await signer.round();
  await anvil.mine(12);
  await signer.round();
  await anvil.reorganise(12);
  await anvil.client.sendRawTransaction({ serializedTransaction: await signed(id) });
  await anvil.mine();
  await signer.round();
  await signer.round();
  t.same(await statusOf(id), ['confirmed']);
  t.equal(told(/no longer part/), 0);
  await anvil.mine(11);
  await house.sql`update withdrawals set decided_at = now() - interval '25 hours'`;
  await anvil.reorganise(12);
  await anvil.dropAll();
  await signer.round();
  t.same(await statusOf(id), ['confirmed']);
  // Its nonce is free, which two rounds see: whatever its age, what comes behind must not wait for ever.
  const next = await house.withdraw(agent, 6);
  for (let n = 0; n < 4; n++) await signer.round();
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(id, next), ['confirmed', 'confirmed']);
  t.equal(await anvil.balance(account(1).address), 11n * DOLLAR);
});

/** A withdrawal that was reverted on the chain, and given back, in blocks that may be taken away. */
async function reverted(t: Test) {
  const scene = await open(t);
  const { anvil, house, agent, wallet, statusOf, signed } = scene;
  const signer = house.signer();
  const id = await house.withdraw(agent, 5);
  await signer.round();
  await anvil.dropAll();
  await anvil.call(9, 'refuse', [wallet, true]);
  await anvil.mine();
  const raw = await signed(id);
  await anvil.client.sendRawTransaction({ serializedTransaction: raw });
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(id), ['failed']);
  t.equal(await house.balance(agent), 500_000);
  return { ...scene, signer, id, raw };
}

await onChain(t, 'a failed withdrawal that the chain pays after all is settled, and paid once', async (t) => {
  const { anvil, house, agent, wallet, signer, id, raw, statusOf, lost, told, sound } = await reverted(t);
  await anvil.reorganise(13);
  await anvil.dropAll();
  await anvil.client.sendRawTransaction({ serializedTransaction: raw });
  await anvil.mine();
  t.equal(await anvil.balance(wallet), 5n * DOLLAR, 'nobody refuses it any more');
  const later = await house.withdraw(agent, 46);
  await signer.round();
  t.equal(told(/the chain pays a withdrawal after its credits were returned/), 1);
  t.equal(await lost(), 1);
  t.match(signer.waiting.counts, { held: 1 }, 'its agent withdraws nothing of it meanwhile');
  await anvil.mine(11);
  for (let n = 0; n < 2; n++) await signer.round();
  t.equal(told(/its agent has spent it/), 1, 'told once');
  t.same(await statusOf(id, later), ['failed', 'pending']);
  await house.give(agent, 10_000);
  await signer.round();
  t.same(await statusOf(id, later), ['confirmed', 'submitted'], 'and what was held is paid');
  t.equal(await house.balance(agent), 0);
  t.equal(await lost(), 0);
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(id, later), ['confirmed', 'confirmed']);
  t.equal(await anvil.balance(wallet), 51n * DOLLAR);
  await sound();
});

await onChain(
  t,
  'the nonce of a failed withdrawal that is dropped is filled, and what waits behind it paid',
  async (t) => {
    const { anvil, house, agent, wallet, signer, id, statusOf, told, sound } = await reverted(t);
    await anvil.reorganise(13);
    await anvil.dropAll();
    const later = await house.withdraw(agent, 7);
    for (let n = 0; n < 2; n++) await signer.round();
    t.equal(told(/its nonce is free/), 1);
    t.equal(told(/payments wait behind unused nonces/), 1);
    await anvil.mine(12);
    await signer.round();
    t.same(await statusOf(id, later), ['failed', 'confirmed']);
    t.equal(await anvil.balance(wallet), 7n * DOLLAR, 'what was given back is not paid');
    t.equal(await house.balance(agent), 430_000);
    t.match(signer.waiting.counts, { nonce_gap: 0 });
    await sound();
  },
);

await onChain(t, 'a count of payments above ours is proven by a block, or it is not believed', async (t) => {
  const { anvil, house, agent, node, wallet, statusOf, told, sound } = await open(t);
  const signer = house.signer();
  node.mischief = (method, _, result) => (method === 'eth_getTransactionCount' ? '0x7' : result);
  const first = await house.withdraw(agent, 5);
  await signer.round();
  t.match(await house.withdrawal(first), { nonce: 0 });
  t.equal(told(/nonce is not proven; the stored nonce counts/), 1);
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(first), ['confirmed'], 'paid, though the node lies on');
  node.mischief = null;

  await anvil.client.sendTransaction({ account: treasuryAccount, to: account(8).address, value: 1n, nonce: 1 });
  await anvil.mine(12);
  const second = await house.withdraw(agent, 6);
  await signer.round();
  t.match(await house.withdrawal(second), { nonce: 2 }, 'a block shows who used the first');
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(second), ['confirmed']);
  t.equal(await anvil.balance(wallet), 11n * DOLLAR);
  await sound();
});

await onChain(t, 'a gap of nonces that stands is filled by transfers of 0; a wide one is only told', async (t) => {
  const { anvil, house, agent, wallet, statusOf, told, sound } = await open(t);
  const signAt = async (id: string, dollars: number, nonce: number) => {
    const epoch = await raiseSignerEpoch(house.sql, leadership);
    const { hash, raw, block, maxFee, priorityFee } = await new Treasury(house.chain, keyOf(0), CAPS).sign(
      ...([wallet, dollars * 10_000, nonce] as const),
    );
    const row = { tx_hash: hash, withdrawal_id: id, nonce, raw, treasury, signed_block: block };
    const fees = { max_fee: String(maxFee), priority_fee: String(priorityFee) };
    await transaction(house.sql, (tx) => insertSigned(tx, epoch, { ...row, ...fees }));
  };
  const [first, second] = [await house.withdraw(agent, 5), await house.withdraw(agent, 6)];
  await signAt(first, 5, 3);
  const signer = house.signer(0);
  await signer.round();
  t.equal((await house.sql`select from nonce_fillers`).length, 0, 'one look alone fills nothing');
  await signer.round();
  t.match(signer.waiting.counts, { nonce_gap: 1 });
  t.match(
    await house.sql`select nonce from nonce_fillers order by nonce`,
    [0, 1, 2].map((nonce) => ({ nonce })),
  );
  await anvil.dropAll();
  await signer.round();
  await anvil.mine(12);
  await signer.round();
  t.same(await statusOf(first, second), ['confirmed', 'confirmed'], 'what a node has dropped was sent again');
  t.equal(await anvil.balance(wallet), 11n * DOLLAR);

  const third = await house.withdraw(agent, 7);
  await signAt(third, 7, 500);
  const other = house.signer(0);
  for (let n = 0; n < 3; n++) await other.round();
  t.match(other.waiting.counts, { nonce_gap: 1 });
  t.equal(told(/payments wait behind unused nonces/), 2, 'once for each signer');
  t.equal((await house.sql`select from nonce_fillers where nonce > 4`).length, 0);
  await sound();
});

await onChain(t, 'an agent with a lost deposit withdraws nothing until an operator decides', async (t) => {
  const { anvil, house, statusOf, told, sound } = await open(t);
  const { sql, deposits } = house;
  const signer = house.signer();
  const deposited = async (index: number) => {
    const agent = await house.holder(index, 10n * DOLLAR);
    const hash = await anvil.call(index, 'transfer', [treasury, 8n * DOLLAR + 5n]);
    await anvil.mine(12);
    t.match(await deposits.claim(agent, hash), { status: 'confirmed' });
    const [row] = await sql<{ deposit_id: string }[]>`select deposit_id from deposits where tx_hash = ${hash}`;
    return { agent, hash, id: row!.deposit_id };
  };
  const [ada, bob] = [await deposited(2), await deposited(3)];
  await anvil.reorganise(25);
  await anvil.dropAll();
  await deposits.watchCredited();
  t.equal(told(/a credited deposit is no longer part of the chain/), 2);
  await anvil.mint(treasury, 1000n * DOLLAR);
  const queued = [await house.withdraw(ada.agent, 8), await house.withdraw(bob.agent, 3)] as const;
  await signer.round();
  t.same(await statusOf(...queued), ['pending', 'pending']);
  t.match(signer.waiting.counts, { held: 2 });

  t.equal(await transaction(sql, (tx) => acceptLoss(tx, ada.id)), true);
  t.equal(await transaction(sql, (tx) => acceptLoss(tx, ada.id)), false);
  await signer.round();
  t.same(await statusOf(...queued), ['submitted', 'pending']);
  const reverse = (id: string) =>
    transaction(sql, async (tx) => {
      const outcome = await reverseStoredDeposit(tx, id);
      if (outcome === 'insufficient') throw new Error(outcome);
      return outcome;
    });
  await t.rejects(reverse(bob.id), { message: 'insufficient' }, 'three dollars of it are under way');
  await house.give(bob.agent, 30_000);
  t.equal(await reverse(bob.id), 'reversed');
  t.equal(await reverse(bob.id), 'none');
  t.equal(await house.balance(bob.agent), 0);
  await sound();
  await signer.round();
  t.same(await statusOf(...queued), ['submitted', 'submitted'], 'nothing is held any more');

  // It is followed as a new one, and credited once more.
  await anvil.mint(account(3).address, 10n * DOLLAR);
  const again = await anvil.call(3, 'transfer', [treasury, 8n * DOLLAR + 5n]);
  await sql`update deposits set tx_hash = ${again} where deposit_id = ${bob.id}`;
  await anvil.mine(12);
  await deposits.followAll();
  t.equal(await house.balance(bob.agent), 80_000);
  t.equal(
    (await sql`select remainder_units from treasury`)[0]!['remainder_units'],
    10,
    'what is below a ucent came once',
  );
  await sound();
});

await onChain(
  t,
  'answers that are another question’s, or contradict each other, credit nothing and stop nobody',
  async (t) => {
    const { anvil, house, node, told } = await open(t);
    const { deposits } = house;
    const agent = await house.holder(2, 100n * DOLLAR);
    const small = await anvil.call(2, 'transfer', [treasury, DOLLAR]);
    await anvil.mine();
    const large = await anvil.call(2, 'transfer', [treasury, 50n * DOLLAR]);
    await anvil.mine(12);
    type Receipt = { logs: { data: string }[] };
    const receipt = (change: (receipt: Receipt) => unknown): CrookedNode['mischief'] => {
      return (method, _, result) => (method === 'eth_getTransactionReceipt' ? change(result as Receipt) : result);
    };
    const asked = { method: 'eth_getTransactionReceipt', params: [large] };
    const other: unknown = await anvil.client.request(asked as never);
    const lies: Record<string, CrookedNode['mischief']> = {
      'of another transaction': receipt(() => other),
      'its logs': receipt((own) => ({ ...own, logs: (other as unknown as Receipt).logs })),
      'another amount': receipt((own) => ({
        ...own,
        logs: own.logs.map((log) => ({ ...log, data: `0x${'0'.repeat(60)}ffff` })),
      })),
      'one index, two contents': receipt((own) => {
        return { ...own, logs: [...own.logs, ...own.logs.map((log) => ({ ...log, data: `0x${'0'.repeat(60)}ffff` }))] };
      }),
      'the same log under another index': receipt((own) => {
        return { ...own, logs: [...own.logs, ...own.logs.map((log) => ({ ...log, logIndex: '0x5' }))] };
      }),
    };
    for (const [what, lie] of Object.entries(lies)) {
      node.mischief = lie;
      await t.rejects(deposits.claim(agent, small), refusal(/chain cannot be reached/, 503), what);
    }
    node.mischief = null;
    t.same(await house.sql`select from deposits`, []);
    // Taken down before it is deep enough; then the node lies of this one alone.
    await house.sql`
    insert into deposits (deposit_id, tx_hash, agent_id, wallet, treasury, units, log_index, block_number, block_hash)
    select gen_random_uuid(), hash, ${agent}, ${account(2).address}, ${treasury}, 1, 0, 1, ${`0x${'1'.repeat(64)}`}
    from unnest(${[small, large]}::text[]) as hash`;
    node.mischief = (method, params, result) =>
      method === 'eth_getTransactionReceipt' && params?.[0] === small ? other : result;
    for (let n = 0; n < 2; n++) await deposits.followAll();
    t.equal(await house.balance(agent), 500_000, 'the other one is credited all the same');
    t.equal(told(/one deposit cannot be followed, the others are followed/), 1, 'told once');
    node.mischief = receipt((own) => ({ ...own, logs: [...own.logs, ...own.logs] }));
    await deposits.followAll();
    t.equal(await house.balance(agent), 510_000, 'the same log twice is one');
  },
);

await onChain(t, 'the chain and the token are asked for again, after each failure too', async (t) => {
  const { house, node } = await open(t);
  const { chain } = house;
  await chain.check();
  node.mischief = (method, _, result) => (method === 'eth_chainId' ? '0x1' : result);
  await chain.check();
  const wrong = { name: 'WrongChain', message: /serves chain 1, not 31337/ };
  await t.rejects(chain.check(0), wrong, 'as of now');
  node.mischief = null;
  await chain.check();
  node.down = true;
  await t.rejects(chain.height());
  node.down = false;
  node.mischief = (method, _, result) => (method === 'eth_call' ? `0x${'12'.padStart(64, '0')}` : result);
  await t.rejects(chain.check(), { name: 'WrongChain', message: /18 decimals/ }, 'another node may answer now');
  node.mischief = (method, params, result) =>
    method === 'eth_getBlockByNumber' && params?.[0] !== 'latest' ? null : result;
  await t.rejects(chain.height(), { name: 'Unbelievable' });
});

await onChain(t, 'a node that says yes to every signature proves no wallet', async (t) => {
  const { anvil, house, node } = await open(t);
  const contract = await anvil.deployWallet(4);
  const agent = await house.agent(null);
  for (const address of [account(5).address, contract]) {
    const message = await house.challenge(agent, address);
    const signature = await account(6).signMessage({ message });
    const yes = `0x${'1'.padStart(64, '0')}`;
    node.mischief = (method, _, result) => (method === 'eth_call' ? yes : result);
    // Its decimals would be 1.
    await house.chain.check().catch(() => undefined);
    await t.rejects(house.chain.hasSigned(address, message, signature), { name: 'Unbelievable' });
    node.mischief = null;
    t.equal(await house.chain.hasSigned(address, message, signature), false);
    const owned = await account(address === contract ? 4 : 5).signMessage({ message });
    t.equal(await house.chain.hasSigned(address, message, owned), true);
  }
});

await onChain(
  t,
  'nothing is paid to nobody, the token, or a treasury, when it is asked for nor when it is paid',
  async (t) => {
    const { anvil, house, agent, wallet, told, sound } = await open(t);
    const [former, zero] = [account(7).address, `0x${'0'.repeat(40)}`];
    await house.sql`insert into treasuries (address) values (${former}) on conflict do nothing`;
    for (const address of [zero, anvil.token, treasury, former, anvil.token.toLowerCase()]) {
      await house.sql`update agents set wallet_address = ${address} where agent_id = ${agent}`;
      await t.rejects(house.withdraw(agent, 5), refusal(/^Withdrawals cannot go to this address/), address);
    }
    await house.sql`update agents set wallet_address = ${wallet} where agent_id = ${agent}`;
    const ids = [await house.withdraw(agent, 5), await house.withdraw(agent, 6)] as const;
    await house.sql`update withdrawals set to_address = ${former} where withdrawal_id = ${ids[0]}`;
    await house.signer().round();
    t.match(await house.withdrawal(ids[0]), { status: 'failed', error_message: /^Withdrawals cannot go/, nonce: null });
    t.match(await house.withdrawal(ids[1]), { status: 'submitted' });
    t.equal(await house.balance(agent), 440_000);
    t.equal(told(/a withdrawal to an address of the platform/), 1);
    await house.prove(await house.agent(null), 7);
    t.same(await house.sql`select from agents where wallet_address = ${former}`, [], 'a proof names no such address');
    await sound();
  },
);
