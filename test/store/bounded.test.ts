/** The pool with a time limit for each statement. */
import t from 'tap';
import { bounded, inTime, NoDatabaseAnswer, type Bounds } from '../../src/store/bounded.js';
import { codeOf, connect, isConnectionError, transaction, type Database } from '../../src/store/database.js';
import { DatabaseGate } from '../support/database-gate.js';
import { freshDatabase, openPool, stopCluster, type Scope } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

/** Longer than any statement here takes on a busy machine. */
const PATIENT_MS = 60_000;
const SHORT_MS = 300;

const address = await freshDatabase(t);
const direct = openPool(t, address);
await direct`create table marks (mark text primary key)`;
const marks = async () => (await direct<{ mark: string }[]>`select mark from marks`).map(({ mark }) => mark);

function pool(t: Scope, open: () => Database, bounds: Bounds = { statementMs: PATIENT_MS, statements: 100 }): Database {
  const sql = bounded(open, bounds);
  t.teardown(() => sql.end({ timeout: 1 }));
  return sql;
}

/**
 * A pool through a gate of its own, with a connection, and the count of its openings. Its limit is long until the test
 * needs a short one.
 */
async function gated(t: Scope) {
  const gate = await DatabaseGate.open(t, address);
  const bounds = { statementMs: PATIENT_MS, statements: 100 };
  let opened = 0;
  const open = () => {
    opened++;
    return connect(gate.address, { max: 1, name: 'bounded' });
  };
  const sql = pool(t, open, bounds);
  await sql`select 1`;
  const patience = (ms: number) => (bounds.statementMs = ms);
  return { gate, sql, patience, opened: () => opened };
}

/** The code of the failure, if it fails. */
const failure = (work: PromiseLike<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isConnectionError(error) ? 'away' : error),
  );

await t.test('works like any other', async (t) => {
  const sql = pool(t, () => connect(address, { max: 2, name: 'bounded' }));
  const some = ['a', 'b'].map((mark) => ({ mark }));
  await sql`insert into marks ${sql(some, 'mark')}`;
  const where = sql`where mark = any(${['a', 'c']}::text[])`;
  t.same(await sql`select mark from marks ${where}`, [{ mark: 'a' }], 'pieces, lists and arrays');
  t.same(await sql`select mark from marks order by mark`.values(), [['a'], ['b']]);
  const twice = sql`insert into marks values ('c') returning mark`;
  t.same(await Promise.all([twice, twice]), [[{ mark: 'c' }], [{ mark: 'c' }]], 'a statement runs once');
  t.match(await sql`select no_such_column`.catch(codeOf), '42703');
  t.match(
    await sql`select 1/0`.then(
      () => null,
      (error: unknown) => codeOf(error),
    ),
    '22012',
  );
  const moved = await transaction(sql, async (tx) => {
    const mark = tx`where mark = ${'b'}`;
    await tx`delete from marks ${mark}`;
    return tx<{ mark: string }[]>`insert into marks values ('d') returning mark`;
  });
  t.same(moved, [{ mark: 'd' }]);
  const failed = transaction(sql, async (tx) => {
    await tx`delete from marks`;
    throw new Error('changed its mind');
  });
  await t.rejects(failed, /changed its mind/);
  t.same((await marks()).sort(), ['a', 'c', 'd']);
});

await t.test('a statement without an answer counts as away; the next one has other connections', async (t) => {
  const { gate, sql, patience, opened } = await gated(t);
  t.equal(opened(), 1);
  gate.mute();
  patience(SHORT_MS);
  t.equal(await failure(sql`select 1`), 'away');
  t.equal(opened(), 2);
  patience(PATIENT_MS);
  t.same(await sql`select 2 as two`, [{ two: 2 }]);
  t.equal(opened(), 2);
});

await t.test('also those that wait for a connection', async (t) => {
  const { gate, sql, patience, opened } = await gated(t);
  gate.freeze();
  patience(SHORT_MS);
  const waiting = Array.from({ length: 20 }, () => failure(sql`insert into marks values ('late')`));
  t.same(new Set(await Promise.all(waiting)), new Set(['away']));
  t.equal(opened(), 2, 'given up once');
  t.equal(await failure(sql`select 'a connection that is never made'`), 'away');
  gate.thaw();
  patience(PATIENT_MS);
  await eventually('an answer', async () => (await failure(sql`select 1`)) === 'done');
  t.notOk((await marks()).includes('late'), 'what nobody waits for any more is not done later');
});

for (const [what, muteAt] of [
  ['at its begin', 0],
  ['between its statements', 1],
  ['at its commit', 2],
] as const) {
  await t.test(`a transaction that is left without an answer ${what}`, async (t) => {
    const { gate, sql, patience } = await gated(t);
    let steps = 0;
    const step = () => {
      if (steps++ !== muteAt) return;
      gate.mute();
      patience(SHORT_MS);
    };
    step();
    const failed = transaction(sql, async (tx) => {
      step();
      await tx`insert into marks values (${what})`;
      step();
    });
    t.equal(await failure(failed), 'away');
    t.equal(steps, muteAt + 1);
    patience(PATIENT_MS);
    t.equal(await failure(transaction(sql, (tx) => tx`select 1`)), 'done', 'the next one is as good as ever');
  });
}

await t.test('no more than so many wait; within a transaction that has begun none is refused', async (t) => {
  const sql = pool(t, () => connect(address, { max: 2, name: 'bounded' }), {
    statementMs: PATIENT_MS,
    statements: 3,
  });
  const held = await holding(t, 'a');
  const waits = () => sql`update marks set mark = mark where mark = 'a'`;
  const done = await transaction(sql, async (tx) => {
    await tx`select 'a connection of its own'`;
    const waiting = [1, 2, 3].map(() => failure(waits()));
    t.equal(await failure(waits()), 'away', 'the fourth');
    t.same(await tx`select 1 as one`, [{ one: 1 }]);
    held.release();
    return Promise.all(waiting);
  });
  t.same(done, ['done', 'done', 'done']);
  t.equal(await failure(waits()), 'done', 'there is room again');
});

await t.test('a statement that waits for a lock is ended by the server, and nothing else with it', async (t) => {
  let opened = 0;
  const open = () => {
    opened++;
    return connect(address, { max: 2, name: 'bounded', statementMs: SHORT_MS });
  };
  const sql = pool(t, open);
  const held = await holding(t, 'c');
  const error: unknown = await sql`update marks set mark = mark where mark = 'c'`.catch((error: unknown) => error);
  t.equal(codeOf(error), '57014');
  t.ok(isConnectionError(error), 'to be tried again');
  t.equal(opened, 1);
  held.release();
  await held.over;
  const again = () => failure(sql`update marks set mark = mark where mark = 'c'`);
  await eventually('the row', async () => (await again()) === 'done');
});

await t.test('what is given so long', async (t) => {
  t.equal(await inTime(Promise.resolve('done'), PATIENT_MS), 'done');
  await t.rejects(inTime(Promise.reject(new Error('no')), PATIENT_MS), /no/);
  await t.rejects(inTime(new Promise(() => undefined), 1), NoDatabaseAnswer);
});

/** A row that another connection locks until its release. */
async function holding(t: Scope, mark: string) {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  let hold!: () => void;
  const holds = new Promise<void>((resolve) => (hold = resolve));
  const over = transaction(direct, async (tx) => {
    await tx`select from marks where mark = ${mark} for update`;
    hold();
    await released;
  });
  t.teardown(async () => {
    release();
    await over;
  });
  await holds;
  return { release, over };
}
