import t from 'tap';
import { stopCluster } from './support/database.js';
import { ShardHouse } from './support/shard-house.js';

t.teardown(stopCluster);

await t.test('tables play, and every hand that was told is in the database', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2 });
  const games = await Promise.all([house.game(0, 2, 5000), house.game(1, 3, 5000), house.game(0, 6, 5000)]);
  await Promise.all(games.map(({ bots }) => house.until(() => bots.some((bot) => bot.results.length >= 30))));
  await house.pool.drain(5000);
  for (const { table, bots } of games) {
    const { hands } = await house.stored(table);
    const told = new Set(bots.flatMap((bot) => bot.results.map((result) => result.hand_id)));
    t.same([...told].sort(), hands.sort());
  }
  t.equal(await house.surplus(), 0);
});
