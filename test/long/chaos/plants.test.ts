/** The checks of the chaos campaigns find what is wrong: doctored results, seats and numbers, and a planted fault. */
import t from 'tap';
import { Crowd, LOAD } from '../../chaos/crowd.js';
import { killAgainAndAgain } from '../../chaos/kills.js';
import { plantedMain, plantNamed } from '../../chaos/planted.js';
import { findLost, storedSeats } from '../../chaos/seats.js';
import { Truth } from '../../chaos/truth.js';
import { stopCluster } from '../../support/database.js';
import { ForkedPlatform } from '../../support/forked-platform.js';
import { FILE_MS } from '../../support/limits.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

t.comment(`SEED=${SEED}`);

await t.test('the checks find what is wrong', async (t) => {
  const platform = await ForkedPlatform.start(t, LOAD);
  const sql = platform.sql!;
  const crowd = new Crowd(platform, SEED);
  const truth = new Truth(crowd, sql);
  await crowd.gather(6);
  await crowd.moreHands(20);
  await platform.stop();
  await crowd.closed();
  const guest = crowd.guests.find(({ results }) => results.size > 0)!;
  const results = [...guest.results];
  const [first, second] = results.map(([, result]) => result) as [(typeof results)[0][1], (typeof results)[0][1]];
  t.same(await truth.checkAll(), [], 'as it was, all is well');
  t.same(await truth.settle(), new Map(), 'and no hand was cut off');

  guest.results.set(first.hand_id, { ...first, total_pot: first.total_pot + 1 });
  t.match(
    await truth.check({ records: false }),
    [new RegExp(`hand ${first.hand_id}: sent`)],
    'a result sent otherwise',
  );

  guest.sent.satDown += 1000;
  t.match(await truth.check({ records: false }), [/was sent \d+ buy-ins/], 'a buy-in that is not stored');
  guest.sent.satDown -= 1000;

  truth.voided.set(second.hand_id, second.table_id);
  const void_ = await truth.check({ records: false });
  t.match(
    void_,
    [/was cut off, and is stored now/, /was cut off, and its result was sent/],
    'a void hand that rose again',
  );
  truth.voided.clear();

  const seats = await storedSeats(sql);
  const highest = crowd.highest();
  for (const { account } of crowd.guests) t.ok(account.seqs.size > 0);
  await platform.launch();
  for (const each of crowd.guests) each.cameBack = null;
  await crowd.connect();
  t.same(await findLost(crowd, seats, highest), [], 'the seats are reclaimed');
  const doctored = seats.map((row) => ({ ...row, chips_at_table: row.chips_at_table + 1 }));
  t.equal((await findLost(crowd, doctored, highest)).length, seats.length, 'other stacks are found');
  const above = new Map([...highest].map(([table, seq]) => [table, seq + 10_000_000]));
  t.equal((await findLost(crowd, seats, above)).length, seats.length, 'old numbers are found');
  await platform.stop();
  await crowd.closed();

  t.same(await truth.check({ records: false }), [], 'all is still well');
  guest.open.add('01900000-0000-7000-8000-000000000000');
  guest.tableOf.set('01900000-0000-7000-8000-000000000000', first.table_id);
  t.same(await truth.settle(), new Map([[first.table_id, 1]]), 'a hand that was cut off');

  await sql`update entries set chip_balance = chip_balance + 1 where agent_id = ${guest.account.agentId}`;
  t.match(
    await truth.check({ records: false }),
    [/1 chips more than were brought in/, /balance -?\d+, ledger -?\d+/],
    'a chip too many',
  );
  await sql`update entries set chip_balance = chip_balance - 1 where agent_id = ${guest.account.agentId}`;
  await sql`delete from hands where hand_id = ${second.hand_id}`;
  t.match((await truth.checkAll()).join('\n'), `hand ${second.hand_id} is not what it was`, 'a sent hand that is gone');
});

await t.test(
  'a campaign of kills finds a planted fault: a table that is opened again counts from the start',
  async (t) => {
    const main = await plantedMain(t, plantNamed('again'));
    const { findings } = await killAgainAndAgain(t, { home: 'rented', kills: 2, seed: SEED, guests: 6, main });
    t.match(findings.join('\n'), /table_seq/);
  },
);
