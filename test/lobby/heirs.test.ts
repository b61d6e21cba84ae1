/**
 * The lobby's process dies and another takes over while sockets and shards live on: players notice nothing, those who
 * wait keep their place, whatever was under way is finished once, and nobody is lost.
 */
import t from 'tap';
import type { ClientMessage } from '../../src/protocol/client.js';
import { FILE_MS } from '../support/limits.js';
import { identity, LobbyHouse, type Line } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

/** Two players at a table. */
async function seated(options?: ConstructorParameters<typeof LobbyHouse>[0]) {
  const house = new LobbyHouse(options);
  const [ada, bob] = await house.join('ada', 'bob');
  return { house, ada: ada!, bob: bob!, table: house.tableOf('ada') };
}

const notRead = (house: LobbyHouse) => house.shards.forEach((shard) => (shard.received.length = 0));
const readBy = (house: LobbyHouse) => house.shards.flatMap(({ received }) => received).map(({ t }) => t);

await t.test('in a hand', async (t) => {
  await t.test('nobody is sent anything, and no table is asked for anything', async (t) => {
    const { house, ada, bob, table } = await seated();
    const before = [ada, bob].map(({ frames, route }) => [frames.length, route]);
    notRead(house);
    await house.succeed();
    t.same(readBy(house), []);
    t.same(
      [ada, bob].map(({ frames, route }) => [frames.length, route]),
      before,
    );
    t.match(house.lobby.views.counts(), { connected: 2, seated: 2, tables: 1, waiting: 0 });
    t.match(house.lobby.views.listTables(), [{ table_id: table, players: 2 }]);
    ada.send({ type: 'leave_table' });
    await house.clock.settle();
    t.match(ada.route, { table, seat: null }, 'what comes then is of the new lobby');
  });

  await t.test('whose owner sits there is known: another agent of the same sits elsewhere, if it can', async (t) => {
    const house = new LobbyHouse({ separateOwners: true });
    const [, bob] = await house.join('ada', 'bob', 'cid', 'dan', 'eve', 'fay');
    await house.join('gil', 'hal');
    bob!.send({ type: 'leave_table' });
    await house.clock.settle();
    await house.succeed();
    await house.join('ada.two');
    t.equal(house.tableOf('ada.two'), house.tableOf('gil'));
    await house.join('ivy');
    t.equal(house.tableOf('ivy'), house.tableOf('ada'), 'where others sit down');
  });

  await t.test('who is gone with its node is disconnected; it comes back as ever', async (t) => {
    const { house, ada, bob, table } = await seated();
    bob.gone = true;
    house.begin();
    await house.report();
    house.resume();
    notRead(house);
    await house.settle();
    t.match(house.shard.received, [{ t: 'detach', table, agentId: 'bob', socket: bob.id }]);
    const back = await house.connect('bob');
    t.match(back.route, ada.route && { table, seat: 1 });
    t.match(house.shard.last('attach'), { agentId: 'bob', socket: back.id });
  });

  await t.test('an agent that came anew, and was not yet welcome, gets its seat', async (t) => {
    const { house, ada, table } = await seated();
    house.die();
    ada.gone = true;
    const next = house.dial('ada');
    await house.succeed();
    t.match(next.route, { table, seat: 0 });
    t.match(house.shard.last('attach'), { agentId: 'ada', socket: next.id });
    t.equal(house.shard.count('detach'), 0);
  });

  await t.test('a new socket is welcome when all is known, and not before', async (t) => {
    const { house, ada, table } = await seated();
    ada.gone = true;
    house.begin();
    const next = await house.connect('ada');
    t.equal(next.agentId, null);
    await house.report();
    await house.settle();
    t.match([next.agentId, next.route], ['ada', { table, seat: 0 }]);
  });
});

await t.test('what is not asked again of the next lobby', async (t) => {
  const ids = { client_action_id: 'c', turn_token: 't', hand_id: '0198c1a0-0000-7000-8000-000000000000' };
  const said = (table: string): ClientMessage[] => [
    { type: 'resync_request', table_id: table },
    { type: 'deal_nonce', nonce: 'ab'.repeat(32) },
    { type: 'action', action: 'fold', ...ids },
    { type: 'leave_table' },
  ];

  await t.test('is handled once it is answered, or on its way to its table', async (t) => {
    const { house, ada, table } = await seated();
    const cid = await house.connect('cid');
    for (const line of [ada, cid])
      for (const message of said(table)) {
        line.send(message);
        t.notOk(line.unanswered.isUnderWay, message.type);
      }
  });

  await t.test('also where it waited until the lobby had settled', async (t) => {
    const { house, ada, table } = await seated();
    house.begin();
    await house.report();
    house.resume();
    for (const message of said(table)) ada.send(message);
    await house.clock.settle();
    t.ok(ada.unanswered.isUnderWay);
    await house.settle();
    t.notOk(ada.unanswered.isUnderWay);
  });
});

await t.test('a buy-in under way', async (t) => {
  await t.test('whose end the lobby never heard is the seat that was waited for', async (t) => {
    const { house, table } = await seated();
    const cid = await house.connect('cid');
    cid.join();
    house.shard.silent = true;
    await house.clock.settle();
    t.equal(cid.route, null);
    house.die();
    house.shard.answerAll();
    await house.succeed();
    t.match(cid.route, { table, seat: 2 });
    t.same(cid.types, ['lobby_joined'], 'no second one, nor a refusal');
    t.match(house.lobby.views.counts(), { waiting: 0, seated: 3 });
    t.equal(house.balances.get('cid'), 3000, 'paid once');
  });

  for (const outcome of ['succeeds', 'fails'] as const) {
    await t.test(`that ${outcome} afterwards is waited for, and not begun again`, async (t) => {
      const { house, table } = await seated();
      const cid = await house.connect('cid');
      house.shard.silent = true;
      cid.join();
      await house.clock.settle();
      await house.succeed();
      t.equal(house.shard.count('sit'), 3);
      if (outcome === 'fails') house.shard.refuse = 'table_full';
      house.shard.answerAll();
      await house.clock.settle();
      if (outcome === 'fails') {
        t.match(house.lobby.views.counts(), { waiting: 1 }, 'it keeps its place');
        await house.clock.advance(10_000);
      }
      t.match(cid.route, { table, seat: 2 });
      t.same(cid.types, ['lobby_joined']);
      t.equal(house.balances.get('cid'), 3000);
    });
  }

  await t.test('of somebody who has gone is given up', async (t) => {
    const { house } = await seated();
    const cid = await house.connect('cid');
    house.shard.silent = true;
    cid.join();
    await house.clock.settle();
    cid.gone = true;
    await house.succeed();
    house.shard.answerAll();
    await house.clock.settle();
    t.notOk(house.seated.has('cid'));
    t.equal(house.balances.get('cid'), 5000);
    t.match(house.lobby.views.counts(), { seated: 2, waiting: 0 });
  });

  await t.test('of which only its answer tells is the seat of who waits', async (t) => {
    const { house, table } = await seated();
    const cid = await house.connect('cid');
    house.shard.silent = true;
    cid.join();
    await house.clock.settle();
    house.begin();
    const { tables, ...report } = house.shard.report();
    house.lobby.shards.inherited(
      0,
      tables.map((each) => ({ ...each, buyIns: [] })),
    );
    house.resume();
    house.lobby.control.windDown('season 1');
    await house.settle();
    t.match(house.lobby.views.counts(), { waiting: 1 });
    house.shard.answerAll();
    await house.clock.settle();
    t.match(cid.route, { table, seat: 2 });
    t.match(house.lobby.views.counts(), { waiting: 0 });
    t.ok(report);
  });
});

await t.test('a stay that ends', async (t) => {
  await t.test('unheard: its player may sit down again, and its table still answers it', async (t) => {
    const { house, ada, table } = await seated();
    house.die();
    ada.send({ type: 'leave_table' });
    await house.succeed();
    t.match(ada.route, { table, seat: null });
    t.equal(house.balances.get('ada'), 5000);
    ada.send({ type: 'resync_request', table_id: table, last_table_seq: 1 });
    t.match(house.shard.last('resync'), { table, socket: ada.id });
    ada.join();
    await house.clock.settle();
    t.equal(ada.types.at(-1), 'lobby_joined');
  });

  await t.test('with its shard, both with the lobby: whom nobody told comes back', async (t) => {
    for (const end of ['untold', 'told', 'routed', 'waiting', 'unheard'] as const) {
      const { house, ada, bob } = await seated();
      house.die();
      const [stored] = house.shard.revive();
      if (end === 'told') house.shard.tells(ada.id);
      // The word of it came from the lobby before, and from its table nothing.
      if (end === 'routed') ada.routed({ ...ada.route!, seat: null });
      if (end === 'waiting') ada.join();
      house.seated.delete('ada');
      house.begin();
      if (end === 'unheard') house.lobby.shards.unheard(0, [stored!]);
      house.resume();
      await house.settle();
      const codes = () => [ada.closeCode, bob.closeCode];
      if (end !== 'routed') t.same(codes(), [null, null], 'the table may be heard of yet');
      // Bob's is another's, and opened again.
      const sittings = stored!.sittings.filter(({ player }) => player.agentId === 'bob');
      if (end !== 'unheard') house.lobby.shards.shardRestored(0, [{ ...stored!, sittings }]);
      await house.clock.advance(5000);
      t.same(codes(), [end === 'untold' || end === 'routed' ? 1013 : null, null], end);
    }
  });

  await t.test('as a bust at a table that is opened again: what comes of it tells its player, at once', async (t) => {
    for (const at of ['before it is known who is there', 'after'] as const) {
      const { house, ada } = await seated();
      const busted = (agentId: string) => {
        house.lobby.control.notify(agentId, { type: 'busted', options: ['rebuy', 'leave'] });
        return Promise.resolve();
      };
      house.play.busted = ({ agentId }) => busted(agentId);
      // A rebuy has come by itself: it is not out of chips any more.
      house.play.seatLost = () => Promise.resolve();
      house.begin();
      const opened = house.shard.revive();
      house.lobby.shards.shardRestored(0, opened);
      if (at !== 'after') house.shard.remove('ada', 'busted');
      await house.clock.settle();
      // By a node that had the shard before.
      ada.routed({ ...ada.route!, shard: 7 });
      house.resume();
      await house.settle();
      if (at === 'after') {
        for (const table of house.shard.tables.values()) for (const seat of table.seats) if (seat) seat.socket = 0;
        house.shard.remove('ada', 'busted');
        const { tableId: table } = opened[0]!;
        house.lobby.shards.fromShard(0, { t: 'unknownTable', table, socket: ada.id, of: 'attach' });
        await house.clock.settle();
      }
      t.same(ada.types, ['lobby_joined', 'busted'], at);
      await house.clock.advance(10_000);
      t.same([ada.types.length, ada.closeCode], [2, null]);
    }
  });

  await t.test('while nobody leads, at a shard that goes: who was told by its table stays', async (t) => {
    for (const reason of ['busted', 'left'] as const) {
      const { house, ada, bob } = await seated();
      house.die();
      house.shard.remove('ada', reason);
      house.begin();
      await house.report();
      house.lobby.shards.shardRetires(0);
      house.resume();
      await house.settle();
      ada.join();
      await house.clock.settle();
      t.same(ada.types, ['lobby_joined', 'lobby_joined'], 'its table is known: nobody waits for it');
      await house.clock.advance(10_000);
      t.same([ada.closeCode, bob.closeCode], [null, null], reason);
    }
  });

  await t.test('unheard: who lost its stack is told what comes of that, before its next seat', async (t) => {
    const { house, ada } = await seated();
    let settle: () => void = () => undefined;
    house.play.bustSettles = new Promise((resolve) => (settle = resolve));
    house.die();
    house.shard.remove('ada', 'busted');
    await house.succeed();
    t.same(
      house.play.calls.filter((call) => typeof call === 'object' && 'seatLost' in call!),
      [{ seatLost: 'ada' }],
    );
    house.balances.set('ada', 4000);
    ada.join();
    await house.clock.settle();
    t.same(ada.types, ['lobby_joined'], 'from before');
    settle();
    await house.clock.settle();
    t.same(ada.types, ['lobby_joined', 'lobby_joined']);
  });

  await t.test('whose bust was told of is not told of it again', async (t) => {
    const { house, ada } = await seated();
    house.shard.remove('ada', 'busted');
    await house.clock.settle();
    ada.heard({ type: 'busted', options: ['rebuy', 'leave'] });
    await house.succeed();
    t.notOk(house.play.calls.some((call) => typeof call === 'object' && 'seatLost' in call!));
  });

  await t.test('later is of the new lobby', async (t) => {
    const { house, ada, table } = await seated();
    await house.succeed();
    house.shard.remove('ada', 'busted');
    await house.clock.settle();
    t.match(house.play.calls.at(-1), { busted: 'ada' });
    t.match(ada.route, { table, seat: null });
  });

  await t.test('with a join that waits for its end: that goes on, with what came back', async (t) => {
    const { house, ada } = await seated();
    house.shard.slowHands = true;
    await house.join('cid');
    ada.send({ type: 'leave_table' });
    ada.join(4000);
    await house.clock.settle();
    t.equal(ada.types.filter((type) => type === 'lobby_joined').length, 2);
    await house.succeed();
    t.match(house.lobby.views.counts(), { waiting: 1, seated: 3 });
    house.shard.endHands();
    await house.clock.advance(10_000);
    t.equal(house.balances.get('ada'), 1000, 'it sits down with what it asked for');
    t.equal(ada.types.filter((type) => type === 'lobby_joined').length, 2);
  });

  await t.test('with a join, and both unheard', async (t) => {
    const { house, ada, table } = await seated();
    house.die();
    ada.send({ type: 'leave_table' });
    ada.join();
    await house.succeed();
    t.match(ada.route, { table }, 'beside bob again');
    t.equal(ada.types.filter((type) => type === 'lobby_joined').length, 2);
  });

  await t.test('not: a join though it sits there is answered so, as ever', async (t) => {
    const { house, ada, table } = await seated();
    house.die();
    ada.join();
    await house.succeed();
    t.match(ada.last, { code: 'already_seated', table_id: table });
  });
});

await t.test('those who wait', async (t) => {
  /** Joins at different times, of agents that no table takes as yet; they stand on two nodes. */
  async function waiting() {
    const house = new LobbyHouse();
    house.play.entrance = () => ({ kind: 'not_open' });
    const lines: Line[] = [];
    for (const name of ['eve', 'dan', 'cid', 'bob', 'ada']) {
      const line = await house.connect(name);
      line.join();
      await house.clock.advance(100);
      lines.push(line);
    }
    return { house, lines };
  }
  const positions = (lines: readonly Line[]) =>
    lines.map(({ frames }) => frames.findLast((frame) => frame.type === 'lobby_joined')?.position);

  await t.test('keep their order over all nodes, whichever says it first, and read nothing', async (t) => {
    const { house, lines } = await waiting();
    const before = lines.map(({ frames }) => frames.length);
    house.begin();
    house.resume(lines.filter((_, n) => n % 2 === 1).toReversed());
    await house.clock.settle();
    house.resume(lines.filter((_, n) => n % 2 === 0).toReversed());
    await house.report();
    await house.settle();
    t.same(
      lines.map(({ frames }) => frames.length),
      before,
    );
    t.match(house.lobby.views.counts(), { waiting: 5 });
    const sits: string[] = [];
    house.play.entrance = null;
    house.lobby.control.seasonOpened();
    await house.clock.settle();
    for (const { t: type, ...sit } of house.shard.received) {
      if (type === 'sit' && 'player' in sit) sits.push(sit.player.agentId);
    }
    t.same(sits, ['eve', 'dan', 'cid', 'bob', 'ada']);
  });

  await t.test('and were not yet greeted are, by their place', async (t) => {
    const { house, lines } = await waiting();
    house.die();
    const fay = (await house.connect('fay'))!;
    fay.agentId = 'fay';
    fay.join();
    await house.succeed();
    t.same(positions([...lines, fay]), [1, 2, 3, 4, 5, 6]);
    t.same(fay.types, ['lobby_joined']);
    fay.join();
    await house.clock.settle();
    t.equal(fay.types.at(-1), 'already_in_lobby');
  });

  await t.test('are not seated before all is known, and what they say meanwhile is answered then', async (t) => {
    const house = new LobbyHouse();
    const [ada] = await house.join('ada');
    const bob = await house.connect('bob');
    house.begin();
    await house.report();
    house.resume();
    await house.clock.settle();
    bob.join();
    bob.send({ type: 'set_auto_rebuy', enabled: true });
    await house.clock.advance(1000);
    t.same([ada!.route, bob.types], [null, []]);
    t.ok(house.lobby.control.notify('bob', { type: 'season_ended', season_number: 1, next_season_number: 2 }));
    await house.settle();
    t.same(bob.types, ['season_ended', 'lobby_joined', 'auto_rebuy_set']);
    t.equal(house.tableOf('ada'), house.tableOf('bob'));
  });
});

await t.test('questions that were not answered', async (t) => {
  await t.test('are asked again, once, in their order', async (t) => {
    const house = new LobbyHouse();
    const ada = await house.connect('ada');
    house.die();
    ada.send({ type: 'rebuy', request_id: 'one' });
    ada.send({ type: 'set_auto_rebuy', enabled: true });
    await house.succeed();
    t.same(house.play.calls.slice(0, 3), [
      'shardRecovered',
      { rebuy: 'ada', requestId: 'one' },
      { setAutoRebuy: 'ada' },
    ]);
    t.same(ada.types, ['rebuy_confirmed', 'auto_rebuy_set']);
    await house.succeed();
    t.equal(house.play.calls.filter((call) => typeof call === 'object' && 'rebuy' in call!).length, 1);
  });

  await t.test('no more of them than a socket may ask', async (t) => {
    const house = new LobbyHouse();
    const ada = await house.connect('ada');
    house.die();
    for (let n = 0; n < 3; n++) ada.send({ type: 'rebuy' });
    await house.succeed();
    t.same(ada.types, ['rate_limited', 'rebuy_confirmed', 'rebuy_confirmed']);
  });
});

await t.test('a socket that resumes', async (t) => {
  await t.test('with a key that is no longer good is refused; its table hears from its node', async (t) => {
    const { house, ada, bob } = await seated();
    house.authenticate = (key) => Promise.resolve(key === 'ada' ? null : identity(key));
    await house.succeed();
    t.same([ada.closeCode, bob.closeCode], [4001, null]);
    t.same(ada.types.at(-1), 'auth_failed');
    t.match(house.lobby.views.counts(), { connected: 1, seated: 2 });
  });

  await t.test('and cannot be looked up is not ended, but looked up again', async (t) => {
    const { house, ada, bob } = await seated();
    let away = true;
    house.authenticate = (key) => (away ? Promise.reject(new Error('away')) : Promise.resolve(identity(key)));
    await house.succeed();
    t.match(house.lobby.views.counts(), { connected: 0, seated: 2 });
    t.equal(house.shard.count('detach'), 0, 'its seat has its socket all the while');
    ada.send({ type: 'leave_table' });
    away = false;
    await house.clock.advance(1000);
    t.match(house.lobby.views.counts(), { connected: 2, seated: 1 });
    t.same([ada.closeCode, bob.closeCode], [null, null]);
    t.match(ada.route, { seat: null });
  });

  await t.test('of two of one agent the one that the seat has wins, the other is closed with 4002', async (t) => {
    for (const attached of [false, true]) {
      const { house, ada, table } = await seated();
      house.die();
      const next = house.dial('ada');
      next.agentId = 'ada';
      if (attached) house.shard.send({ t: 'attach', table, agentId: 'ada', socket: next.id });
      await house.succeed();
      const [winner, loser] = attached ? [next, ada] : [ada, next];
      t.same([winner.closeCode, loser.closeCode], [null, 4002]);
      t.match(winner.route, { table, seat: 0 });
      t.match(house.lobby.views.counts(), { connected: 2, seated: 2 });
      t.equal(house.shard.count('attach'), attached ? 1 : 0);
    }
  });

  await t.test('of two without a seat the later wins', async (t) => {
    const house = new LobbyHouse();
    const older = await house.connect('ada');
    house.die();
    const newer = house.dial('ada');
    newer.agentId = 'ada';
    await house.succeed();
    t.same([older.closeCode, newer.closeCode], [4002, null]);
  });

  await t.test('late, attaches as a newcomer does', async (t) => {
    const { house, ada, bob, table } = await seated();
    house.begin();
    await house.report();
    house.resume([ada]);
    await house.settle();
    t.match(house.shard.last('detach'), { agentId: 'bob' });
    house.resume([bob]);
    await house.clock.settle();
    t.match(house.shard.last('attach'), { table, agentId: 'bob', socket: bob.id });
    bob.send({ type: 'leave_table' });
    await house.clock.settle();
    t.match(bob.route, { seat: null });
  });

  await t.test('after a break of its link attaches again, though it had its seat before', async (t) => {
    const { house, ada, table } = await seated();
    await house.succeed();
    house.lose([ada]);
    await house.clock.settle();
    t.match(house.shard.last('detach'), { agentId: 'ada', socket: ada.id });
    house.resume([ada]);
    await house.clock.settle();
    t.match(house.shard.last('attach'), { table, agentId: 'ada', socket: ada.id });
    t.equal(ada.closeCode, null);
  });

  await t.test('after a break in which its table closed is closed, since nobody told it of that', async (t) => {
    for (const inherits of [false, true]) {
      const { house, ada, bob, table } = await seated();
      if (inherits) await house.succeed();
      house.lose([ada, bob]);
      await house.clock.settle();
      house.lobby.shards.closeTable(table);
      await house.clock.settle();
      t.match(house.lobby.views.counts(), { connected: 0, seated: 0, tables: 0 });
      house.resume([ada, bob]);
      await house.clock.settle();
      t.same([ada.closeCode, bob.closeCode], [1013, 1013]);
      const back = await house.connect('ada');
      t.same([back.closeCode, back.route?.seat ?? null], [null, null]);
      back.join();
      await house.clock.settle();
      t.ok(back.types.includes('lobby_joined'));
    }
  });

  await t.test('in a competition takes part in it, or is refused', async (t) => {
    const house = new LobbyHouse();
    house.competitions.add('cup', ['ada', 'bob']);
    const [ada, bob] = [await house.connect('ada', undefined, 'cup'), await house.connect('bob', undefined, 'cup')];
    for (const line of [ada, bob]) line.join();
    await house.clock.settle();
    house.competitions.add('cup', ['ada']);
    await house.succeed();
    t.same([ada.closeCode, bob.closeCode], [null, 4001]);
    t.match(ada.route, { seat: 0 });
  });
});
