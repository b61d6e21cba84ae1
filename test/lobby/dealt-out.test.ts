/**
 * What the lobby does when a shard is lost for good and others get its tables: seats are kept, whoever is connected plays
 * on there, and what is gone is gone.
 */
import t, { type Test } from 'tap';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

/** Two players at a table of shard `from`; the other shard is there for it. */
async function seated() {
  const house = new LobbyHouse({ shards: 2 });
  const [ada, bob] = await house.join('ada', 'bob');
  const table = house.tableOf('ada');
  const from = house.shards.findIndex((shard) => shard.tables.has(table));
  return { house, table, from, to: 1 - from, ada: ada!, bob: bob! };
}

type Seated = Awaited<ReturnType<typeof seated>>;

/** As the leader does: the taker opens the tables, then the lobby hears whose they are. */
async function dealOut({ house, from, to }: Seated, keep: (tableId: string) => boolean = () => true): Promise<void> {
  const openings = house.shards[from]!.revive().filter(({ tableId }) => keep(tableId));
  house.shards[from]!.tables.clear();
  for (const opening of openings) house.shards[to]!.send({ t: 'open', opening, restored: true });
  house.lobby.shards.shardDealtOut(
    from,
    openings.map((opening) => ({ opening, shard: to })),
  );
  await house.clock.settle();
}

const readBy = ({ house, to, table }: Seated) =>
  house.shards[to]!.received.filter((message) => 'table' in message && message.table === table).map(({ t }) => t);

const playsAt = (t: Test, { ada, bob, table }: Seated, shard: number) => {
  for (const line of [ada, bob]) t.match(line.route, { table, shard });
};

await t.test('those who are connected take their seats at the taker', async (t) => {
  const all = await seated();
  const { house, from, to, ada } = all;
  playsAt(t, all, from);
  house.lobby.shards.shardDown(from);
  await dealOut(all);
  playsAt(t, all, to);
  t.same(readBy(all), ['attach', 'attach']);
  t.match(house.lobby.views.counts(), { seated: 2, tables: 1 });
  ada.send({ type: 'leave_table' });
  t.same(readBy(all), ['attach', 'attach', 'leave'], 'and speak to it');
  t.same(house.errors, []);
});

await t.test('who has left meanwhile asks the taker, and whose seat is not stored sits nowhere', async (t) => {
  const all = await seated();
  const { house, from, to, table, ada, bob } = all;
  const [cid] = await house.join('cid');
  await house.clock.advance(10_000);
  t.match(cid!.route, { table });
  cid!.send({ type: 'leave_table' });
  await house.clock.settle();
  house.shards[from]!.endHands();
  await house.clock.settle();
  t.match(cid!.route, { table, seat: null });
  house.lobby.shards.shardDown(from);
  const shard = house.shards[from]!;
  shard.tables.get(table)!.seats = shard.tables.get(table)!.seats.map((s) => (s?.agentId === 'bob' ? null : s));
  house.seated.delete('bob');
  await dealOut(all);
  t.match(ada.route, { table, shard: to });
  t.match(bob.route, { table, shard: to, seat: null });
  t.match(house.lobby.views.counts(), { seated: 1 });
  cid!.send({ type: 'resync_request', table_id: table, last_table_seq: 1 } as never);
  await house.clock.settle();
  t.ok(readBy(all).includes('resync'));
  bob.join();
  await house.clock.settle();
  t.match(bob.last, { type: 'lobby_joined' }, 'it may sit down again');
});

await t.test('a table that does not come back is gone, and its players may join again', async (t) => {
  const all = await seated();
  const { house, from, ada } = all;
  house.lobby.shards.shardDown(from);
  house.seated.clear();
  await dealOut(all, () => false);
  t.match(house.lobby.views.counts(), { seated: 0, tables: 0 });
  ada.join();
  await house.clock.settle();
  t.match(ada.last, { type: 'lobby_joined' });
});
