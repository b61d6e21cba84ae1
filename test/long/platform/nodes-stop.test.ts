/** Nodes that are all told to stop at once finish their hands first, with all sockets open (NODES.md, "All stop"). */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Crowd, LOAD } from '../../chaos/crowd.js';
import { Truth } from '../../chaos/truth.js';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { ForkedPlatform } from '../../support/forked-platform.js';
import { Player } from '../../support/player.js';
import { withoutRedis } from '../../support/redis.js';
import { calling, Game } from '../../support/scene.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);
const skip = withoutRedis;

await t.test('all nodes are told to stop at once: hands are finished first', { skip }, async (t) => {
  const { leader, others } = await ForkedPlatform.startThree(t, { ...LOAD, DRAIN_MS: 60_000 });
  const nodes = [leader, ...others];
  const stopped = async (t: Test) => {
    const since = performance.now();
    for (const node of nodes) node.terminate();
    const endings = await Promise.all(nodes.map(({ ended }) => ended));
    t.comment(`figure: all three have ended after ${Math.round(performance.now() - since)} ms`);
    for (const ending of endings) t.same(ending, { code: 0, signal: null });
    for (const { output } of nodes) t.notMatch(output, /"level":"(?:warn|error|fatal)"/, 'nothing to look at');
  };

  await t.test('a crowd in the middle of its hands', async (t) => {
    const crowds = nodes.map((node, n) => new Crowd(node, SEED + 1000 * n));
    for (const crowd of crowds) await crowd.gather(6);
    const truths = crowds.map((crowd) => new Truth(crowd, leader.sql!));
    await Promise.all(crowds.map((crowd) => crowd.moreHands(40)));
    await stopped(t);
    for (const crowd of crowds) t.same(new Set(await crowd.closed()), new Set([1012]));
    for (const truth of truths) {
      t.same([...(await truth.settle()).values()], [], 'no hand is void');
      t.same(await truth.check({ records: true }), []);
    }
  });

  for (const node of nodes) {
    node.output = '';
    await node.launch({ BETWEEN_HANDS_MS: 100 });
    await node.ready();
  }
  await t.test('a hand whose players are on other nodes, and that waits for one of them', async (t) => {
    const players: Player[] = [];
    for (const node of nodes) {
      const player = await Player.open(node, await node.register('ada'));
      await player.next('connected');
      players.push(player);
    }
    const game = new Game(players);
    await game.sit(2000);
    const ended = stopped(t);
    for (const node of nodes) {
      await eventually('a node that drains', async () => (await node.api('GET', '/health/ready')).status === 404);
    }
    // Longer than nodes wait to hear that others stop, too.
    await sleep(2000);
    t.notOk(players.some(({ isClosed }) => isClosed), 'all sockets are open'); // prettier-ignore
    const { hand_id } = await game.finish(calling);
    for (const { closed } of players) t.match(await closed, { code: 1012 });
    await ended;
    const [row] = await leader.sql!`select 1 as there from hands where hand_id = ${hand_id}`;
    t.match(row, { there: 1 }, 'it is stored');
  });
});
