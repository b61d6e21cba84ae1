/** Tables of an ended node that this node has claimed: seats are kept, and the players gather at their own nodes again. */
import t from 'tap';
import type { TableOpening } from '../../src/table/api.js';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse, type Line } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

/** What an ended node has left: a table with these players. */
async function left(...names: string[]): Promise<TableOpening[]> {
  const ended = new LobbyHouse();
  await ended.join(...names);
  return ended.shard.revive();
}

async function adopted(house: LobbyHouse, openings: readonly TableOpening[]): Promise<string> {
  house.lobby.node.adopt(0, openings);
  await house.clock.settle();
  return openings[0]!.tableId;
}

await t.test('a connected player has its seat at once, and any other when it comes', async (t) => {
  const house = new LobbyHouse();
  const ada = await house.connect('ada');
  const table = await adopted(house, await left('ada', 'bob'));
  t.match(ada.route, { table, shard: 0, seat: 0 });
  t.match(house.lobby.views.counts(), { seated: 2, tables: 1 });
  const bob = await house.connect('bob');
  t.match(bob.route, { table, shard: 0, seat: 1 });
  t.same(
    house.shard.received.map(({ t }) => t),
    ['open', 'attach', 'attach'],
  );
  ada.send({ type: 'leave_table' });
  t.match(house.shard.last('leave'), { table, agentId: 'ada' });
  t.same(house.errors, []);
});

await t.test('a table is opened once, and busts that the end of the node swallowed are looked up', async (t) => {
  const house = new LobbyHouse();
  const openings = await left('ada', 'bob');
  await adopted(house, openings);
  t.same([house.play.calls, house.competitions.recovered], [['shardRecovered'], 1]);
  await adopted(house, openings);
  t.equal(house.shard.count('open'), 1);
});

await t.test('a newcomer sits down beside those whose seats are held', async (t) => {
  const house = new LobbyHouse();
  await house.connect('ada');
  const table = await adopted(house, await left('ada', 'bob'));
  const [cid] = await house.join('cid');
  await house.clock.advance(10_000);
  t.match(cid!.route, { table });
});

/** A table that was adopted, whose players come relayed or not. */
async function played(relayed: readonly boolean[]): Promise<{ house: LobbyHouse; table: string; lines: Line[] }> {
  const house = new LobbyHouse();
  const names = relayed.map((_, n) => `bot ${n}`);
  const table = await adopted(house, await left(...names));
  const lines = names.map((name, n) => house.dial(name, '127.0.0.1', null, relayed[n] ? 'another node' : undefined));
  await house.clock.settle();
  house.lobby.node.lookAfterRelayed();
  await house.clock.advance(59_000);
  house.lobby.node.lookAfterRelayed();
  return { house, table, lines };
}

await t.test('it closes once most of its players were relayed for a minute', async (t) => {
  const { house, table } = await played([true, true, false]);
  t.ok(house.shard.tables.has(table), 'not before');
  await house.clock.advance(1000);
  house.lobby.node.lookAfterRelayed();
  await house.clock.settle();
  t.notOk(house.shard.tables.has(table));
  t.match(house.shard.last('close'), { table, reason: 'insufficient_players' });
});

await t.test('it stays where half of its players are connected here', async (t) => {
  const { house, table } = await played([true, false]);
  await house.clock.advance(120_000);
  house.lobby.node.lookAfterRelayed();
  await house.clock.settle();
  t.ok(house.shard.tables.has(table));
});

await t.test('a minute counts anew after a moment in which most were connected here', async (t) => {
  const { house, table, lines } = await played([true, true, false]);
  lines[0]!.drop();
  await house.clock.settle();
  house.lobby.node.lookAfterRelayed();
  house.dial('bot 0', '127.0.0.1', null, 'another node');
  await house.clock.settle();
  house.lobby.node.lookAfterRelayed();
  await house.clock.advance(59_000);
  house.lobby.node.lookAfterRelayed();
  t.ok(house.shard.tables.has(table));
});
