/**
 * Shards with a thread, database or tables that fail. Hands may be void, but sent results are stored, and neighbours
 * play on.
 */
import t from 'tap';
import { claimShard } from '../../src/shard/commit/queries.js';
import { stopCluster } from '../support/database.js';
import { DatabaseGate } from '../support/database-gate.js';
import { FAULTS } from '../support/faulty-shard.js';
import { FILE_MS } from '../support/limits.js';
import { ShardHouse } from '../support/shard-house.js';
import { entry, resultsOf, seqOf, sentHands } from '../support/shard-bots.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

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
  const told = sentHands(mine.bots);
  const { hands } = await house.stored(mine.table);
  t.ok(
    told.every((hand) => hands.includes(hand)),
    'no result that was sent is lost',
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
  await claimShard(house.sql, 0, house.id);
  const { hands } = await house.stored(table);
  await house.until(() => house.lost.length === 1);
  t.ok(house.log.some(({ message }) => message.includes('took the shard over')));
  t.same((await house.stored(table)).hands, hands, 'nothing was stored after the epoch was raised');
  t.same(
    sentHands(bots).filter((hand) => !hands.includes(hand)),
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
  const told = sentHands(bots);
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
  for (const game of games) t.same(sentHands(game.bots).sort(), (await house.stored(game.table)).hands.sort());
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
  t.same(sentHands(bots).sort(), hands.sort(), 'told and stored are the same');
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
  for (const game of games) t.same(sentHands(game.bots).sort(), (await house.stored(game.table)).hands.sort());
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
  t.same(sentHands(bots).sort(), (await house.stored(table)).hands.sort());
});

await t.test('an exception in one table makes its hand void; its neighbours do not notice', async (t) => {
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
    sentHands(mine.bots).filter((hand) => !hands.includes(hand)),
    [],
    'no result that was sent is lost',
  );
  t.same(sentHands(other.bots).sort(), (await house.stored(other.table)).hands.sort());
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
    left.map(({ reason, untold, balance }) => ({ reason, untold, balance: balance > 3000 })),
    Array(3).fill({ reason: 'closed', untold: true, balance: true }),
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
  for (const { table, bots } of others) t.same(sentHands(bots).sort(), (await house.stored(table)).hands.sort());
});
