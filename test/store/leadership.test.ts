/**
 * A former leader can write none of the leader's data: each of its writers is refused and changes no row, and its
 * process learns this. The leader itself never waits.
 */
import t from 'tap';
import { enqueueEmail } from '../../src/email/index.js';
import {
  transaction,
  type Database,
  type Fragment,
  type Queryable,
  type Transaction,
} from '../../src/store/database.js';
import { Displaced, Leadership } from '../../src/store/node/leadership.js';
import { leads, requireLeader } from '../../src/store/node/queries.js';
import { freshPool, stopCluster, type Scope } from '../support/database.js';
import { leaderWriters, type LeaderWriter } from '../support/leader-writers.js';
import { FILE_MS } from '../support/limits.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { untilWaiting } from '../support/locks.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** All rows, except those of the leadership. */
async function everything(sql: Database): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'leadership' order by 1`;
  const held: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ rows: string }[]>(
      `select coalesce(string_agg(x::text, ',' order by x::text), '') as rows from ${name} x`,
    );
    held[name] = row!.rows;
  }
  return held;
}

const next = (sql: Database, by: number) => sql`update leadership set epoch = epoch + ${by}`;

/** The outcome of a write after another node has taken over. `inTime` repeats the write without a takeover. */
async function afterTakeover(t: Scope, writer: LeaderWriter, rightOf: (onLost: () => void) => Leadership) {
  let told = 0;
  const leadership = rightOf(() => void told++);
  const { sql, write } = await writer.prepare(t, leadership, () => told > 0);
  const outcome = async () => {
    const before = await everything(sql);
    const thrown: unknown = await write().then(
      () => null,
      (error: unknown) => error,
    );
    if (thrown !== null && !(thrown instanceof Displaced)) throw thrown;
    const changed = JSON.stringify(await everything(sql)) !== JSON.stringify(before);
    return changed ? 'has written' : 'has left no trace';
  };
  await next(sql, 1);
  const late = await outcome();
  const toldLate = told;
  const inTime = async () => {
    told = 0;
    await next(sql, -1);
    return outcome();
  };
  return { late, told: toldLate, inTime };
}

const right = (onLost: () => void) => new Leadership(() => 0, onLost);

for (const writer of leaderWriters) {
  await t.test(`who led before does not write: ${writer.name}`, async (t) => {
    const { late, told, inTime } = await afterTakeover(t, writer, right);
    t.same({ late, told }, { late: 'has left no trace', told: 1 });
    t.equal(await inTime(), 'has written');
  });
}

/** A writer that does not check whether it still leads. */
class Unguarded extends Leadership {
  override transaction<T>(sql: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return transaction(sql, work);
  }

  override required(sql: Queryable): Fragment {
    return sql`true`;
  }
}

await t.test('planted: a writer without the guard is found, whichever it is', async (t) => {
  for (const writer of leaderWriters) {
    const found = await afterTakeover(t, writer, (onLost) => new Unguarded(() => 0, onLost));
    t.match(found, { late: 'has written', told: 0 }, writer.name);
  }
});

await t.test('who takes over waits for a write under way; a write that waits for it is refused', async (t) => {
  const sql = await freshPool(t);
  let claimed = false;
  let claim!: Promise<void>;
  await right(() => t.fail('it led')).transaction(sql, async (tx) => {
    claim = next(sql, 1).then(() => void (claimed = true));
    await untilWaiting(sql);
    await tx`insert into pools (pool_id, kind) values (gen_random_uuid(), 'season')`;
    t.notOk(claimed);
  });
  await claim;
  t.match(await sql`select count(*) from pools`, [{ count: 1 }]);

  const refused = { code: 'AP001', message: 'leader' };
  const writes = [
    async () => void (await sql`update pools set kind = kind where ${leads(sql, 1)}`),
    () => transaction(sql, (tx) => requireLeader(tx, 1)),
  ];
  for (const [taken, write] of writes.entries()) {
    let late!: Promise<void>;
    await transaction(sql, async (tx) => {
      await tx`update leadership set epoch = ${2 + taken}`;
      late = t.rejects(write(), refused).then(() => undefined);
      await untilWaiting(sql);
    });
    await late;
    await sql`update leadership set epoch = 1`;
  }
});

await t.test('a process that is refused ends, and says why', async (t) => {
  const platform = await ForkedPlatform.start(t);
  const sql = platform.sql!;
  await next(sql, 1);
  await enqueueEmail(sql, [{ dedupeKey: 'a', to: 'a@example.org', subject: 's', text: 't' }]);
  t.match(await platform.ended, { code: 1 });
  t.match(platform.output, 'another process has taken over');
  t.match(await sql`select status, attempts from mail_outbox`, [{ status: 'waiting', attempts: 0 }]);
});

await t.test('a process hears once that another leads, and other refusals are not mistaken for it', async (t) => {
  const sql = await freshPool(t);
  let told = 0;
  const leadership = right(() => void told++);
  const other = leadership.transaction(sql, (tx) => tx`select require(false, 'something else')`);
  await t.rejects(other, { code: 'AP001', message: 'something else' });
  t.equal(told, 0);
  await next(sql, 1);
  for (let n = 0; n < 2; n++)
    await t.rejects(
      leadership.transaction(sql, () => Promise.resolve()),
      Displaced,
    );
  t.equal(told, 1);
});
