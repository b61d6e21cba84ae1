/**
 * The platform is killed, its shards are dead or hung, its database is away. Sent results stay true, and at most the
 * hand in progress is lost (reliability.md, "Campaigns"). SEED=n takes another run. `npm run campaign -- chaos --kills
 * N` does more. Times are printed, not asserted.
 */
import t, { type Test } from 'tap';
import { describeEnd, describeLoss, describeOutage, returnsOf, tally } from '../chaos/figures.js';
import { killAgainAndAgain } from '../chaos/kills.js';
import { loseDatabase } from '../chaos/outages.js';
import { endWithoutShards } from '../chaos/season-end.js';
import { loseThreads } from '../chaos/threads.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS, FULL } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

t.comment(`SEED=${SEED}`);

/** The run of the whole suite prints the figure, too. */
const figure = (t: Test, text: string) => t.comment(`figure: ${text}`);

await t.test('kill -9 under load: one void hand a table, nothing else', async (t) => {
  for (const { home, kills } of [
    // The last life of the server is always whole. One of two kills comes at a random time.
    { home: 'rented', kills: FULL ? 8 : 2 },
    { home: 'own', kills: FULL ? 2 : 1 },
  ] as const) {
    await t.test(`${kills} times, ${home === 'own' ? 'on the embedded database' : 'with DATABASE_URL'}`, async (t) => {
      const { findings, truth, kills: all } = await killAgainAndAgain(t, { home, kills, seed: SEED });
      t.same(findings, []);
      t.equal(all.length, kills, tally(all.map(({ moment }) => moment)));
      t.ok(truth.hands > 0, `${truth.hands} hands sent and stored, ${truth.voided.size} void`);
      for (const line of returnsOf(all)) figure(t, `kill -9 (${home}): ${line}`);
    });
  }
});

await t.test('a shard thread dies or hangs: its tables lose a hand, the others play on', async (t) => {
  const fates = ['exits', 'spins', 'throws', 'stalls'] as const;
  const { findings, losses, truth, voided } = await loseThreads(t, { fates, seed: SEED });
  t.same(findings, []);
  t.equal(losses.length, fates.length, `${truth.hands} hands sent and stored, ${voided} void`);
  for (const loss of losses) figure(t, `a thread ${describeLoss(loss)}`);
});

await t.test('every shard thread dies or hangs as the season ends: it ends all the same', async (t) => {
  const fates = ['exits', 'spins'] as const;
  const { findings, ends, truth } = await endWithoutShards(t, { fates, seed: SEED });
  t.same(findings, []);
  t.equal(ends.length, fates.length, `${truth.hands} hands sent and stored`);
  for (const end of ends) figure(t, `a season ends without its shards: ${describeEnd(end)}`);
});

await t.test('the database is away: tables pause and go on, nothing sent is lost', async (t) => {
  const kinds = [
    { kind: 'stop', ms: FULL ? 10_000 : 500 },
    { kind: 'freeze', ms: 3000 },
  ] as const;
  const { findings, outages, truth } = await loseDatabase(t, { outages: kinds, seed: SEED });
  t.same(findings, []);
  t.equal(outages.length, kinds.length, `${truth.hands} hands sent and stored`);
  for (const outage of outages) figure(t, `database: ${describeOutage(outage)}`);
});
