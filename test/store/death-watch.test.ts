/** A node that is heard no more has ended once that is proven: by its lease, or by its session that is gone for a while. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { connect } from '../../src/store/database.js';
import { asked, DeathWatch } from '../../src/store/node/death-watch.js';
import * as queries from '../../src/store/node/queries.js';
import { freshDatabase, openPool, stopCluster, type Scope } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const LEASE = 60_000;

/** Two nodes: we watch, and the other has a session of its own. */
async function pair(t: Scope) {
  const address = await freshDatabase(t);
  const sql = openPool(t, address);
  const [own, other] = [randomUUID(), randomUUID()] as const;
  await queries.register(sql, own, 'own', LEASE);
  const session = connect(address, { max: 1, name: 'other' });
  t.teardown(() => session.end({ timeout: 1 }));
  const ended = async () => {
    const [row] = await sql<{ ended_by: string | null }[]>`select ended_by from nodes where node_id = ${other}`;
    return row!.ended_by;
  };
  return { sql, own, other, session, watch: new DeathWatch(sql, own), ended };
}

await t.test('a session that is gone proves it after a while, and not at once', async (t) => {
  const { own, other, session, watch, ended } = await pair(t);
  await queries.register(session, other, 'other', LEASE);
  t.equal(await watch.hasEnded(other), false, 'it lives');
  await session.end({ timeout: 1 });
  t.equal(await watch.hasEnded(other), false);
  t.equal(await ended(), null);
  await eventually('its end', () => watch.hasEnded(other));
  t.equal(await ended(), own);
});

await t.test('one that renews meanwhile lives, whatever session it does that over', async (t) => {
  const { sql, other, session, watch, ended } = await pair(t);
  await queries.register(session, other, 'other', LEASE);
  await session.end({ timeout: 1 });
  await watch.hasEnded(other);
  for (const until = performance.now() + 1000; performance.now() < until;) {
    await sql`update nodes set lease_until = lease_until + interval '1 ms' where node_id = ${other}`;
    t.equal(await watch.hasEnded(other), false);
  }
  t.equal(await ended(), null);
});

await t.test('a lease that has run out proves it at once', async (t) => {
  const { own, other, session, watch, ended } = await pair(t);
  await queries.register(session, other, 'other', -1000);
  t.equal(await watch.hasEnded(other), true);
  t.equal(await ended(), own);
  t.equal(await watch.hasEnded(other), true, 'whoever ended it');
  t.equal(await watch.hasEnded(randomUUID()), true, 'as one that nobody knows');
});

await t.test('a database that cannot be asked says nothing of anybody, and that is told once each time', async (t) => {
  const { other, sql } = await pair(t);
  const told: unknown[] = [];
  let away = true;
  const watch = asked({ warn: (_detail, message) => told.push(message) }, false, async () => {
    await sql.unsafe(away ? 'select from a_table_that_is_not_there' : 'select 1');
    return true;
  });
  t.equal(await watch(other), false);
  t.equal(await watch(other), false);
  t.equal(told.length, 1);
  away = false;
  t.equal(await watch(other), true);
  away = true;
  t.equal(await watch(other), false);
  t.equal(told.length, 2);
});
