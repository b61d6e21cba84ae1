/** Deposits of a platform of two nodes: the agent claims at any node, the leader follows, and each is credited once. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { insertAgent } from '../../src/accounts/queries.js';
import type { Chain, Mined } from '../../src/credits/chain/chain.js';
import { creditDeposit, selectDeposits, updateOpenDeposit } from '../../src/credits/chain/deposit-queries.js';
import { Deposits } from '../../src/credits/chain/deposits.js';
import { Sources } from '../../src/credits/chain/sources.js';
import { balanceOf } from '../../src/credits/index.js';
import { transaction } from '../../src/store/database.js';
import { freshPool, silent, stopCluster } from '../support/database.js';
import { HeldLeadership } from '../support/held-leadership.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const [WALLET, TREASURY] = ['0x00000000000000000000000000000000000000A1', '0x00000000000000000000000000000000000000b2'];
const TX = `0x${'7'.repeat(64)}`;
const BLOCK = `0x${'8'.repeat(64)}`;
const transfers = [{ from: WALLET, to: TREASURY, logIndex: 0, units: 12_345n }];
const MINED: Mined = { succeeded: true, blockNumber: 7, blockHash: BLOCK, transfers };

async function twoNodes(t: Test) {
  const sql = await freshPool(t, 8);
  const chain = { depth: 12 };
  const answers = {
    treasury: TREASURY,
    check: () => Promise.resolve(),
    mined: () => Promise.resolve(MINED),
    confirmations: () => Promise.resolve(chain.depth),
  } as unknown as Chain;
  const node = (leads: boolean) => {
    const sources = new Sources(sql, answers, { proof: 'off', funding: [] });
    const leadership = new HeldLeadership(leads);
    return new Deposits({ sql, leadership, chain: answers, confirmations: 12, watchHours: 24, sources, log: silent });
  };
  const agentId = randomUUID();
  await insertAgent(sql, {
    agentId,
    name: 'ada',
    email: 'ada@example.org',
    wallet: WALLET,
    avatarUrl: null,
    ip: null,
    keyHash: Buffer.alloc(32, 1),
    isHouse: false,
    emailVerified: true,
  });
  return { sql, chain, agentId, leader: node(true), follower: node(false) };
}

await t.test('a deposit that is claimed at a node that follows is credited there', async (t) => {
  const { sql, agentId, follower } = await twoNodes(t);
  t.match(await follower.claim(agentId, TX), { status: 'confirmed', confirmations: 12 });
  t.equal(await balanceOf(sql, agentId), 123);
});

await t.test('one that is not deep enough is followed by the leader alone', async (t) => {
  const { sql, chain, agentId, leader, follower } = await twoNodes(t);
  chain.depth = 3;
  t.match(await follower.claim(agentId, TX), { status: 'pending', confirmations: 3 });
  chain.depth = 12;
  await follower.followAll();
  t.equal(await balanceOf(sql, agentId), 0, 'that is logged, and nothing is written');
  await leader.followAll();
  t.equal(await balanceOf(sql, agentId), 123);
});

await t.test('of two nodes that would credit it at once one does', async (t) => {
  const { sql, chain, agentId, leader, follower } = await twoNodes(t);
  chain.depth = 3;
  await follower.claim(agentId, TX);
  chain.depth = 12;
  // Where the leader was first, the claim comes too late.
  const claim = follower.claim(agentId, TX).catch((error: { detail?: string }) => error.detail ?? error);
  const [claimed] = await Promise.all([claim, leader.followAll(), leader.followAll()]);
  if (typeof claimed === 'string') t.equal(claimed, 'Transaction already credited');
  else t.match(claimed, { status: 'confirmed' });
  t.equal(await balanceOf(sql, agentId), 123);
  t.same(await sql`select count(*) from credit_transactions where type = 'deposit'`, [{ count: 1 }]);
});

await t.test('what was read before another node went on is not written', async (t) => {
  const { sql, chain, agentId, follower } = await twoNodes(t);
  chain.depth = 3;
  await follower.claim(agentId, TX);
  const [read] = await selectDeposits(sql, TX);
  // A reorganisation, that the other node has seen.
  await sql`update deposits set block_hash = ${TX}`;
  const place = { confirmations: 12, blockNumber: 7, blockHash: BLOCK };
  t.equal(await transaction(sql, (tx) => creditDeposit(tx, read!, { units: 12_345, ...place })), false);
  await updateOpenDeposit(sql, null, read!, { status: 'pending', ...place });
  t.match(await selectDeposits(sql, TX), [{ status: 'pending', block_hash: TX, confirmations: 3 }]);
  t.equal(await balanceOf(sql, agentId), 0);
});
