/**
 * Shards as the platform runs them: real threads, real tables, a real database; only the sockets are fakes. Seats,
 * closed and reopened tables, stops and drains.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { stopCluster } from '../support/database.js';
import { DatabaseGate } from '../support/database-gate.js';
import { FAULTS } from '../support/faulty-shard.js';
import { FILE_MS } from '../support/limits.js';
import { addPool } from '../support/random-table.js';
import { ShardHouse, type Bot } from '../support/shard-house.js';
import { entry, resultsOf, seqOf, sentHands } from '../support/shard-bots.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('a shard that never comes up fails the start, and says why', async (t) => {
  const nothing = new URL('../support/no-such-shard.js', import.meta.url);
  await t.rejects(ShardHouse.open(t, { entry: nothing }), /shard 0 does not start: .*no-such-shard/);
});

await t.test('tables play, and every hand that was sent is in the database', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2 });
  const games = await Promise.all([house.game(0, 2, 5000), house.game(1, 3, 5000), house.game(0, 6, 5000)]);
  await Promise.all(games.map(({ bots }) => house.until(() => resultsOf(bots) >= 30)));
  t.ok(await house.pool.drain(5000), 'drained: no hand is running');
  for (const { table, bots } of games) {
    const { hands, stacks } = await house.stored(table);
    t.same(sentHands(bots).sort(), hands.sort());
    for (const bot of bots) {
      const { final_stacks } = bot.results.at(-1)!;
      const seat = bot.last('table_joined')!.seat;
      t.equal(final_stacks![seat], stacks.get(bot.player.agentId), 'the stack told last is the stored one');
    }
  }
  t.equal(await house.surplus(), 0);
});

await t.test('a seat is taken with its buy-in or not at all', async (t) => {
  const house = await ShardHouse.open(t);
  const table = await house.openTable();
  const players = await house.players(8);
  const failure = async (ticket: number) => (await house.report('sitFailed', (f) => f.ticket === ticket)).code;

  t.equal(await failure(house.askSeat(0, table, players[0]!, 5001).ticket), 'season_buy_in_failed', 'more than it has');
  t.equal(await failure(house.askSeat(0, randomUUID(), players[0]!).ticket), 'table_gone');
  for (const player of players.slice(0, 6)) (await house.seat(0, table, player)).playing = false;
  t.equal(await failure(house.askSeat(0, table, players[6]!).ticket), 'table_full');
  const second = await house.openTable();
  t.equal(await failure(house.askSeat(0, second, players[0]!).ticket), 'season_buy_in_failed', 'it sits elsewhere');
  t.equal((await house.stored(second)).stacks.size, 0);
  t.match(await house.report('sat'), { table, stack: 2000, balance: 3000 });
  t.equal(await house.surplus(), 0);
});

await t.test('what a player sends while its buy-in is under way is handled after it', async (t) => {
  const house = await ShardHouse.open(t);
  const table = await house.openTable();
  const [player] = await house.players(1);
  const { bot } = house.askSeat(0, table, player!, 1500);
  house.send(0, { t: 'leave', table, agentId: player!.agentId, sitting: null, socket: bot.socket });
  const left = await house.report('left');
  t.match(left, { agentId: player!.agentId, reason: 'left', stack: 1500, balance: 5000 });
  t.same(
    bot.messages.map(({ type }) => type).filter((type) => type !== 'table_state'),
    ['table_joined', 'player_left'],
  );
});

await t.test('a closed table tells its seats, answers resync for a while, and is forgotten', async (t) => {
  const house = await ShardHouse.open(t, { settings: { closedTables: 1 }, heartbeat: { pingMs: 20 } });
  const { table, bots } = await house.game(0, 3);
  await house.until(() => resultsOf(bots) >= 3);
  house.send(0, { t: 'close', table, reason: 'insufficient_players', voidHand: false });
  await house.report('closed', (closed) => closed.table === table);
  const order = house.reports.map(({ message }) => message.t).filter((kind) => kind === 'left' || kind === 'closed');
  t.same(order, ['left', 'left', 'left', 'closed']);
  t.ok(bots.every((bot) => bot.messages.at(-1)!.type === 'table_closed'));

  const [bot] = bots;
  const resync = { t: 'resync', table, agentId: bot!.player.agentId, socket: bot!.socket, lastTableSeq: null } as const;
  house.send(0, resync);
  await house.until(() => bot!.last('resync_response') !== undefined);
  const second = await house.openTable();
  house.send(0, { t: 'close', table: second, reason: 'insufficient_players', voidHand: false });
  await house.report('closed', (closed) => closed.table === second);
  house.send(0, resync);
  t.match(await house.report('unknownTable'), { table, socket: bot!.socket, of: 'resync' });
});

await t.test('after a restart tables are reopened for the return of their players', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2 });
  const games = [await house.game(0, 3, 5000), await house.game(1, 2, 5000)];
  await house.until(() => games.every(({ bots }) => resultsOf(bots) >= 5));
  t.ok(await house.pool.drain(5000));
  await house.restart();
  const restored = house.restored.slice(2).flatMap(({ tables }) => tables);
  t.same(restored.map(({ tableId }) => tableId).sort(), games.map(({ table }) => table).sort());
  const shardOf = new Map(
    house.restored.slice(2).flatMap(({ shard, tables }) => tables.map((o) => [o.tableId, shard])),
  );
  for (const { table, bots } of games) {
    for (const bot of bots) {
      bot.shard = shardOf.get(table)!;
      house.attach(bot);
    }
  }
  const results = games.map(({ bots }) => resultsOf(bots));
  await house.until(() => games.every(({ bots }, i) => resultsOf(bots) > results[i]! + 3));
  for (const { bots } of games) {
    for (const bot of bots) {
      const numbers = bot.messages.map(seqOf).filter((seq) => seq > 0);
      t.ok(
        numbers.every((seq, i) => i === 0 || seq > numbers[i - 1]!),
        'table_seq rises over the restart',
      );
    }
  }
  t.equal(await house.surplus(), 0);
});

await t.test('a stop while hands are running makes them void and nothing else', async (t) => {
  const house = await ShardHouse.open(t);
  const { table, bots } = await house.game(0, 4);
  await house.until(() => resultsOf(bots) >= 5);
  await house.pool.stop();
  t.same(sentHands(bots).sort(), (await house.stored(table)).hands.sort());
  t.equal(await house.surplus(), 0);
});

await t.test('a stop while the database is away does not wait for it', async (t) => {
  let gate!: DatabaseGate;
  const via = async (address: { url: string }) => (gate = await DatabaseGate.open(t, address)).address;
  const house = await ShardHouse.open(t, { via });
  const { table, bots } = await house.game(0, 3);
  await house.until(() => resultsOf(bots) >= 3);
  await gate.cut();
  await house.handsWait(0, table, 1);
  await house.pool.stop();
  t.notOk(house.log.some(({ message }) => message.includes('did not stop')));
  t.same(sentHands(bots).sort(), (await house.stored(table)).hands.sort());
});

await t.test('a drain lets hands finish, and starts no others', async (t) => {
  const house = await ShardHouse.open(t);
  const { table, bots } = await house.game(0, 3);
  await house.until(() => resultsOf(bots) >= 3);
  bots.forEach((bot) => (bot.playing = false));
  await house.until(() => bots.some((bot) => bot.messages.at(-1)?.type === 'your_turn'));
  t.notOk(await house.pool.drain(50), 'a hand is running, and its actor thinks');
  const running = new Set(bots.map((bot) => bot.last('hand_start')!.hand_id));
  const drained = house.pool.drain(10_000);
  for (const bot of bots) {
    bot.playing = true;
    const turn = bot.messages.at(-1)!;
    if (turn.type === 'your_turn') bot.act(turn);
  }
  t.ok(await drained);
  t.same(running, new Set(bots.map((bot) => bot.results.at(-1)!.hand_id)), 'it was the last one');
  t.equal((await house.state(0, table))!['waiting_reason'], 'table_closing');
  t.equal((await house.stored(table)).stacks.size, 3, 'the seats stay stored');
});

await t.test('who goes broke is cashed out after the hand that broke it', async (t) => {
  const house = await ShardHouse.open(t);
  const { bots } = await house.game(0, 2, 1000);
  bots.forEach((bot) => (bot.allIn = 1));
  const left = await house.report('left', ({ reason }) => reason === 'busted');
  t.match(left, { stack: 0, balance: 4000 });
  const loser = bots.find((bot) => bot.player.agentId === left.agentId)!;
  t.equal(loser.results.at(-1)!.final_stacks![left.seat], 0, 'it was told the result before');
  t.equal(await house.surplus(), 0);
});

await t.test('a buy-in under way when the hand is void ends on a seat', async (t) => {
  let gate!: DatabaseGate;
  const via = async (address: { url: string }) => (gate = await DatabaseGate.open(t, address)).address;
  const house = await ShardHouse.open(t, { via, entry });
  const { table, bots } = await house.game(0, 2);
  await house.until(() => resultsOf(bots) >= 3);
  await gate.cut();
  const [newcomer] = await house.players(1);
  const { bot, ticket } = house.askSeat(0, table, newcomer!);
  house.inflict(bots[0]!, FAULTS.throw);
  await house.until(() => house.log.some(({ detail }) => detail['table'] === table));
  await gate.mend();
  await house.report('sat', (sat) => sat.ticket === ticket);
  await house.until(() => bot.results.length > 3);
  t.ok((await house.stored(table)).stacks.has(newcomer!.agentId));
  t.equal(await house.surplus(), 0);
});

await t.test('many tables come back at once', async (t) => {
  const house = await ShardHouse.open(t, { entry, rules: { betweenHandsMs: 10_000 } });
  const players = await house.players(300);
  const tables = await Promise.all(Array.from({ length: 150 }, () => house.openTable()));
  const bots = await Promise.all(players.map((player, i) => house.seat(0, tables[i >> 1]!, player)));
  house.inflict(bots[0]!, FAULTS.exit);
  await house.until(() => house.restored.length === 2 && house.pool.isReady(0));
  const { tables: restored } = house.restored[1]!;
  t.same(restored.map(({ tableId }) => tableId).sort(), tables.sort());
  t.ok(restored.every(({ sittings }) => sittings.length === 2));
  const reserved = await house.sql<{ ok: boolean }[]>`select bool_and(seq_reserved >= 2000000) as ok from tables`;
  t.ok(reserved[0]!.ok, 'with new numbers reserved for each');
  t.match(await house.state(0, tables[0]!), { type: 'table_state' });
});

await t.test('of pools that contend for a busy shard the one with many tables is held back', async (t) => {
  const house = await ShardHouse.open(t, { entry });
  const first = await Promise.all([1, 2, 3].map(() => house.game(0, 2)));
  const { poolId } = house;
  house.poolId = await addPool(house.sql);
  const second = await house.game(0, 2);
  for (const { table, bots } of [...first, second]) {
    const { agentId } = bots[0]!.player;
    house.send(0, { t: 'update', table, agentId, change: { name: FAULTS.slow } });
  }
  const many = first.flatMap((game) => game.bots);
  await house.until(() => (house.pool.stats(0)?.heldHands ?? 0) > 0);
  // All bots play on.
  const goals = [many, second.bots].map((bots) => ({ bots, goal: resultsOf(bots) + 20 }));
  await house.until(() => goals.every(({ bots, goal }) => resultsOf(bots) >= goal));
  house.poolId = poolId;
});

await t.test('views, wind-down and what is said for a table that is not there', async (t) => {
  const house = await ShardHouse.open(t, { entry, rules: { betweenHandsMs: 10_000 } });
  const { table, bots } = await house.game(0, 2);
  const [first, second] = bots as [Bot, Bot];
  const { agentId } = first.player;

  house.send(0, { t: 'seat', table, ticket: 900, agentId });
  t.match((await house.report('seat', ({ ticket }) => ticket === 900)).seat, { seat: 0, stack: 2000, leaving: false });
  house.send(0, { t: 'seat', table, ticket: 901, agentId: randomUUID() });
  t.equal((await house.report('seat', ({ ticket }) => ticket === 901)).seat, null);

  house.detach(first);
  const status = () => second.last('table_state')?.seats[0]!.status;
  await house.until(() => status() === 'disconnected');
  house.attach(first);
  await house.until(() => status() === 'active');
  house.send(0, { t: 'rebuy', table, agentId, socket: first.socket, requestId: null });
  await house.until(() => first.last('error')?.code === 'invalid_rebuy');
  for (let i = 0; i < 10; i++) house.send(0, { t: 'invalid', table, agentId, socket: first.socket });
  await house.until(() => first.last('error')?.code === 'flood_warning');

  const [newcomer] = await house.players(1);
  house.send(0, { t: 'windDown', table });
  const refused = house.askSeat(0, table, newcomer!).ticket;
  t.match(await house.report('sitFailed', ({ ticket }) => ticket === refused), { code: 'table_full' });
  house.inflict(first, FAULTS.throw);
  await house.until(() => house.log.length > 0);
  t.equal((await house.state(0, table))!['waiting_reason'], 'table_closing', 'an opened-again table still winds down');
  house.send(0, { t: 'resumePlay', table });
  t.not((await house.state(0, table))!['waiting_reason'], 'table_closing', 'until it is told to go on');

  const gone = randomUUID();
  const about = { table: gone, agentId, socket: first.socket };
  house.send(0, { t: 'attach', ...about });
  house.send(0, { t: 'act', ...about, message: { type: 'action', action: 'fold' } });
  house.send(0, { t: 'leave', sitting: null, ...about });
  house.send(0, { t: 'rebuy', requestId: 'r-1', ...about });
  t.equal(await house.state(0, gone), null);
  const unknown = house.reports.flatMap(({ message }) => (message.t === 'unknownTable' ? [message] : []));
  t.same(
    unknown,
    [{ of: 'attach' }, { of: 'act' }, { of: 'leave' }, { of: 'rebuy', requestId: 'r-1' }].map((what) => ({
      t: 'unknownTable',
      table: gone,
      socket: first.socket,
      ...what,
    })),
  );

  house.send(0, { t: 'attach', table, agentId: newcomer!.agentId, socket: 4242 });
  t.match(await house.report('unknownTable', ({ socket }) => socket === 4242), { table, of: 'attach' });
  house.send(0, { t: 'rebuy', table, agentId: newcomer!.agentId, socket: 4243, requestId: 'r-2' });
  const asked = await house.report('unknownTable', ({ socket }) => socket === 4243);
  t.match(asked, { table, of: 'rebuy', requestId: 'r-2' }, 'who has left asks the lobby, whatever its socket knows');
});
