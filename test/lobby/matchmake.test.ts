/** The plan of seats: who is seated where from one look at all tables. That it comes to rest: plans.test.ts. */
import t from 'tap';
import { matchmake } from '../../src/lobby/matching/matchmake.js';
import type { MatchSituation, OpenTable, WaitingPlayer } from '../../src/lobby/matching/plan.js';
import { mailbox, ownerKeys, publicAddress, sameOwner } from '../../src/lobby/owners.js';
import { FILE_MS } from '../support/limits.js';
import { apart, crowd, groups, joins, planAt, rules, sits, situation, table } from '../support/match-situations.js';

t.setTimeout(FILE_MS);

void t.test('open seats are filled before tables are opened', (t) => {
  const plan = matchmake(
    situation({ waiting: [joins('a'), joins('b'), joins('c')], tables: [table('t', crowd('p', 4))] }),
    rules,
  );
  t.same(plan.sit, [
    { agentId: 'a', tableId: 't' },
    { agentId: 'b', tableId: 't' },
  ]);
  t.same(plan.open, [], 'c has no partner yet');
  t.end();
});

void t.test('holders of a pass go first, then those who came first', (t) => {
  const waiting = [
    joins('late', { arrival: 9 }),
    joins('early', { arrival: 1 }),
    joins('pro', { arrival: 12, pro: true }),
  ];
  const seated = (free: number) =>
    matchmake(situation({ waiting, tables: [table('t', crowd('p', 6 - free))] }), rules).sit.map((s) => s.agentId);
  t.same(seated(1), ['pro']);
  t.same(seated(2), ['pro', 'early']);
  t.end();
});

void t.test('a lone joiner waits; two are partners', (t) => {
  t.same(matchmake(situation({ waiting: [joins('a')] }), rules).open, []);
  t.same(groups(matchmake(situation({ waiting: [joins('a'), joins('b')] }), rules)), [['a', 'b']]);
  t.end();
});

void t.test('new tables are of even size, so that nobody is left over', (t) => {
  const sizes = (count: number) => {
    const waiting = Array.from({ length: count }, (_, i) => joins(`a${i}`));
    return groups(matchmake(situation({ waiting }), rules)).map((group) => group.length);
  };
  t.same(sizes(6), [6]);
  t.same(sizes(7), [4, 3]);
  t.same(sizes(13), [5, 4, 4]);
  t.end();
});

void t.test('a new table goes to the shard with the fewest players, and counts there at once', (t) => {
  const waiting = Array.from({ length: 14 }, (_, i) => joins(`a${i}`));
  const shards = [
    { shard: 0, players: 9 },
    { shard: 1, players: 3 },
    { shard: 2, players: 5 },
  ];
  const plan = matchmake(situation({ waiting, shards }), rules);
  t.same(
    plan.open.map(({ shard }) => shard),
    [1, 2, 1],
  );
  t.same(matchmake(situation({ waiting, shards: [] }), rules).open, [], 'without a working shard everybody waits');
  t.end();
});

void t.test('whoever is all alone gets company first, then tables are ranked by connected players', (t) => {
  const tables = [
    table('away', [sits('x', { connected: false }), sits('y', { connected: false })]),
    table('three', crowd('p', 3)),
    table('four', crowd('q', 4)),
    table('ghosts', [sits('z'), ...crowd('w', 3).map((ghost) => ({ ...ghost, connected: false }))]),
    table('alone', [sits('v')]),
  ];
  const order: string[] = [];
  const waiting = Array.from({ length: 7 }, (_, i) => joins(`a${i}`));
  for (const { tableId } of matchmake(situation({ waiting, tables }), rules).sit) order.push(tableId);
  t.same(order, ['alone', 'four', 'four', 'three', 'three', 'three', 'alone']);
  t.end();
});

void t.test('newcomers play with each other rather than beside held seats; one alone waits there', (t) => {
  const away = table('away', [sits('x', { connected: false }), sits('y', { connected: false })]);
  const two = matchmake(situation({ waiting: [joins('a'), joins('b')], tables: [away] }), rules);
  t.same([two.sit, groups(two)], [[], [['a', 'b']]]);
  const one = (now: number) => matchmake(situation({ now, waiting: [joins('a')], tables: [away] }), rules);
  t.same([one(2999).sit, one(2999).wakeAt], [[], 3000]);
  t.same(one(3000).sit, [{ agentId: 'a', tableId: 'away' }], 'they may be back in a moment');
  const lonely = table('lonely', [sits('z'), sits('x', { connected: false })]);
  const couple = matchmake(situation({ waiting: [joins('a'), joins('b')], tables: [lonely] }), rules);
  t.same([couple.sit, groups(couple)], [[], [['a', 'b']]], 'who is alone there may be silent for ever');
  const beside = (now: number) => matchmake(situation({ now, waiting: [joins('a')], tables: [lonely] }), rules);
  t.same([beside(2999).sit.length, beside(2999).wakeAt, beside(3000).sit.length], [0, 3000, 1]);
  const house = [joins('h1', { house: true }), joins('h2', { house: true })];
  t.same(groups(matchmake(situation({ waiting: [joins('a'), ...house], tables: [away] }), rules)), [['a', 'h1', 'h2']]);
  t.same(groups(matchmake(situation({ waiting: house, tables: [away] }), rules)), [['h1', 'h2']], 'for the next');
  t.end();
});

void t.test('who is alone with held seats moves on after the grace, where there is company', (t) => {
  const ghosts = crowd('w', 5).map((ghost) => ({ ...ghost, connected: false }));
  const beside = (tableId: string, more: Partial<OpenTable> = {}) =>
    table(tableId, [sits(`z-${tableId}`), ...ghosts], more);
  const moved = { agentId: 'z-t', tableId: 't' };
  const after = (unchanged: Partial<MatchSituation>) => planAt(3000, unchanged);
  const nowhere = after({ tables: [beside('t')] });
  t.same([nowhere.move, nowhere.close, nowhere.wakeAt], [[], [], Infinity], 'nowhere to go');
  t.same(after({ tables: [beside('t'), table('full', crowd('p', 6))] }).move, []);
  t.same(after({ tables: [beside('t'), table('room', crowd('p', 5))] }).move, [moved]);
  t.same(planAt(2999, { tables: [beside('t'), table('room', crowd('p', 5))] }).move, []);
  t.same(
    after({ tables: [beside('t'), beside('u')] }).move,
    [moved, { agentId: 'z-u', tableId: 'u' }],
    'to each other',
  );
  t.same(after({ tables: [beside('t')], waiting: [joins('a')] }).move, [moved], 'to who waits');
  t.same(after({ tables: [beside('t', { inHand: true }), table('room', crowd('p', 5))] }).move, [], 'not in a hand');
  t.same(after({ tables: [beside('t'), table('away', ghosts)] }).move, [], 'held seats are no company');
  t.end();
});

void t.test('like sits with like, by how fast they decide', (t) => {
  const [fast, slow] = [0, 2] as const;
  const paced = (prefix: string, count: number, pace: 0 | 1 | 2) =>
    crowd(prefix, count).map((one) => ({ ...one, pace }));
  const tables = [table('slow', paced('s', 4, slow)), table('fast', [...paced('f', 2, fast), sits('new')])];
  const seatOf = (more: Partial<WaitingPlayer>, now = 0, at = tables) =>
    matchmake(situation({ now, waiting: [joins('a', more)], tables: at }), rules).sit[0]?.tableId;
  t.equal(seatOf({ pace: fast }), 'fast');
  t.equal(seatOf({ pace: slow }), 'slow');
  t.equal(seatOf({ pace: null }), 'slow', 'who is not known goes where most are');
  t.equal(seatOf({ pace: 1, since: 0 }, 4999), undefined);
  t.equal(seatOf({ pace: 1, since: 0 }, 5000), 'slow', 'nobody waits longer than 5 s for it');
  t.equal(matchmake(situation({ waiting: [joins('a', { pace: 1 })], tables }), rules).wakeAt, 5000);
  t.equal(seatOf({ pace: fast }, 0, [table('mixed', [...paced('f', 3, fast), ...paced('s', 1, slow)])]), undefined);

  const waiting = [fast, slow, slow, fast, null].map((pace, n) => joins(`w${n}`, { pace }));
  t.same(groups(matchmake(situation({ waiting }), rules)), [
    ['w0', 'w3', 'w4'],
    ['w1', 'w2'],
  ]);
  const two = [joins('x', { pace: fast, since: 0 }), joins('y', { pace: slow, since: 4000 })];
  t.same(groups(matchmake(situation({ now: 4999, waiting: two }), rules)), []);
  t.same(groups(matchmake(situation({ now: 5000, waiting: two }), rules)), [['x', 'y']]);

  const short = (pace: 0 | 2) => [table('x', paced('x', 2, fast)), table('y', paced('y', 3, pace))];
  t.same(planAt(3000, { tables: short(fast) }).close, ['x']);
  t.same(planAt(3000, { tables: short(slow) }).close, [], 'no merge brings them together');
  t.end();
});

void t.test('a seat that is being given up is not free, and a table nobody plays at takes nobody', (t) => {
  const full = table('full', crowd('p', 5), { leaving: 1 });
  const dying = table('dying', [], { leaving: 2 });
  const plan = matchmake(situation({ waiting: [joins('a')], tables: [full, dying] }), rules);
  t.same(plan.sit, []);
  t.same(plan.close, []);
  t.end();
});

void t.test('agents of one owner', (t) => {
  const ann = { owner: ['mail ann@example.org'] };
  const bob = { owner: ['mail bob@example.org'] };

  void t.test('sit apart while others wait', (t) => {
    const waiting = [joins('a1', ann), joins('a2', ann), joins('b1', bob), joins('b2', bob)];
    t.same(groups(matchmake(situation({ waiting }), apart)), [
      ['a1', 'b1'],
      ['a2', 'b2'],
    ]);
    t.end();
  });

  void t.test('share a table when nobody else waits', (t) => {
    const waiting = [joins('a1', ann), joins('a2', ann)];
    t.same(groups(matchmake(situation({ waiting }), apart)), [['a1', 'a2']]);
    const tables = [table('t', [sits('a0', ann), sits('b', bob)])];
    t.same(matchmake(situation({ waiting: [joins('a1', ann)], tables }), apart).sit, [{ agentId: 'a1', tableId: 't' }]);
    t.end();
  });

  void t.test('leave an open seat to whoever else waits', (t) => {
    const tables = [table('t', [sits('a0', ann), ...crowd('p', 4)])];
    const plan = matchmake(situation({ waiting: [joins('a1', ann), joins('b1', bob)], tables }), apart);
    t.same(plan.sit, [{ agentId: 'b1', tableId: 't' }]);
    t.end();
  });

  void t.test('may sit anywhere where the rule is off', (t) => {
    const waiting = [joins('a1', ann), joins('a2', ann), joins('b1', bob)];
    t.same(groups(matchmake(situation({ waiting }), rules)), [['a1', 'a2', 'b1']]);
    t.end();
  });

  void t.test('are known by mailbox without case and tag, and by public address', (t) => {
    const keys = (email: string, ip: string, isHouse = false) => ownerKeys({ email, isHouse }, ip);
    t.equal(mailbox('Ann+bot7@Example.ORG'), 'ann@example.org');
    t.ok(sameOwner(keys('ann+1@x.org', '127.0.0.1'), keys('ANN+2@x.org', '10.0.0.1')), 'one mailbox');
    t.notOk(sameOwner(keys('ann@x.org', '127.0.0.1'), keys('bob@x.org', '127.0.0.1')), 'loopback is no owner');
    t.notOk(sameOwner(keys('ann@x.org', '192.168.1.7'), keys('bob@x.org', '192.168.1.7')), 'nor is a private network');
    t.ok(sameOwner(keys('ann@x.org', '198.51.100.7'), keys('bob@x.org', '::ffff:198.51.100.7')), 'one public address');
    t.notOk(sameOwner(keys('ann@x.org', '198.51.100.7'), keys('bob@x.org', '198.51.100.8')));
    t.equal(publicAddress('2001:DB8:0:1::5'), publicAddress('2001:0db8:0000:0001:ffff::1'), 'one IPv6 network');
    t.not(publicAddress('2001:db8:0:1::5'), publicAddress('2001:db8:0:2::5'));
    t.equal(publicAddress('fe80::1'), null);
    t.equal(publicAddress('not an address'), null);
    t.same(keys('ann@x.org', '198.51.100.7', true), [], 'house bots are nobody’s');
    t.end();
  });
  t.end();
});

void t.test('a table with one player left', (t) => {
  const tables = [table('t', [sits('a')])];

  void t.test('waits for the grace, then closes', (t) => {
    const first = matchmake(situation({ tables }), rules);
    t.same(first.close, []);
    t.equal(first.wakeAt, 3000);
    t.same(planAt(2999, { tables }).close, []);
    t.same(planAt(3000, { tables }).close, ['t']);
    t.end();
  });

  void t.test('gets the next one who joins', (t) => {
    const plan = planAt(3000, { tables, waiting: [joins('b')] });
    t.same(plan.sit, [{ agentId: 'b', tableId: 't' }]);
    t.same(plan.close, []);
    t.end();
  });

  void t.test('starts its grace anew while others are on their way to the lobby', (t) => {
    const plan = planAt(3000, { tables, returning: 2 });
    t.same(plan.close, []);
    t.equal(plan.wakeAt, 6000);
    t.end();
  });

  void t.test('keeps the seat of a player who may reconnect', (t) => {
    const held = [table('t', [sits('a', { connected: false })])];
    t.same(planAt(100_000, { tables: held }).close, []);
    const both = [table('t', [sits('a'), sits('b', { connected: false })])];
    t.same(planAt(100_000, { tables: both }).close, []);
    t.end();
  });

  void t.test('does not wait when even that one is gone', (t) => {
    t.same(matchmake(situation({ tables: [table('t', [])] }), rules).close, ['t']);
    t.end();
  });
  t.end();
});

void t.test('two short tables that fit one', (t) => {
  const tables = [table('two', crowd('p', 2)), table('four', crowd('q', 4)), table('full', crowd('r', 6))];

  void t.test('become one after the grace: the emptier closes', (t) => {
    t.equal(matchmake(situation({ tables }), rules).wakeAt, 3000);
    t.same(planAt(2999, { tables }).close, []);
    t.same(planAt(3000, { tables }).close, ['two']);
    t.end();
  });

  void t.test('stay while they do not fit, or others are still on the way', (t) => {
    const five = [table('two', crowd('p', 2)), table('five', crowd('q', 5))];
    t.same(planAt(9000, { tables: five }).close, []);
    t.same(planAt(9000, { tables, returning: 1 }).close, []);
    t.end();
  });

  void t.test('are merged pair by pair', (t) => {
    const many = [2, 2, 3, 3].map((count, i) => table(`t${i}`, crowd(`p${i}-`, count)));
    t.same(planAt(3000, { tables: many }).close, ['t0', 't1'], 'each with a table of three');
    t.end();
  });

  void t.test('are left alone where a seat is held for somebody who is away', (t) => {
    const held = [table('two', [sits('a'), sits('b', { connected: false })]), table('three', crowd('q', 3))];
    t.same(planAt(3000, { tables: held }).close, []);
    t.same(planAt(3000, { tables: held }).move, [{ agentId: 'a', tableId: 'two' }], 'who is alone there moves');
    const bothHeld = held.map((each, i) => ({
      ...each,
      players: [sits(`x${i}`, { connected: false }), sits(`y${i}`)],
    }));
    t.same(planAt(3000, { tables: bothHeld }).close, []);
    t.end();
  });

  void t.test('are left alone where nobody would be found playing', (t) => {
    const away = ['a', 'b', 'c'].map((agentId) => sits(agentId, { connected: false }));
    const tables = [table('playing', crowd('p', 2)), table('held', away)];
    t.same(planAt(9000, { tables }).close, []);
    t.end();
  });

  void t.test('are left alone where that would bring an owner together', (t) => {
    const ann = { owner: ['mail ann@x.org'] };
    const mates = [table('one', [sits('a1', ann), sits('b')]), table('two', [sits('a2', ann), sits('c')])];
    t.same(planAt(3000, { tables: mates }, apart).close, []);
    t.same(planAt(3000, { tables: mates }, rules).close.length, 1);
    t.end();
  });
  t.end();
});

void t.test('house bots', (t) => {
  const bot = (agentId: string) => joins(agentId, { house: true });
  const seatedBot = (agentId: string) => sits(agentId, { house: true });

  void t.test('keep a table open among themselves, once', (t) => {
    const waiting = [bot('h1'), bot('h2'), bot('h3')];
    t.same(groups(matchmake(situation({ waiting }), rules)), [['h1', 'h2', 'h3']]);
    const tables = [table('t', crowd('p', 5))];
    const plan = matchmake(situation({ waiting, tables }), rules);
    t.same([plan.sit, plan.open], [[], []], 'the newcomer would find a seat: they leave it to him');
    t.end();
  });

  void t.test('are the partners of a lone newcomer', (t) => {
    const waiting = [joins('a'), bot('h1'), bot('h2')];
    t.same(groups(matchmake(situation({ waiting }), rules)), [['a', 'h1', 'h2']]);
    t.end();
  });

  void t.test('open no other table while one opens that will have room', (t) => {
    const waiting = [bot('h1'), bot('h2')];
    t.same(groups(matchmake(situation({ waiting, opening: 4 }), rules)), [], 'not among themselves');
    t.same(
      groups(matchmake(situation({ waiting: [joins('a'), ...waiting], opening: 4 }), rules)),
      [],
      'nor with a guest',
    );
    const two = [joins('a'), joins('b'), ...waiting];
    t.same(groups(matchmake(situation({ waiting: two, opening: 4 }), rules)), [['a', 'b']], 'guests need not wait');
    t.same(groups(matchmake(situation({ waiting, opening: 0 }), rules)), [['h1', 'h2']]);
    t.end();
  });

  void t.test('never take the last seat, nor one that a guest could have', (t) => {
    const tables = [table('t', crowd('p', 4))];
    const plan = matchmake(situation({ waiting: [bot('h'), joins('a')], tables }), rules);
    t.same(plan.sit, [{ agentId: 'a', tableId: 't' }]);
    t.end();
  });

  void t.test('give way one at a time where no seat is open', (t) => {
    const tables = [table('t', [...crowd('p', 4), seatedBot('h1'), seatedBot('h2')])];
    t.same(matchmake(situation({ tables }), rules).retire, [{ agentId: 'h1', tableId: 't' }]);
    const leaving = [table('t', [...crowd('p', 4), seatedBot('h2')], { leaving: 1 })];
    t.same(matchmake(situation({ tables: leaving }), rules).retire, [], 'a seat is coming free already');
    t.end();
  });

  void t.test('move to the guests, not the guests to them', (t) => {
    const tables = [table('guests', crowd('p', 2)), table('house', ['h1', 'h2', 'h3'].map(seatedBot))];
    t.same(planAt(3000, { tables }).close, ['house']);
    t.end();
  });
  t.end();
});
