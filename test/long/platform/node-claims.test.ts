/**
 * The database goes away as a node begins to lead: the node lives on, with its sockets and the hands at its tables, and
 * leads once the database is back (NODES.md, "The leader dies").
 */
import t from 'tap';
import { Crowd, LOAD } from '../../chaos/crowd.js';
import { Truth } from '../../chaos/truth.js';
import { UNHEARD } from '../../../src/protocol/codes.js';
import { DatabaseGate } from '../../support/database-gate.js';
import { freshDatabase, openPool, stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { ForkedPlatform } from '../../support/forked-platform.js';
import { openRedis, redisUrl, withoutRedis } from '../../support/redis.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

const CLAIMS = 'nobody leads any more: this node does';
const YIELDS = 'the database went away as this node began to lead: it does not';

/** Where it goes away: at the first connection that the lead makes, and as it takes the shards. */
const POINTS = ['agent-poker background', 'update shards set epoch'] as const;

const count = (node: ForkedPlatform, text: string) => node.output.split(text).length - 1;

await t.test('a node that claims the lead just as the database goes away', { skip: withoutRedis }, async (t) => {
  const database = await freshDatabase(t);
  const REDIS_URL = await redisUrl(t, await openRedis(t));
  const env = {
    ...LOAD,
    REDIS_URL,
    HOUSE_BOTS: 2,
    LOG_LEVEL: 'info',
    ACTION_TIMEOUT_MS: 60_000,
    WS_CONNECTS_PER_MINUTE: 10_000,
  };
  const gate = await DatabaseGate.open(t, database);
  const [leader, heir] = await Promise.all([
    ForkedPlatform.prepare(t, { ...env, NODE_SHARDS: 0 }, database),
    ForkedPlatform.prepare(t, env, database, gate.address),
  ]);
  await leader.launch();
  await heir.launch();
  await leader.ready();
  await heir.ready();
  const crowd = new Crowd(heir, SEED);
  await crowd.gather(6);
  const truth = new Truth(crowd, openPool(t, database));
  await crowd.moreHands(10);
  const { pid } = heir;
  const closed: string[] = [];
  for (const { account, player } of crowd.guests) {
    void player.closed.then(({ code, reason }) => closed.push(`${account.name}: ${code} ${reason}`));
  }

  gate.trap(POINTS[0]);
  await leader.kill();
  for (const [n, point] of POINTS.entries()) {
    await eventually(`a start that ends at ${point}`, () => count(heir, YIELDS) > n || !alive(heir));
    t.ok(alive(heir), `the process lives on: ${point}`);
    t.equal(count(heir, CLAIMS), n + 1);
    const next = POINTS[n + 1];
    if (next !== undefined) gate.trap(next);
    await gate.mend();
  }
  await heir.ready();
  await crowd.moreHands(20);
  // What a player told the old leader as it died is asked of nobody again: that socket ends, and says so.
  t.same(closed.filter((end) => !end.endsWith(UNHEARD)), [], 'no socket was closed'); // prettier-ignore
  t.ok(closed.length < crowd.guests.length / 2, `${closed.length} had said something as the leader died`);
  t.equal(count(heir, CLAIMS), POINTS.length + 1);
  t.equal(heir.pid, pid);
  t.same([...(await truth.cutOff()).values()], [], 'no hand is void');
  t.same(await truth.check({ records: true }), []);
  t.notMatch(heir.output, /the platform cannot go on|nhandled|MaxListeners|did not end within/);
  t.same(crowd.faults(), []);

  await t.test('one whose release has another schema does not lead: it ends, to be started anew', async (t) => {
    await leader.launch();
    await leader.ready();
    // As where a newer release waits for the older one, which leads.
    await heir.sql!`delete from migrations where name = (select max(name) from migrations)`;
    await heir.kill();
    t.match(await leader.ended, { code: 1 });
    t.match(leader.output, /The database lacks [^:]*\.sql: a start of this release brings it/);
  });
});

function alive(node: ForkedPlatform): boolean {
  try {
    return process.kill(node.pid, 0);
  } catch {
    return false;
  }
}
