/**
 * Several nodes on one database: each has a place that no other has, which the dead leave behind; one leads, another
 * takes the lead within its own life as soon as that one has ended, or gives it up.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Database, DatabaseAddress } from '../../src/store/database.js';
import { followDatabase, leadDatabase, type NodeAmongOthers } from '../../src/store/node/own-node.js';
import * as queries from '../../src/store/node/queries.js';
import { freshDatabase, freshPool, openPool, stopCluster, type Scope } from '../support/database.js';
import { DatabaseGate } from '../support/database-gate.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const LEASE = 60_000;

const options = (address: DatabaseAddress) => ({
  ...{ address, name: 'a test', graceMs: 300 },
  onLost: () => undefined,
  onRegained: () => undefined,
  onEnded: () => undefined,
  onDrain: () => undefined,
});

async function lead(t: Scope, address: DatabaseAddress): Promise<NodeAmongOthers> {
  const node = await leadDatabase({ ...options(address), alone: false, migrate: () => Promise.resolve() });
  t.teardown(() => node.leave());
  return node;
}

async function follow(t: Scope, address: DatabaseAddress): Promise<NodeAmongOthers> {
  const node = await followDatabase(options(address));
  t.teardown(() => node.leave());
  return node;
}

const epochOf = async (sql: Database) => (await sql<{ epoch: number }[]>`select epoch from leadership`)[0]!.epoch;
const register = async (sql: Database, id: string = randomUUID()) =>
  (await queries.register(sql, id, 'a test', LEASE))?.place ?? null;

await t.test('no two nodes that live have the same place', async (t) => {
  const address = await freshDatabase(t);
  const leader = await lead(t, address);
  const nodes = [leader, ...(await Promise.all(Array.from({ length: 5 }, () => follow(t, address))))];
  t.equal(new Set(nodes.map(({ place }) => place)).size, nodes.length);
});

await t.test('a place that is free for the longest is taken first: late words are for nobody', async (t) => {
  const sql = await freshPool(t);
  const [a, b] = [randomUUID(), randomUUID()];
  t.same([await register(sql, a), await register(sql, b)], [0, 1]);
  await queries.endOwn(sql, b);
  await queries.endOwn(sql, a);
  const fresh: (number | null)[] = [];
  for (let n = 2; n < queries.PLACES; n++) fresh.push(await register(sql));
  t.same(fresh, [...Array(queries.PLACES).keys()].slice(2), 'those that nobody ever had');
  t.equal(await register(sql), 1, 'then the one that was left first');
  t.equal(await register(sql), 0);
});

await t.test('there is no place for more nodes than numbers of sockets have room for', async (t) => {
  const address = await freshDatabase(t);
  const sql = openPool(t, address);
  const leader = await lead(t, address);
  await sql`
    insert into nodes (node_id, name, lease_until, session_since, place)
    select gen_random_uuid(), 'a test', clock_timestamp() + interval '1 h', clock_timestamp(), p
    from generate_series(0, ${queries.PLACES - 1}::integer) p where p <> ${leader.place}`;
  await t.rejects(follow(t, address), { message: /128 nodes live on this database: there is no place for another/ });
});

await t.test('a node leads within its own life once whoever did has ended', async (t) => {
  const address = await freshDatabase(t);
  const sql = openPool(t, address);
  const first = await lead(t, address);
  const second = await follow(t, address);
  t.notOk(await second.claim(), 'while that one lives');
  t.match(await second.leading(), { nodeId: first.id, lives: true, silent: false, lapsed: false });
  await first.leave();
  t.match(await second.leading(), { nodeId: first.id, lives: false });
  const { id, place } = second;
  t.ok(await second.claim());
  t.same([second.id, second.place, second.holds], [id, place, true], 'it is the same node');
  t.equal(second.epoch, await epochOf(sql));
  t.match(await second.leading(), { nodeId: id, lives: true });
});

await t.test('of several that claim at once one leads', async (t) => {
  const address = await freshDatabase(t);
  const first = await lead(t, address);
  const others = await Promise.all(Array.from({ length: 4 }, () => follow(t, address)));
  await first.leave();
  const won = await Promise.all(others.map((node) => node.claim()));
  t.equal(won.filter(Boolean).length, 1);
  t.match(await first.leading().catch(() => null), null, 'who has left asks nothing any more');
  t.match(await others[0]!.leading(), { nodeId: others[won.indexOf(true)]!.id });
});

await t.test('who resigns lives on, and may lead again', async (t) => {
  const address = await freshDatabase(t);
  const first = await lead(t, address);
  const second = await follow(t, address);
  const { epoch } = first;
  await first.resign();
  t.ok(first.holds);
  t.equal(await second.leading(), null, 'nobody leads');
  t.ok(await second.claim());
  t.ok(second.epoch > epoch, 'what the first still writes as the leader changes nothing');
  t.notOk(await first.claim());
  await first.resign();
  t.match(await first.leading(), { nodeId: second.id }, 'it has nothing to give up');
  await second.resign();
  t.ok(await first.claim());
  t.ok(first.epoch > second.epoch);
});

await t.test('a lease that ran out while nobody could renew proves nothing', async (t) => {
  const address = await freshDatabase(t);
  const gates = [await DatabaseGate.open(t, address), await DatabaseGate.open(t, address)] as const;
  const first = await lead(t, gates[0].address);
  const second = await follow(t, gates[1].address);
  for (const gate of gates) await gate.cut();
  for (const node of [first, second]) await eventually('the end of the lease', () => !node.holds);
  await gates[1].mend();
  await eventually('a lease that is renewed', () => second.holds);
  // By its own clock a lease is over half a second before it is by the database's.
  await eventually('a leader that looks dead', async () => (await second.leading())?.lapsed === true);
  t.match(await second.leading(), { lives: true, silent: true, lapsed: true });
  const claim = second.claim();
  await gates[0].mend();
  t.notOk(await claim, 'it is given the time to renew it');
  await eventually('the lease of who leads', () => first.holds);
  t.match(await second.leading(), { nodeId: first.id, lives: true, lapsed: false });
});
