/**
 * Shards of other nodes as the leader stores them: each number is one node's, and what a shard that is lost would still
 * write changes nothing once its tables are dealt out.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { commitHands, Fenced, openTable, storedTables } from '../../src/shard/commit/queries.js';
import { dealOut, inheritShards, lendShard, openTables } from '../../src/shard/main/lending.js';
import type { Database } from '../../src/store/database.js';
import { Leadership } from '../../src/store/node/leadership.js';
import * as nodes from '../../src/store/node/queries.js';
import { freshPool, leadership, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { openRandomTables, SEQ_STEP } from '../support/random-table.js';
import { TEST_RULES } from '../support/shard-house.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

const LEASE = 60_000;
const rulesOf = () => ({ table: TEST_RULES });

async function nodeOf(sql: Database): Promise<string> {
  const id = randomUUID();
  await nodes.register(sql, id, id, LEASE);
  return id;
}

const shardsOf = async (sql: Database) =>
  (await sql<{ shard_no: number; holder: string }[]>`select shard_no, holder from shards order by shard_no`).map(
    ({ shard_no, holder }) => [shard_no, holder],
  );

await t.test('a shard is lent by a node that lives, under an epoch of its own each time', async (t) => {
  const sql = await freshPool(t);
  const [a, b] = [await nodeOf(sql), await nodeOf(sql)];
  const first = await lendShard(sql, leadership, 4, a);
  const second = await lendShard(sql, leadership, 4, b);
  t.ok(second! > first!);
  t.same(await shardsOf(sql), [[4, b]]);
  await nodes.endOwn(sql, a);
  t.equal(await lendShard(sql, leadership, 5, a), null, 'it has ended');
  t.equal(await lendShard(sql, leadership, 5, randomUUID()), null, 'nobody knows it');
  t.same(await shardsOf(sql), [[4, b]]);
});

await t.test('who does not lead any more neither borrows nor deals out', async (t) => {
  const sql = await freshPool(t);
  const a = await nodeOf(sql);
  await lendShard(sql, leadership, 1, a);
  const late = new Leadership(-1, () => undefined);
  const displaced = { name: 'Displaced' };
  await t.rejects(lendShard(sql, late, 2, a), displaced);
  const lost = { shard: 1, players: new Map([[0, 0]]), rulesOf };
  await t.rejects(dealOut(sql, late, lost), displaced);
  t.same(await shardsOf(sql), [[1, a]]);
});

await t.test(
  'tables of a lost shard are dealt out, the fewest players first, and its late hands change nothing',
  async (t) => {
    const sql = await freshPool(t);
    const { fence, randomTables, poolId } = await openRandomTables(sql, { tables: 3, players: 2, shard: 7 });
    const empty = randomUUID();
    await openTable(sql, fence, { tableId: empty, poolId, seqReserved: SEQ_STEP });
    const others = await openRandomTables(sql, { tables: 1, players: 2, shard: 0 });
    const stored = randomTables[0]!.play();
    await commitHands(sql, fence, [stored]);
    const late = randomTables[0]!.play();
    const dealt = await dealOut(sql, leadership, {
      ...{ shard: 7, rulesOf },
      players: new Map([
        [0, 2],
        [1, 0],
      ]),
    });
    t.same(
      dealt.map(({ shard }) => shard),
      [1, 0, 1],
    );
    t.same(new Set(dealt.map(({ opening }) => opening.tableId)), new Set(randomTables.map(({ tableId }) => tableId)));
    const first = dealt.find(({ opening }) => opening.tableId === stored.tableId)!.opening;
    t.match(first, { handNumber: 1, rules: TEST_RULES, sittings: [{ seat: 0 }, { seat: 1 }] });
    await t.rejects(commitHands(sql, fence, [late]), Fenced);
    const where = await Promise.all([7, 1, 0].map(async (shard) => (await storedTables(sql, shard)).length));
    t.same(where, [0, 2, 2], 'an empty one is closed');
    t.equal(
      (await storedTables(sql, 0)).some(({ tableId }) => tableId === others.randomTables[0]!.tableId),
      true,
    );
    const again = { shard: 7, players: new Map([[0, 0]]), rulesOf };
    t.same(await dealOut(sql, leadership, again), [], 'once is enough');
    t.equal((await shardsOf(sql)).find(([shard]) => shard === 7)![1], null, "it is nobody's");
    t.same((await audit(sql)).problems, []);
  },
);

await t.test('tables are dealt out though the answer to that was lost', async (t) => {
  const sql = await freshPool(t);
  const { randomTables } = await openRandomTables(sql, { tables: 3, players: 2, shard: 7 });
  const lost = { shard: 7, players: new Map([[0, 0]]), rulesOf, decided: new Map() };
  const broken = Object.assign(new Error('a test'), { code: 'CONNECTION_CLOSED' });
  const unanswered = Object.create(leadership, {
    transaction: {
      value: async (...given: Parameters<Leadership['transaction']>) => {
        await leadership.transaction(...given);
        throw broken;
      },
    },
  }) as Leadership;
  await t.rejects(dealOut(sql, unanswered, lost), broken);
  t.equal((await storedTables(sql, 0)).length, 3, 'it is stored');
  const dealt = await dealOut(sql, leadership, lost);
  const ids = dealt.map(({ opening }) => opening.tableId).sort();
  t.same(ids, randomTables.map(({ tableId }) => tableId).sort());
  t.same(await dealOut(sql, leadership, lost), [], 'once is enough');
});

await t.test('who takes the lead finds the shards of nodes that live as they are, and takes all others', async (t) => {
  const sql = await freshPool(t);
  const [lives, ends] = [await nodeOf(sql), await nodeOf(sql)];
  await openRandomTables(sql, { tables: 1, players: 2, shard: 2 });
  const dead = await openRandomTables(sql, { tables: 2, players: 2, shard: 7 });
  await openRandomTables(sql, { tables: 1, players: 2, shard: 9 });
  const epochs = new Map<number, number>();
  for (const [shard, node] of [
    [2, lives],
    [4, lives],
    [7, ends],
    [8, ends],
  ] as const) {
    epochs.set(shard, (await lendShard(sql, leadership, shard, node))!);
  }
  await nodes.endOwn(sql, ends);
  const late = dead.randomTables[0]!.play();
  const found = await inheritShards(sql, leadership);
  t.same(found, {
    living: [2, 4].map((shard) => ({ shard, epoch: epochs.get(shard), holder: lives })),
    orphaned: [7, 9],
  });
  t.same(await shardsOf(sql), [[2, lives], [4, lives], [7, null], [8, null], [9, null]]); // prettier-ignore
  await t.rejects(
    commitHands(sql, { ...dead.fence, epoch: epochs.get(7)! }, [late]),
    Fenced,
    'a late hand of the dead',
  );
  t.same(await inheritShards(sql, leadership), found, 'whoever comes next finds the same');
  await t.rejects(inheritShards(sql, new Leadership(-1, () => undefined)), { name: 'Displaced' });
  t.same((await audit(sql)).problems, []);
});

await t.test('tables of a shard are found as they are stored', async (t) => {
  const sql = await freshPool(t);
  const { randomTables } = await openRandomTables(sql, { tables: 2, players: 3, shard: 3 });
  const found = await openTables(sql, 3, rulesOf);
  t.same(found.map(({ tableId }) => tableId).sort(), randomTables.map(({ tableId }) => tableId).sort()); // prettier-ignore
  t.ok(found.every(({ rules, sittings }) => rules === TEST_RULES && sittings.length === 3));
  t.same(await openTables(sql, 5, rulesOf), []);
});
