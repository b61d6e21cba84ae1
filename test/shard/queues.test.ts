/**
 * The messages that a shard keeps for clients while the database is away. Their number is bounded, and a client above
 * the bound gets an error.
 */
import t from 'tap';
import { HELD_BY_TABLE, HELD_OF_AGENT } from '../../src/shard/host/table-slot.js';
import { DatabaseGate } from '../support/database-gate.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { ShardHouse, type Report } from '../support/shard-house.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

let gate!: DatabaseGate;
const via = async (address: { url: string }) => (gate = await DatabaseGate.open(t, address)).address;
const house = await ShardHouse.open(t, { via });

/** Sockets with a dropped message, by the reports after the first `from`. */
const sentDropped = (from: number) =>
  house.reports
    .slice(from)
    .map(({ message }) => message)
    .filter((message): message is Report<'dropped'> => message.t === 'dropped')
    .map(({ socket }) => socket);

await t.test('behind a buy-in', async (t) => {
  const table = await house.openTable();
  const neighbour = await house.openTable();
  const [ada] = await house.players(1);
  await gate.cut();
  const from = house.reports.length;
  const { bot, ticket } = house.askSeat(0, table, ada!, 1500);
  const leave = { t: 'leave', table, agentId: ada!.agentId, sitting: null, socket: bot.socket } as const;
  for (let n = 0; n < HELD_OF_AGENT + 3; n++) house.send(0, leave);
  t.type(await house.state(0, neighbour), 'object', 'other tables answer meanwhile');
  t.same(sentDropped(from), Array<number>(3).fill(bot.socket));
  await gate.mend();
  await house.report('sat', (sat) => sat.ticket === ticket);
  await house.report('left', (left) => left.agentId === ada!.agentId);
});

await t.test('for a table that opens', async (t) => {
  const neighbour = await house.openTable();
  const [bob] = await house.players(1);
  await gate.cut();
  const from = house.reports.length;
  const { table, opened } = house.askTable(0);
  const resync = { t: 'resync', table, agentId: bob!.agentId, socket: 77, lastTableSeq: null } as const;
  for (let n = 0; n < HELD_BY_TABLE + 3; n++) house.send(0, resync);
  await house.state(0, neighbour);
  t.same(sentDropped(from), [77, 77, 77]);
  await gate.mend();
  await opened;
  t.type(await house.state(0, table), 'object', 'and is there afterwards');
});
