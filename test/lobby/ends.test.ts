/**
 * The events that end many tables at once, and the lobby's reaction: a shard goes down, a season ends, a server stops.
 */
import t from 'tap';
import { tableRoutes } from '../../src/lobby/index.js';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse, type Line } from '../support/lobby-house.js';
import { asker } from '../support/rest.js';

t.setTimeout(FILE_MS);

const SEASON = 'season 1';

await t.test('a shard that goes down and comes back', async (t) => {
  await t.test('keeps its seats: whoever is connected is attached again', async (t) => {
    const house = new LobbyHouse();
    const [ann, bob] = await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    house.shard.die();
    house.lobby.shards.shardDown(0);
    bob?.drop();
    house.lobby.shards.shardRestored(0, house.shard.revive());
    await house.clock.settle();
    t.match(house.shard.last('attach'), { table, agentId: 'ann', socket: ann?.id });
    t.match(ann?.route, { table, seat: 0 });
    t.same(house.play.calls.at(-1), 'shardRecovered');
    await house.clock.advance(60_000);
    t.equal(house.shard.count('close'), 0, 'Bob’s seat is held');
    const back = await house.connect('bob');
    t.match(back.route, { table, seat: 1 });
    t.match(house.shard.last('attach'), { agentId: 'bob', socket: back.id });
  });

  await t.test('takes no newcomers meanwhile, while others do', async (t) => {
    const house = new LobbyHouse({ shards: 2 });
    await house.join('ann', 'bob');
    const [first, second] = house.shards;
    first?.die();
    house.lobby.shards.shardDown(0);
    await house.join('cid', 'dan');
    t.equal(second?.tables.size, 1, 'an open seat on a dead shard is none');
    house.lobby.shards.shardRestored(0, first?.revive() ?? []);
    await house.clock.settle();
    t.match(house.lobby.views.counts(), { tables: 2, seated: 4 });
  });

  await t.test('says who does not sit there any more', async (t) => {
    const house = new LobbyHouse();
    const [ann, bob] = await house.join('ann', 'bob', 'cid');
    house.shard.die();
    house.lobby.shards.shardDown(0);
    const openings = house.shard.revive();
    const [opening] = openings;
    if (opening) opening.sittings = opening.sittings.filter(({ player }) => player.agentId !== 'ann');
    house.lobby.shards.shardRestored(0, openings);
    t.match(ann?.route, { seat: null }, 'cashed out, and the message was lost');
    t.match(bob?.route, { seat: 1 });
    t.match(house.lobby.views.counts(), { seated: 2 });
  });

  /** Three players sit at a table. By the database, ann and bob are cashed out right before the shard is lost. */
  const cashedOut = async (before: (house: LobbyHouse, lines: Line[]) => Promise<void> | void) => {
    const house = new LobbyHouse({ shards: 2 });
    const lines = await house.join('ann', 'bob', 'cid');
    await before(house, lines);
    const { shard } = house;
    shard.die();
    house.lobby.shards.shardDown(0);
    for (const table of shard.tables.values())
      for (const seat of [0, 1]) {
        const { agentId, stack } = table.seats[seat] ?? {};
        table.seats[seat] = null;
        if (agentId === undefined) continue;
        house.seated.delete(agentId);
        house.balances.set(agentId, house.balances.get(agentId)! + stack!);
      }
    return { house, lines, codes: () => lines.map(({ closeCode }) => closeCode) };
  };
  const comesBack = (house: LobbyHouse) => house.lobby.shards.shardRestored(0, house.shard.revive());
  const bustsLookedUp = ({ play }: LobbyHouse) =>
    play.calls.flatMap((call) => (typeof call === 'object' && call !== null && 'seatLost' in call ? [call] : []));

  await t.test('ends the sockets of those whom nobody told that they do not sit there again', async (t) => {
    const { house, lines, codes } = await cashedOut(() => undefined);
    let settle: () => void = () => undefined;
    house.play.bustSettles = new Promise((resolve) => (settle = resolve));
    comesBack(house);
    await house.clock.settle();
    t.same(bustsLookedUp(house), [{ seatLost: 'ann' }, { seatLost: 'bob' }]);
    t.same(codes(), [null, null, null], 'what comes of a bust is sent before');
    settle();
    await house.clock.settle();
    t.same(codes(), [1013, 1013, null]);
    const back = await house.connect('ann');
    t.same([back.closeCode, back.route?.seat ?? null], [null, null]);
    back.join();
    await house.clock.settle();
    t.ok(back.types.includes('lobby_joined'));
    await house.clock.advance(60_000);
    t.equal(lines[2]!.closeCode, null);
  });

  await t.test('keeps the sockets of those whom their table told, though the lobby never heard of it', async (t) => {
    const { house, codes, lines } = await cashedOut((house, [ann, bob]) => {
      for (const { id } of [ann!, bob!]) house.shard.tells(id);
    });
    comesBack(house);
    await house.clock.settle();
    t.same(bustsLookedUp(house), [{ seatLost: 'ann' }, { seatLost: 'bob' }], 'what comes of a bust they were not told');
    t.same(codes(), [null, null, null]);
    lines[0]!.join();
    await house.clock.settle();
    t.equal(house.tableOf('ann'), house.tableOf('cid'), 'and they sit down again');
  });

  await t.test('keeps the sockets of those who wait for another seat, or have one', async (t) => {
    const { house, codes } = await cashedOut(async (house, [ann, bob]) => {
      house.shard.slowHands = true;
      await house.join('dan');
      ann!.send({ type: 'leave_table' });
      ann!.join();
      await house.clock.settle();
      let settle: () => void = () => undefined;
      house.play.bustSettles = new Promise((resolve) => (settle = resolve));
      // It asks while what comes of a bust is looked up, and sits when that is over.
      void house.clock.after(100, () => (bob!.join(), settle()));
    });
    comesBack(house);
    await house.clock.advance(1000);
    t.same(codes(), [null, null, null]);
    for (const name of ['ann', 'bob']) t.ok(house.seated.has(name));
  });

  await t.test('with the table that closed: who was told stays, who was not comes back', async (t) => {
    const { house, codes } = await cashedOut((house, [ann]) => house.shard.tells(ann!.id));
    house.shard.tables.clear();
    comesBack(house);
    await house.clock.settle();
    t.same(codes(), [null, 1013, 1013]);
    t.match(house.lobby.views.counts(), { tables: 0, seated: 0 });
  });

  await t.test('settles the buy-ins that were under way', async (t) => {
    const house = new LobbyHouse();
    await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    // The first of the two was committed before the end, the second was not.
    house.shard.silent = true;
    await house.join('cid', 'dan');
    const openings = house.shard.revive();
    house.shard.silent = true;
    const [opening] = openings;
    const cid = opening?.sittings[0];
    if (opening && cid) {
      opening.sittings.push({ ...cid, sitting: 'stay of cid', seat: 2, player: { ...cid.player, agentId: 'cid' } });
    }
    house.lobby.shards.shardDown(0);
    house.lobby.shards.shardRestored(0, openings);
    await house.clock.settle();
    t.match(house.lobby.views.counts(), { seated: 3, waiting: 1 });
    t.match(house.shard.last('sit'), { table, player: { agentId: 'dan' } }, 'sent again');
  });

  await t.test('gives up the seat of whoever dropped out while its buy-in was under way', async (t) => {
    const house = new LobbyHouse();
    await house.join('ann', 'bob');
    house.shard.silent = true;
    const [cid] = await house.join('cid');
    cid?.drop();
    const openings = house.shard.revive();
    const [opening] = openings;
    const ann = opening?.sittings[0];
    if (opening && ann) {
      opening.sittings.push({ ...ann, sitting: 'stay of cid', seat: 2, player: { ...ann.player, agentId: 'cid' } });
    }
    house.lobby.shards.shardDown(0);
    house.lobby.shards.shardRestored(0, openings);
    t.match(house.shard.last('leave'), { table: opening?.tableId, agentId: 'cid', socket: 0 });
    await house.clock.settle();
    t.match(house.lobby.views.counts(), { waiting: 0 });
  });

  await t.test('goes on with a join whose seat was being given up', async (t) => {
    const leaving = async () => {
      const house = new LobbyHouse();
      house.shard.slowHands = true;
      const [ann] = await house.join('ann', 'bob', 'cid');
      house.balances.set('ann', 700);
      ann?.send({ type: 'leave_table' });
      ann?.join();
      await house.clock.settle();
      house.shard.die();
      house.lobby.shards.shardDown(0);
      return { house, ann };
    };
    await t.test('where it was not yet cashed out, it leaves again', async (t) => {
      const { house, ann } = await leaving();
      const leaves = house.shard.count('leave');
      house.lobby.shards.shardRestored(0, house.shard.revive());
      await house.clock.settle();
      t.equal(house.shard.count('leave'), leaves + 1);
      t.match(house.shard.last('leave'), { agentId: 'ann', socket: ann?.id });
      t.match(
        house.shard.last('sit'),
        { player: { agentId: 'ann' }, buyIn: 2000 },
        'and sits down with what it brought',
      );
    });
    await t.test('where it was cashed out, and the message was lost, its balance is looked up', async (t) => {
      const { house, ann } = await leaving();
      const [table] = house.shard.tables.values();
      if (table) table.seats[0] = null;
      house.seated.delete('ann');
      house.balances.set('ann', 2_700);
      house.lobby.shards.shardRestored(0, house.shard.revive());
      await house.clock.settle();
      t.same(house.play.calls.slice(-2), [{ enter: 'ann' }, 'shardRecovered']);
      t.match(house.shard.last('sit'), { player: { agentId: 'ann' }, buyIn: 2_000 });
      t.same(ann?.types, ['lobby_joined', 'lobby_joined'], 'greeted once for each join');
      t.match(house.lobby.views.counts(), { waiting: 0, seated: 3 });
    });
  });

  await t.test('forgets a table that was still opening', async (t) => {
    const house = new LobbyHouse();
    house.shard.silent = true;
    await house.join('ann', 'bob');
    house.shard.die();
    house.lobby.shards.shardDown(0);
    house.lobby.shards.shardRestored(0, house.shard.revive());
    await house.clock.settle();
    t.equal(house.tableOf('ann'), house.tableOf('bob'), 'another one is opened for them');
    t.equal(house.shard.count('open'), 2);
  });

  await t.test('at the start brings back tables whose players nobody knows yet', async (t) => {
    const before = new LobbyHouse();
    await before.join('ann', 'bob');
    const openings = before.shard.revive();
    const house = new LobbyHouse();
    house.lobby.shards.shardRestored(0, openings);
    await house.clock.advance(60_000);
    t.match(house.lobby.views.counts(), { connected: 0, seated: 2, tables: 1 });
    t.equal(house.shard.count('close'), 0, 'everybody has the time of the hold to return');
    const ann = await house.connect('ann');
    t.match(ann.route, { seat: 0 });
    t.match(house.shard.last('attach'), { agentId: 'ann', socket: ann.id });
  });
});

await t.test('the end of a season', async (t) => {
  await t.test('winding down: nobody sits down, joins wait for the next one', async (t) => {
    const house = new LobbyHouse();
    await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    house.lobby.control.windDown(SEASON);
    t.match(house.shard.last('windDown'), { table });
    house.play.entrance = () => ({ kind: 'not_open' });
    const [cid, dan] = await house.join('cid', 'dan');
    t.same(cid?.types, ['lobby_joined']);
    await house.clock.advance(60_000);
    t.same(house.shard.players(table), ['ann', 'bob']);
    t.equal(house.shard.count('open'), 1);

    house.play.entrance = null;
    house.play.poolId = 'season 2';
    house.lobby.control.seasonOpened();
    await house.clock.settle();
    t.same(cid?.types, ['lobby_joined'], 'greeted once');
    t.ok(dan?.route, 'seated in the new season');
    t.equal(house.shard.last('open')?.opening.poolId, 'season 2');
  });

  await t.test('catches everybody who is on the way to a seat', async (t) => {
    const house = new LobbyHouse();
    const lone = await house.join('lone');
    house.shard.silent = true;
    await house.join('ann');
    const opened = house.shard.last('open');
    t.ok(opened, 'their table is opening');
    house.lobby.control.windDown(SEASON);
    house.shard.answerAll();
    await house.clock.settle();
    t.equal(house.shard.count('sit'), 0);
    t.match(house.shard.last('windDown'), { table: opened?.opening.tableId }, 'it goes along');
    t.match(house.lobby.views.counts(), { waiting: 2, seated: 0 });
    house.play.poolId = 'season 2';
    house.lobby.control.seasonOpened();
    await house.clock.settle();
    t.match(lone[0]?.route, { seat: 0 });
  });

  await t.test('closing: resolves when the last table has closed, also one that was lost meanwhile', async (t) => {
    const house = new LobbyHouse({ shards: 2 });
    await house.join('ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gil');
    t.equal(house.lobby.views.counts().tables, 2);
    const [first, second] = house.shards;
    second?.die();
    house.lobby.shards.shardDown(1);
    let closed = false;
    const closing = house.lobby.control.closePool(SEASON, 'season_ended').then(() => (closed = true));
    await house.clock.settle();
    t.equal(first?.tables.size, 0);
    t.equal(closed, false);
    house.lobby.shards.shardRestored(1, second?.revive() ?? []);
    await house.clock.settle();
    await closing;
    t.match(second?.last('close'), { reason: 'season_ended' });
    t.match(house.lobby.views.counts(), { tables: 0, seated: 0 });
    await house.lobby.control.closePool(SEASON, 'season_ended');
  });

  await t.test('a leave that ends in the wind-down waits for the next season as well', async (t) => {
    const house = new LobbyHouse();
    house.shard.slowHands = true;
    const [ann] = await house.join('ann', 'bob');
    ann?.send({ type: 'leave_table' });
    ann?.join();
    await house.clock.settle();
    house.lobby.control.windDown(SEASON);
    house.shard.endHands();
    await house.clock.settle();
    t.match(house.lobby.views.counts(), { waiting: 1, seated: 1 });
    house.play.poolId = 'season 2';
    house.lobby.control.seasonOpened();
    await house.join('cid');
    t.match(ann?.route, { seat: 0 });
  });
});

await t.test('before the server stops, match-making does', async (t) => {
  const house = new LobbyHouse();
  const [ann, bob] = await house.join('ann', 'bob');
  house.lobby.drain();
  ann?.send({ type: 'leave_table' });
  await house.join('cid', 'dan');
  await house.clock.advance(10_000);
  t.equal(house.shard.count('open'), 1);
  t.equal(house.shard.count('close'), 0);
  t.match(bob?.route, { seat: 1 });
});

await t.test('what REST sees', async (t) => {
  const house = new LobbyHouse();
  const { views } = house.lobby;
  const ask = asker(tableRoutes(views, { identityAuthUrl: 'https://sign-in.example.org', actionTimeoutMs: 9000 }));
  t.same((await ask('listTables')).body, []);
  t.same((await ask('getPublicConfig')).body, {
    identity_auth_url: 'https://sign-in.example.org',
    action_timeout_ms: 9000,
  });
  await house.join('ann', 'bob');
  const table = house.tableOf('ann');

  await t.test('all open tables', async (t) => {
    const listed = { table_id: table, seats: 6, players: 2, small_blind: 10, big_blind: 20, hand_number: 7 };
    t.same((await ask('listTables')).body, [listed]);
  });

  await t.test('one table, as the shard tells it', async (t) => {
    const state = views.tableState(table);
    await house.clock.settle();
    t.equal(await state, `{"table_id":"${table}"}`);
    const missing = await ask('getTable', { params: { table_id: 'none' } });
    t.match(missing, { status: 404, body: { detail: 'Table not found' } });
  });

  await t.test('where an agent plays', async (t) => {
    const game = views.activeGame('bob');
    await house.clock.settle();
    t.same(await game, { tableId: table, seat: 1, stack: 2000, competitionId: null });
    t.equal(await views.activeGame('nobody'), null);
  });

  await t.test('that a shard does not answer', async (t) => {
    house.shard.silent = true;
    const asked = [
      ask('getTable', { params: { table_id: table } }),
      views.activeGame('bob').catch((error: unknown) => error),
    ];
    await house.clock.advance(2000);
    const silent = { status: 503 };
    for (const answer of asked) t.match(await answer, silent);
    const down = ask('getTable', { params: { table_id: table } });
    house.lobby.shards.shardDown(0);
    t.match(await down, { status: 503, body: { detail: 'The table does not answer; try again' } }, 'known at once');
  });

  await t.test('no table that is still opening', async (t) => {
    const opening = new LobbyHouse();
    opening.shard.silent = true;
    await opening.join('ann', 'bob');
    const tableId = opening.shard.last('open')?.opening.tableId ?? '';
    t.equal(await opening.lobby.views.tableState(tableId), null);
    t.same(opening.lobby.views.listTables(), []);
  });
});
