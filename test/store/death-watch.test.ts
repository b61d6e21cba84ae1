/** A silent node is dead by proof alone: its lease has run out, or its session has been gone for a while. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { connect, type Database } from '../../src/store/database.js';
import { DeathWatch } from '../../src/store/node/death-watch.js';
import * as queries from '../../src/store/node/queries.js';
import { freshDatabase, openPool, stopCluster, type Scope } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const LEASE = 60_000;

const register = (sql: Database, nodeId: string, leaseMs = LEASE) =>
  queries.register(sql, { nodeId, name: nodeId, internal: null, leaseMs });

/** Two nodes: one watches, and the other has a session of its own. */
async function pair(t: Scope, leaseMs?: number) {
  const address = await freshDatabase(t);
  const sql = openPool(t, address);
  const own = { id: randomUUID() as string, judges: true };
  const other = randomUUID();
  await register(sql, own.id);
  const session = connect(address, { max: 1, name: 'other' });
  t.teardown(() => session.end({ timeout: 1 }));
  await register(session, other, leaseMs);
  const ended = async () => {
    const [row] = await sql<{ ended_by: string | null }[]>`select ended_by from nodes where node_id = ${other}`;
    return row!.ended_by;
  };
  return { sql, own, other, session, watch: new DeathWatch(sql, own), ended };
}

await t.test('a session that is gone proves it after a while, and not at once', async (t) => {
  const { own, other, session, watch, ended } = await pair(t);
  t.match(await watch.look(), [{ nodeId: other, silent: false, lapsed: false }]);
  await session.end({ timeout: 1 });
  await eventually('the server to end it', async () => (await watch.look())[0]!.silent);
  t.equal(await ended(), null);
  await eventually('its end', async () => (await watch.look()).length === 0);
  t.equal(await ended(), own.id);
});

await t.test('a node that renews meanwhile lives, whatever session it does that over', async (t) => {
  const { sql, other, session, watch, ended } = await pair(t);
  await session.end({ timeout: 1 });
  for (const until = performance.now() + 1000; performance.now() < until;) {
    await sql`update nodes set lease_until = lease_until + interval '1 ms' where node_id = ${other}`;
    t.match(await watch.look(), [{ nodeId: other }]);
  }
  t.equal(await ended(), null);
});

await t.test('a lease that has run out proves it at once', async (t) => {
  const { own, watch, ended } = await pair(t, -1000);
  t.same(await watch.look(), []);
  t.equal(await ended(), own.id);
});

await t.test('a node that cannot judge ends nobody, and counts anew once it can', async (t) => {
  const { own, other, session, watch, ended } = await pair(t);
  await session.end({ timeout: 1 });
  own.judges = false;
  for (const until = performance.now() + 2 * 300; performance.now() < until;) await watch.look();
  own.judges = true;
  t.match(await watch.look(), [{ nodeId: other }]);
  t.equal(await ended(), null);
});
