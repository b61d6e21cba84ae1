/**
 * What a shard reports of its tables to a lobby that begins while they are played: all of them, also what waits for the
 * database, and in order with everything else that it says.
 */
import t from 'tap';
import { stopCluster } from '../support/database.js';
import { FAULTS } from '../support/faulty-shard.js';
import { FILE_MS } from '../support/limits.js';
import { entry } from '../support/shard-bots.js';
import { ShardHouse } from '../support/shard-house.js';

t.teardown(stopCluster);
t.setTimeout(FILE_MS);

/** Whatever the shard writes waits from now on, until what is returned is called. */
async function blocked(house: ShardHouse): Promise<() => Promise<void>> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let lock: () => void = () => undefined;
  const locked = new Promise<void>((resolve) => (lock = resolve));
  const held = house.sql.begin(async (sql) => {
    await sql`select from shards for update`;
    lock();
    await released;
  });
  await locked;
  return async () => {
    release();
    await held;
  };
}

/** The answer to a question that is asked now. */
async function report(house: ShardHouse) {
  const before = house.reports.length;
  house.send(0, { t: 'report' });
  const find = () => house.reports.slice(before).find(({ message }) => message.t === 'report')?.message;
  await house.until(() => find() !== undefined);
  const message = find();
  if (message?.t !== 'report') throw new Error('no report');
  return message.tables;
}

await t.test('tables, seats and sockets, as they are', async (t) => {
  const house = await ShardHouse.open(t, { rules: { actionTimeoutMs: 200 } });
  const { table, bots } = await house.game(0, 3);
  const [ada, bob] = bots;
  house.detach(bob!);
  const [first] = await report(house);
  t.match(first, { tableId: table, poolId: house.poolId, opening: false, closing: false, resting: false, buyIns: [] });
  t.match(first!.summary, { tableId: table, occupied: 3 });
  const seat = (agentId: string) => first!.seats.find((each) => each.agentId === agentId);
  t.match(seat(ada!.player.agentId), { socket: ada!.socket, leaving: false, isHouse: false });
  t.match(seat(bob!.player.agentId), { socket: 0 });
  for (const { sitting, agentId } of first!.seats) {
    const [row] = await house.sql`select sitting from entries where agent_id = ${agentId}`;
    t.equal(row!.sitting, sitting);
  }
  house.send(0, { t: 'rest', table });
  t.match(await report(house), [{ resting: true }]);
  house.send(0, { t: 'playOn', table });
  house.send(0, { t: 'close', table, reason: 'insufficient_players', voidHand: false });
  t.match(await report(house), [{ closing: true }]);
  await house.report('closed');
  t.same(await report(house), [], 'a table that has closed is no more');
});

await t.test('what waits for the database is under way, and its end is said after the report', async (t) => {
  const house = await ShardHouse.open(t);
  const table = await house.openTable();
  const [cid] = await house.players(1);
  const release = await blocked(house);
  const fresh = house.askTable(0);
  const { bot, ticket } = house.askSeat(0, table, cid!);
  const tables = await report(house);
  const at = house.reports.length;
  t.match(
    tables.find(({ tableId }) => tableId === fresh.table),
    { opening: true, seats: [], summary: null },
  );
  t.match(
    tables.find(({ tableId }) => tableId === table),
    {
      opening: false,
      seats: [],
      buyIns: [{ ticket, agentId: cid!.agentId, socket: bot.socket, isHouse: false }],
    },
  );
  await release();
  await fresh.opened;
  const sat = await house.report('sat', (message) => message.ticket === ticket);
  const later = house.reports.slice(at).map(({ message }) => message.t);
  t.ok(later.includes('sat') && later.includes('opened'));
  const [seat] = (await report(house)).find(({ tableId }) => tableId === table)!.seats;
  t.match(seat, { agentId: cid!.agentId, sitting: sat.sitting, socket: bot.socket });
});

await t.test('a table whose hand is void keeps its seats while it is opened again', async (t) => {
  const house = await ShardHouse.open(t, { entry });
  const { table, bots } = await house.game(0, 2);
  const [ada] = bots;
  const release = await blocked(house);
  house.inflict(ada!, FAULTS.throw);
  const [voided] = await report(house);
  t.match(voided, { tableId: table, opening: false, summary: null });
  t.same(
    new Map(voided!.seats.map(({ agentId, socket }) => [agentId, socket])),
    new Map(bots.map(({ player, socket }) => [player.agentId, socket])),
  );
  const hands = () => ada!.messages.filter(({ type }) => type === 'hand_start').length;
  const before = hands();
  await release();
  await house.until(() => hands() > before);
  t.match(await report(house), [{ seats: [{ leaving: false }, { leaving: false }], summary: { occupied: 2 } }]);
});
