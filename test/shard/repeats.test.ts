/**
 * An order that reaches a shard twice, or late, changes nothing the second time. Each order names its stay or its
 * table, and the sender chose the name.
 */
import t, { type Test } from 'tap';
import type { FromShard, ToShard } from '../../src/shard/messages.js';
import { NO_SOCKET } from '../../src/table/api.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { resultsOf } from '../support/shard-bots.js';
import { ShardHouse } from '../support/shard-house.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const reports = <T extends FromShard['t']>(house: ShardHouse, kind: T) =>
  house.reports.map(({ message }) => message).filter((message) => message.t === kind) as Extract<FromShard, { t: T }>[];

/** Resolves once the shard has answered all earlier orders, statements included. */
async function settled(house: ShardHouse): Promise<void> {
  await house.openTable();
  await house.openTable();
}

async function booksAreRight(t: Test, house: ShardHouse, table: string, seated: readonly string[]): Promise<void> {
  t.same([...(await house.stored(table)).stacks.keys()].sort(), [...seated].sort(), 'who sits there');
  t.equal(await house.surplus(), 0, 'no chip more or less');
}

await t.test('a seat asked for again when the stay is over is not taken again', async (t) => {
  const house = await ShardHouse.open(t);
  const table = await house.openTable();
  const [player] = await house.players(1);
  const { bot, sit, ticket } = house.askSeat(0, table, player!);
  await house.report('sat', (sat) => sat.ticket === ticket);
  house.send(0, { t: 'leave', table, agentId: player!.agentId, sitting: null, socket: bot.socket });
  await house.report('left');
  house.send(0, sit);
  t.match(await house.report('sitFailed', (failed) => failed.ticket === ticket), { code: 'table_gone' });
  await booksAreRight(t, house, table, []);
});

await t.test('an order to leave ends the stay that it names, and no later one', async (t) => {
  const house = await ShardHouse.open(t);
  const table = await house.openTable();
  const [player, other] = await house.players(2);
  const { agentId } = player!;
  const first = house.askSeat(0, table, player!);
  await house.report('sat', (sat) => sat.ticket === first.ticket);
  const orders: ToShard[] = [
    { t: 'leave', table, agentId, sitting: first.sit.sitting, socket: NO_SOCKET },
    { t: 'moveOn', table, agentId, sitting: first.sit.sitting, reason: 'insufficient_players' },
  ];
  for (const order of [...orders, ...orders]) house.send(0, order);
  await house.report('left');
  const second = house.askSeat(0, table, player!);
  await house.report('sat', (sat) => sat.ticket === second.ticket);
  for (const order of orders) house.send(0, order);
  const asleep = house.askSeat(0, table, other!);
  await house.report('sat', (sat) => sat.ticket === asleep.ticket);
  await house.until(() => resultsOf([second.bot]) > 2);
  t.equal(reports(house, 'left').length, 1, 'one stay has ended');
  t.same(reports(house, 'mishap'), [], 'and nothing went wrong for anybody');
  await booksAreRight(t, house, table, [agentId, other!.agentId]);
});

await t.test('a table opened twice is one table, and a closed one never opens again', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2, settings: { closedTables: 0 } });
  const { table, opened } = house.askTable(0);
  void house.askTable(0, table);
  await opened;
  const player = (await house.players(1))[0]!;
  await house.seat(0, table, player);
  void house.askTable(0, table);
  await house.until(() => reports(house, 'opened').filter((each) => each.table === table).length === 2);
  t.ok(reports(house, 'opened').every(({ ok }) => ok));
  await booksAreRight(t, house, table, [player.agentId]);

  void house.askTable(1, table);
  t.match(await house.report('opened', (each) => each.table === table && !each.ok), { detail: 'table' }, "another's");
  const close = { t: 'close', table, reason: 'insufficient_players', voidHand: false } as const;
  for (let times = 0; times < 2; times++) house.send(0, close);
  await house.report('closed', (closed) => closed.table === table);
  house.send(0, close);
  void house.askTable(0, table);
  await house.until(() => reports(house, 'opened').filter((each) => each.table === table && !each.ok).length === 2);
  await settled(house);
  t.equal(reports(house, 'closed').length, 1);
  await booksAreRight(t, house, table, []);
});
