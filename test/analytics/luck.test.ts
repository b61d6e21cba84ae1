/** Results less luck are counted once, in pools with this release's value function, and shown by whole hundreds. */
import t from 'tap';
import { publicFigures, selectEstimates } from '../../src/analytics/index.js';
import { HandReader } from '../../src/analytics/hand-facts.js';
import { Keeper } from '../../src/analytics/keeper.js';
import { Hand } from '../../src/holdem/hand.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import { interval95 } from '../../src/statistics/confidence-sequence.js';
import type { HandRecord } from '../../src/table/effects.js';
import { LUCK_LIMIT } from '../../src/value/luck.js';
import { hasValueFunction, recordValueFunction } from '../../src/value/pool.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { openRandomTables } from '../support/random-table.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

await t.test('luck is counted once, and shown at multiples of 100 hands', async (t) => {
  const sql = openPool(t, await freshDatabase(t), 4);
  const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 6, chips: 5000, seed: SEED });
  t.notOk(await hasValueFunction(sql, poolId), 'a pool of an older release has no luck');
  await recordValueFunction(sql, poolId);
  t.ok(await hasValueFunction(sql, poolId));
  const table = randomTables[0]!;
  const agents = table.seated.map(({ agentId }) => agentId);
  const hands: HandRecord[] = [];
  const play = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const record = table.play();
      await commitHands(sql, fence, [record]);
      hands.push(record);
    }
  };
  const reader = new HandReader(new Hand(), null);
  const expected = (agentId: string, count: number) => {
    const own = hands.flatMap((hand) => {
      const facts = reader.read(hand, true).find((player) => player.agentId === agentId);
      return facts === undefined ? [] : [facts.totals];
    });
    const sample = { count, sum: 0, squares: 0, risk: 0, chance: 0 };
    own.slice(0, count).forEach(({ luck_millionths, luck_bb_squares }) => {
      sample.sum += luck_millionths / 1e6;
      sample.squares += luck_bb_squares;
    });
    for (const { bb_risk, bb_chance } of own) {
      sample.risk = Math.max(sample.risk, bb_risk);
      sample.chance = Math.max(sample.chance, bb_chance);
    }
    return {
      ...sample,
      risk: (1 + LUCK_LIMIT) * sample.risk,
      chance: sample.chance + LUCK_LIMIT * sample.risk,
    };
  };

  await play(70);
  await Promise.all([new Keeper(sql).round(Infinity), ...agents.map((id) => new Keeper(sql).advance(poolId, id, 9))]);
  for (const [, estimates] of await selectEstimates(sql, poolId, agents)) {
    t.match(estimates, { hands_luck_adjusted: 0, bb_per_100_luck_adjusted: null, bb_per_100_luck_adjusted_ci95: null });
  }
  await play(60);
  await Promise.all([new Keeper(sql).round(Infinity), ...agents.map((id) => new Keeper(sql).advance(poolId, id, 9))]);
  await new Keeper(sql).round(Infinity);
  const shown = await selectEstimates(sql, poolId, agents);
  const { curve, luck_curve: lines, ...all } = await publicFigures(sql, poolId, agents[0]!);
  t.same(
    lines.map((point) => point.hand_number),
    all.hands_counted >= 100 ? [100] : [],
    'a line less luck has points at whole hundreds',
  );
  const own = hands.filter(({ players }) => players.some((player) => player.agentId === agents[0]));
  const atEnd = own.reduce((sum, { players }) => {
    const { payout, contributed } = players.find((player) => player.agentId === agents[0])!;
    return sum + payout - contributed;
  }, 0);
  t.equal(curve.at(-1)!.cumulative_profit, atEnd);
  for (const { luck_adjusted: chips, low, high } of lines) {
    t.ok(low <= chips && chips <= high, 'the line lies within its limits');
    t.ok(Math.abs(chips / own[0]!.bigBlind - expected(agents[0]!, 100).sum) < 1, 'it is the sum of the hands');
  }
  const full = agents.filter((id) => (shown.get(id)?.hands_counted ?? 0) >= 100);
  t.ok(full.length > 0, `${full.length} agents have a hundred hands`);
  for (const id of full) {
    const sample = expected(id, 100);
    const { hands_luck_adjusted, bb_per_100_luck_adjusted, bb_per_100_luck_adjusted_ci95 } = shown.get(id)!;
    t.equal(hands_luck_adjusted, 100);
    t.ok(Math.abs(bb_per_100_luck_adjusted! - sample.sum) < 1e-6, `${bb_per_100_luck_adjusted} of ${sample.sum}`);
    const [low, high] = interval95(sample)!;
    const [ours, theirs] = bb_per_100_luck_adjusted_ci95!;
    t.ok(Math.abs(ours - low) < 1e-3 && Math.abs(theirs - high) < 1e-3, `${ours} to ${theirs} of ${low} to ${high}`);
  }
});
