/** Tables that move between nodes: a table is handed over once every node holds what its sockets say to it, and not before. */
import t from 'tap';
import { MovingTables } from '../../src/nodes/moving-tables.js';
import { HeldTables } from '../../src/shard/held-tables.js';
import type { TableMessage, ToShard } from '../../src/shard/messages.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const state = (table: string, ticket = 1): ToShard => ({ t: 'state', table, ticket });

await t.test('all nodes must hold; each counts once, and for its table alone', async (t) => {
  const moves = new MovingTables();
  const held: string[] = [];
  moves.hold('x', ['a', 'b'], () => held.push('x'));
  moves.hold('y', ['a'], () => held.push('y'));
  moves.holds('x', 'a');
  moves.holds('x', 'a');
  moves.holds('x', 'c');
  t.same(held, []);
  t.same(moves.waitingFor('b'), ['x']);
  t.same(moves.waitingFor('a'), ['y'], 'who has said so is waited for no more');
  moves.holds('x', 'b');
  t.same(held, ['x']);
  moves.holds('x', 'b');
  moves.holds('y', 'a');
  t.same(held, ['x', 'y'], 'each of them once');
});

await t.test('without nodes nobody is waited for', async (t) => {
  let held = false;
  new MovingTables().hold('x', [], () => (held = true));
  t.ok(held);
});

await t.test('who answers late, after the table went or stayed, changes nothing', async (t) => {
  const moves = new MovingTables();
  moves.hold('x', ['a'], () => t.fail('it went elsewhere'));
  moves.moved('x', 2);
  moves.holds('x', 'a');
  t.same(moves.waitingFor('a'), []);
  let again = false;
  moves.hold('x', ['a'], () => (again = true));
  moves.holds('x', 'a');
  t.ok(again, 'it may move again');
});

await t.test('a table is under way until it went or stayed: who holds for any other is told where it is', async (t) => {
  const moves = new MovingTables();
  moves.hold('x', ['a'], () => undefined);
  t.same([...moves.underWay], ['x'], 'a node that comes now holds, too');
  t.ok(moves.holds('x', 'b'));
  t.ok(moves.holds('x', 'a'));
  t.ok(moves.holds('x', 'a'), 'it is being handed over');
  moves.moved('x', 2);
  t.notOk(moves.holds('x', 'a'));
  t.notOk(moves.holds('y', 'a'), 'a leader before this one had asked');
  t.same([...moves.underWay], []);
});

await t.test('where tables went lately is remembered: the last place of each, of the last thousand', async (t) => {
  const moves = new MovingTables();
  moves.moved('x', 1);
  moves.moved('y', 2);
  moves.moved('x', 3);
  t.same([...moves.lately], [['y', 2], ['x', 3]]); // prettier-ignore
  for (let n = 0; n < 999; n++) moves.moved(`t${n}`, 0);
  t.equal(moves.lately.size, 1000);
  t.notOk(moves.lately.has('y'), 'the oldest goes');
  t.ok(moves.lately.has('x'));
});

await t.test('who sends to tables holds what is for those that move', async (t) => {
  const dropped: TableMessage[] = [];
  const held = new HeldTables((message) => void dropped.push(message));
  t.notOk(held.keeps(state('x')), 'nothing moves');
  held.hold('x');
  t.ok(held.keeps(state('x', 1)));
  t.notOk(held.keeps(state('y')));
  t.notOk(held.keeps({ t: 'drain' }), 'what is for no table');
  held.hold('x');
  t.ok(held.keeps(state('x', 2)));
  t.same(held.release('x'), [state('x', 1), state('x', 2)], 'asked twice to hold it, it has all of it still');
  t.notOk(held.keeps(state('x')));
  t.same(held.release('x'), []);
  held.hold('x');
  for (let ticket = 0; ticket < 1001; ticket++) t.ok(held.keeps(state('x', ticket)));
  t.same(dropped, [state('x', 1000)]);
});
