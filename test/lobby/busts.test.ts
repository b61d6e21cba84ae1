/**
 * The result of a bust is told before the agent sits down again. At another table `busted` would look like news of the
 * new seat.
 */
import t from 'tap';
import type { Entrance } from '../../src/lobby/ports.js';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

/** Ann and Bob in a hand; what comes of Ann's next bust is told when `tell` is called. */
async function aboutToBust() {
  const house = new LobbyHouse();
  house.shard.slowHands = true;
  const [ann] = await house.join('ann', 'bob');
  house.balances.set('ann', 5000);
  let tell!: () => void;
  house.play.bustSettles = new Promise((resolve) => (tell = resolve));
  return { house, ann: ann!, tell };
}

await t.test('a join that crosses the bust', async (t) => {
  const { house, ann, tell } = await aboutToBust();
  house.shard.silent = true;
  ann.join();
  await house.clock.settle();
  house.shard.remove('ann', 'busted');
  house.shard.answerAll();
  await house.clock.settle();
  t.same(ann.types, ['lobby_joined', 'lobby_joined']);
  t.notOk(house.seated.has('ann'), 'waits for its news');
  tell();
  await house.clock.settle();
  t.equal(ann.types.length, 2, 'and is not greeted again');
  t.ok(house.seated.has('ann'));
});

await t.test('a join whose entry is looked up meanwhile', async (t) => {
  const { house, ann, tell } = await aboutToBust();
  const entered: Entrance = {
    kind: 'entered',
    entry: { poolId: 'season 1', chipBalance: 5000, autoRebuy: false, premium: false },
  };
  let look!: (entrance: Entrance) => void;
  house.play.entrance = () => new Promise((resolve) => (look = resolve));
  ann.send({ type: 'leave_table' });
  ann.join();
  await house.clock.settle();
  house.shard.remove('ann', 'busted');
  await house.clock.settle();
  look(entered);
  await house.clock.settle();
  t.notOk(house.seated.has('ann'));
  house.play.entrance = () => entered;
  tell();
  await house.clock.settle();
  t.same(ann.types, ['lobby_joined', 'lobby_joined']);
  t.ok(house.seated.has('ann'));
});
