/** The season and competitions in one lobby: who may enter which, and that each has tables and rules of its own. */
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse, type Line } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

const CUP = 'cup';
const GUESTS = ['ann', 'bob', 'cid', 'dan'];

/** A lobby with a competition of these guests. */
function cupHouse(options: ConstructorParameters<typeof LobbyHouse>[0] = {}) {
  const house = new LobbyHouse(options);
  const play = house.competitions.add(CUP, GUESTS);
  const connect = (name: string, scope: string | null = CUP) => house.connect(name, '127.0.0.1', scope ?? undefined);
  const join = async (scope: string | null, ...names: string[]): Promise<Line[]> => {
    const lines = await Promise.all(names.map((name) => connect(name, scope)));
    for (const line of lines) line.join();
    await house.clock.settle();
    return lines;
  };
  const poolOf = (name: string) => house.shard.tables.get(house.tableOf(name))?.poolId;
  return { house, play, connect, join, poolOf };
}

await t.test('admission', async (t) => {
  await t.test('of a participant', async (t) => {
    const { connect } = cupHouse();
    t.equal((await connect('ann')).agentId, 'ann');
  });

  await t.test('of nobody else, nor to what is no competition', async (t) => {
    const { connect } = cupHouse();
    for (const line of [await connect('zoe'), await connect('ann', 'another cup'), await connect('ann', '')]) {
      t.match(line.last, { code: 'auth_failed', message: 'Not a participant of this competition' });
      t.equal(line.closeCode, 4001);
    }
  });

  await t.test('that cannot be looked up: come again', async (t) => {
    const { house, connect } = cupHouse();
    house.competitions.admit = () => Promise.reject(new Error('the database is away'));
    t.equal((await connect('ann')).closeCode, 1013);
  });
});

await t.test('each scope has a lobby, tables and rules of its own', async (t) => {
  const { house, play, join, poolOf } = cupHouse();
  const [eve] = await join(null, 'eve');
  const [ann] = await join(CUP, 'ann');
  t.match(
    [eve?.last, ann?.last],
    [
      { type: 'lobby_joined', position: 1 },
      { type: 'lobby_joined', position: 1 },
    ],
  );
  t.equal(house.shard.count('open'), 0, 'they are no company for each other');
  await join(null, 'fay');
  await join(CUP, 'bob');
  t.same(['ann', 'bob', 'eve', 'fay'].map(poolOf), [CUP, CUP, 'season 1', 'season 1']);

  const opening = house.shard.received.flatMap((m) => (m.t === 'open' ? [m.opening] : []));
  t.match(opening[0], { poolId: 'season 1', rules: { seats: 6, bigBlind: 20 } });
  t.match(opening[1], { poolId: CUP, rules: { seats: 3, smallBlind: 50, bigBlind: 100 } });
  t.match(house.shard.last('sit'), { player: { agentId: 'bob' }, buyIn: 400 }, 'its standard buy-in');

  play.displayName = 'Champion';
  await join(CUP, 'cid');
  t.match(house.shard.last('sit'), { player: { agentId: 'cid', name: 'Champion' } });
  await join(CUP, 'dan');
  t.notOk(house.seated.has('dan'), 'a table of three is full');

  t.same(
    (await house.lobby.views.listTables()).map(({ seats }) => seats),
    [6],
    'the list is the season’s',
  );
  const game = house.lobby.views.activeGame('ann');
  await house.clock.settle();
  t.match(await game, { competitionId: CUP });
});

await t.test('what a table of a duplicate competition shows', async (t) => {
  const { house, join } = cupHouse();
  const { views } = house.lobby;
  const shown = async (more?: { forPlayer: boolean }) => {
    const state = views.tableState(house.tableOf('ann'), more);
    await house.clock.settle();
    return state;
  };
  await join(CUP, 'ann', 'bob');
  t.type(await shown(), 'string');
  house.competitions.duplicate = true;
  t.equal(await shown(), null, 'others have yet to play these decks');
  t.type(await shown({ forPlayer: true }), 'string');
});

await t.test('a full table of a duplicate competition gives players up for one of even size', async (t) => {
  const { house, join } = cupHouse();
  house.competitions.duplicate = true;
  await join(CUP, 'ann', 'bob', 'cid');
  t.equal(new Set(['ann', 'bob', 'cid'].map((name) => house.tableOf(name))).size, 1, 'three fill it');
  const [dan] = await join(CUP, 'dan');
  t.match(dan?.last, { type: 'lobby_joined' });
  await house.clock.advance(3000);
  t.equal(house.shard.count('close'), 1);
  for (const line of house.lines.values()) if (!house.seated.has(line.agentId!)) line.join();
  await house.clock.advance(6000);
  const tables = GUESTS.map((name) => house.tableOf(name));
  t.same(
    [...new Set(tables)].map((table) => tables.filter((other) => other === table).length),
    [2, 2],
  );
});

await t.test('a buy-in out of the competition’s range', async (t) => {
  const { connect, house } = cupHouse({ outOfRange: 'reject' });
  const ann = await connect('ann');
  ann.join(2000);
  await house.clock.settle();
  t.match(ann.last, { code: 'invalid_buy_in', message: 'Buy-in must be between 200 and 800' });
});

await t.test('a socket of another scope', async (t) => {
  await t.test('takes over from one that only waits', async (t) => {
    const { house, connect, join } = cupHouse();
    const [season] = await join(null, 'ann');
    const cup = await connect('ann');
    t.equal(season?.closeCode, 4002);
    t.equal(cup.agentId, 'ann');
    t.equal(house.lobby.views.counts().waiting, 0, 'what it waited for was the season');
    cup.join();
    await house.clock.settle();
    t.match(cup.last, { type: 'lobby_joined' });
  });

  await t.test('is refused while the agent has a seat, connected or held', async (t) => {
    const { house, connect, join } = cupHouse();
    const [ann] = await join(null, 'ann', 'eve');
    for (const drop of [false, true]) {
      if (drop) ann?.drop();
      const cup = await connect('ann');
      t.match(cup.last, { code: 'scope_connection_already_active' });
      t.equal(cup.closeCode, 4009);
    }
    t.not(ann?.closeCode, 4002, 'the other one stays');
    const back = await connect('ann', null);
    t.match(back.route, { table: house.tableOf('ann') }, 'the scope it plays in is open to it');
    back.send({ type: 'leave_table' });
    await house.clock.settle();
    t.equal((await connect('ann')).agentId, 'ann', 'without the seat it may go where it likes');
  });

  await t.test('is refused while it buys in', async (t) => {
    const { house, connect, join } = cupHouse();
    await join(CUP, 'bob', 'cid');
    house.shard.silent = true;
    await join(CUP, 'ann');
    t.equal((await connect('ann', null)).closeCode, 4009);
    house.shard.answerAll();
    await house.clock.settle();
    t.ok(house.seated.has('ann'));
  });
});

await t.test('what a feature tells a scope', async (t) => {
  const { house, join } = cupHouse();
  const { control } = house.lobby;
  const [ann, , eve] = [...(await join(CUP, 'ann', 'bob')), ...(await join(null, 'eve', 'fay'))];
  const busted = { type: 'busted', options: ['rebuy', 'leave'] } as const;

  t.notOk(control.notify('ann', { ...busted, options: [...busted.options] }), 'of the season, which she does not play');
  t.ok(control.notify('ann', { ...busted, options: [...busted.options] }, CUP));
  control.broadcast({ type: 'season_ended', season_number: 1, next_season_number: 2 });
  for (const line of [ann, eve]) t.equal(line?.last?.type, 'season_ended', 'whatever they play');

  const updates = () => house.shard.count('update');
  control.updateEntry('ann', { autoRebuy: true });
  t.equal(updates(), 0, 'a preference for the season');
  control.updateEntry('ann', { autoRebuy: true }, CUP);
  t.match(house.shard.last('update'), { agentId: 'ann', change: { autoRebuy: true } });
  control.updatePlayer('ann', { name: 'anna' });
  t.equal(updates(), 1, 'her name there stays');
  control.updatePlayer('ann', { name: 'anna', avatarUrl: 'https://example.org/a.png' });
  t.same(house.shard.last('update')?.t === 'update' && house.shard.last('update')?.change, {
    avatarUrl: 'https://example.org/a.png',
  });
});

await t.test('questions go to the scope that is played', async (t) => {
  const { house, play, connect } = cupHouse();
  const ann = await connect('ann');
  ann.send({ type: 'set_auto_rebuy', enabled: true });
  ann.send({ type: 'rebuy', amount: 0, request_id: 'once' });
  await house.clock.settle();
  t.same(play.calls, [{ setAutoRebuy: 'ann' }, { rebuy: 'ann', requestId: 'once' }]);
  t.same(house.play.calls, []);
});

await t.test('a bust is settled by the scope of its table', async (t) => {
  const { house, play, join } = cupHouse();
  await join(CUP, 'ann', 'bob');
  house.shard.remove('ann', 'busted');
  await house.clock.settle();
  t.same(play.calls.at(-1), { busted: 'ann' });
});

await t.test('a competition', async (t) => {
  await t.test('that pauses keeps its seats, lets nobody sit down, and goes on', async (t) => {
    const { house, join, poolOf } = cupHouse();
    const { control } = house.lobby;
    await join(CUP, 'ann', 'bob');
    const table = house.tableOf('ann');
    control.windDown(CUP);
    t.match(house.shard.last('windDown'), { table });
    const [cid] = await join(CUP, 'cid');
    t.equal(cid?.last?.type, 'lobby_joined', 'who comes waits');
    await join(null, 'eve', 'fay');
    t.equal(poolOf('eve'), 'season 1', 'the season goes on');
    await house.clock.advance(60_000);
    t.notOk(house.seated.has('cid'));
    control.seasonOpened();
    await house.clock.settle();
    t.notOk(house.seated.has('cid'), 'a season that opens is nothing to him');

    control.resumePool(CUP);
    await house.clock.settle();
    t.match(house.shard.last('resumePlay'), { table });
    t.equal(house.tableOf('cid'), table);
    t.same(cid?.types, ['lobby_joined'], 'told once');
  });

  await t.test('that pauses keeps so when its shard dies', async (t) => {
    const { house, join } = cupHouse();
    await join(CUP, 'ann', 'bob');
    house.lobby.control.windDown(CUP);
    house.shard.die();
    house.lobby.shards.shardDown(0);
    house.lobby.shards.shardRestored(0, house.shard.revive());
    await house.clock.settle();
    t.equal(house.shard.count('windDown'), 2, 'the table that came back is told');
    t.equal(house.competitions.recovered, 1);
    t.match(house.shard.tables.get(house.tableOf('ann'))?.rules, { seats: 3 });
  });

  await t.test('that ends by hand plays its hands out, unless its end is hurried', async (t) => {
    for (const hurried of [false, true]) {
      const { house, play, join } = cupHouse();
      const { control } = house.lobby;
      house.shard.slowHands = true;
      const [ann] = await join(CUP, 'ann', 'bob');
      const [cid] = await join(CUP, 'cid');
      let ended = 0;
      play.entrance = () => ({ kind: 'refused', code: 'no_active_season', message: 'The competition is over' });
      control.windDown(CUP);
      ann?.send({ type: 'leave_table' });
      ann?.join();
      await house.clock.settle();
      void control.closePool(CUP, 'competition_ended', false).then(() => ended++);
      await house.clock.settle();
      t.match(house.shard.last('close'), { reason: 'competition_ended', voidHand: false });
      if (hurried) {
        void control.closePool(CUP, 'competition_ended').then(() => ended++);
        t.match(house.shard.last('close'), { reason: 'competition_ended', voidHand: true });
      }
      t.equal(ended, 0);
      house.shard.endHands();
      await house.clock.settle();
      t.equal(ended, hurried ? 2 : 1);
      t.equal(house.seated.size, 0);
      t.notOk(cid?.closeCode, 'who played stays connected');
      t.match(ann?.last, { code: 'no_active_season', message: 'The competition is over' }, 'who waited is told');
      t.equal(house.lobby.views.counts().waiting, 0);
    }
  });

  await t.test('and the season end apart', async (t) => {
    const { house, join } = cupHouse();
    await join(CUP, 'ann', 'bob');
    await join(null, 'eve', 'fay');
    const closing = house.lobby.control.closePool('season 1', 'season_ended');
    await house.clock.settle();
    await closing;
    t.same([...house.seated.keys()].sort(), ['ann', 'bob']);
    await join(CUP, 'cid');
    t.ok(house.seated.has('cid'));
  });
});

await t.test('who loses its part', async (t) => {
  const lost = (line: Line | undefined) => [line?.types.at(-1), line?.closeCode];

  await t.test('gives its seat up, and is told', async (t) => {
    const { house, join } = cupHouse();
    const [ann] = await join(CUP, 'ann', 'bob');
    house.lobby.control.dismiss('ann', CUP);
    await house.clock.settle();
    t.same(lost(ann), ['auth_failed', 4001]);
    t.notOk(house.seated.has('ann'));
  });

  await t.test('also one that is not connected, or buys in', async (t) => {
    const { house, join } = cupHouse();
    const [ann] = await join(CUP, 'ann', 'bob');
    ann?.drop();
    house.lobby.control.dismiss('ann', CUP);
    await house.clock.settle();
    t.notOk(house.seated.has('ann'));
    house.shard.silent = true;
    const [cid] = await join(CUP, 'cid');
    house.lobby.control.dismiss('cid', CUP);
    house.shard.answerAll();
    await house.clock.settle();
    t.same(lost(cid), ['auth_failed', 4001]);
    t.notOk(house.seated.has('cid'));
  });

  await t.test('waits no longer', async (t) => {
    const { house, join } = cupHouse();
    const [ann] = await join(CUP, 'ann');
    house.lobby.control.dismiss('ann', CUP);
    t.same(lost(ann), ['auth_failed', 4001]);
    t.equal(house.lobby.views.counts().waiting, 0);
  });

  await t.test('keeps what it plays elsewhere', async (t) => {
    const { house, join } = cupHouse();
    const [ann] = await join(null, 'ann', 'eve');
    house.lobby.control.dismiss('ann', CUP);
    house.lobby.control.dismiss('nobody', CUP);
    await house.clock.settle();
    t.equal(ann?.closeCode, null);
    t.ok(house.seated.has('ann'));
  });
});
