/** Accounts of a platform of two nodes on one database: what one has ended or changed, the other goes by. */
import t, { type Test } from 'tap';
import { Accounts } from '../../src/accounts/index.js';
import { ban } from '../../src/admin/queries.js';
import { AdminWatch } from '../../src/admin/watch.js';
import { announceToNobody, type Announce, type Notice } from '../../src/ops/notices.js';
import type { Database } from '../../src/store/database.js';
import { freshPool, silent, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

function node(sql: Database, announce: Announce) {
  const heard: unknown[] = [];
  const lobby = {
    disconnect: (agentId: string) => void heard.push({ disconnect: agentId }),
    updatePlayer: (agentId: string, change: object) => void heard.push({ update: agentId, ...change }),
  };
  return { accounts: new Accounts({ sql, lobby, emailVerified: true, announce }), heard };
}

async function twoNodes(t: Test) {
  const sql = await freshPool(t);
  const notices: Notice[] = [];
  const other = node(sql, announceToNobody);
  const own = node(sql, async (notice) => {
    notices.push(notice);
    if (notice.kind === 'key_ended') other.accounts.expel(notice.agentId, new Date(notice.at));
    if (notice.kind === 'agent_changed') await other.accounts.heardChanged(notice.agentId);
  });
  const { agentId, apiKey } = await own.accounts.register({
    name: 'ada',
    email: 'ada@example.org',
    wallet: null,
    avatarUrl: null,
    ip: null,
  });
  t.match(await other.accounts.authenticate(apiKey), { agentId }, 'known at the other node, too');
  return { sql, own, other, agentId, apiKey, notices };
}

/** The loop of a node, which reads the rows; started now. */
async function watchOf(t: Test, sql: Database, { accounts }: ReturnType<typeof node>): Promise<AdminWatch> {
  const nothing = () => Promise.resolve();
  const watch = new AdminWatch({
    sql,
    log: silent,
    closeTable: () => undefined,
    refreshSeason: nothing,
    refreshCompetitions: nothing,
    refreshTokens: nothing,
    expel: (agentId, since) => accounts.expel(agentId, since),
  });
  t.teardown(async () => watch.stop());
  await watch.start();
  return watch;
}

await t.test('a key that ended at one node is unknown at the other when the answer is given', async (t) => {
  const { sql, own, other, agentId, apiKey } = await twoNodes(t);
  const watch = await watchOf(t, sql, other);
  const fresh = await own.accounts.regenerateKey(agentId);
  t.equal(await other.accounts.authenticate(apiKey), null);
  t.match(await other.accounts.authenticate(fresh), { agentId });
  t.same(other.heard, [{ disconnect: agentId }]);
  await watch.look();
  t.same(other.heard, [{ disconnect: agentId }], 'the rows end it no second time: the agent may be back');
});

await t.test('a notice that is lost is made up for by the rows', async (t) => {
  const { sql, other, agentId, apiKey } = await twoNodes(t);
  const watch = await watchOf(t, sql, other);
  const deaf = node(sql, announceToNobody);
  const fresh = await deaf.accounts.regenerateKey(agentId);
  await watch.look();
  t.equal(await other.accounts.authenticate(apiKey), null);
  t.same(other.heard, [{ disconnect: agentId }]);
  await ban(sql, agentId, 'collusion');
  await watch.look();
  t.same(other.heard, [{ disconnect: agentId }, { disconnect: agentId }]);
  t.equal(await other.accounts.authenticate(fresh), null);
});

await t.test('a node that starts knows the ends of keys before it', async (t) => {
  const { sql, own, other, agentId } = await twoNodes(t);
  await own.accounts.regenerateKey(agentId);
  const starting = node(sql, announceToNobody);
  const watch = await watchOf(t, sql, starting);
  starting.heard.length = 0;
  await watch.look();
  t.same(starting.heard, [], 'who has come with the new key stays');
  t.equal(other.heard.length, 1);
});

await t.test('another name is known at the other node', async (t) => {
  const { own, other, agentId, apiKey, notices } = await twoNodes(t);
  await own.accounts.updateProfile(agentId, { name: 'lovelace' });
  t.same(notices, [{ kind: 'agent_changed', agentId }]);
  while (other.heard.length === 0) await own.accounts.profile(agentId);
  t.match(other.heard, [{ update: agentId, name: 'lovelace' }]);
  t.match(await other.accounts.authenticate(apiKey), { name: 'lovelace' });
});
