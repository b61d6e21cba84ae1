/**
 * Several nodes of one database. They start together, one of them leads, and each finds dead nodes. A node that serves
 * a database alone never has another beside it.
 */
import t from 'tap';
import type { Database, DatabaseAddress } from '../../src/store/database.js';
import { DeathWatch } from '../../src/store/node/death-watch.js';
import { beginNode, type OwnNode } from '../../src/store/node/own-node.js';
import { DatabaseGate } from '../support/database-gate.js';
import { freshDatabase, openPool, stopCluster, type Scope } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

async function begin(t: Scope, address: DatabaseAddress, internal: string | null = '127.0.0.1:1'): Promise<OwnNode> {
  const node = await beginNode({
    address,
    internal,
    name: 'a test',
    alone: false,
    graceMs: 300,
    migrate: () => Promise.resolve(),
    onLost: () => undefined,
    onRegained: () => undefined,
    onEnded: () => undefined,
    onDrain: () => undefined,
  });
  t.teardown(() => node.leave());
  return node;
}

const epochOf = async (sql: Database) => (await sql<{ epoch: number }[]>`select epoch from leadership`)[0]!.epoch;

await t.test('nodes begin beside each other, and none leads before it claims', async (t) => {
  const address = await freshDatabase(t);
  const nodes = await Promise.all(Array.from({ length: 4 }, () => begin(t, address)));
  t.same(
    nodes.map(({ holds, epoch }) => [holds, epoch]),
    nodes.map(() => [true, null]),
  );
  const won = await Promise.all(nodes.map((node) => node.claim()));
  t.equal(won.filter(Boolean).length, 1, 'of several that claim at once one leads');
  const leader = nodes[won.indexOf(true)]!;
  t.equal(leader.epoch, await epochOf(openPool(t, address)));
  t.ok(await leader.claim(), 'whose claim was not answered claims again');
});

await t.test('a node leads within its own life once the leader has ended', async (t) => {
  const address = await freshDatabase(t);
  const [first, second] = [await begin(t, address), await begin(t, address)];
  t.ok(await first.claim());
  t.notOk(await second.claim(), 'while that one lives');
  const { epoch } = first;
  await first.leave();
  t.ok(await second.claim());
  t.ok(second.epoch! > epoch!, 'what the first still writes as the leader changes nothing');
});

await t.test('a node by itself and a node of a cluster refuse each other', async (t) => {
  const address = await freshDatabase(t);
  const alone = await begin(t, address, null);
  await t.rejects(begin(t, address), { name: 'RoleTaken' });
  await alone.leave();
  await begin(t, address);
  await t.rejects(begin(t, address, null), { name: 'RoleTaken' });
});

await t.test('a lease that ran out while nobody could renew proves nothing', async (t) => {
  const address = await freshDatabase(t);
  const sql = openPool(t, address);
  const gates = [await DatabaseGate.open(t, address), await DatabaseGate.open(t, address)] as const;
  const [first, second] = [await begin(t, gates[0].address), await begin(t, gates[1].address)];
  for (const gate of gates) await gate.cut();
  for (const node of [first, second]) await eventually('the end of the lease', () => !node.holds);
  await gates[1].mend();
  await eventually('a lease that is renewed', () => second.holds);
  await eventually('a node that looks dead', async () => {
    const [row] = await sql<{ lapsed: boolean }[]>`
      select lease_until < clock_timestamp() as lapsed from nodes where node_id = ${first.id}`;
    return row!.lapsed;
  });
  t.notOk(second.judges);
  t.match(await new DeathWatch(sql, second).look(), [{ nodeId: first.id, lapsed: true }]);
  await gates[0].mend();
  await eventually('the lease of the other', () => first.holds);
});
