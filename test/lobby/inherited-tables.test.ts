/**
 * Tables that a lobby inherits: what pools and moves of the lobby before left behind, what its shards still answer it, and
 * shards that report late.
 */
import fc from 'fast-check';
import t from 'tap';
import type { FromShard } from '../../src/shard/messages.js';
import type { TableReport } from '../../src/table/api.js';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

async function seated(options?: ConstructorParameters<typeof LobbyHouse>[0]) {
  const house = new LobbyHouse(options);
  const [ada, bob] = await house.join('ada', 'bob');
  return { house, ada: ada!, bob: bob!, table: house.tableOf('ada') };
}

/** Another lobby, whose shard reports its tables so changed. */
async function succeed(house: LobbyHouse, change: (report: TableReport) => Partial<TableReport>): Promise<void> {
  house.begin();
  const { tables } = house.shard.report();
  house.shard.received.length = 0;
  house.lobby.shards.inherited(
    0,
    tables.map((report) => ({ ...report, ...change(report) })),
  );
  house.resume();
  await house.settle();
}

await t.test('a pool', async (t) => {
  await t.test('that pauses as the lobby dies winds down at the tables, and goes on when it does', async (t) => {
    const house = new LobbyHouse();
    house.competitions.add('cup', ['ada', 'bob', 'cid']);
    const lines = await Promise.all(['ada', 'bob'].map((name) => house.connect(name, undefined, 'cup')));
    for (const line of lines) line.join();
    await house.clock.settle();
    // Paused in the database, of which the table has not heard.
    await house.succeed(() => {
      house.begin();
      house.lobby.control.windDown('cup');
    });
    t.match(house.shard.last('windDown'), { table: house.tableOf('ada') });
    const cid = await house.connect('cid', undefined, 'cup');
    cid.join();
    await house.clock.advance(10_000);
    t.same([cid.types, cid.route], [['lobby_joined'], null], 'nobody sits down');
    // Resumed in the database, of which the table has not heard.
    await house.succeed();
    t.match(house.shard.last('resumePlay'), { table: house.tableOf('ada') });
    await house.clock.advance(10_000);
    t.match(cid.route, { table: house.tableOf('ada') });
    t.same(cid.types, ['lobby_joined']);
  });

  await t.test('that closes does so with all of its tables, also those that report only then', async (t) => {
    const { house, ada, table } = await seated({ shards: 2 });
    house.begin();
    let closed = false;
    void house.lobby.control.closePool('season 1', 'season_ended').then(() => (closed = true));
    await house.clock.settle();
    t.notOk(closed, 'nobody knows yet that there are none');
    await house.report();
    house.resume();
    await house.settle();
    t.ok(closed);
    t.notOk(house.shards.some((shard) => shard.tables.has(table)));
    t.match(ada.route, { table, seat: null });
    t.equal(house.balances.get('ada'), 5000);
  });

  await t.test('goes on where the lobby before had asked a table to close: who is cashed out may join', async (t) => {
    const { house, ada, bob, table } = await seated();
    // Of two whose table closes one is cashed out, which the lobby before was the last to hear.
    await succeed(house, ({ seats }) => ({
      closing: true,
      seats: seats.map((seat) => ({ ...seat, leaving: true })),
      summary: null,
    }));
    ada.send({ type: 'join_lobby' });
    await house.clock.settle();
    t.match(house.lobby.views.counts(), { waiting: 0 }, 'the table says whether it leaves');
    house.shard.tables.delete(table);
    house.seated.clear();
    house.lobby.shards.fromShard(0, { t: 'closed', table });
    ada.join();
    bob.join();
    await house.clock.settle();
    t.not(house.tableOf('ada'), table);
    t.same(house.errors, []);
  });
});

await t.test(
  'a join that waits for a table that closes goes on when it has, though its stay ended unheard',
  async (t) => {
    const { house, ada, table } = await seated();
    house.shard.slowHands = true;
    await house.join('cid');
    ada.send({ type: 'leave_table' });
    ada.join();
    await house.clock.settle();
    await succeed(house, () => ({ closing: true }));
    t.match(house.lobby.views.counts(), { waiting: 1, seated: 3 });
    house.seated.delete('ada');
    house.lobby.shards.fromShard(0, { t: 'closed', table });
    await house.clock.settle();
    await house.join('eve');
    t.not(house.tableOf('ada'), table);
  },
);

await t.test('a table', async (t) => {
  await t.test('that was to move plays on', async (t) => {
    const { house, table } = await seated();
    await succeed(house, () => ({ resting: true }));
    t.same(house.shard.received, [{ t: 'playOn', table }]);
  });

  await t.test('that was given away for a lobby that died is taken back, whatever happens', async (t) => {
    const { house, table } = await seated({ moving: true });
    await house.succeed();
    const opening = house.shard.revive()[0]!;
    house.lobby.shards.fromShard(0, { t: 'rested', table });
    house.lobby.shards.fromShard(0, { t: 'kept', table });
    house.lobby.shards.fromShard(0, { t: 'handedOver', table, opening, refusedSits: [], epoch: 3 });
    t.match(house.shard.last('adopt'), { opening, from: { shard: 0, epoch: 3 }, present: true });
    house.lobby.shards.fromShard(0, { t: 'adopted', table, ok: true, has: true });
    t.match(house.lobby.views.counts(), { tables: 1, seated: 2 });
  });

  for (const answer of ['opened', 'adopted'] as const) {
    await t.test(`that is opened again meanwhile plays once it is ${answer}, or goes`, async (t) => {
      for (const ok of [true, false]) {
        const { house, ada, table } = await seated();
        await succeed(house, () => ({ opening: true, summary: null }));
        t.match(ada.route, { table, seat: 0 });
        house.lobby.shards.fromShard(0, { t: answer, table, ok, has: ok, detail: null });
        await house.clock.settle();
        t.match(house.lobby.views.counts(), ok ? { tables: 1, seated: 2 } : { tables: 0, seated: 0 });
        t.match(ada.route, { table, seat: ok ? 0 : null });
        const state = house.lobby.views.tableState(table);
        await house.clock.settle();
        t.equal(await state, ok ? `{"table_id":"${table}"}` : null);
      }
    });
  }

  await t.test('that was opened for those who wait is theirs, or another is', async (t) => {
    for (const ok of [true, false]) {
      const house = new LobbyHouse();
      house.shard.silent = true;
      const [ada] = await house.join('ada', 'bob');
      await house.succeed();
      house.shard.openFails = !ok;
      house.shard.answerAll();
      await house.clock.settle();
      house.shard.openFails = false;
      await house.clock.advance(10_000);
      t.equal(house.tableOf('ada'), house.tableOf('bob'));
      t.same(ada!.types, ['lobby_joined']);
      t.equal(house.shard.tables.size, 1, 'no empty one is left');
    }
  });

  await t.test('is not closed for want of players before all is known', async (t) => {
    const { house, bob, table } = await seated();
    house.begin();
    await house.report();
    house.resume();
    await house.clock.settle();
    house.leave(bob);
    await house.clock.advance(10_000);
    t.equal(house.shard.count('close'), 0);
    await house.settle();
    await house.clock.advance(10_000);
    t.match(house.shard.last('close'), { table });
  });

  await t.test('that is opened again has the buy-ins that wait for it: they are not asked for once more', async (t) => {
    const { house, table } = await seated();
    const cid = await house.connect('cid');
    house.shard.silent = true;
    cid.join();
    await house.clock.settle();
    await succeed(house, () => ({ opening: true, summary: null }));
    house.lobby.shards.fromShard(0, { t: 'opened', table, ok: true, detail: null });
    await house.clock.settle();
    t.equal(house.shard.count('sit'), 0);
    house.shard.answerAll();
    await house.clock.settle();
    t.match(cid.route, { table, seat: 2 });
  });

  await t.test('is asked with other tickets than before', async (t) => {
    const house = new LobbyHouse();
    const tickets: number[] = [];
    for (const name of ['ada', 'bob', 'cid', 'dan']) {
      await house.join(name);
      const ticket = house.shard.last('sit')?.ticket;
      if (ticket !== undefined) tickets.push(ticket);
      await house.clock.advance(1);
      await house.succeed();
    }
    t.equal(new Set(tickets).size, 3);
  });

  await t.test('where a rebuy is awaited is told of it by the features that go on', async (t) => {
    const { house, table } = await seated();
    await succeed(house, () => ({ rebuysPending: ['cid'] }));
    t.ok(
      house.play.calls.some((call) => JSON.stringify(call) === JSON.stringify({ awaitsRebuy: 'cid', tableId: table })),
    );
  });

  await t.test('hears what changed in a player before it was known', async (t) => {
    const { house, table } = await seated();
    house.begin();
    house.lobby.control.updatePlayer('ada', { name: 'Ada' });
    house.lobby.control.updateEntry('bob', { isPro: true });
    house.lobby.control.rebuyPending(table, 'cid', true);
    await house.report();
    house.resume();
    await house.settle();
    t.match(
      house.shard.received.filter(({ t: type }) => type === 'update' || type === 'rebuyPending'),
      [{ agentId: 'ada' }, { agentId: 'bob' }, { agentId: 'cid' }],
    );
  });
});

await t.test('a shard that reports late', async (t) => {
  await t.test('has its players all the while: they sit where they sat, and nowhere else', async (t) => {
    const { house, ada, bob, table } = await seated({ shards: 2 });
    const late = house.shards.find((shard) => shard.tables.has(table))!;
    bob.gone = true;
    house.begin();
    await house.report(house.shards.filter((shard) => shard !== late));
    house.resume();
    await house.settle();
    t.match(ada.route, { table, seat: 0 }, 'its session keeps its way to the table');
    late.received.length = 0;
    await house.report([late]);
    t.same(late.received, []);
    await house.clock.advance(2000);
    t.match(late.received, [{ t: 'detach', agentId: 'bob' }]);
    await house.clock.advance(10_000);
    t.match(ada.route, { table, seat: 0 });
    t.match(house.lobby.views.counts(), { seated: 2, waiting: 0, connected: 1 });
  });

  await t.test('had the seat that somebody waits for', async (t) => {
    const { house, table } = await seated({ shards: 2 });
    const late = house.shards.find((shard) => shard.tables.has(table))!;
    const cid = await house.connect('cid');
    late.silent = true;
    cid.join();
    await house.clock.settle();
    house.die();
    late.answerAll();
    house.begin();
    await house.report(house.shards.filter((shard) => shard !== late));
    house.resume();
    await house.settle();
    t.match(house.lobby.views.counts(), { waiting: 1 });
    await house.report([late]);
    await house.clock.settle();
    t.match(cid.route, { table, seat: 2 });
    t.match(house.lobby.views.counts(), { waiting: 0 });
    t.same(cid.types, ['lobby_joined']);
  });

  await t.test('had a seat of which its session was not told: what is said there is kept for it', async (t) => {
    const { house, ada, table } = await seated({ shards: 2 });
    const late = house.shards.find((shard) => shard.tables.has(table))!;
    const cid = await house.connect('cid');
    late.silent = true;
    cid.join();
    await house.clock.settle();
    house.die();
    late.answerAll();
    house.begin();
    await house.report(house.shards.filter((shard) => shard !== late));
    const [opening] = late.revive();
    house.lobby.shards.unheard(house.shards.indexOf(late), [opening!]);
    house.resume();
    await house.settle();
    late.received.length = 0;
    const action = { type: 'action', action: 'fold', client_action_id: 'c1' } as const;
    cid.send(action);
    await house.clock.advance(1000);
    t.same([cid.types, late.received], [['lobby_joined'], []], 'it is not told that it sits nowhere');
    await house.report([late]);
    t.match(
      late.received.filter(({ t: type }) => type === 'act'),
      [{ table, agentId: 'cid', socket: cid.id, message: action }],
    );
    t.match(
      [cid.route, ada.route],
      [
        { table, seat: 2 },
        { table, seat: 0 },
      ],
    );
    t.same(cid.types, ['lobby_joined']);
    t.match(house.lobby.views.counts(), { waiting: 0, seated: 3 });
  });

  await t.test('and never does: after a while whoever sat there may sit down elsewhere', async (t) => {
    const { house, ada, table } = await seated({ shards: 2 });
    const lost = house.shards.find((shard) => shard.tables.has(table))!;
    house.die();
    ada.join();
    house.begin();
    await house.report(house.shards.filter((shard) => shard !== lost));
    house.resume();
    await house.settle();
    await house.clock.advance(4999);
    t.same(ada.types, ['lobby_joined']);
    await house.clock.advance(1);
    t.match(ada.route, { table, seat: null });
    t.same(ada.types, ['lobby_joined', 'lobby_joined']);
  });
});

await t.test('whatever shards still say to the lobby before harms nothing', async (t) => {
  const ticket = fc.nat(20);
  const table = fc.constantFrom('known', 'unknown');
  const agentId = fc.constantFrom('ada', 'bob', 'cid', 'dan');
  const one = { poolId: 'season 1', seat: 3, absent: false, stack: 5, balance: 5 };
  const message = fc.oneof(
    fc.record({ t: fc.constant('opened' as const), table, ok: fc.boolean(), detail: fc.constant(null) }),
    fc.record({
      t: fc.constant('sitFailed' as const),
      table,
      ticket,
      agentId,
      code: fc.constantFrom('table_full' as const, 'season_buy_in_failed' as const),
    }),
    fc
      .record({
        t: fc.constant('left' as const),
        table: fc.constant('unknown'),
        agentId,
        reason: fc.constantFrom('left' as const, 'busted' as const, 'closed' as const),
      })
      .map((left) => ({ ...one, ...left })),
    fc.record({ t: fc.constantFrom('rested' as const, 'kept' as const), table }),
    fc.record({ t: fc.constant('closed' as const), table: fc.constant('unknown') }),
    fc.record({ t: fc.constant('adopted' as const), table, ok: fc.boolean(), has: fc.boolean() }),
    fc.record({ t: fc.constant('state' as const), ticket, json: fc.constant('{}') }),
    fc.record({ t: fc.constant('seat' as const), ticket, seat: fc.constant(null) }),
    fc
      .record({
        t: fc.constant('sat' as const),
        table: fc.constant('unknown'),
        ticket,
        agentId,
        sitting: fc.constant('x'),
      })
      .map((sat) => ({ ...one, ...sat })),
    fc.record({ t: fc.constant('dropped' as const), socket: fc.constant(-1) }),
    fc.record({
      t: fc.constant('unknownTable' as const),
      table: fc.constant('unknown'),
      socket: fc.nat(5),
      of: fc.constantFrom('invalid' as const),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 30 }), fc.boolean(), async (messages, settled) => {
      const { house, table } = await seated({ moving: true });
      const lines = [...house.lines.values()];
      house.lines.set(-1, lines[0]!);
      const cid = await house.connect('cid');
      cid.join();
      house.begin();
      await house.report();
      house.lines.delete(-1);
      house.resume();
      house.lines.set(-1, lines[0]!);
      if (settled) await house.settle();
      for (const each of messages) {
        const of = 'table' in each && each.table === 'known' ? { ...each, table } : each;
        house.lobby.shards.fromShard(0, of as FromShard);
      }
      if (!settled) await house.settle();
      await house.clock.advance(20_000);
      t.same(house.errors, []);
      t.match(house.lobby.views.counts(), { connected: 3, tables: 1 });
      t.same([...house.seated.keys()], ['ada', 'bob', 'cid']);
    }),
    { numRuns: 100 },
  );
});
