/**
 * One node leads a database. A node that finds another alive is refused, and a node that finds it dead takes over at
 * once. A frozen leader is out when it wakes, and an outage without a takeover costs nothing.
 */
import t from 'tap';
import { randomUUID } from 'node:crypto';
import type { Database, DatabaseAddress } from '../../src/store/database.js';
import { beginNode, type NodeOptions, type OwnNode } from '../../src/store/node/own-node.js';
import * as queries from '../../src/store/node/queries.js';
import { takeRole, withRole } from '../../src/store/role-lock.js';
import { DatabaseGate } from '../support/database-gate.js';
import { freshDatabase, freshPool, openPool, stopCluster, type Scope } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { untilWaiting } from '../support/locks.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const LEASE = 60_000;
const LAPSED = -1000;

/** A leading node, and its notices. */
async function lead(t: Scope, address: DatabaseAddress, more: Partial<NodeOptions> = {}) {
  const seen: string[] = [];
  const node: OwnNode = await beginNode({
    address,
    name: 'process 7 on host',
    alone: false,
    internal: null,
    migrate: () => Promise.resolve(),
    graceMs: 300,
    onLost: () => void seen.push('lost'),
    onRegained: () => void seen.push('regained'),
    onEnded: (error) => void seen.push(error.message),
    onDrain: () => void seen.push('drain'),
    ...more,
  });
  t.teardown(() => node.leave());
  return { node, seen };
}

const register = (sql: Database, nodeId: string) =>
  queries.register(sql, { nodeId, name: nodeId, internal: null, leaseMs: LEASE });

const epochOf = async (sql: Database) => (await sql<{ epoch: number }[]>`select epoch from leadership`)[0]!.epoch;

await t.test('one leads at a time; who comes after it has left leads at once', async (t) => {
  const address = await freshDatabase(t);
  const first = await lead(t, address);
  t.ok(first.node.holds);
  await t.rejects(lead(t, address), {
    name: 'RoleTaken',
    message: /^Another server works on this database \(process 7 on host since 20.*Z\)\. Stop it/,
  });
  t.same(first.seen, [], 'the first notices nothing');
  await first.node.leave();
  t.notOk(first.node.holds);
  const second = await lead(t, address);
  t.ok(second.node.holds);
  t.equal(await epochOf(openPool(t, address)), 2);
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
  // The session stays open: only the lease shows the death.
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
  await register(session, a);
  await register(sql, b);
  const isSilent = async () => (await queries.otherNodes(sql, b))[0]!.silent;
  t.equal(await queries.claimLeadership(sql, a, null), 1);
  t.match(await queries.leading(sql), { nodeId: a, lives: true });
  t.equal(await queries.claimLeadership(sql, b, null), null, 'who found nobody finds a leader');

  t.notOk(await queries.endOther(sql, a, b, 'lease'), 'a lease that runs');
  t.notOk(await queries.endOther(sql, a, b, 'session'), 'a session that is there');
  await session.end();
  await eventually('the server to end it', isSilent);
  await sql`update nodes set session_since = pg_postmaster_start_time() - interval '1 s' where node_id = ${a}`;
  t.notOk(await queries.endOther(sql, a, b, 'session'), 'a session that the restart of the server ended');
  const next = openPool(t, address, 1);
  t.match(await queries.renew(next, a, LEASE), { drains: false, time: Number });
  t.notOk(await isSilent(), 'with another session');
  await next.end();
  await eventually('the server to end it', isSilent);
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
  for (const id of [a, b]) await register(sql, id);
  let second!: Promise<number | null>;
  await sql.begin(async (tx) => {
    t.equal(await queries.claimLeadership(tx, a, null), 1);
    second = queries.claimLeadership(sql, b, null);
    await untilWaiting(sql);
  });
  t.equal(await second, null);
});
