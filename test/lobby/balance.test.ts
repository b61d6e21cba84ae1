/** Which tables move so that shards are equally full: from the fullest to the emptiest, and never back and forth. */
import fc from 'fast-check';
import t from 'tap';
import { balance, type PlayedTable } from '../../src/lobby/matching/balance.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);

const table = (tableId: string, shard: number, players: number): PlayedTable => ({ tableId, shard, players });

void t.test('the largest table that makes both fuller shards less full goes first', (t) => {
  const tables = [table('a', 0, 6), table('b', 0, 6), table('c', 0, 2), table('d', 1, 2)];
  t.same(balance(tables, [0, 1], 4), [{ tableId: 'a', to: 1 }]);
  t.same(balance([table('a', 0, 6), table('b', 0, 6)], [0, 1], 4), [{ tableId: 'a', to: 1 }]);
  t.end();
});

void t.test('nothing moves on one shard, within a fifth, or where it would only turn the difference round', (t) => {
  t.same(balance([table('a', 0, 6), table('b', 0, 6)], [0], 4), []);
  t.same(balance([table('a', 0, 6), table('b', 0, 4), table('c', 1, 8)], [0, 1], 4), []);
  t.same(balance([table('a', 0, 6)], [0, 1], 4), []);
  t.same(balance([table('a', 0, 6), table('b', 0, 6)], [0, 1], 0), []);
  t.end();
});

void t.test('carried out again and again it comes to rest, and no shard gets fuller than the fullest was', (t) => {
  const played = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 0, max: 6 })), { maxLength: 60 });
  const property = fc.property(played, fc.integer({ min: 1, max: 4 }), (all, shards) => {
    let tables = all.map(([shard, players], i) => table(`t${i}`, shard % shards, players));
    const numbers = [...Array(shards).keys()];
    const loads = () => numbers.map((n) => tables.reduce((sum, { shard, players }) => sum + (shard === n ? players : 0), 0)); // prettier-ignore
    const most = Math.max(...loads());
    for (let round = 0; round < 200; round++) {
      const moves = balance(tables, numbers, 4);
      if (moves.length === 0) return true;
      if (moves.length > 4 || new Set(moves.map(({ tableId }) => tableId)).size < moves.length) return false;
      const to = new Map(moves.map((move) => [move.tableId, move.to]));
      tables = tables.map((each) => ({ ...each, shard: to.get(each.tableId) ?? each.shard }));
      if (Math.max(...loads()) > most) return false;
    }
    return false;
  });
  fc.assert(property, { seed: SEED });
  t.pass();
  t.end();
});
