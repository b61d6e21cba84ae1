import { randomUUID } from 'node:crypto';
import t from 'tap';
import { claimShard } from '../src/shard/queries.js';
import { stopCluster } from './support/database.js';
import { DatabaseGate } from './support/database-gate.js';
import { FAULTS } from './support/faulty-shard.js';
import { ShardHouse, type Bot } from './support/shard-house.js';

/** Shards as the platform runs them: real threads, real tables, a real database; only the sockets are played. */

t.setTimeout(300_000);
t.teardown(stopCluster);

const entry = new URL('./support/faulty-shard.js', import.meta.url);

const seqOf = (message: object) => ('table_seq' in message ? (message.table_seq as number) : 0);
const resultsOf = (bots: readonly Bot[]) => bots.reduce((most, bot) => Math.max(most, bot.results.length), 0);
const toldHands = (bots: readonly Bot[]) => [
  ...new Set(bots.flatMap((bot) => bot.results.map((result) => result.hand_id!))),
];

await t.test('a shard that never comes up fails the start, and says why', async (t) => {
  const nothing = new URL('./support/no-such-shard.js', import.meta.url);
  await t.rejects(ShardHouse.open(t, { entry: nothing }), /shard 0 does not start: .*no-such-shard/);
});

await t.test('tables play, and every hand that was told is in the database', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2 });
  const games = await Promise.all([house.game(0, 2, 5000), house.game(1, 3, 5000), house.game(0, 6, 5000)]);
  await Promise.all(games.map(({ bots }) => house.until(() => resultsOf(bots) >= 30)));
  t.ok(await house.pool.drain(5000), 'drained: no hand is running');
  for (const { table, bots } of games) {
    const { hands, stacks } = await house.stored(table);
    t.same(toldHands(bots).sort(), hands.sort());
    for (const bot of bots) {
      const { final_stacks } = bot.results.at(-1)!;
      const seat = bot.last('table_joined')!.seat;
      t.equal(final_stacks![seat], stacks.get(bot.player.agentId), 'the stack told last is the stored one');
    }
  }
  t.equal(await house.surplus(), 0);
});

await t.test('a thread that dies takes only its own tables, and comes back with them', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2, entry });
  const [mine, other] = [await house.game(0, 3), await house.game(1, 3)];
  await house.until(() => resultsOf(mine.bots) >= 5 && resultsOf(other.bots) >= 5);

  const played = resultsOf(other.bots);
  const started = performance.now();
  house.inflict(mine.bots[0]!, FAULTS.exit);
  await house.until(() => house.lost.length === 1);
  t.equal(house.lost[0]!.shard, 0);
  await house.report('opened', ({ table }) => table === mine.table && house.restored.length === 3);
  await house.until(() => house.pool.isReady(0));
  t.comment(`ready again after ${Math.round(performance.now() - started)} ms`);
  await house.until(() => resultsOf(other.bots) > played);
  t.pass('the other shard plays on');

  const { tables } = house.restored.at(-1)!;
  const { stacks } = await house.stored(mine.table);
  t.equal(tables.length, 1);
  t.same(
    new Map(tables[0]!.sittings.map(({ player, stack }) => [player.agentId, stack])),
    stacks,
    'the table is restored as it was at its last commit',
  );

  const before = Math.max(...mine.bots.flatMap((bot) => bot.messages.map(seqOf)));
  const results = mine.bots.map((bot) => bot.results.length);
  for (const bot of mine.bots) {
    bot.messages.length = 0;
    house.attach(bot);
  }
  await house.until(() => mine.bots.every((bot, i) => bot.results.length > results[i]! + 3));
  t.ok(
    mine.bots.every((bot) => seqOf(bot.messages[0]!) > before),
    'table_seq goes on above every number sent before',
  );
  const told = toldHands(mine.bots);
  const { hands } = await house.stored(mine.table);
  t.ok(
    told.every((hand) => hands.includes(hand)),
    'no result that was told is lost',
  );
  t.equal(await house.surplus(), 0);
});

await t.test('a thread that hangs is found by its silence, ended and replaced', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2, entry });
  const [mine, other] = [await house.game(1, 2), await house.game(0, 2)];
  await house.until(() => resultsOf(mine.bots) >= 3);
  const started = performance.now();
  house.inflict(mine.bots[0]!, FAULTS.hang);
  await house.until(() => house.lost.length > 0);
  t.match(house.lost[0], { shard: 1, reason: /^silent/ });
  const played = resultsOf(other.bots);
  await house.until(() => house.pool.isReady(1) && resultsOf(other.bots) > played);
  t.comment(`back after ${Math.round(performance.now() - started)} ms`);
  mine.bots.forEach((bot) => house.attach(bot));
  const results = resultsOf(mine.bots);
  await house.until(() => resultsOf(mine.bots) > results);
  t.equal(await house.surplus(), 0);
});

await t.test('a front that was blocked itself takes no thread for hung', async (t) => {
  const house = await ShardHouse.open(t, { threads: 2, heartbeat: { pingMs: 50, silenceMs: 500 } });
  const { bots } = await house.game(0, 2);
  await house.until(() => resultsOf(bots) >= 3);
  for (let i = 0; i < 3; i++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    const results = resultsOf(bots);
    await house.until(() => resultsOf(bots) > results);
  }
  t.same(house.lost, []);
});

await t.test('what is sent while a thread is down waits for it', async (t) => {
  const house = await ShardHouse.open(t, { entry });
  const { table, bots } = await house.game(0, 2);
  await house.until(() => resultsOf(bots) >= 2);
  house.inflict(bots[0]!, FAULTS.exit);
  await house.until(() => house.lost.length === 1);
  const [newcomer] = await house.players(1);
  const { ticket } = house.askSeat(0, table, newcomer!);
  house.send(0, { t: 'state', table, ticket: 77 });
  await house.report('sat', (sat) => sat.ticket === ticket);
  t.match(JSON.parse((await house.report('state', (state) => state.ticket === 77)).json!), { type: 'table_state' });
});

await t.test('a writer whose epoch is over commits nothing more, and its shard starts anew', async (t) => {
  const house = await ShardHouse.open(t);
  const { table, bots } = await house.game(0, 3);
  await house.until(() => resultsOf(bots) >= 5);
  await claimShard(house.sql, 0);
  const { hands } = await house.stored(table);
  await house.until(() => house.lost.length === 1);
  t.ok(house.log.some(({ message }) => message.includes('took the shard over')));
  t.same((await house.stored(table)).hands, hands, 'nothing was stored after the epoch was raised');
  t.same(
    toldHands(bots).filter((hand) => !hands.includes(hand)),
    [],
    'and nothing was told',
  );
  await house.until(() => house.pool.isReady(0));
  bots.forEach((bot) => house.attach(bot));
  const results = resultsOf(bots);
  await house.until(() => resultsOf(bots) > results + 3);
});

await t.test('while the database is away tables finish the hand, wait, and go on when it is back', async (t) => {
  let gate!: DatabaseGate;
  const via = async (address: { url: string }) => (gate = await DatabaseGate.open(t, address)).address;
  const house = await ShardHouse.open(t, { via, entry });
  const games = [await house.game(0, 2), await house.game(0, 4)];
  const bots = games.flatMap((game) => game.bots);
  await house.until(() => games.every((game) => resultsOf(game.bots) >= 5));

  await gate.cut();
  await house.report('database', ({ downSince }) => downSince !== null);
  await house.handsWait(0, games[0]!.table, 2);
  const told = toldHands(bots);
  const stored = (await Promise.all(games.map(({ table }) => house.stored(table)))).flatMap(({ hands }) => hands);
  t.same(
    told.filter((hand) => !stored.includes(hand)),
    [],
    'nothing was told that is not stored',
  );

  await gate.mend();
  await house.report('database', ({ downSince }) => downSince === null);
  const results = games.map((game) => resultsOf(game.bots));
  await house.until(() => games.every((game, i) => resultsOf(game.bots) > results[i]! + 5));
  await house.pool.drain(5000);
  for (const game of games) t.same(toldHands(game.bots).sort(), (await house.stored(game.table)).hands.sort());
  t.equal(await house.surplus(), 0);
});

await t.test('hands that never reached the database are void, and nobody was told of them', async (t) => {
  let gate!: DatabaseGate;
  const via = async (address: { url: string }) => (gate = await DatabaseGate.open(t, address)).address;
  const house = await ShardHouse.open(t, { via, entry });
  const { table, bots } = await house.game(0, 4);
  await house.until(() => resultsOf(bots) >= 5);
  await gate.cut();
  await house.handsWait(0, table, 1);
  house.inflict(bots[0]!, FAULTS.exit);
  await house.until(() => house.lost.length === 1);
  await gate.mend();
  await house.until(() => house.pool.isReady(0));
  const { hands, stacks } = await house.stored(table);
  t.same(toldHands(bots).sort(), hands.sort(), 'told and stored are the same');
  t.same(new Map(house.restored.at(-1)!.tables[0]!.sittings.map((s) => [s.player.agentId, s.stack])), stacks);
  t.equal(await house.surplus(), 0);
});

await t.test('broken and mute connections delay hands, nothing else', async (t) => {
  let gate!: DatabaseGate;
  const via = async (address: { url: string }) => (gate = await DatabaseGate.open(t, address)).address;
  const house = await ShardHouse.open(t, { via, settings: { statementMs: 300 } });
  const games = [await house.game(0, 2, 5000), await house.game(0, 4, 5000)];
  const onwards = async () => {
    const results = games.map((game) => resultsOf(game.bots));
    await house.until(() => games.every((game, i) => resultsOf(game.bots) > results[i]! + 3));
  };
  for (let i = 0; i < 3; i++) {
    await onwards();
    gate.breakConnections();
  }
  await onwards();
  gate.mute();
  await onwards();
  await house.pool.drain(5000);
  for (const game of games) t.same(toldHands(game.bots).sort(), (await house.stored(game.table)).hands.sort());
  t.equal(await house.surplus(), 0);
});

await t.test('a database that answers but takes no writes counts as away', async (t) => {
  let gate!: DatabaseGate;
  const via = async (address: { url: string }) => (gate = await DatabaseGate.open(t, address)).address;
  const house = await ShardHouse.open(t, { via });
  const { table, bots } = await house.game(0, 3);
  await house.until(() => resultsOf(bots) >= 3);
  const [{ name }] = await house.sql<[{ name: string }]>`select current_database() as name`;
  await house.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  gate.breakConnections();
  await house.report('database', ({ downSince }) => downSince !== null);
  await house.handsWait(0, table, 1);
  await house.sql.unsafe(`alter database ${name} reset default_transaction_read_only`);
  gate.breakConnections();
  await house.report('database', ({ downSince }) => downSince === null);
  const results = resultsOf(bots);
  await house.until(() => resultsOf(bots) > results + 3);
  await house.pool.drain(5000);
  t.same(toldHands(bots).sort(), (await house.stored(table)).hands.sort());
});

await t.test('an exception in one table voids its hand; its neighbours do not notice', async (t) => {
  const house = await ShardHouse.open(t, { entry });
  const [mine, other] = [await house.game(0, 3), await house.game(0, 3)];
  await house.until(() => resultsOf(mine.bots) >= 5 && resultsOf(other.bots) >= 5);
  const results = resultsOf(mine.bots);
  house.inflict(mine.bots[0]!, FAULTS.throw);
  await house.until(() => house.log.some(({ detail }) => detail['table'] === mine.table));
  await house.until(() => resultsOf(mine.bots) > results + 3);
  t.pass('play goes on over the same sockets, without anybody attaching');
  t.same(house.lost, [], 'the thread lives');
  t.same(
    other.bots.flatMap((bot) => bot.messages.filter(({ type }) => type === 'error')),
    [],
  );
  await house.pool.drain(5000);
  const { hands } = await house.stored(mine.table);
  t.same(
    toldHands(mine.bots).filter((hand) => !hands.includes(hand)),
    [],
    'no result that was told is lost',
  );
  t.same(toldHands(other.bots).sort(), (await house.stored(other.table)).hands.sort());
  t.equal(await house.surplus(), 0);
});

await t.test('a table that fails again and again closes, its players cashed out', async (t) => {
  const house = await ShardHouse.open(t, { entry });
  const { table, bots } = await house.game(0, 3);
  const other = await house.game(0, 2);
  await house.until(() => resultsOf(bots) >= 3);
  for (let i = 0; i < 4; i++) {
    house.inflict(bots[0]!, FAULTS.throw);
    await house.until(() => house.log.length === i + 1);
  }
  await house.report('closed', (closed) => closed.table === table);
  t.ok(bots.every((bot) => bot.last('table_closed')?.reason === 'table_error'));
  t.equal(house.reports.filter(({ message }) => message.t === 'left' && message.reason === 'closed').length, 3);
  t.equal((await house.stored(table)).stacks.size, 0);
  const results = resultsOf(other.bots);
  await house.until(() => resultsOf(other.bots) > results);
  t.equal(await house.surplus(), 0);
});

await t.test('a table that cannot even close is given up: the chips go back all the same', async (t) => {
  const house = await ShardHouse.open(t, { entry });
  const { table, bots } = await house.game(0, 3);
  await house.until(() => resultsOf(bots) >= 3);
  for (let i = 0; i < 4; i++) {
    house.inflict(bots[0]!, FAULTS.throwOnClose);
    await house.until(() => house.log.length > i);
  }
  await house.report('closed', (closed) => closed.table === table);
  const left = house.reports.flatMap(({ message }) => (message.t === 'left' ? [message] : []));
  t.same(
    left.map(({ reason, balance }) => ({ reason, balance: balance > 3000 })),
    Array(3).fill({ reason: 'closed', balance: true }),
  );
  t.equal(await house.state(0, table), null, 'the table is unknown now');
  t.equal(await house.surplus(), 0);
});

await t.test('a hand that contradicts the database is void, the others of its batch are stored', async (t) => {
  const house = await ShardHouse.open(t);
  const games = await Promise.all(Array.from({ length: 6 }, () => house.game(0, 2, 5000)));
  await house.until(() => games.every(({ bots }) => resultsOf(bots) >= 3));
  const [mine, ...others] = games;
  const { agentId } = mine!.bots[0]!.player;
  await house.sql`update entries set chips_at_table = chips_at_table + 1 where agent_id = ${agentId}`;
  await house.until(() => house.log.some(({ detail }) => detail['table'] === mine!.table));
  t.same([...new Set(house.log.map(({ detail }) => detail['table']))], [mine!.table]);
  const results = games.map(({ bots }) => resultsOf(bots));
  await house.until(() => games.every(({ bots }, i) => resultsOf(bots) > results[i]! + 3));
  t.pass('all tables play on');
  await house.pool.drain(5000);
  for (const { table, bots } of others) t.same(toldHands(bots).sort(), (await house.stored(table)).hands.sort());
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
  house.send(0, { t: 'leave', table, agentId: player!.agentId, socket: bot.socket });
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

await t.test('a stop while hands are running voids them and nothing else', async (t) => {
  const house = await ShardHouse.open(t);
  const { table, bots } = await house.game(0, 4);
  await house.until(() => resultsOf(bots) >= 5);
  await house.pool.stop();
  t.same(toldHands(bots).sort(), (await house.stored(table)).hands.sort());
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
  t.same(toldHands(bots).sort(), (await house.stored(table)).hands.sort());
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
  house.send(0, { t: 'rebuy', table, agentId, socket: first.socket });
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
  house.send(0, { t: 'leave', ...about });
  house.send(0, { t: 'rebuy', ...about });
  t.equal(await house.state(0, gone), null);
  const unknown = house.reports.flatMap(({ message }) => (message.t === 'unknownTable' ? [message] : []));
  t.same(
    unknown,
    ['act', 'leave', 'rebuy'].map((of) => ({ t: 'unknownTable', table: gone, socket: first.socket, of })),
  );
});
