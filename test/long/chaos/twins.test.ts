/**
 * A table that two shards play at once is seen: by the log of what shards stored (nodes/owners.ts), and by what players
 * read (nodes/overlaps.ts). `chaos:nodes` looks at both after everything that happens to nodes.
 */
import t from 'tap';
import type { ServerMessage } from '../../../src/protocol/server.js';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { withoutRedis } from '../../support/redis.js';
import { SEED } from '../../support/seed.js';
import { troubleNodes } from '../../chaos/nodes/campaign.js';
import type { Fault } from '../../chaos/nodes/faults.js';
import { CLOCKS_MS, Overlaps } from '../../chaos/nodes/overlaps.js';
import { judge, type Owned } from '../../chaos/nodes/owners.js';
import type { NodesWorld } from '../../chaos/nodes/world.js';
import { plantedMain } from '../../chaos/planted.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const judged = (...rows: Owned[]) => judge(rows, new Map(), new Map(), new Map());
const life = (shard: number, epoch: string): Owned => ({ what: 'epoch', shard, epoch });
const of = (shard: number): Owned => ({ what: 'table', table: 'T', shard });
const hand = (number: number, shard: number, epoch: string): Owned => ({
  ...{ what: 'hand', table: 'T', shard, epoch, hand: `h${number}`, number },
});

await t.test('a hand is stored by the shard that has its table, in the life that it has', async (t) => {
  t.same(
    judged(life(0, '1'), life(1, '1'), of(0), hand(1, 0, '1'), of(1), hand(2, 1, '1'), of(0), hand(4, 0, '1')),
    [],
  );
  t.match(judged(life(0, '1'), life(1, '1'), of(0), of(1), hand(1, 0, '1')), [/shard 0, .*: the table was shard 1's/]);
  t.match(judged(life(0, '1'), of(0), life(0, '2'), hand(1, 0, '1')), [/epoch 1: the shard had epoch 2/]);
  t.match(judged(life(0, '1'), of(0), hand(2, 0, '1'), hand(2, 0, '1')), [/hand 2 was stored before it/]);
});

await t.test('no hand of a table goes on after another has begun', async (t) => {
  const read = (...frames: [hand: string, ms: number][]) => {
    const overlaps = new Overlaps();
    for (const [hand_id, ms] of frames) {
      const ts = new Date(ms).toISOString();
      overlaps.note({ type: 'player_action', table_id: 'T', hand_id, ts } as ServerMessage);
    }
    return overlaps.check();
  };
  t.same(read(['a', 0], ['a', 4000], ['b', 4000], ['b', 5000]), []);
  t.same(read(['b', 4000], ['a', 0], ['a', 4000 + CLOCKS_MS]), [], 'clocks may differ by so much');
  t.match(read(['a', 0], ['b', 4000], ['a', 4100]), [/hand a went on for 100 ms after hand b had begun/]);
});

/** The open tables of a process. */
async function tablesOf(world: NodesWorld, pid: number): Promise<string[]> {
  return [...(await world.tables())].flatMap(([table, owner]) => (owner === pid ? [table] : []));
}

/** Whether a hand that began later was played to its end at one of them. */
async function playedSince({ entrance }: NodesWorld, tables: readonly string[], since: Date): Promise<boolean> {
  const rows =
    await entrance.sql!`select 1 from hands where table_id = any(${tables}) and started_at > ${since} limit 1`;
  return rows.length > 0;
}

await t.test(
  'a planted fault is found: a node that nobody takes for alive plays on',
  { skip: withoutRedis },
  async (t) => {
    const main = await plantedMain(
      t,
      {
        ...{ name: 'unfenced', what: 'its lease ends nothing', file: 'src/store/node/own-node.ts', says: /went on/ },
        ...{ find: 'return !this.#over && this.#lease.holds;', replace: 'return !this.#over;' },
      },
      {
        ...{ name: 'deaf', what: 'nor does the word of its end', file: 'src/store/node/own-node.ts', says: /went on/ },
        ...{ find: 'if (lives === false) return this.#ended();', replace: 'if (lives === false) return;' },
      },
    );
    const stands: Fault = {
      ...{ what: 'the leader stands still for longer than its lease', group: 'freeze', costs: 'hand' },
      happen: async (world) => {
        const { platform, pid } = await world.leader();
        const theirs = await tablesOf(world, pid);
        const since = new Date();
        platform.terminate('SIGSTOP');
        // From then on whatever it says of such a table is too much.
        await eventually('a hand at a table that was its', () => playedSince(world, theirs, since), 50);
        platform.terminate('SIGCONT');
      },
    };
    const { findings } = await troubleNodes(t, {
      faults: [stands, stands, stands],
      seed: SEED,
      nodes: 2,
      guests: 24,
      longestMs: 0,
      main,
    });
    // A guest that read of the other owner first refuses what the old one says, by its number.
    t.match(findings.join('\n'), /went on for \d+ ms after hand .* had begun|table_seq \d+ of \w+ after \d+/);
  },
);
