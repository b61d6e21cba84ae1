/**
 * Two processes with three Sentinels between them: the master of Redis dies while bots of both play at the same tables.
 * Nothing is void, every chip is there, and play goes on at the master that is named next (NODES.md, "What breaks, and what it costs").
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { Crowd, LOAD } from '../../chaos/crowd.js';
import { Truth } from '../../chaos/truth.js';
import { stopCluster } from '../../support/database.js';
import { FILE_MS } from '../../support/limits.js';
import { ForkedPlatform } from '../../support/forked-platform.js';
import { openSentinels } from '../../support/redis-failover.js';
import { withoutRedis } from '../../support/redis.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

await t.test('the master of Redis dies in the middle of play', { skip: withoutRedis }, async (t) => {
  const redis = await openSentinels(t);
  const env = { ...LOAD, REDIS_URL: redis.address, ACTION_TIMEOUT_MS: 8000, WS_CONNECTS_PER_MINUTE: 10_000 };
  const { leader, front } = await ForkedPlatform.startTwo(t, env);
  const nodes = [leader, front];
  const crowds = nodes.map((node, n) => new Crowd(node, SEED + 1000 * n));
  for (const crowd of crowds) await crowd.gather(4);
  const truths = crowds.map((crowd) => new Truth(crowd, crowd.platform.sql!));
  await Promise.all(crowds.map((crowd) => crowd.moreHands(20)));
  const tablesOf = ({ sent }: Crowd) => new Set(sent.values());
  const both = () => [...tablesOf(crowds[0]!)].some((table) => tablesOf(crowds[1]!).has(table));
  await crowds[0]!.untilSent('a hand with players of both', both);

  const codes = new Set<number>();
  let over = false;
  for (const guest of crowds.flatMap(({ guests }) => guests)) {
    void (async () => {
      for (;;) {
        const code = await guest.gone();
        if (over) return;
        codes.add(code);
        while (!over && !(await guest.connect().then(() => true, () => false))) await sleep(100); // prettier-ignore
      }
    })();
  }

  const master = await redis.master();
  await master.kill();
  for (const node of nodes) await node.wrote('Redis is away: this node hears nothing of others');
  await Promise.all(nodes.map((node) => node.ready()));
  const next = await redis.master();
  t.not(next, master);
  t.equal((await next.channels()).length, 2, 'both nodes are heard there');
  await Promise.all(crowds.map((crowd) => crowd.moreHands(40)));
  over = true;

  for (const node of nodes) t.notMatch(node.output, /it has ended|a node has ended|nhandled/);
  for (const truth of truths) {
    t.same([...(await truth.cutOff()).keys()], [], 'no hand is void');
    t.same(await truth.check({ records: true }), [], `every chip is there (SEED=${SEED})`);
  }
  t.same([...codes].filter((code) => code !== 1013), [], 'who lacks frames comes back, and resyncs'); // prettier-ignore
});
