/**
 * Tables that move from shard to shard all the time (REBALANCE=constantly): those who play notice nothing, what was sent
 * is stored, and whatever dies meanwhile, every seat and chip is there. SEED=n is another run.
 */
import t from 'tap';
import { seededRandom } from '../../../src/cards/shuffle.js';
import { Crowd, LOAD } from '../../chaos/crowd.js';
import { CALM, RESTLESS } from '../../chaos/guest.js';
import { untilReady } from '../../chaos/home.js';
import { INSPECTED, runInThread } from '../../chaos/inspector.js';
import { findLost, storedSeats } from '../../chaos/seats.js';
import { FATES } from '../../chaos/threads.js';
import { Truth } from '../../chaos/truth.js';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS, FULL } from '../../support/limits.js';
import { ForkedPlatform } from '../../support/forked-platform.js';
import { type Env } from '../../support/platform.js';
import { SEED } from '../../support/seed.js';
import { Spectator } from '../../support/spectator.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const dice = seededRandom(SEED);
const below = (n: number) => dice.next16() % n;
t.comment(`SEED=${SEED}`);

const MOVING: Env = { ...LOAD, THREADS: 3, REBALANCE: 'constantly', LOG_LEVEL: 'info', ADMIN_KEY: 'k'.repeat(32) };

async function metricsOf(platform: ForkedPlatform): Promise<string> {
  const headers = { authorization: `Bearer ${String(MOVING['ADMIN_KEY'])}` };
  return (await fetch(`${platform.url}/metrics`, { headers })).text();
}

const movesOf = (platform: ForkedPlatform) => platform.output.split('"table moved"').length - 1;
const jumps = ({ reopened }: Crowd) => [...reopened];
const KILLS = FULL ? 5 : 1;
const LOSSES = FULL
  ? (['exits', 'spins', 'exits', 'throws', 'exits'] as const)
  : (['exits', 'spins', 'throws'] as const);

await t.test('those who play notice nothing: no number jumps, no action is refused, no hand is void', async (t) => {
  const platform = await ForkedPlatform.start(t, MOVING);
  const crowd = new Crowd(platform, SEED, CALM);
  await crowd.gather(16);
  const truth = new Truth(crowd, platform.sql!);
  await crowd.moreHands(20);
  const open = [...new Set(crowd.sent.values())];
  const spectators = await Promise.all(open.map((table) => Spectator.open(platform, table)));
  await crowd.moreHands(FULL ? 380 : 60);
  await eventually('tables that moved', () => movesOf(platform) >= (FULL ? 40 : 15));
  const read = new Map(spectators.map((spectator) => [spectator, spectator.all('hand_result').length]));
  const more = (spectator: Spectator) => spectator.all('hand_result').length > read.get(spectator)! || undefined;
  t.ok(await Promise.any(spectators.map((each) => each.until('a hand after all the moves', () => more(each)))));
  const body = await metricsOf(platform);
  t.match(body, /^poker_tables_moved_total [1-9]/m);
  t.match(body, /^poker_tables_moving \d/m);
  await platform.stop();
  t.same(new Set(await crowd.closed()), new Set([1012]));
  t.same(await truth.checkAll(), []);
  t.same(await truth.settle(), new Map(), 'no hand is void');
  t.same(crowd.refusals(), []);
  t.same(crowd.faults(), []);
  t.same(jumps(crowd), [], `no table was opened again in ${movesOf(platform)} moves`);
});

await t.test(
  'people come, go and fall silent meanwhile, and the process is killed: every seat is reclaimed',
  async (t) => {
    const platform = await ForkedPlatform.start(t, MOVING);
    const crowd = new Crowd(platform, SEED, RESTLESS);
    await crowd.gather(12);
    const truth = new Truth(crowd, platform.sql!);
    for (let kill = 0; kill < KILLS; kill++) {
      const before = movesOf(platform);
      await crowd.moreHands(30 + below(100));
      await eventually('tables that moved', () => movesOf(platform) > before);
      t.same(jumps(crowd), [], 'before the kill');
      await platform.kill();
      await crowd.closed();
      t.same(await truth.check({ records: kill === KILLS - 1 }), [], `all that was sent is stored (SEED=${SEED})`);
      const seats = await storedSeats(platform.sql!);
      const highest = crowd.highest();
      for (const guest of crowd.guests) guest.cameBack = null;
      await platform.launch();
      await crowd.connect();
      t.same(await findLost(crowd, seats, highest), [], `${seats.length} seats`);
      crowd.reopened.clear();
    }
    await crowd.moreHands(30);
    await platform.stop();
    await crowd.closed();
    t.same(await truth.checkAll(), []);
  },
);

await t.test('the threads of shards end and hang meanwhile: each table is on one of them', async (t) => {
  const platform = await ForkedPlatform.start(t, { ...MOVING, ...INSPECTED });
  const crowd = new Crowd(platform, SEED, CALM);
  await crowd.gather(12);
  const truth = new Truth(crowd, platform.sql!);
  for (const fate of LOSSES) {
    await crowd.moreHands(30 + below(60));
    const mark = platform.output.length;
    await runInThread(platform, 'shard', 3, below, FATES[fate]);
    await eventually('a shard that is lost', () => platform.output.slice(mark).includes('shard lost'));
    await untilReady(platform, 200);
    const moved = movesOf(platform);
    await crowd.moreHands(60);
    await eventually('tables that move again', () => movesOf(platform) > moved);
    t.same(await truth.check({ records: false }), [], fate);
  }
  const open = await platform.sql!<{ tableId: string }[]>`
    select table_id::text as "tableId" from tables where status = 'open'`;
  const sent = new Set(crowd.sent.keys());
  const plays = () => new Set([...crowd.sent].flatMap(([hand, table]) => (sent.has(hand) ? [] : [table])));
  await eventually('every table that stays open to play', async () => {
    const still = await platform.sql!<{ tableId: string }[]>`
      select table_id::text as "tableId" from tables where status = 'open'`;
    const ids = new Set(still.map(({ tableId }) => tableId));
    return open.every(({ tableId }) => !ids.has(tableId) || plays().has(tableId));
  });
  await platform.stop();
  await crowd.closed();
  t.same(await truth.checkAll(), []);
});
