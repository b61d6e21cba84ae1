/**
 * Shards and tables between nodes. A number belongs to one node. Tables of ended nodes go to living ones, each once.
 * Late writes of an ended node change nothing.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { hasOrphans, storeDrain } from '../../src/cluster/queries.js';
import { claimShard, commitHands, Fenced, openTable, storedTables } from '../../src/shard/commit/queries.js';
import { claimTables, recoverShard, takeShards } from '../../src/shard/main/boot.js';
import type { Database } from '../../src/store/database.js';
import * as nodes from '../../src/store/node/queries.js';
import { freshPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { openRandomTables, SEQ_STEP } from '../support/random-table.js';
import { TEST_RULES } from '../support/shard-house.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

const homes = false;
const displaced = { name: 'Displaced' };
const rulesOf = () => ({ table: TEST_RULES });

/** A living node. */
async function nodeOf(sql: Database): Promise<string> {
  const nodeId = randomUUID();
  await nodes.register(sql, { nodeId, name: nodeId, internal: 'host:1', leaseMs: 60_000 });
  return nodeId;
}

/** A node with `threads` shards. */
async function housed(sql: Database, threads: number): Promise<{ nodeId: string; numbers: number[] }> {
  const nodeId = await nodeOf(sql);
  return { nodeId, numbers: await takeShards(sql, { nodeId, threads, homes }) };
}

const holders = async (sql: Database) =>
  (
    await sql<{ shard_no: number; holder: string | null }[]>`
    select shard_no, holder from shards order by shard_no`
  ).map(({ shard_no, holder }) => [shard_no, holder]);

const tablesOf = async (sql: Database, shard: number) =>
  (await storedTables(sql, { shard })).map(({ tableId }) => tableId);

const idsOf = (tables: readonly { tableId: string }[]) => tables.map(({ tableId }) => tableId).sort();

await t.test('each living node has numbers of its own, and those of ended nodes are free again', async (t) => {
  const sql = await freshPool(t);
  const [a, b] = [await housed(sql, 2), await housed(sql, 2)];
  t.same([a.numbers, b.numbers], [[0, 1], [2, 3]]); // prettier-ignore
  await t.rejects(claimShard(sql, 0, b.nodeId), displaced, "another node's shard");
  await nodes.endOwn(sql, a.nodeId);
  await t.rejects(claimShard(sql, 0, a.nodeId), displaced, 'of a node that has ended');
  await t.rejects(takeShards(sql, { nodeId: a.nodeId, threads: 1, homes }), displaced);
  const c = await housed(sql, 1);
  t.same(c.numbers, [0]);
  t.same(await holders(sql), [[0, c.nodeId], [1, null], [2, b.nodeId], [3, b.nodeId]]); // prettier-ignore
});

await t.test('a node that ends waits for a claim while a node lives that may claim', async (t) => {
  const sql = await freshPool(t);
  const [ends, other] = [await housed(sql, 1), await housed(sql, 1)];
  await openRandomTables(sql, { tables: 1, players: 2, shard: ends.numbers[0]!, holder: ends.nodeId });
  t.notOk(await hasOrphans(sql), 'its node lives');
  await nodes.endOwn(sql, ends.nodeId);
  t.ok(await hasOrphans(sql));
  await storeDrain(sql, other.nodeId);
  t.notOk(await hasOrphans(sql), 'a node that drains claims nothing');
});

await t.test('a start takes all tables of ended nodes, and deals them out to its shards', async (t) => {
  const sql = await freshPool(t);
  const before = await housed(sql, 1);
  const { fence, poolId, randomTables } = await openRandomTables(sql, {
    tables: 4,
    players: 2,
    shard: before.numbers[0]!,
    holder: before.nodeId,
  });
  await openTable(sql, fence, { tableId: randomUUID(), poolId, seqReserved: SEQ_STEP });
  const late = randomTables[0]!.play();
  await nodes.endOwn(sql, before.nodeId);
  const after = await housed(sql, 2);
  t.same(after.numbers, [0, 1]);
  const dealt = await Promise.all(after.numbers.map((shard) => tablesOf(sql, shard)));
  t.same(
    dealt.map(({ length }) => length),
    [2, 2],
    'an empty table is closed',
  );
  t.same(dealt.flat().sort(), idsOf(randomTables));
  await t.rejects(commitHands(sql, fence, [late]), Fenced, 'a late hand of the ended node');
  const { fence: own, tables } = await recoverShard(sql, after.nodeId, 0, rulesOf);
  t.same(idsOf(tables), dealt[0]!.toSorted());
  t.ok(tables.every(({ rules, sittings }) => rules === TEST_RULES && sittings.length === 2));
  t.ok(own.epoch > fence.epoch);
  t.same((await audit(sql)).problems, []);
});

await t.test('a start beside living nodes takes its share, and leaves their tables alone', async (t) => {
  const sql = await freshPool(t);
  const [lives, ends] = [await housed(sql, 1), await housed(sql, 1)];
  const kept = await openRandomTables(sql, { tables: 1, players: 2, shard: 0, holder: lives.nodeId });
  const lost = await openRandomTables(sql, { tables: 5, players: 2, shard: 1, holder: ends.nodeId });
  await nodes.endOwn(sql, ends.nodeId);
  const next = await housed(sql, 1);
  t.same(next.numbers, [2], 'tables of the free number 1 are for all to claim');
  t.equal((await tablesOf(sql, 2)).length, 3, 'half of six');
  const claimed = await claimTables(sql, { nodeId: lives.nodeId, players: new Map([[0, 2]]), most: 9, homes });
  t.equal(claimed.length, 2);
  t.same((await tablesOf(sql, 0)).sort(), idsOf([...kept.randomTables, ...claimed.map(({ table }) => table)]));
  t.same([...(await tablesOf(sql, 2)), ...claimed.map(({ table }) => table.tableId)].sort(), idsOf(lost.randomTables));
});

await t.test('tables go to the shard with the fewest players, as they were at their last commit', async (t) => {
  const sql = await freshPool(t);
  const [own, ends] = [await housed(sql, 2), await housed(sql, 1)];
  const { fence, randomTables } = await openRandomTables(sql, { tables: 3, players: 2, shard: 2, holder: ends.nodeId });
  const stored = randomTables[0]!.play();
  await commitHands(sql, fence, [stored]);
  const of = { nodeId: own.nodeId, players: new Map([[0, 2], [1, 0]]), most: 3, homes }; // prettier-ignore
  t.same(await claimTables(sql, of), [], 'the other node lives');
  await nodes.endOwn(sql, ends.nodeId);
  const claimed = await claimTables(sql, of);
  t.same(
    claimed.map(({ shard }) => shard),
    [1, 0, 1],
  );
  const first = claimed.find(({ table }) => table.tableId === stored.tableId)!.table;
  t.match(first, { handNumber: 1, sittings: [{ seat: 0 }, { seat: 1 }] });
  t.same(await claimTables(sql, of), [], 'once is enough');
  t.same((await audit(sql)).problems, []);
});

await t.test('of nodes that claim at once each table is claimed by one', async (t) => {
  const sql = await freshPool(t, 8);
  const own = [await housed(sql, 1), await housed(sql, 1), await housed(sql, 1)];
  const ends = await housed(sql, 1);
  const { randomTables } = await openRandomTables(sql, { tables: 6, players: 2, shard: 3, holder: ends.nodeId });
  await nodes.endOwn(sql, ends.nodeId);
  const claims = own.map(({ nodeId, numbers }) =>
    claimTables(sql, { nodeId, players: new Map(numbers.map((n) => [n, 0])), most: 2, homes }),
  );
  const claimed = (await Promise.all(claims)).flat();
  t.same(idsOf(claimed.map(({ table }) => table)), idsOf(randomTables));
});

await t.test('a claim with homes names this node the home of all that sit there', async (t) => {
  const sql = await freshPool(t);
  const [own, ends] = [await housed(sql, 1), await housed(sql, 1)];
  const { randomTables } = await openRandomTables(sql, { tables: 1, players: 3, shard: 1, holder: ends.nodeId });
  const agents = randomTables[0]!.seated.map(({ agentId }) => agentId);
  await sql`insert into homes (agent_id, node_id) values (${agents[0]!}, ${ends.nodeId})`;
  await nodes.endOwn(sql, ends.nodeId);
  await claimTables(sql, { nodeId: own.nodeId, players: new Map([[0, 0]]), most: 1, homes: true });
  const rows = await sql<{ agent_id: string; node_id: string }[]>`select agent_id, node_id from homes`;
  t.same(rows.map(({ agent_id }) => agent_id).sort(), agents.toSorted());
  t.ok(rows.every(({ node_id }) => node_id === own.nodeId));
});
