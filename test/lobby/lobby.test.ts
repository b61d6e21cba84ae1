/** Connections and sessions in the lobby: which one counts, what becomes of their messages, what features may ask. */
import { randomUUID } from 'node:crypto';
import type { ServerMessage } from '../../src/protocol/server.js';
import t from 'tap';
import { Detail, HttpError } from '../../src/protocol/rest/errors.js';
import { FILE_MS } from '../support/limits.js';
import { identity, LobbyHouse, type Line } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

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
    t.equal(line.closeCode, 1013, 'not 4001, at which clients give up');
    t.equal(house.errors.length, 1);
  });

  await t.test('to watch, whose key cannot be looked up, shall come again as well', async (t) => {
    const house = new LobbyHouse();
    for (const [error, code] of [
      [new HttpError(503, Detail.databaseAway), 1013],
      [new Error('the database is away'), 1013],
      [new HttpError(401, Detail.unauthorized), 4001],
      [new HttpError(429, Detail.tooManyRequests), 4008],
    ] as const) {
      house.viewer = () => Promise.reject(error);
      const line = house.dialToWatch(randomUUID());
      await house.clock.settle();
      t.equal(line.closeCode, code, error.message);
    }
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
    house.play.entrance = async () => {
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

  await t.test('wait for an answer by two at most', async (t) => {
    const house = new LobbyHouse();
    const ann = await house.connect('ann');
    let answer: (message: ServerMessage) => void = () => undefined;
    house.play.rebuy = () => new Promise((resolve) => (answer = resolve));
    for (let n = 0; n < 1000; n++) ann.send({ type: 'rebuy', amount: 0 });
    await house.clock.settle();
    t.same(ann.types, Array<string>(998).fill('rate_limited'), 'the mute database holds two, and no more');
    for (let n = 0; n < 2; n++) {
      answer({ type: 'rebuy_confirmed', new_stack: 0, chip_balance: 1500 });
      await house.clock.settle();
    }
    ann.join();
    await house.clock.settle();
    t.same(ann.types.slice(998), ['rebuy_confirmed', 'rebuy_confirmed', 'lobby_joined'], 'then there is room again');
  });

  await t.test('that fail inside are answered all the same', async (t) => {
    const house = new LobbyHouse();
    const ann = await house.connect('ann');
    house.play.rebuy = () => Promise.reject(new Error('the database is away'));
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

  await t.test('an action goes to the table of a buy-in under way, whose shard may have asked already', async (t) => {
    const house = new LobbyHouse();
    await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    const cid = await house.connect('cid');
    // The shard has seated it, and its answer is still on its way here.
    house.shard.silent = true;
    cid.join();
    await house.clock.settle();
    t.match([cid.route, house.shard.last('sit')], [null, { table, player: { agentId: 'cid' } }]);
    const action = { type: 'action', action: 'fold', client_action_id: 'c1' } as const;
    cid.send(action);
    t.match(house.shard.last('act'), { table, agentId: 'cid', socket: cid.id, message: action });
    t.same(cid.types, ['lobby_joined']);
  });

  await t.test('for a table that the shard forgot are answered, and the way there ends', async (t) => {
    const house = new LobbyHouse();
    const [ann, bob] = await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    ann?.send({ type: 'leave_table' });
    await house.clock.advance(3000);
    const unknown = (line: typeof ann, of: 'attach' | 'act' | 'leave' | 'rebuy') => {
      house.lobby.shards.fromShard(0, { t: 'unknownTable', table, socket: line?.id ?? 0, of });
    };
    unknown(ann, 'act');
    t.match(ann?.last, { type: 'action_rejected', code: 'table_not_found', details: { code: 'table_not_found' } });
    t.equal(ann?.route, null);
    unknown(bob, 'leave');
    t.match(bob?.last, { code: 'not_at_table' });
    unknown(bob, 'rebuy');
    await house.clock.settle();
    t.match(bob?.last, { type: 'rebuy_confirmed' }, 'it has no seat, and is answered as such');
    bob?.drop();
    unknown(bob, 'act');
    t.match(bob?.last, { type: 'rebuy_confirmed' }, 'a socket that is gone hears nothing');
    unknown(bob, 'attach');
    t.equal(bob?.closeCode, null);
  });

  await t.test('whose stay was over before their socket was there', async (t) => {
    const house = new LobbyHouse();
    await house.join('ann', 'bob', 'cid', 'dan');
    const table = house.tableOf('ann');
    const unattached = ({ id: socket }: Line) => {
      house.lobby.shards.fromShard(0, { t: 'unknownTable', table, socket, of: 'attach' });
    };
    const [ann, bob, cid] = [await house.connect('ann'), await house.connect('bob'), await house.connect('cid')];
    const dan = await house.connect('dan');
    for (const line of [bob, cid, dan]) line.join();
    await house.clock.settle();
    t.match(bob.frames.at(-1), { code: 'already_seated' });
    unattached(bob);
    t.equal(bob.closeCode, null, 'it has a seat, by what was said since');
    dan.send({ type: 'leave_table' });
    // The sockets that these had before are told.
    house.shard.tells = () => undefined;
    for (const line of [ann, bob, cid]) line.send({ type: 'leave_table' });
    await house.clock.settle();
    cid.join();
    await house.clock.settle();
    for (const line of [ann, bob, cid, dan]) unattached(line);
    t.equal(ann.closeCode, null, 'who has read nothing yet knows of no seat');
    t.equal(bob.closeCode, 1013, 'who was told of it would wait for ever: it ends');
    t.equal(cid.closeCode, null, 'who waits for another seat knows that it has none');
    t.equal(dan.closeCode, null, 'and so does who was told');
  });
});

await t.test('what the features ask of the lobby', async (t) => {
  const house = new LobbyHouse();
  const { control } = house.lobby;
  const [ann, bob] = await house.join('ann', 'bob');
  const cid = await house.connect('cid');

  await t.test('a message to one, or to all', async (t) => {
    t.ok(control.notify('ann', { type: 'busted', options: ['rebuy', 'leave'] }));
    t.notOk(control.notify('nobody', { type: 'busted', options: ['rebuy', 'leave'] }));
    control.broadcast({ type: 'season_ended', season_number: 1, next_season_number: 2 });
    for (const line of [ann, bob, cid]) t.equal(line?.last?.type, 'season_ended');
    t.equal(ann?.types.at(-2), 'busted');
  });

  await t.test('a changed preference, wherever the player is', async (t) => {
    const told = { table: house.tableOf('ann'), agentId: 'ann' };
    control.updatePlayer('ann', { name: 'ann_two' });
    t.match(house.shard.last('update'), { ...told, change: { name: 'ann_two' } });
    control.updateEntry('ann', { autoRebuy: true });
    t.match(house.shard.last('update'), { ...told, change: { autoRebuy: true } });

    house.shard.silent = true;
    cid.join();
    await house.clock.settle();
    control.updateEntry('cid', { autoRebuy: true });
    t.match(house.shard.last('sit'), { player: { agentId: 'cid', autoRebuy: false } }, 'sent before the change');
    house.shard.answerAll();
    await house.clock.settle();
    t.match(house.shard.last('update'), { agentId: 'cid', change: { autoRebuy: true } }, 'told once it sits');

    const [dan] = await house.join('dan');
    dan?.send({ type: 'leave_table' });
    await house.clock.settle();
    control.updatePlayer('dan', { name: 'dan_two', avatarUrl: null });
    dan?.join();
    await house.clock.settle();
    t.match(house.shard.last('sit'), { player: { agentId: 'dan', name: 'dan_two' } }, 'the session knows');
    control.updatePlayer('nobody', { name: 'x' });
  });

  await t.test('a rebuy that a table waits for', async (t) => {
    const table = house.tableOf('ann');
    control.rebuyPending(table, 'zoe', true);
    t.match(house.shard.last('rebuyPending'), { table, agentId: 'zoe', pending: true });
    const before = house.shard.received.length;
    control.rebuyPending('a table that closed', 'zoe', false);
    t.equal(house.shard.received.length, before);
  });

  await t.test('the end of a session whose key is no longer good', async (t) => {
    control.disconnect('bob');
    t.equal(bob?.closeCode, 4001);
    t.match(house.shard.last('detach'), { agentId: 'bob', socket: bob?.id });
    await house.clock.settle();
    t.equal(house.shard.count('detach'), 1, 'told once');
    control.disconnect('nobody');
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
