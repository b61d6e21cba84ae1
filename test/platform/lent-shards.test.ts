/**
 * Tables on the node that does not lead: they play as any, outlive breaks of the link between the nodes, and when their
 * node dies, freezes or stops they play on elsewhere, with all seats kept.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { Crowd, LOAD } from '../chaos/crowd.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { withoutRedis } from '../support/redis.js';
import { calling, scenesOf } from '../support/scene.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const skip = withoutRedis;

await t.test('a table on the other node', { skip }, async (t) => {
  const { leader, front } = await TestPlatform.startLent(t, { BETWEEN_HANDS_MS: 100 });
  const scene = scenesOf(t, leader);
  await scene('plays a hand', async (t, scene) => {
    const game = await scene.game(3);
    const [table] = await leader.sql!`select shard_no from tables where table_id = ${game.tableId}`;
    t.equal(table!['shard_no'], 1, 'where it is meant to be');
    await game.finish(calling);
    t.same(front.faults, []);
  });
});
