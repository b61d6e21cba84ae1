/**
 * One node leads a database: whoever finds another alive is refused, whoever finds it dead takes over at once, a frozen
 * one is out when it wakes, and an outage that nobody used costs nothing.
 */
import t from 'tap';
import { randomUUID } from 'node:crypto';
import { claimShard } from '../../src/shard/commit/queries.js';
import { prepareTables } from '../../src/shard/main/boot.js';
import type { Database, DatabaseAddress } from '../../src/store/database.js';
import { leadDatabase, type NodeAmongOthers, type NodeOptions, type OwnNode } from '../../src/store/node/own-node.js';
import * as queries from '../../src/store/node/queries.js';
import { takeRole, withRole } from '../../src/store/role-lock.js';
import { DatabaseGate } from '../support/database-gate.js';
import { freshDatabase, freshPool, openPool, stopCluster, type Scope } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const LEASE = 60_000;
const LAPSED = -1000;

/** A node that leads, and what it was told. */
async function lead(t: Scope, address: DatabaseAddress, more: Partial<NodeOptions> = {}) {
  const seen: string[] = [];
  const node: OwnNode = await leadDatabase({
    ...{ address, name: 'process 7 on host', alone: false, migrate: () => Promise.resolve(), graceMs: 300 },
    onLost: () => void seen.push('lost'),
    onRegained: () => void seen.push('regained'),
    onEnded: (error) => void seen.push(error.message),
    onDrain: () => void seen.push('drain'),
    ...more,
  });
  t.teardown(() => node.leave());
  return { node, seen };
}

const epochOf = async (sql: Database) => (await sql<{ epoch: number }[]>`select epoch from leadership`)[0]!.epoch;

await t.test('one leads at a time; who comes after it has left leads at once', async (t) => {
  const address = await freshDatabase(t);
  const first = await lead(t, address);
  t.ok(first.node.holds);
  await t.rejects(lead(t, address), {
    name: 'RoleTaken',
    message: /^Another server works on this database \(process 7 on host since 20.*Z\): one at a time/,
  });
  t.same(first.seen, [], 'the first notices nothing');
  await first.node.leave();
  t.notOk(first.node.holds);
  const second = await lead(t, address);
  t.ok(second.node.holds);
  t.equal(await epochOf(openPool(t, address)), 2);
});

await t.test('whose claim was made, and not answered, claims again', async (t) => {
  const address = await freshDatabase(t);
  const node = (await lead(t, address)).node as NodeAmongOthers;
  t.match(await node.leading(), { nodeId: node.id, lives: true });
  await node.resign();
  const sql = openPool(t, address);
  t.notOk(await node.leading());
  await sql`update leadership set epoch = epoch + 1, holder = ${node.id}`;
  t.match(await node.leading(), { nodeId: node.id, lives: false }, 'nobody leads');
  t.ok(await node.claim());
  t.match(await node.leading(), { nodeId: node.id, lives: true });
});

await t.test('of many that begin at once one leads', async (t) => {
  const address = await freshDatabase(t);
  const all = await Promise.allSettled(Array.from({ length: 5 }, () => lead(t, address)));
  t.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
});

await t.test('the schema is brought up to date by who leads, and by nobody that is refused', async (t) => {
  const address = await freshDatabase(t);
  const migrated: string[] = [];
  const migrate = (who: string) => ({ migrate: async () => void migrated.push(who) });
  await lead(t, address, migrate('first'));
  await t.rejects(lead(t, address, migrate('second')), { name: 'RoleTaken' });
  t.same(migrated, ['first']);
});

await t.test('a dead one is found by its session, long before its lease is over', async (t) => {
  const address = await freshDatabase(t);
  const gate = await DatabaseGate.open(t, address);
  const first = await lead(t, gate.address);
  const sql = openPool(t, address);
  await gate.cut();
  const second = await lead(t, address);
  const [row] = await sql<{ early: boolean }[]>`
    select ended_at < lease_until as early from nodes where node_id = ${first.node.id}`;
  t.same(row, { early: true });
  await gate.mend();
  await eventually('the first to hear of it', () =>
    first.seen.some((line) => line.includes('took over from this one')),
  );
  t.notOk(first.node.holds);
  t.ok(second.node.holds);
});

await t.test('a connection that merely broke is no death', async (t) => {
  const address = await freshDatabase(t);
  const gate = await DatabaseGate.open(t, address);
  const { node, seen } = await lead(t, gate.address);
  const refused = t.rejects(lead(t, address, { graceMs: 2000 }), { name: 'RoleTaken' });
  gate.breakConnections();
  await refused;
  t.ok(node.holds);
  t.notOk(seen.some((line) => line.includes('took over')));
});

await t.test('one that froze is out when it wakes, and knew before that its lease was over', async (t) => {
  const address = await freshDatabase(t);
  const gate = await DatabaseGate.open(t, address);
  const first = await lead(t, gate.address);
  gate.freeze();
  let held = true;
  const migrate = async () => void (held = first.node.holds);
  // The session stays open: only the lease tells.
  await lead(t, address, { migrate });
  t.notOk(held, 'by its own clock the first had stopped before the second began');
  gate.thaw();
  await eventually('the first to hear of it', () =>
    first.seen.some((line) => line.includes('took over from this one')),
  );
  t.notOk(first.node.holds);
});

await t.test('an outage longer than the lease, of which nobody made use, costs nothing', async (t) => {
  const gate = await DatabaseGate.open(t, await freshDatabase(t));
  const { node, seen } = await lead(t, gate.address);
  await gate.cut();
  await eventually('its own clock to say so', () => !node.holds);
  await gate.mend();
  await eventually('the lease to be renewed', () => node.holds);
  t.same(seen, ['lost', 'regained']);
});

await t.test('who has the only way to the database waits for nobody', async (t) => {
  const address = await freshDatabase(t);
  const first = await lead(t, address);
  const second = await lead(t, address, { alone: true });
  await eventually('the first to hear of it', () => first.seen.length > 0);
  t.ok(second.node.holds);
});

await t.test('who holds the role alone keeps servers out: a restore, or a release without leases', async (t) => {
  const address = await freshDatabase(t);
  const sql = openPool(t, address, 1);
  await withRole(address, 'server', async () => {
    await t.rejects(lead(t, address), { message: /^Another server works on this database \(connected since .*\)/ });
  });
  const { node } = await lead(t, address);
  await t.rejects(takeRole(sql, 'server', 'alone', 100), { name: 'RoleTaken' });
  await node.leave();
  await takeRole(sql, 'server', 'alone');
});

await t.test('leases, by the clock of the database', async (t) => {
  const address = await freshDatabase(t);
  const sql = openPool(t, address);
  const session = openPool(t, address, 1);
  const [a, b] = [randomUUID(), randomUUID()] as const;
  await queries.register(session, a, 'a', LEASE);
  await queries.register(sql, b, 'b', LEASE);
  t.equal(await queries.claimLeadership(sql, a, null), 1);
  t.match(await queries.leading(sql), { nodeId: a, name: 'a', lives: true, silent: false });
  t.equal(await queries.claimLeadership(sql, b, null), null, 'who found nobody finds a leader');

  t.notOk(await queries.endOther(sql, a, b, 'lease'), 'a lease that runs');
  t.notOk(await queries.endOther(sql, a, b, 'session'), 'a session that is there');
  await session.end();
  await eventually('the server to end it', async () => (await queries.leading(sql))!.silent);
  await sql`update nodes set session_since = pg_postmaster_start_time() - interval '1 s' where node_id = ${a}`;
  t.notOk(await queries.endOther(sql, a, b, 'session'), 'a session that the restart of the server ended');
  const next = openPool(t, address, 1);
  t.match(await queries.renew(next, a, LEASE), { drains: false, time: Number });
  t.match(await queries.leading(sql), { silent: false }, 'with another session');
  await next.end();
  await eventually('the server to end it', async () => (await queries.leading(sql))!.silent);
  const last = openPool(t, address, 1);
  t.ok(await queries.renew(last, a, LAPSED));
  t.ok(await queries.renew(last, a, LAPSED), 'a lease that has run out is renewed while nobody ended the node');
  t.ok(await queries.endOther(sql, a, b, 'lease'));
  t.notOk(await queries.endOther(sql, a, b, 'lease'), 'ended once');
  t.equal(await queries.renew(last, a, LEASE), null, 'and for good');
  t.equal(await queries.claimLeadership(sql, a, a), null);
  t.equal(await queries.claimLeadership(sql, b, a), 2);
  await queries.endOwn(sql, b);
  t.match(await queries.leading(sql), { nodeId: b, lives: false });
});

await t.test('of two that claim after the same one, the second finds the first', async (t) => {
  const sql = await freshPool(t);
  const [a, b] = [randomUUID(), randomUUID()] as const;
  for (const id of [a, b]) await queries.register(sql, id, id, LEASE);
  let second!: Promise<number | null>;
  await sql.begin(async (tx) => {
    t.equal(await queries.claimLeadership(tx, a, null), 1);
    second = queries.claimLeadership(sql, b, null);
    await eventually('the second to wait', async () => {
      const [row] = await sql`
      select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return Number(row!['n']) > 0;
    });
  });
  t.equal(await second, null);
});

await t.test('a node that was ended gets no shard, nor does one get those of a living one', async (t) => {
  const sql = await freshPool(t);
  const [a, b] = [randomUUID(), randomUUID()] as const;
  for (const id of [a, b]) await queries.register(sql, id, id, LEASE);
  await queries.claimLeadership(sql, a, null);
  await prepareTables(sql, 2, a);
  const displaced = { name: 'Displaced' };
  await t.rejects(prepareTables(sql, 2, b), displaced);
  await t.rejects(claimShard(sql, 0, b), displaced);
  t.equal(await claimShard(sql, 0, a), 3);
  await queries.endOwn(sql, a);
  await t.rejects(claimShard(sql, 0, a), displaced, 'not even again');
  await t.rejects(claimShard(sql, 9, a), displaced, 'nor a new one');
  await t.rejects(prepareTables(sql, 2, a), displaced);
  await prepareTables(sql, 1, b);
  t.equal(await claimShard(sql, 0, b), 5);
  await t.rejects(claimShard(sql, 1, b), displaced, "nor one that is nobody's until it is lent");
  t.same(await sql`select holder from shards order by shard_no`, [{ holder: b }, { holder: null }]);
});
