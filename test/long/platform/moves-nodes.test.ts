/**
 * Tables that move between nodes, between hands (REBALANCE): those who play notice nothing, wherever their sockets are;
 * whatever dies or stops meanwhile, each table is on one node, and every seat and chip is there. A node that joins takes
 * its share without any socket closing. Within one process that is moves.test.ts. SEED=n is another run.
 */
import t from 'tap';
import { Crowd, LOAD } from '../../chaos/crowd.js';
import { CALM } from '../../chaos/guest.js';
import { Truth } from '../../chaos/truth.js';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS, FULL } from '../../support/limits.js';
import { ForkedPlatform } from '../../support/forked-platform.js';
import { type Env } from '../../support/platform.js';
import type { Player } from '../../support/player.js';
import { withoutRedis } from '../../support/redis.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);
const skip = withoutRedis;

/** Tables do not wait long for those whose socket ended in the middle of a hand. */
const BUSY: Env = { ...LOAD, THREADS: 1, ACTION_TIMEOUT_MS: 8000, LOG_LEVEL: 'info' };
const MOVING: Env = { ...BUSY, REBALANCE: 'constantly' };

const movesOf = (nodes: readonly ForkedPlatform[]) =>
  nodes.reduce((sum, { output }) => sum + output.split('"table moved"').length - 1, 0);

/** Some guests on each node; they meet at the same tables. */
async function crowdsOn(nodes: readonly ForkedPlatform[], size: number) {
  const crowds = nodes.map((node, n) => new Crowd(node, SEED + 1000 * n, CALM));
  for (const crowd of crowds) await crowd.gather(size);
  return { crowds, truths: crowds.map((crowd) => new Truth(crowd, crowd.platform.sql!)) };
}

const moreHands = (crowds: readonly Crowd[], count: number) =>
  Promise.all(crowds.map((crowd) => crowd.moreHands(count)));
const playersOf = (crowds: readonly Crowd[]): Player[] =>
  crowds.flatMap(({ guests }) => guests.map(({ player }) => player));
const areOpen = (players: readonly Player[]) => players.every(({ isClosed }) => !isClosed);
const faultsOf = (crowds: readonly Crowd[]) => crowds.flatMap((crowd) => crowd.faults());

await t.test(
  'those who play notice nothing: no number jumps, nothing is refused, no hand is void',
  { skip },
  async (t) => {
    const { leader, others } = await ForkedPlatform.startThree(t, MOVING);
    const nodes = [leader, ...others];
    const { crowds, truths } = await crowdsOn(nodes, 4);
    const players = playersOf(crowds);
    await moreHands(crowds, FULL ? 300 : 20);
    const before = movesOf(nodes);
    await eventually('tables that move', () => movesOf(nodes) >= before + (FULL ? 20 : 5));
    await moreHands(crowds, 20);
    t.ok(areOpen(players), 'no socket was closed');
    for (const crowd of crowds) {
      t.same(crowd.refusals(), []);
      t.same([...crowd.reopened], [], `no table was opened again in ${movesOf(nodes)} moves`);
    }
    t.same(faultsOf(crowds), []);
    for (const truth of truths) t.same(await truth.checkAll(), []);

    await t.test('a node stops while tables move: no hand is void', async (t) => {
      const stops = others[0]!;
      const [stay, leave] = [[crowds[0]!, crowds[2]!], crowds[1]!];
      const players = playersOf(stay);
      stops.terminate();
      t.same(new Set(await leave.closed()), new Set([1012]));
      t.same(await stops.ended, { code: 0, signal: null });
      await moreHands(stay, 20);
      t.ok(areOpen(players));
      await stops.launch();
      await stops.ready();
      await leave.connect();
      await moreHands(crowds, 20);
      for (const truth of truths) {
        t.same([...(await truth.cutOff()).values()], [], `no hand is void (SEED=${SEED})`);
        t.same(await truth.checkAll(), []);
      }
      t.same(faultsOf(crowds), []);
    });

    await t.test(
      'a node dies, and then the one that leads: the sockets of others stay, and tables move on',
      async (t) => {
        const [, lives] = others;
        const stay = playersOf([crowds[2]!]);
        for (const [n, node] of [others[0]!, leader].entries()) {
          const crowd = crowds[node === leader ? 0 : 1]!;
          await node.kill();
          await crowd.closed();
          const moved = movesOf(nodes);
          await crowds[2]!.moreHands(20);
          await node.launch();
          await node.ready();
          await crowd.connect();
          await moreHands(crowds, 20);
          await eventually('tables that move again', () => movesOf(nodes) > moved);
          // Whose stay ended with the table that died comes back; nobody else has to.
          const ended = stay.filter(({ isClosed, wasUntold }) => isClosed && !wasUntold);
          t.same(await Promise.all(ended.map(({ closed }) => closed)), [], `kill ${n + 1}`);
          for (const truth of truths) {
            const voids = [...(await truth.cutOff()).values()].map(({ length }) => length);
            t.same(voids.filter((count) => count > 1), [], 'at most the hand in play of a table is void'); // prettier-ignore
            t.same(await truth.check({ records: false }), [], `all that was sent is stored (SEED=${SEED})`);
          }
        }
        await lives!.ready();
      },
    );
  },
);

await t.test('a new node takes its share, and no socket closes', { skip }, async (t) => {
  const { leader } = await ForkedPlatform.startNodes(t, [BUSY]);
  const { crowds, truths } = await crowdsOn([leader], 16);
  await moreHands(crowds, 40);
  const players = playersOf(crowds);
  const fresh = await leader.joinedBy(t);
  const tablesOf = () => leader.sql!<{ tables: number }[]>`
    select count(*)::int as tables from tables t join shards s using (shard_no) join nodes n on n.node_id = s.holder
    where t.status = 'open' and n.started_at = (select max(started_at) from nodes) group by n.node_id`;
  await eventually('a table on the new node', async () => ((await tablesOf())[0]?.tables ?? 0) > 0);
  await moreHands(crowds, 40);
  t.ok(areOpen(players));
  t.match(await fresh.health(), { status: 'ok' });
  t.same([...crowds[0]!.reopened], []);
  t.same(crowds[0]!.refusals(), []);
  t.same(faultsOf(crowds), []);
  for (const truth of truths) t.same([await truth.checkAll(), (await truth.cutOff()).size], [[], 0]);
});
