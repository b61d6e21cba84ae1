import t from 'tap';
import { buyInOf, type BuyInRules } from '../src/lobby/buy-in.js';
import { identity, LobbyHouse } from './support/lobby-house.js';

t.setTimeout(120_000);

await t.test('the buy-in', async (t) => {
  const rules: BuyInRules = { minimum: 1000, maximum: 5000, standard: 2000, outOfRange: 'default' };
  const of = (wish: number | null, balance: number) => buyInOf(wish, balance, rules);
  t.equal(of(null, 5000), 2000);
  t.equal(of(3000, 5000), 3000);
  t.same(
    [999, 5001, 0, -1, 1e12, 1500.5].map((wish) => of(wish, 5000)),
    [2000, 2000, 2000, 2000, 2000, 2000],
  );
  t.equal(of(null, 1500), 1500, 'after a rebuy a default bot can sit down');
  t.equal(of(9000, 1500), 1500);
  t.equal(of(2000, 1500), 'insufficient_season_chips', 'a wish in range is taken at its word');
  t.same([of(null, 999), of(1000, 0), of(9000, 999)], Array(3).fill('insufficient_season_chips'));
  const strict = (wish: number | null) => buyInOf(wish, 5000, { ...rules, outOfRange: 'reject' });
  t.same(
    [strict(999), strict(5001), strict(1500.5), strict(null), strict(1000)],
    ['invalid_buy_in', 'invalid_buy_in', 'invalid_buy_in', 2000, 1000],
  );
});

await t.test('a connection', async (t) => {
  await t.test('with a good key is welcomed, without a seat as yet', async (t) => {
    const house = new LobbyHouse();
    const line = await house.connect('ann');
    t.equal(line.agentId, 'ann');
    t.equal(line.route, null);
    t.match(house.lobby.views.counts(), { connected: 1, waiting: 0, seated: 0, tables: 0 });
    line.drop();
    t.match(house.lobby.views.counts(), { connected: 0 });
  });

  await t.test('without one is refused with 4001', async (t) => {
    const house = new LobbyHouse();
    house.authenticate = () => Promise.resolve(null);
    for (const line of [house.dial(null), house.dial('unknown'), house.dial('ann', '127.0.0.1', 'a competition')]) {
      await house.clock.settle();
      t.same(line.types, ['auth_failed']);
      t.equal(line.closeCode, 4001);
      t.equal(line.agentId, null);
    }
  });

  await t.test('that is gone before its key was looked up leaves nothing behind', async (t) => {
    const house = new LobbyHouse();
    const line = house.dial('ann');
    line.drop();
    await house.clock.settle();
    t.equal(line.agentId, null);
    t.match(house.lobby.views.counts(), { connected: 0 });
  });

  await t.test('whose key cannot be looked up shall come again', async (t) => {
    const house = new LobbyHouse();
    house.authenticate = () => Promise.reject(new Error('the database is away'));
    const line = await house.connect('ann');
    t.equal(line.closeCode, 1012, 'not 4001, at which clients give up');
    t.equal(house.errors.length, 1);
  });
});

await t.test('join_lobby', async (t) => {
  await t.test('answers lobby_joined, and a lone joiner waits', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('ann');
    t.same(ann?.frames, [{ type: 'lobby_joined', position: 1, estimated_wait: '~5s' }]);
    await house.clock.advance(60_000);
    t.equal(house.shard.received.length, 0);
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
    house.desk.premium.add('pro');
    house.desk.poolId = 'season 1';
    house.desk.entrance = (agentId) =>
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
    house.balances.set('ann', 1200);
    const again = await house.connect('ann');
    again.join(4000);
    await house.clock.settle();
    t.same(again.types, ['insufficient_season_chips']);

    for (const code of ['no_active_season', 'season_error'] as const) {
      house.desk.entrance = () => ({ kind: 'refused', code });
      const [line] = await house.join(`agent.${code}`);
      t.same(line?.types, [code]);
    }
    house.desk.entrance = () => Promise.reject(new Error('the database is away'));
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
    t.same(house.desk.calls.slice(-2), [{ enter: 'dan' }, { setAutoRebuy: 'dan' }], 'the entry exists by then');
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
    t.same(house.desk.calls.slice(-2), [{ busted: 'ann' }, { enter: 'ann' }]);
    t.match(house.lobby.views.counts(), { waiting: 0 });
  });

  await t.test('goes on when the bust has been told of, like everything that is asked after it', async (t) => {
    const { house, ann } = await leaving(5000);
    let told: () => void = () => undefined;
    house.desk.bustSettles = new Promise((resolve) => (told = resolve));
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

await t.test('a connection that goes', async (t) => {
  await t.test('takes its agent out of the lobby', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('ann');
    ann?.drop();
    await house.join('bob');
    t.equal(house.shard.received.length, 0);
    t.match(house.lobby.views.counts(), { waiting: 1 });
  });

  await t.test('during its season entry is not greeted, nor seated', async (t) => {
    const house = new LobbyHouse();
    let enter: () => void = () => undefined;
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const entry = { poolId: 'season 1', chipBalance: 5000, autoRebuy: false, premium: false };
    house.desk.entrance = async () => {
      await entered;
      return { kind: 'entered', entry };
    };
    const [ann] = await house.join('ann');
    ann?.drop();
    enter();
    await house.clock.settle();
    t.same(ann?.types, []);
    t.match(house.lobby.views.counts(), { waiting: 0 });
  });

  await t.test('detaches its seat, which stays', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('ann', 'bob');
    ann?.drop();
    await house.clock.settle();
    t.match(house.shard.last('detach'), { agentId: 'ann', socket: ann?.id, table: house.tableOf('ann') });
    const back = await house.connect('ann');
    t.match(back.route, { seat: 0 });
    t.match(house.shard.last('attach'), { agentId: 'ann', socket: back.id });
  });

  await t.test('during its buy-in gives up a seat that it was never told of', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('ann');
    await house.connect('bob');
    house.shard.silent = true;
    const [bob] = await house.join('bob');
    house.shard.answerAll();
    house.shard.silent = true;
    await house.clock.settle();
    t.equal(house.shard.count('sit'), 2, 'both on their way');
    ann?.drop();
    house.shard.answerAll();
    await house.clock.settle();
    t.match(house.shard.last('leave'), { agentId: 'ann' });
    t.match(bob?.route, { seat: 1 });
    t.notOk(house.seated.has('ann'));
    const [back] = await house.join('ann');
    t.match(back?.route, { table: house.tableOf('bob') }, 'it sits down again like anybody');
  });

  await t.test('while its table opens never buys in', async (t) => {
    const house = new LobbyHouse();
    house.shard.silent = true;
    const [ann] = await house.join('ann', 'bob', 'cid');
    ann?.drop();
    house.shard.answerAll();
    await house.clock.settle();
    t.notOk(house.seated.has('ann'));
    t.equal(house.tableOf('bob'), house.tableOf('cid'));
  });
});

await t.test('a session that is taken over', async (t) => {
  await t.test('is closed with 4002; the new one has the seat, the old one’s end changes nothing', async (t) => {
    const house = new LobbyHouse();
    const [older] = await house.join('ann', 'bob');
    const newer = await house.connect('ann');
    t.equal(older?.closeCode, 4002);
    t.match(newer.route, { seat: 0 });
    t.match(house.shard.last('attach'), { agentId: 'ann', socket: newer.id });
    t.equal(house.shard.count('detach'), 0);
    t.match(house.lobby.views.counts(), { connected: 2, seated: 2 });
  });

  await t.test('says nothing any more', async (t) => {
    const house = new LobbyHouse();
    const older = await house.connect('ann');
    const newer = house.dial('ann');
    older.join();
    await house.clock.settle();
    older.join();
    older.send({ type: 'rebuy', amount: 0 });
    await house.clock.settle();
    t.same([older.types, newer.types], [[], []]);
    t.match(house.lobby.views.counts(), { connected: 1, waiting: 0 });
  });

  await t.test('waits no more: the new one joins by itself', async (t) => {
    const house = new LobbyHouse();
    await house.join('ann');
    const newer = await house.connect('ann');
    t.match(house.lobby.views.counts(), { waiting: 0 });
    newer.join();
    await house.clock.settle();
    t.same(newer.types, ['lobby_joined']);
  });

  await t.test('during its buy-in hands the seat over', async (t) => {
    const house = new LobbyHouse();
    house.shard.silent = true;
    await house.join('ann', 'bob');
    house.shard.answerAll();
    house.shard.silent = true;
    await house.clock.settle();
    const newer = await house.connect('ann');
    newer.join();
    await house.clock.settle();
    t.match(newer.last, { code: 'already_in_lobby' });
    house.shard.answerAll();
    await house.clock.settle();
    t.match(newer.route, { seat: 0 });
    t.match(house.shard.last('attach'), { agentId: 'ann', socket: newer.id });
  });
});

await t.test('messages of a session', async (t) => {
  await t.test('that no longer hold for its seat go to the table or are answered here', async (t) => {
    const house = new LobbyHouse();
    const [ann] = await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    ann?.send({ type: 'rebuy', amount: 0 });
    await house.clock.settle();
    t.match(house.shard.last('rebuy'), { table, agentId: 'ann', socket: ann?.id }, 'seated: the table says why not');
    ann?.send({ type: 'leave_table' });
    await house.clock.settle();
    t.match(house.shard.last('leave'), { table, agentId: 'ann', socket: ann?.id });
    t.same(ann?.route, { shard: 0, table, seat: null }, 'the table is remembered for resync and repeated actions');

    ann?.send({ type: 'leave_table' });
    ann?.send({ type: 'rebuy', amount: 0 });
    await house.clock.settle();
    t.same(ann?.types.slice(-2), ['not_at_table', 'rebuy_confirmed']);
  });

  await t.test('that fail inside are answered all the same', async (t) => {
    const house = new LobbyHouse();
    const ann = await house.connect('ann');
    house.desk.rebuy = () => Promise.reject(new Error('the database is away'));
    ann.send({ type: 'rebuy', amount: 0 });
    ann.join();
    await house.clock.settle();
    t.same(ann.types, ['season_error', 'lobby_joined'], 'and the session goes on');
    t.equal(house.errors.length, 1);
  });

  await t.test('resync goes to any table, also one that closed lately', async (t) => {
    const house = new LobbyHouse({ shards: 2 });
    const [ann] = await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    const watcher = await house.connect('watcher');
    const resync = (last: number | null) => {
      watcher.send({ type: 'resync_request', table_id: table, last_table_seq: last });
    };
    resync(7);
    const to = { t: 'resync', table, agentId: 'watcher', socket: watcher.id };
    t.match(house.shard.last('resync'), { ...to, lastTableSeq: 7 });

    ann?.send({ type: 'leave_table' });
    await house.clock.advance(3000);
    t.notOk(house.shard.tables.has(table), 'closed: one player was left');
    resync(null);
    t.match(house.shard.last('resync'), { ...to, lastTableSeq: null }, 'the shard still has its last hands');
    await house.clock.settle();
    t.same(watcher.types, ['table_not_found'], 'until it has not');
    const asked = house.shard.count('resync');
    resync(null);
    t.equal(house.shard.count('resync'), asked);
    t.same(watcher.types, ['table_not_found', 'table_not_found']);
  });

  await t.test(
    'an action goes to the seat that the session did not know of yet, then to the table it left',
    async (t) => {
      const house = new LobbyHouse();
      const [ann] = await house.join('ann', 'bob');
      const table = house.tableOf('ann');
      const action = { type: 'action', action: 'fold', client_action_id: 'c1' } as const;
      const acts = () => house.shard.received.filter((message) => message.t === 'act');
      ann?.send(action);
      t.match(acts(), [{ table, socket: ann?.id, message: action }]);
      const newcomer = await house.connect('cid');
      newcomer.send(action);
      t.equal(acts().length, 1);
      t.match(newcomer.last, { type: 'action_rejected', code: 'not_at_table', details: { code: 'not_at_table' } });
    },
  );

  await t.test('for a table that the shard forgot are answered, and the way there ends', async (t) => {
    const house = new LobbyHouse();
    const [ann, bob] = await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    ann?.send({ type: 'leave_table' });
    await house.clock.advance(3000);
    const unknown = (line: typeof ann, of: 'act' | 'leave' | 'rebuy') => {
      house.lobby.shards.fromShard(0, { t: 'unknownTable', table, socket: line?.id ?? 0, of });
    };
    unknown(ann, 'act');
    t.match(ann?.last, { type: 'action_rejected', code: 'table_not_found', details: { code: 'table_not_found' } });
    t.equal(ann?.route, null);
    unknown(bob, 'leave');
    t.match(bob?.last, { code: 'not_at_table' });
    unknown(bob, 'rebuy');
    t.match(bob?.last, { code: 'not_at_table' });
    bob?.drop();
    unknown(bob, 'act');
    t.match(bob?.last, { code: 'not_at_table' }, 'a socket that is gone hears nothing');
  });
});

await t.test('what the features ask of the lobby', async (t) => {
  const house = new LobbyHouse();
  const { floor } = house.lobby;
  const [ann, bob] = await house.join('ann', 'bob');
  const cid = await house.connect('cid');

  await t.test('a message to one, or to all', async (t) => {
    t.ok(floor.notify('ann', { type: 'busted', options: ['rebuy', 'leave'] }));
    t.notOk(floor.notify('nobody', { type: 'busted', options: ['rebuy', 'leave'] }));
    floor.broadcast({ type: 'season_ended', season_number: 1, next_season_number: 2 });
    for (const line of [ann, bob, cid]) t.equal(line?.last?.type, 'season_ended');
    t.equal(ann?.types.at(-2), 'busted');
  });

  await t.test('a changed preference, wherever the player is', async (t) => {
    const told = { table: house.tableOf('ann'), agentId: 'ann' };
    floor.updatePlayer('ann', { name: 'ann_two' });
    t.match(house.shard.last('update'), { ...told, change: { name: 'ann_two' } });
    floor.updateEntry('ann', { autoRebuy: true });
    t.match(house.shard.last('update'), { ...told, change: { autoRebuy: true } });

    house.shard.silent = true;
    cid.join();
    await house.clock.settle();
    floor.updateEntry('cid', { autoRebuy: true });
    t.match(house.shard.last('sit'), { player: { agentId: 'cid', autoRebuy: false } }, 'sent before the change');
    house.shard.answerAll();
    await house.clock.settle();
    t.match(house.shard.last('update'), { agentId: 'cid', change: { autoRebuy: true } }, 'told once it sits');

    const [dan] = await house.join('dan');
    dan?.send({ type: 'leave_table' });
    await house.clock.settle();
    floor.updatePlayer('dan', { name: 'dan_two', avatarUrl: null });
    dan?.join();
    await house.clock.settle();
    t.match(house.shard.last('sit'), { player: { agentId: 'dan', name: 'dan_two' } }, 'the session knows');
    floor.updatePlayer('nobody', { name: 'x' });
  });

  await t.test('a rebuy that a table waits for', async (t) => {
    const table = house.tableOf('ann');
    floor.rebuyPending(table, 'zoe', true);
    t.match(house.shard.last('rebuyPending'), { table, agentId: 'zoe', pending: true });
    const before = house.shard.received.length;
    floor.rebuyPending('a table that closed', 'zoe', false);
    t.equal(house.shard.received.length, before);
  });

  await t.test('the end of a session whose key is no longer good', async (t) => {
    floor.disconnect('bob');
    t.equal(bob?.closeCode, 4001);
    t.match(house.shard.last('detach'), { agentId: 'bob', socket: bob?.id });
    await house.clock.settle();
    t.equal(house.shard.count('detach'), 1, 'told once');
    floor.disconnect('nobody');
  });
});

await t.test('agents of one owner are kept apart', async (t) => {
  const pairs = async (lines: [name: string, ip: string][]) => {
    const house = new LobbyHouse({ separateOwners: true });
    const connected = [];
    for (const [name, ip] of lines) connected.push(await house.connect(name, ip));
    for (const line of connected) line.join();
    await house.clock.advance(10_000);
    return [...house.shard.tables.keys()].map((table) => house.shard.players(table));
  };
  const local = '127.0.0.1';
  t.equal(identity('ann.1').email, identity('ann.2').email);
  t.same(
    await pairs(['ann.1', 'ann.2', 'bob.1', 'bob.2'].map((name) => [name, local])),
    [
      ['ann.1', 'bob.1'],
      ['ann.2', 'bob.2'],
    ],
    'by mailbox',
  );
  const [home, office] = ['198.51.100.7', '2001:db8::7'];
  t.same(
    await pairs([
      ['ann', home],
      ['bob', home],
      ['cid', office],
      ['dan', office],
    ]),
    [
      ['ann', 'cid'],
      ['bob', 'dan'],
    ],
    'by the address they come from',
  );
  t.same(
    await pairs([
      ['ann', local],
      ['bob', local],
      ['house1', home],
      ['cid', local],
    ]),
    [['ann', 'bob', 'cid', 'house1']],
    'others are not',
  );
});
