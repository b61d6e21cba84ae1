/**
 * Match-making: partners and times of seats, by waits, company, pace, house bots and merging tables. In every case,
 * registry and tables agree.
 */
import * as fc from 'fast-check';
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse, type Line } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

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

await t.test('a buy-in that the stored phase refuses', async (t) => {
  const house = new LobbyHouse();
  house.shard.refuse = 'pool_not_open';
  const [ann, bob] = await house.join('ann', 'bob');
  t.same(house.phasesRefused, ['season 1'], 'the features are told to look');
  t.notOk([...ann!.types, ...bob!.types].includes('season_buy_in_failed'), 'the clients read no error');
  await house.clock.advance(10_000);
  t.match(house.lobby.views.counts(), { seated: 1, waiting: 1 }, 'nobody is asked to sit down meanwhile');

  house.lobby.control.resumePool('season 1');
  await house.clock.settle();
  t.ok(house.tableOf('ann'), 'the pool is open again: they sit down');
  t.equal(house.tableOf('ann'), house.tableOf('bob'));
});

await t.test('five who sit down and cut their sockets', async (t) => {
  const house = new LobbyHouse();
  const [ann] = await house.join('ann', 'g1', 'g2', 'g3', 'g4', 'g5').then((lines) => {
    for (const ghost of lines.slice(1)) ghost.drop();
    return lines;
  });
  const haunted = house.tableOf('ann');
  await house.clock.advance(60_000);
  t.equal(house.shard.count('moveOn'), 0, 'there is nobody else');
  const [bob] = await house.join('bob');
  t.match(house.shard.last('moveOn'), { table: haunted, agentId: 'ann', reason: 'insufficient_players' });
  ann?.join();
  await house.clock.settle();
  t.equal(ann?.route?.table, bob?.route?.table);
  t.not(ann?.route?.table, haunted);
  t.equal(house.shard.players(haunted).length, 5, 'which lives on for those whose seats are held');
  const [cid] = await house.join('cid');
  t.equal(cid?.route?.table, ann?.route?.table, 'newcomers sit where somebody plays');
});

await t.test('an agent that does not come back to its seat twice waits longer and longer for the next', async (t) => {
  const house = new LobbyHouse();
  await house.join('ann', 'bob');
  const waits: number[] = [];
  let line = await house.connect('ghost');
  for (let n = 0; n < 7; n++) {
    line.join();
    await house.clock.settle();
    t.match(line.last, { type: 'lobby_joined' }, 'accepted each time');
    const [, seconds] = /^~(\d+)s$/.exec((line.last as { estimated_wait: string }).estimated_wait) ?? [];
    const began = house.clock.now();
    if (!house.seated.has('ghost')) await house.clock.advance(Number(seconds) * 1000 - 1);
    t.equal(house.seated.has('ghost'), Number(seconds) === 5, `${seconds} s`);
    await house.clock.advance(1);
    t.ok(house.seated.has('ghost'));
    waits.push(Math.round((house.clock.now() - began) / 1000));
    line.drop();
    house.shard.remove('ghost', 'disconnected');
    line = await house.connect('ghost');
  }
  t.same(waits, [0, 0, 60, 120, 240, 480, 600]);
  await house.clock.advance(1_200_001);
  line.join();
  await house.clock.settle();
  t.ok(house.seated.has('ghost'), 'and is forgiven in time');
});

await t.test('six seats a minute, more wait their turn; others and bots of the house do not', async (t) => {
  const house = new LobbyHouse();
  await house.join('ann', 'bob');
  const hop = async (line: Line) => {
    line.join();
    await house.clock.settle();
    const seated = house.seated.has(line.agentId ?? '');
    line.send({ type: 'leave_table' });
    await house.clock.advance(500);
    return seated;
  };
  const hopper = await house.connect('hopper');
  for (let n = 0; n < 6; n++) t.ok(await hop(hopper));
  t.notOk(await hop(hopper));
  t.match(
    hopper.frames.find((frame) => frame.type === 'lobby_joined' && frame.estimated_wait === '~57s'),
    {},
  );
  const calm = await house.connect('calm');
  t.ok(await hop(calm));
  await house.clock.advance(55_999);
  t.notOk(house.seated.has('hopper'));
  await house.clock.advance(1);
  t.ok(house.seated.has('hopper'), 'in its turn');
  const bot = await house.connect('house1');
  for (let n = 0; n < 20; n++) t.ok(await hop(bot));
});

await t.test('a newcomer finds company at every hour of a day', async (t) => {
  const house = new LobbyHouse();
  const bots = await house.join('house1', 'house2', 'house3');
  /** As house bots do: back in the lobby a second after every end, and never without chips. */
  const tend = async (minutes: number) => {
    for (let n = 0; n < minutes * 60; n += 10) {
      for (const bot of bots) {
        if (bot.agentId === null || house.seated.has(bot.agentId)) continue;
        house.balances.set(bot.agentId, Math.max(1500, house.balances.get(bot.agentId) ?? 0));
        bot.join();
      }
      await house.clock.advance(10_000);
    }
  };
  for (let hour = 0; hour < 24; hour++) {
    const bust = `house${(hour % 3) + 1}`;
    if (house.seated.has(bust)) house.shard.remove(bust, 'busted');
    const ghost = await house.connect(`ghost${hour}`);
    ghost.join();
    await house.clock.settle();
    ghost.drop();
    await tend(20);
    const guest = await house.connect(`guest${hour}`);
    guest.join();
    await house.clock.advance(3000);
    t.ok(house.seated.has(`guest${hour}`), `hour ${hour}`);
    t.ok(house.shard.players(house.tableOf(`guest${hour}`)).some((name) => name.startsWith('house')));
    await tend(20);
    guest.send({ type: 'leave_table' });
    house.shard.remove(`ghost${hour}`, 'disconnected');
    await tend(20);
  }
});

await t.test('agents are seated with those who decide as fast', async (t) => {
  const house = new LobbyHouse();
  const lines = await house.join('f1', 'f2', 's1', 's2');
  const haste = (names: string[], pace: number) => {
    for (const name of names) house.shard.paces.set(name, [pace, pace, pace]);
  };
  haste(['f1', 'f2'], 0);
  haste(['s1', 's2'], 20_000);
  for (const line of lines) line.send({ type: 'leave_table' });
  await house.clock.settle();
  for (const line of lines) line.join();
  await house.clock.settle();
  t.equal(house.tableOf('f1'), house.tableOf('f2'));
  t.equal(house.tableOf('s1'), house.tableOf('s2'));
  t.not(house.tableOf('f1'), house.tableOf('s1'));
  const closed = house.shard.count('close');
  await house.clock.advance(60_000);
  t.equal(house.shard.count('close'), closed, 'and no merge brings them together');

  const mixed = new LobbyHouse({ paceGroups: false });
  const [fast, slow] = await mixed.join('fast', 'slow');
  mixed.shard.paces.set('fast', [0, 0, 0]).set('slow', [20_000, 20_000, 20_000]);
  for (const line of [fast, slow]) line?.send({ type: 'leave_table' });
  await mixed.clock.settle();
  for (const line of [fast, slow]) line?.join();
  await mixed.clock.settle();
  t.same(
    [fast?.route?.table, fast?.route?.table],
    [mixed.tableOf('slow'), mixed.tableOf('fast')],
    'at once, switched off',
  );
});

/** Plays with these paces are told at once. */
async function decides(house: LobbyHouse, paces: Readonly<Record<string, readonly number[]>>): Promise<void> {
  for (const [name, taken] of Object.entries(paces)) house.shard.paces.set(name, [...taken]);
  const tables = new Set(Object.keys(paces).map((name) => house.tableOf(name)));
  for (const table of tables) house.shard.send({ t: 'resumePlay', table });
  await house.clock.settle();
}

const parted = (house: LobbyHouse) =>
  house.shard.received.filter((message) => message.t === 'part').map(({ agentId, reason }) => `${agentId} ${reason}`);

await t.test('a table of mixed pace is parted where each part can play by itself', async (t) => {
  const house = new LobbyHouse();
  const lines = await house.join('f1', 'f2', 's1', 's2');
  const table = house.tableOf('f1');
  t.equal(house.tableOf('s1'), table, 'of whom nothing is known sit together');
  const fast = [20, 20, 20];
  await decides(house, { f1: fast, f2: fast, s1: fast, s2: fast });
  t.same(parted(house), []);
  // Their median is fast: the mean is not.
  await decides(house, { s1: [25_000], s2: [25_000] });
  t.same(parted(house), ['s1 pace', 's2 pace']);
  await house.clock.advance(10);
  for (const line of lines.slice(2)) line.join();
  await house.clock.settle();
  t.equal(house.tableOf('s1'), house.tableOf('s2'));
  t.not(house.tableOf('s1'), table);
  t.equal(house.tableOf('f2'), table, 'the faster ones stay');
});

await t.test('an agent is parted once in five minutes, and not without company', async (t) => {
  const house = new LobbyHouse();
  const [, , slow] = await house.join('f1', 'f2', 'slow');
  const table = house.tableOf('f1');
  await decides(house, { f1: [20, 20, 20], f2: [20, 20, 20], slow: [25_000, 25_000] });
  t.same(parted(house), [], 'it would be alone');
  const [bot] = await house.join('house.1');
  t.equal(house.tableOf('house.1'), table);
  t.same(parted(house), ['slow pace'], 'a bot of the house is company, and the others do without it');
  await house.clock.settle();
  slow?.join();
  await house.clock.settle();
  bot?.join();
  await house.clock.settle();
  t.not(house.tableOf('slow'), table);
  t.equal(house.tableOf('slow'), house.tableOf('house.1'));

  // For want of company it comes back to the faster ones.
  bot?.drop();
  house.shard.remove('house.1', 'left');
  slow?.send({ type: 'leave_table' });
  await house.clock.settle();
  slow?.join();
  await house.clock.advance(6_000);
  t.equal(house.tableOf('slow'), table);
  const [other] = await house.join('other');
  await decides(house, { other: [25_000, 25_000], slow: [25_000] });
  t.same(parted(house), ['slow pace'], 'once in five minutes, and the other would be alone');
  await house.clock.advance(300_000);
  await decides(house, { slow: [25_000] });
  t.same(parted(house), ['slow pace', 'slow pace', 'other pace']);
  t.ok(other?.route);
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

await t.test('who is cashed out of a table that could tell nobody comes back', async (t) => {
  const house = new LobbyHouse();
  const [ann, bob] = await house.join('ann', 'bob');
  const codes = () => [ann!.closeCode, bob!.closeCode];
  house.shard.remove('ann', 'closed');
  house.shard.remove('bob', 'closed', true);
  await house.clock.settle();
  t.same(codes(), [null, null], 'they belong to it until it has closed');
  house.lobby.shards.fromShard(0, { t: 'closed', table: ann!.route!.table });
  await house.clock.settle();
  t.same(codes(), [null, 1013]);
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

for (const [first, later] of [
  [
    ['ann', 'house1'],
    ['house2', 'house3'],
  ],
  [
    ['house1', 'house2'],
    ['house3', 'ann'],
  ],
] as const) {
  await t.test(`one table for all of them, though ${later.join(' and ')} come while it opens`, async (t) => {
    const house = new LobbyHouse();
    house.shard.silent = true;
    await house.join(...first);
    t.equal(house.shard.count('open'), 1);
    await house.join(...later);
    t.equal(house.shard.count('open'), 1, 'nobody opens another, to be parted until the two are merged');
    house.shard.answerAll();
    await house.clock.settle();
    t.same(house.shard.players(house.tableOf('ann')).toSorted(), [...first, ...later].toSorted());
  });
}

await t.test('of a table that cannot be opened nobody waits for the room', async (t) => {
  const house = new LobbyHouse();
  house.shard.silent = true;
  await house.join('house1', 'house2');
  await house.join('house3', 'ann');
  house.shard.openFails = true;
  house.shard.answerAll();
  house.shard.openFails = false;
  await house.clock.advance(1000);
  t.same(house.shard.players(house.tableOf('ann')).toSorted(), ['ann', 'house1', 'house2', 'house3']);
});

await t.test('a client whose message a shard had no room for is told so', async (t) => {
  const house = new LobbyHouse();
  const [ann] = await house.join('ann', 'bob');
  house.lobby.shards.fromShard(0, { t: 'dropped', socket: ann!.id });
  t.match(ann?.last, { type: 'error', code: 'rate_limited', message: /The table waits for the database/ });
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
