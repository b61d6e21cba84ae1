/**
 * A table that two shards play at once is seen: by the log of what shards stored (nodes/owners.ts), and by what players
 * read (nodes/overlaps.ts). `chaos:nodes` looks at both after everything that happens to nodes.
 */
import t from 'tap';
import type { ServerMessage } from '../../src/protocol/server.js';
import { FILE_MS } from '../support/limits.js';
import { CLOCKS_MS, Overlaps } from './nodes/overlaps.js';
import { judge, type Owned } from './nodes/owners.js';

t.setTimeout(FILE_MS);

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
