/**
 * Sent results stay true after any fault of the process or its database (reliability.md, "Campaigns"): graceful stops,
 * a database that goes away for a moment. Kills and long outages are in chaos.test.ts. SEED=n takes another run.
 */
import t from 'tap';
import { seededRandom } from '../../src/cards/shuffle.js';
import { Crowd, LOAD } from '../chaos/crowd.js';
import { findLost, storedSeats } from '../chaos/seats.js';
import { Truth } from '../chaos/truth.js';
import { freshDatabase, stopCluster } from '../support/database.js';
import { DatabaseGate } from '../support/database-gate.js';
import { FILE_MS } from '../support/limits.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { calling, Scene, scenesOf } from '../support/scene.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const dice = seededRandom(SEED);
const below = (n: number) => dice.next16() % n;
t.comment(`SEED=${SEED}`);

/** A crowd that plays without pause. Its frames are compared with the database. */
async function crowdOn(platform: ForkedPlatform, size: number): Promise<{ crowd: Crowd; truth: Truth }> {
  const crowd = new Crowd(platform, SEED);
  await crowd.gather(size);
  return { crowd, truth: new Truth(crowd, platform.sql!) };
}

await t.test('SIGTERM under load: every hand is finished, sockets close with 1012, seats are kept', async (t) => {
  const platform = await ForkedPlatform.start(t, LOAD);
  const { crowd, truth } = await crowdOn(platform, 16);
  for (const hands of [100, 50]) {
    await crowd.moreHands(hands + below(100));
    await platform.stop();
    t.same(new Set(await crowd.closed()), new Set([1012]));
    t.same(await truth.check({ records: true }), [], `all that was sent is stored, every chip is there (SEED=${SEED})`);
    t.same(await truth.settle(), new Map(), 'no hand that was begun was left without its result');
    t.same(crowd.refusals(), [], 'nobody’s action was refused');

    const seats = await storedSeats(platform.sql!);
    const highest = crowd.highest();
    for (const guest of crowd.guests) guest.cameBack = null;
    await platform.launch();
    await crowd.connect();
    t.same(await findLost(crowd, seats, highest), [], `${seats.length} seats are reclaimed with their stored stacks`);
  }
  await crowd.moreHands(20);
  await platform.stop();
});

await t.test('a stop waits for the hand in progress, and not for ever', async (t) => {
  const platform = await ForkedPlatform.start(t, { DRAIN_MS: 5000 });
  const scene = scenesOf(t, platform);

  await scene('while the hand is played on, nothing new begins and /health/ready says 404', async (t, scene) => {
    const game = await scene.game(2);
    const actor = await game.actor();
    const waiting = await scene.player('sam');
    platform.terminate();
    for (let status = 200; status !== 404;) {
      const answer = await platform.api('GET', '/health/ready');
      ({ status } = answer);
      if (status === 404) t.same(answer.body, { detail: 'Server is draining' });
    }
    t.match(await platform.api('GET', '/health/live'), { status: 200 });
    await platform.healthWhen(({ status }) => status === 'degraded');
    const { hand_id } = actor.turn!;
    await game.finish(calling);
    for (const player of [...game.players, waiting]) t.match(await player.closed, { code: 1012 });
    t.same(await platform.ended, { code: 0, signal: null });
    const last = game.players[0]!.frames.filter((frame) => 'hand_id' in frame && frame.hand_id !== null).at(-1);
    t.match(last, { type: 'hand_result', hand_id }, 'no hand after it');
    t.match(game.players[0]!.last('table_state'), { waiting_reason: 'table_closing' });
    // This setting is for the next test.
    await platform.launch({ DRAIN_MS: 300 });
    for (const { account } of game.players) await scene.connect(account);
  });

  // The platform ends with this test, so the players need not leave.
  await t.test('who does not act within DRAIN_MS makes the hand void: stacks are what they were', async (t) => {
    const game = await new Scene(platform).game(2);
    const { hand_id } = (await game.actor()).turn!;
    await game.play('raise', 500);
    platform.terminate();
    t.same(await platform.ended, { code: 0, signal: null });
    const rows = await platform.sql!`select chips_at_table from entries where table_id = ${game.tableId}`;
    t.same(
      rows.map(({ chips_at_table }) => Number(chips_at_table)),
      [2000, 2000],
    );
    t.same(await platform.sql!`select from hands where hand_id = ${hand_id}`, []);
    t.same(platform.faults, []);
  });
});

await t.test('the database goes away and comes back: nothing sent is lost, play goes on', async (t) => {
  const address = await freshDatabase(t);
  const gate = await DatabaseGate.open(t, address);
  const platform = await ForkedPlatform.start(t, LOAD, address, gate.address);
  const { crowd, truth } = await crowdOn(platform, 8);
  for (let round = 0; round < 2; round++) {
    await crowd.moreHands(50 + below(50));
    await gate.cut();
    await platform.healthWhen(({ status }) => status === 'degraded');
    t.match(await platform.health(), { services: { database: 'unavailable' } });
    const ready = await platform.api('GET', '/health/ready');
    t.match(ready, { status: 503, body: { detail: 'Server is not ready' } });
    t.match(await platform.api('GET', '/health/live'), { status: 200 });
    const sentBefore = crowd.sent.size;
    t.same(await truth.check({ records: true }), [], `nothing sent is lost (SEED=${SEED})`);
    t.equal(crowd.sent.size, sentBefore, 'while it is away nothing settled is sent');
    await gate.mend();
    await platform.healthWhen(({ status }) => status === 'ok');
    await crowd.moreHands(50);
    t.ok(crowd.guests.every(({ player }) => !player.isClosed), 'no socket was closed'); // prettier-ignore
  }
  await platform.stop();
  t.same(await truth.checkAll(), [], `all that was sent is stored, every chip is there (SEED=${SEED})`);
});
