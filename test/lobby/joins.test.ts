/** From join_lobby to a seat: the buy-in, who may join when, a join while the seat before is given up, a buy-in that fails. */
import t from 'tap';
import { buyInOf } from '../../src/lobby/buy-in.js';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

await t.test('the buy-in', async (t) => {
  const rules = { minimum: 1000, maximum: 5000, standard: 2000, outOfRange: 'default', aboveBalance: 'clamp' } as const;
  const of = (wish: number | null, balance: number) => buyInOf(wish, balance, rules);
  t.equal(of(null, 5000), 2000);
  t.equal(of(3000, 5000), 3000);
  t.same(
    [999, 5001, 0, -1, 1e12].map((wish) => of(wish, 5000)),
    [2000, 2000, 2000, 2000, 2000],
  );
  t.equal(of(null, 1500), 1500, 'after a rebuy a default bot can sit down');
  t.equal(of(9000, 1500), 1500);
  t.same([of(2000, 1500), of(5000, 1000)], [1500, 1000], 'nor is one kept out that asks for 2,000 for ever');
  t.equal(buyInOf(2000, 1500, { ...rules, aboveBalance: 'reject' }), 'insufficient_season_chips');
  t.same([of(null, 999), of(1000, 0), of(9000, 999)], Array(3).fill('insufficient_season_chips'));
  const strict = (wish: number | null) => buyInOf(wish, 5000, { ...rules, outOfRange: 'reject' });
  t.same([strict(999), strict(5001), strict(null), strict(1000)], ['invalid_buy_in', 'invalid_buy_in', 2000, 1000]);
});

await t.test('join_lobby', async (t) => {
  await t.test('answers lobby_joined, and a lone joiner waits', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('ann');
    t.same(ann?.frames, [{ type: 'lobby_joined', position: 1, estimated_wait: '~5s' }]);
    await house.clock.advance(60_000);
    t.equal(house.shard.received.length, 0);
  });

  await t.test('notes the version of the bot, or that it told none', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('ann', 'bob');
    ann?.send({ type: 'leave_table' });
    await house.clock.settle();
    ann?.send({ type: 'join_lobby', version: 'v2' });
    await house.clock.settle();
    t.same(house.versions, [
      ['ann', null],
      ['bob', null],
      ['ann', 'v2'],
    ]);
    house.versionFails = true;
    const [cid] = await house.join('cid');
    t.match(cid?.last, { code: 'season_error' }, 'hands of an unknown version are not played');
  });

  await t.test('of a second one seats both, without any time passing', async (t) => {
    const house = new LobbyHouse();
    const start = house.clock.now();
    const [ann, bob] = await house.join('ann', 'bob');
    t.equal(house.clock.now(), start);
    const tableId = house.tableOf('ann');
    t.same(house.shard.players(tableId), ['ann', 'bob']);
    t.same(ann?.route, { shard: 0, table: tableId, seat: 0 });
    t.same(bob?.route, { shard: 0, table: tableId, seat: 1 });
    t.match(house.shard.last('sit'), { buyIn: 2000, socket: bob?.id, player: { agentId: 'bob', name: 'bob' } });
    t.equal(house.shard.received[0]?.t, 'open');
    t.match(house.lobby.views.counts(), { connected: 2, waiting: 0, seated: 2, tables: 1 });
  });

  await t.test('tells the position, holders of a pass in front', async (t) => {
    const house = new LobbyHouse();
    house.shard.silent = true;
    house.play.premium.add('pro');
    house.play.poolId = 'season 1';
    house.play.entrance = (agentId) =>
      // Pools of their own keep everybody waiting.
      ({
        kind: 'entered',
        entry: { poolId: `pool of ${agentId}`, chipBalance: 5000, autoRebuy: false, premium: agentId === 'pro' },
      });
    const lines = await house.join('ann', 'bob', 'pro', 'cid');
    t.same(
      lines.map((line) => (line.last?.type === 'lobby_joined' ? line.last.position : null)),
      [1, 2, 1, 4],
    );
  });

  await t.test('is refused while the agent waits, sits, or finds the lobby full', async (t) => {
    const house = new LobbyHouse({ capacity: 1 });
    const [ann] = await house.join('ann');
    ann?.join();
    await house.clock.settle();
    t.match(ann?.last, { type: 'error', code: 'already_in_lobby' });
    const [bob] = await house.join('bob');
    t.match(bob?.last, { code: 'lobby_full' });

    const open = new LobbyHouse();
    const [cid, dan] = await open.join('cid', 'dan');
    cid?.join();
    await open.clock.settle();
    const place = { table_id: open.tableOf('cid'), seat: 0 };
    t.match(cid?.last, { type: 'error', code: 'already_seated', ...place, details: place });
    dan?.join(3000);
    await open.clock.settle();
    t.match(dan?.last, { code: 'already_seated', seat: 1 });
  });

  await t.test('is refused for want of chips, or of a season', async (t) => {
    const house = new LobbyHouse();
    const [poor] = await house.join('ann');
    poor?.drop();
    house.balances.set('ann', 999);
    const [broke] = await house.join('ann');
    t.same(broke?.types, ['insufficient_season_chips'], 'an error, never silence');
    for (const code of ['no_active_season', 'season_error'] as const) {
      house.play.entrance = () => ({ kind: 'refused', code });
      const [line] = await house.join(`agent.${code}`);
      t.same(line?.types, [code]);
    }
    house.play.entrance = () => Promise.reject(new Error('the database is away'));
    const [line] = await house.join('eve');
    t.same(line?.types, ['season_error']);
    t.match(house.lobby.views.counts(), { waiting: 0 });

    const strict = new LobbyHouse({ outOfRange: 'reject' });
    const dan = await strict.connect('dan');
    dan.join(5001);
    await strict.clock.settle();
    t.same(dan.types, ['invalid_buy_in']);
  });

  await t.test('waits in line behind what the session asked before', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('bob', 'cid');
    ann?.drop();
    const line = await house.connect('dan');
    line.join();
    line.send({ type: 'set_auto_rebuy', enabled: true });
    await house.clock.settle();
    t.same(line.types, ['lobby_joined', 'auto_rebuy_set']);
    t.same(house.play.calls.slice(-2), [{ enter: 'dan' }, { setAutoRebuy: 'dan' }], 'the entry exists by then');
  });
});

await t.test('a join while the seat is being given up', async (t) => {
  /** Ann and Bob in a running hand; Ann has asked to leave, and the shard has not said so yet. */
  async function leaving(balance = 3000) {
    const house = new LobbyHouse();
    house.shard.slowHands = true;
    const [ann, bob] = await house.join('ann', 'bob');
    house.balances.set('ann', balance);
    ann?.send({ type: 'leave_table' });
    ann?.join();
    await house.clock.settle();
    return { house, ann, bob, table: house.tableOf('ann') };
  }

  await t.test('is queued, and seats the player when it has left', async (t) => {
    const { house, ann, table } = await leaving();
    t.same(ann?.types, ['lobby_joined', 'lobby_joined'], 'greeted for this join as for the first');
    await house.clock.advance(10_000);
    t.same(house.shard.players(table), ['ann', 'bob'], 'the hand goes on');
    house.shard.endHands();
    await house.clock.settle();
    t.equal(ann?.types.length, 2, 'and not again');
    t.match(ann?.route, { table, seat: 0 }, 'seated again, here beside the lone player');
    t.match(house.lobby.views.counts(), { waiting: 0, seated: 2 });
  });

  await t.test('counts what the player brings back from the table', async (t) => {
    const { house } = await leaving(0);
    house.shard.endHands();
    await house.clock.settle();
    t.match(house.shard.last('sit'), { buyIn: 2000, player: { agentId: 'ann' } });
  });

  await t.test('ends with an error where that is not enough', async (t) => {
    const { house, ann } = await leaving(0);
    house.shard.remove('ann', 'busted');
    await house.clock.settle();
    t.same(ann?.types, ['lobby_joined', 'lobby_joined', 'insufficient_season_chips']);
    t.same(house.play.calls.slice(-2), [{ busted: 'ann' }, { enter: 'ann' }]);
    t.match(house.lobby.views.counts(), { waiting: 0 });
  });

  await t.test('goes on when the bust has been told of, like everything that is asked after it', async (t) => {
    const { house, ann } = await leaving(5000);
    let told: () => void = () => undefined;
    house.play.bustSettles = new Promise((resolve) => (told = resolve));
    house.shard.remove('ann', 'busted');
    ann?.send({ type: 'set_auto_rebuy', enabled: true });
    await house.clock.settle();
    t.same(ann?.types, ['lobby_joined', 'lobby_joined']);
    t.notOk(house.seated.has('ann'));
    told();
    await house.clock.settle();
    t.equal(ann?.types.at(-1), 'auto_rebuy_set');
    t.ok(house.seated.has('ann'));
  });

  await t.test('that the shard has just ended is an ordinary one', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('ann', 'bob');
    house.shard.remove('ann', 'left');
    ann?.join();
    await house.clock.settle();
    t.same(ann?.types, ['lobby_joined', 'lobby_joined']);
    t.match(ann?.route, { seat: 0 });
  });

  await t.test('is refused when the shard does not answer: the seat may well be kept', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('ann', 'bob');
    house.shard.silent = true;
    ann?.join();
    await house.clock.advance(1999);
    t.same(ann?.types, ['lobby_joined']);
    await house.clock.advance(1);
    t.match(ann?.last, { code: 'already_seated' });
  });
});

await t.test('a buy-in that fails', async (t) => {
  await t.test('for want of chips ends the wait with season_buy_in_failed', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('ann');
    house.shard.refuse = 'season_buy_in_failed';
    await house.join('bob');
    t.same(ann?.types, ['lobby_joined', 'season_buy_in_failed']);
    t.notOk(house.seated.has('ann'));
    t.match(house.lobby.views.counts(), { waiting: 0 });
    await house.clock.advance(3000);
    t.equal(house.shard.last('close')?.reason, 'insufficient_players', 'and Bob is not left alone');
  });

  await t.test('for want of a seat goes on waiting, and the table is left alone for a while', async (t) => {
    const house = new LobbyHouse();
    await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    house.shard.refuse = 'table_full';
    const [cid] = await house.join('cid');
    t.same(cid?.types, ['lobby_joined']);
    t.equal(house.shard.count('sit'), 3, 'not asked again at once');
    await house.clock.advance(1000);
    t.equal(house.tableOf('cid'), table);
  });

  await t.test('because its table could not be opened is tried again a second later', async (t) => {
    const house = new LobbyHouse();
    house.shard.openFails = true;
    await house.join('ann', 'bob');
    t.equal(house.shard.count('open'), 1);
    t.match(house.lobby.views.counts(), { tables: 0, waiting: 2 });
    house.shard.openFails = false;
    await house.clock.advance(1000);
    t.equal(house.tableOf('ann'), house.tableOf('bob'));
  });
});
