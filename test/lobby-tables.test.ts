import * as fc from 'fast-check';
import t from 'tap';
import { tableRoutes } from '../src/lobby/index.js';
import { LobbyHouse, type Line } from './support/lobby-house.js';
import { asker } from './support/rest.js';

t.setTimeout(120_000);

const SEASON = 'season 1';

await t.test('a table with one player left', async (t) => {
  await t.test('waits for the grace, closes, and its player finds company elsewhere', async (t) => {
    const house = new LobbyHouse();
    const [ann, bob] = await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    bob?.send({ type: 'leave_table' });
    await house.clock.advance(2999);
    t.equal(house.shard.count('close'), 0);
    await house.clock.advance(1);
    t.match(house.shard.last('close'), { table, reason: 'insufficient_players' });
    t.same(ann?.route, { shard: 0, table, seat: null });
    t.match(house.lobby.views.counts(), { seated: 0, tables: 0 });

    ann?.join();
    const [cid] = await house.join('cid');
    t.equal(ann?.route?.table, cid?.route?.table);
    t.not(ann?.route?.table, table);
  });

  await t.test('is joined by whoever comes in time', async (t) => {
    const house = new LobbyHouse();
    const [, bob] = await house.join('ann', 'bob');
    const table = house.tableOf('ann');
    bob?.send({ type: 'leave_table' });
    await house.clock.advance(2999);
    await house.join('cid');
    t.equal(house.tableOf('cid'), table);
    await house.clock.advance(60_000);
    t.equal(house.shard.count('close'), 0);
  });
});

await t.test('whoever is cashed out first of a closing table sits elsewhere only when it has closed', async (t) => {
  const house = new LobbyHouse();
  house.shard.slowHands = true;
  const [ann] = await house.join('ann', 'bob');
  const table = house.tableOf('ann');
  house.shard.send({ t: 'close', table, reason: 'insufficient_players', voidHand: false });
  house.shard.remove('ann', 'closed');
  ann?.join();
  await house.join('cid');
  t.match(ann?.frames.at(-1), { type: 'lobby_joined' }, 'it waits');
  t.equal(house.shard.count('open'), 1, 'though there is company');
  t.match(ann?.route, { table, seat: 0 });
  house.shard.endHands();
  await house.clock.settle();
  t.equal(house.tableOf('ann'), house.tableOf('cid'));
  t.not(house.tableOf('ann'), table);
});

await t.test('two short tables become one', async (t) => {
  const house = new LobbyHouse({ shards: 2 });
  const names = Array.from({ length: 8 }, (_, i) => `bot${i}`);
  const lines = await house.join(...names);
  const tables = new Set(names.map((name) => house.tableOf(name)));
  t.equal(tables.size, 2);
  t.same(
    house.shards.map((shard) => shard.tables.size),
    [1, 1],
    'each shard has one',
  );
  for (const line of lines.slice(0, 4)) line.send({ type: 'leave_table' });
  await house.clock.settle();
  t.equal(house.lobby.views.counts().tables, 2, 'two and two are left');
  await house.clock.advance(3000);
  t.equal(house.lobby.views.counts().tables, 1);
  for (const line of lines.slice(4)) if (line.route?.seat === null) line.join();
  await house.clock.settle();
  t.equal(new Set(lines.slice(4).map((line) => line.route?.table)).size, 1);
});

await t.test('a house bot gives its seat to a guest and comes back when there is room', async (t) => {
  const house = new LobbyHouse();
  const [bot] = await house.join('house1', 'ann');
  const table = house.tableOf('ann');
  await house.join('b1', 'b2', 'b3', 'b4');
  t.match(house.shard.last('leave'), { table, agentId: 'house1', socket: bot?.id }, 'by the leave of everybody');
  t.same(house.shard.players(table), ['ann', 'b1', 'b2', 'b3', 'b4']);
  bot?.join();
  await house.clock.settle();
  t.notOk(house.seated.has('house1'), 'the last seat is for a guest');
  await house.join('b5');
  t.equal(house.tableOf('b5'), table);
  for (const name of ['b1', 'b2', 'b3']) house.shard.remove(name, 'left');
  await house.clock.settle();
  t.equal(house.tableOf('house1'), table);

  await house.join('c1');
  house.shard.silent = true;
  await house.join('c2');
  const asked = house.shard.count('leave');
  await house.join('c3');
  await house.connect('c4');
  t.same(house.shard.count('leave'), asked, 'asked once, however long the table takes');
});

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
    t.same(house.desk.calls.at(-1), 'shardRecovered');
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
      t.same(house.desk.calls.slice(-2), [{ enter: 'ann' }, 'shardRecovered']);
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
    house.lobby.floor.windDown(SEASON);
    t.match(house.shard.last('windDown'), { table });
    house.desk.entrance = () => ({ kind: 'not_open' });
    const [cid, dan] = await house.join('cid', 'dan');
    t.same(cid?.types, ['lobby_joined']);
    await house.clock.advance(60_000);
    t.same(house.shard.players(table), ['ann', 'bob']);
    t.equal(house.shard.count('open'), 1);

    house.desk.entrance = null;
    house.desk.poolId = 'season 2';
    house.lobby.floor.seasonOpened();
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
    house.lobby.floor.windDown(SEASON);
    house.shard.answerAll();
    await house.clock.settle();
    t.equal(house.shard.count('sit'), 0);
    t.match(house.shard.last('windDown'), { table: opened?.opening.tableId }, 'it goes along');
    t.match(house.lobby.views.counts(), { waiting: 2, seated: 0 });
    house.desk.poolId = 'season 2';
    house.lobby.floor.seasonOpened();
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
    const closing = house.lobby.floor.closePool(SEASON, 'season_ended').then(() => (closed = true));
    await house.clock.settle();
    t.equal(first?.tables.size, 0);
    t.equal(closed, false);
    house.lobby.shards.shardRestored(1, second?.revive() ?? []);
    await house.clock.settle();
    await closing;
    t.match(second?.last('close'), { reason: 'season_ended' });
    t.match(house.lobby.views.counts(), { tables: 0, seated: 0 });
    await house.lobby.floor.closePool(SEASON, 'season_ended');
  });

  await t.test('a leave that ends in the wind-down waits for the next season as well', async (t) => {
    const house = new LobbyHouse();
    house.shard.slowHands = true;
    const [ann] = await house.join('ann', 'bob');
    ann?.send({ type: 'leave_table' });
    ann?.join();
    await house.clock.settle();
    house.lobby.floor.windDown(SEASON);
    house.shard.endHands();
    await house.clock.settle();
    t.match(house.lobby.views.counts(), { waiting: 1, seated: 1 });
    house.desk.poolId = 'season 2';
    house.lobby.floor.seasonOpened();
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
  const ask = asker(tableRoutes(views, { identityAuthUrl: 'https://sign-in.example.org' }));
  t.same((await ask('listTables')).body, []);
  t.same((await ask('getPublicConfig')).body, { identity_auth_url: 'https://sign-in.example.org' });
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

// ---- the whole lobby, at random

type Step =
  | { kind: 'connect' | 'drop' | 'leave' | 'join' | 'bust' | 'kick'; who: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'hands' | 'crash' };

const who = fc.nat(11);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('connect' as const), who }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('join' as const), who }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('leave', 'bust', 'kick', 'drop' as const), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(5000) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('hands' as const, 'crash' as const) }) },
);

/** Clients that behave: they join again when they were put off a table. */
class Crowd {
  readonly lines = new Map<number, Line>();

  constructor(readonly house: LobbyHouse) {}

  async step(step: Step): Promise<void> {
    const { house } = this;
    switch (step.kind) {
      case 'connect':
        this.lines.set(step.who, house.dial(`bot${step.who}`));
        break;
      case 'join':
        this.lines.get(step.who)?.join();
        break;
      case 'leave':
        this.lines.get(step.who)?.send({ type: 'leave_table' });
        break;
      case 'drop':
        this.lines.get(step.who)?.drop();
        this.lines.delete(step.who);
        break;
      case 'bust':
      case 'kick':
        this.#remove(`bot${step.who}`, step.kind === 'bust' ? 'busted' : 'disconnected');
        break;
      case 'wait':
        await house.clock.advance(step.ms);
        break;
      case 'hands':
        for (const shard of house.shards) shard.endHands();
        break;
      case 'crash':
        await this.#crash();
        break;
    }
    // Half of the time the next thing happens before this one has settled.
    if ('who' in step && step.who % 2 === 0) await house.clock.settle();
  }

  /** Everybody who is connected wants to play, and hands end: until nothing changes any more. */
  async rest(): Promise<void> {
    const { house } = this;
    for (const shard of house.shards) shard.slowHands = false;
    for (let round = 0; round < 20; round++) {
      for (const [n, line] of this.lines) {
        const name = `bot${n}`;
        house.balances.set(name, 5000);
        if (!house.seated.has(name)) line.join();
      }
      for (const name of house.seated.keys()) {
        if (!this.lines.has(Number(name.slice(3)))) this.#remove(name, 'disconnected');
      }
      for (const shard of house.shards) shard.endHands();
      await house.clock.advance(4000);
    }
  }

  #remove(name: string, reason: 'busted' | 'disconnected'): void {
    const shard = this.house.shards.find((each) =>
      [...each.tables.keys()].some((id) => each.players(id).includes(name)),
    );
    shard?.remove(name, reason);
  }

  async #crash(): Promise<void> {
    const { house } = this;
    await house.clock.settle();
    house.shard.die();
    house.lobby.shards.shardDown(0);
    await house.clock.settle();
    house.lobby.shards.shardRestored(0, house.shard.revive());
  }
}

await t.test('whatever happens, registry and tables agree, and in the end everybody plays', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 80 }), fc.boolean(), async (steps, slowHands) => {
      const house = new LobbyHouse({ shards: 2 });
      for (const shard of house.shards) shard.slowHands = slowHands;
      const crowd = new Crowd(house);
      for (const step of steps) await crowd.step(step);
      await crowd.rest();

      const counts = house.lobby.views.counts();
      if (counts.seated !== house.seated.size) throw new Error('the registry seats others than the tables do');
      if (house.errors.length > 0) throw new Error(JSON.stringify(house.errors));
      const playing = [...crowd.lines].filter(([n]) => house.seated.has(`bot${n}`));
      if (crowd.lines.size >= 2 && playing.length < crowd.lines.size - 1) throw new Error('two do not play');
      for (const [n, line] of playing) {
        const table = house.seated.get(`bot${n}`);
        if (line.route?.table !== table || line.route?.seat === null) throw new Error(`bot${n} has a wrong route`);
      }
      const sizes = house.shards.flatMap((shard) => [...shard.tables.keys()].map((id) => shard.players(id).length));
      if (sizes.some((size) => size < 2)) throw new Error('somebody is left alone');
      if (sizes.filter((size) => size <= 3).length > 1)
        throw new Error(`short tables that fit one: ${sizes.join(', ')}`);
    }),
    { numRuns: 150 },
  );
  t.pass('150 lobbies');
});
