/**
 * Ownership of a wallet, shown by a signature of a key or of a contract. The owner may claim the payments of the
 * wallet.
 */
import { hashMessage, type Address, type Hex } from 'viem';
import { parseSiweMessage } from 'viem/siwe';
import t, { type Test } from 'tap';
import { refuseUnknownHost } from '../../src/credits/wallets/message.js';
import { readConfig } from '../../src/ops/config.js';
import { account, Anvil, CrookedNode, treasuryAccount } from '../support/anvil.js';
import { CreditHouse, onChain } from '../support/credit-house.js';
import { stopCluster } from '../support/database.js';
import { PRODUCTION } from '../support/platform.js';
import { FILE_MS } from '../support/limits.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);
const DOLLAR = 1_000_000n;
const treasury = treasuryAccount.address;
const refusal = (detail: RegExp, status = 400) => ({ name: 'HttpError', status, message: detail }) as object as Error;
const unproven = refusal(/^Prove that the wallet is yours first$/, 403);
const wrong = refusal(/signature is not that of the wallet/);

async function open(t: Test, rules: Parameters<typeof CreditHouse.open>[3] = {}) {
  const anvil = await Anvil.start(t);
  const house = await CreditHouse.open(t, anvil, anvil.url, rules);
  const mined = async (sent: Promise<Hex>) => {
    const hash = await sent;
    await anvil.mine(12);
    return hash;
  };
  return { anvil, house, mined, deposits: house.deposits };
}

await onChain(t, 'to name an address is no proof: nobody claims what others sent', async (t) => {
  const { anvil, house, mined, deposits } = await open(t);
  const thief = await house.agent(account(1).address);
  await anvil.mint(account(1).address, 2000n * DOLLAR);
  const sent = await mined(anvil.call(1, 'transfer', [treasury, 1000n * DOLLAR]));
  await t.rejects(deposits.claim(thief, sent), unproven);
  t.same(await house.sql`select from deposits`, []);
  const owner = await house.agent(account(1).address);
  t.ok(owner, 'an address that is named is not reserved');
  await house.prove(owner, 1);
  t.match(await deposits.claim(owner, sent), { status: 'confirmed', ucents: 10_000_000 }, 'nothing is lost');
  await t.rejects(deposits.claim(thief, sent), refusal(/already credited/));
  const more = await mined(anvil.call(1, 'transfer', [treasury, DOLLAR]));
  await t.rejects(deposits.claim(thief, more), refusal(/No transfer of the token from a wallet of yours/));
  t.equal(await house.balance(thief), 0);
});

await onChain(t, 'what the treasury, the token, the operator or nobody sends is no deposit', async (t) => {
  const { anvil, house, mined, deposits } = await open(t, { funding: [account(3).address.toLowerCase()] });
  const none = refusal(/No transfer of the token/);
  const agent = await house.agent(account(3).address);
  await house.prove(agent, 3);
  await anvil.mint(account(3).address, 100n * DOLLAR);
  await t.rejects(deposits.claim(agent, await mined(anvil.call(3, 'transfer', [treasury, DOLLAR]))), none, 'funding');
  await t.rejects(deposits.claim(agent, await mined(anvil.call(9, 'mint', [treasury, DOLLAR]))), none, 'a mint');
  const itself = await mined(anvil.call(0, 'transfer', [treasury, DOLLAR]));
  const insider = await house.agent(treasury);
  await house.prove(insider, 0);
  await t.rejects(deposits.claim(insider, itself), none, 'from the treasury to itself');
  await house.sql`insert into treasuries (address) values (${account(4).address})`;
  const former = await house.agent(account(4).address);
  await house.prove(former, 4);
  await anvil.mint(account(4).address, DOLLAR);
  await t.rejects(deposits.claim(former, await mined(anvil.call(4, 'transfer', [treasury, DOLLAR]))), none, 'former');
  t.same(await house.sql`select from deposits`, []);
});

await onChain(
  t,
  'a challenge is a text of EIP-4361 for one wallet and agent, good once and for ten minutes',
  async (t) => {
    const { house } = await open(t);
    const [ada, bob] = [await house.agent(null), await house.agent(null)];
    const { address } = account(1);
    const sign = (message: string, index = 1) => account(index).signMessage({ message });
    const message = await house.challenge(ada, address.toLowerCase());
    const { statement, nonce, issuedAt, expirationTime, ...rest } = parseSiweMessage(message);
    t.match(rest, { domain: 'poker.example', uri: 'https://poker.example', chainId: 31_337, version: '1', address });
    t.match(statement, ada, 'a signature that somebody else asked for names whom it serves');
    t.equal(expirationTime!.getTime() - issuedAt!.getTime(), 600_000);
    t.match(nonce, /^[0-9a-f]{32}$/);
    t.not(await house.challenge(ada, address), message);

    const prove = (agent: string, text: string, signature: Hex) => house.wallets.prove(agent, text, signature);
    await t.rejects(prove(ada, message, await sign(message, 2)), wrong, 'of another key');
    await t.rejects(prove(bob, message, await sign(message)), wrong, 'another agent');
    const longer = message.replace(/Expiration Time: .*/, 'Expiration Time: 2099-01-01T00:00:00.000Z');
    await t.rejects(prove(ada, longer, await sign(longer)), wrong, 'a text that is none of ours');
    for (const signature of ['0x00', `0x${'1b'.repeat(65)}`] as Hex[])
      await t.rejects(prove(ada, message, signature), wrong);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, async () => prove(ada, message, await sign(message))),
    );
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1, 'it is good once');
    for (const outcome of outcomes) if (outcome.status === 'rejected') t.match(outcome.reason, wrong);
    const late = await house.challenge(ada, address);
    await house.sql`update wallet_challenges set expires_at = now()`;
    await t.rejects(prove(ada, late, await sign(late)), wrong, 'too late');
    await t.rejects(
      house.challenge(
        ada,
        address.replace(/[a-f]/, (letter) => letter.toUpperCase()),
      ),
      refusal(/checksum/),
    );

    t.match(await house.prove(ada, 1), { address }, 'again by the same agent changes nothing');
    t.equal((await house.sql`select from wallet_proofs`).length, 1);
    await t.rejects(house.prove(bob, 1), refusal(/Another agent has proven this wallet/, 409));
    const wallets = await house.sql`select wallet_address from agents order by agent_id = ${ada} desc`;
    t.same(wallets, [{ wallet_address: address }, { wallet_address: null }], 'who has no wallet yet withdraws to it');
    const mails = await house.sql`select recipient from mail_outbox where dedupe_key like 'wallet:%'`;
    t.same(mails, [{ recipient: `bot_${ada.slice(0, 8)}@example.com` }], 'and is told so');
    await house.prove(ada, 2);
    t.match(await house.sql`select wallet_address from agents where agent_id = ${ada}`, [{ wallet_address: address }]);
  },
);

await onChain(t, 'two agents that prove one wallet at the same time: one has it', async (t) => {
  const { house } = await open(t);
  const agents = await Promise.all(Array.from({ length: 10 }, () => house.agent(null)));
  const outcomes = await Promise.allSettled(agents.map((agent) => house.prove(agent, 1)));
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const outcome of outcomes) if (outcome.status === 'rejected') t.match(outcome.reason, { status: 409 });
});

await onChain(t, "a wallet that was cleared: what it sent before is not the next one's", async (t) => {
  const { anvil, house, mined, deposits } = await open(t);
  await anvil.mint(account(1).address, 100n * DOLLAR);
  const send = (dollars: bigint) => mined(anvil.call(1, 'transfer', [treasury, dollars * DOLLAR]));
  const early = await send(1n);
  const first = await house.agent(null);
  await house.prove(first, 1);
  const [claimed, unclaimed] = [await send(2n), await send(3n)];
  t.match(await deposits.claim(first, claimed), { status: 'confirmed' });
  await house.sql`update wallet_proofs set ended_at = now()`;
  const second = await house.agent(null);
  await house.prove(second, 1);
  await t.rejects(deposits.claim(second, early), refusal(/No transfer/), 'before anybody had proven it');
  await t.rejects(deposits.claim(second, unclaimed), refusal(/No transfer/));
  await t.rejects(deposits.claim(second, claimed), refusal(/already credited/));
  await t.rejects(deposits.claim(first, unclaimed), refusal(/No transfer/), "nor any more the first one's");
  t.match(await deposits.claim(second, await send(4n)), { status: 'confirmed', ucents: 40_000 });
  t.equal(await house.balance(first), 20_000);
});

await onChain(t, 'a contract proves by EIP-1271, and deposits as any wallet', async (t) => {
  const { anvil, house, mined, deposits } = await open(t);
  const safe = await anvil.deployWallet(1);
  const agent = await house.agent(null);
  const message = await house.challenge(agent, safe);
  const foreign = await account(2).signMessage({ message });
  await t.rejects(house.wallets.prove(agent, message, foreign), wrong, 'not its owner');
  const signature = await account(1).sign({ hash: hashMessage(message) });
  t.match(await house.wallets.prove(agent, message, signature), { proof: { address: safe }, heldUntil: null });
  await anvil.mint(safe, 10n * DOLLAR);
  const hash = await mined(anvil.callAs(safe, 1, [['transfer', [treasury, 4n * DOLLAR]]]));
  t.match(await deposits.claim(agent, hash), { status: 'confirmed', ucents: 40_000 });
  const owner = await house.agent(null);
  await house.prove(owner, 1);
  await t.rejects(deposits.claim(owner, hash), refusal(/already credited/), 'its owner is somebody else');
});

await onChain(t, 'two depositors in one transaction each have their own', async (t) => {
  const { anvil, house, mined, deposits } = await open(t);
  const bundler = await anvil.deployWallet(8);
  const agents = [await house.holder(1, 50n * DOLLAR), await house.holder(2, 50n * DOLLAR)] as const;
  for (const index of [1, 2]) await mined(anvil.call(index, 'approve', [bundler, 50n * DOLLAR]));
  const pay = (index: number, dollars: bigint): [string, unknown[]] => [
    'transferFrom',
    [account(index).address as Address, treasury, dollars * DOLLAR + 70n],
  ];
  const hash = await mined(anvil.callAs(bundler, 8, [pay(1, 5n), pay(2, 7n), pay(1, 6n)]));
  t.match(await deposits.claim(agents[0], hash), { status: 'confirmed', ucents: 110_001, log_index: 0 });
  await t.rejects(deposits.claim(agents[0], hash), refusal(/already credited/));
  t.match(await deposits.claim(agents[1], hash), { status: 'confirmed', ucents: 70_000, log_index: 1 });
  t.same([await house.balance(agents[0]), await house.balance(agents[1])], [110_001, 70_000]);

  const both = await house.agent(null);
  for (const index of [3, 4]) {
    await anvil.mint(account(index).address, 50n * DOLLAR);
    await mined(anvil.call(index, 'approve', [bundler, 50n * DOLLAR]));
  }
  const pair = await mined(anvil.callAs(bundler, 8, [pay(3, 1n), pay(4, 2n)]));
  await house.prove(both, 3);
  t.match(await deposits.claim(both, pair), { status: 'confirmed', ucents: 10_000 });
  await house.prove(both, 4);
  t.match(
    await deposits.claim(both, pair),
    { status: 'confirmed', ucents: 20_000 },
    'the other wallet of the same agent',
  );
  t.equal(await house.drift(), 0);
});

await onChain(t, 'without proofs, on a private chain, the wallet that an agent names is believed', async (t) => {
  const { anvil, house, mined, deposits } = await open(t, { proof: 'off' });
  await anvil.mint(account(1).address, 10n * DOLLAR);
  const [agent, other] = [await house.agent(account(1).address), await house.agent(account(1).address)];
  const hash = await mined(anvil.call(1, 'transfer', [treasury, DOLLAR]));
  t.match(await deposits.claim(agent, hash), { status: 'confirmed' });
  await t.rejects(deposits.claim(other, hash), refusal(/already credited/), 'once all the same');
  await t.rejects(
    deposits.claim(agent, await mined(anvil.call(9, 'mint', [treasury, DOLLAR]))),
    refusal(/No transfer/),
  );
});

await onChain(t, 'while the node is away nothing is proven, and no challenge used up', async (t) => {
  const anvil = await Anvil.start(t);
  const node = await CrookedNode.before(t, anvil);
  const house = await CreditHouse.open(t, anvil, node.url);
  const agent = await house.agent(null);
  const message = await house.challenge(agent, account(1).address);
  const signature = await account(1).signMessage({ message });
  node.down = true;
  await t.rejects(house.wallets.prove(agent, message, signature), refusal(/cannot be reached/, 503));
  node.down = false;
  t.match(await house.wallets.prove(agent, message, signature), { proof: { address: account(1).address } });
});

await t.test('a production server on a public chain does not start without proofs', async (t) => {
  const address = account(1).address;
  const chain = { RPC_URL: 'http://127.0.0.1:1', TOKEN_ADDRESS: address, TREASURY_ADDRESS: address };
  const read = (env: object) => readConfig({ ...(PRODUCTION as Record<string, string>), ...chain, ...env });
  for (const CHAIN_ID of ['1', '137', '8453']) {
    t.throws(() => read({ CHAIN_ID, WALLET_PROOF: 'off' }), { message: /^WALLET_PROOF=off is for a private chain/ });
    t.equal(read({ CHAIN_ID }).WALLET_PROOF, 'required');
  }
  t.equal(read({ CHAIN_ID: '31337', WALLET_PROOF: 'off' }).WALLET_PROOF, 'off');
  const funding = [account(3).address, account(4).address];
  t.same(read({ CHAIN_ID: '1', FUNDING_ADDRESSES: funding.join(', ') }).FUNDING_ADDRESSES, funding);
  t.throws(() => read({ CHAIN_ID: '1', FUNDING_ADDRESSES: 'vault.eth' }), { message: /FUNDING_ADDRESSES/ });
});

await t.test('nor at an address that wallets do not sign for', async (t) => {
  for (const url of ['https://poker.example', 'http://127.0.0.1:8080', 'http://localhost:8080']) refuseUnknownHost(url);
  for (const url of ['http://poker:8080', 'http://[::1]:8080']) {
    t.throws(() => refuseUnknownHost(url), { message: /^PUBLIC_URL: wallets cannot sign for/ });
  }
});
