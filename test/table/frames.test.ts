/**
 * The content of each frame of a hand (protocol.md, "A hand, frame by frame"): the envelope and its numbers, turns,
 * actions, results.
 */
import t from 'tap';
import { ASKS, LAST, MAY_WAIT, MAY_WAIT_LONG } from '../../src/table/outbox.js';
import { FILE_MS } from '../support/limits.js';
import { TableDriver } from '../support/table-driver.js';

t.setTimeout(FILE_MS);
const { headsUp, ring } = TableDriver;

void t.test('the envelope stands in its order on every event, and without state_hash on answers', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  ada.act('call');
  ada.act('call');
  const events = ['hand_start', 'hole_cards', 'your_turn', 'player_action', 'table_joined', 'player_joined'];
  for (const type of [...events, 'action_ack', 'action_rejected']) {
    const frame = driver.sent.find(({ message }) => message.type === type);
    const head = ['stream', 'table_id', 'hand_id', 'table_seq', 'hand_seq', 'ts'];
    if (events.includes(type)) head.push('state_hash');
    t.same(Object.keys(frame?.message ?? {}).slice(0, head.length + 1), [...head, 'type'], type);
  }
  const { ts } = ada.last('hand_start');
  t.equal(ts, '2026-01-31T12:00:01.000000+00:00');
  t.end();
});

void t.test('hand_id and hand_seq are null between hands; hand_seq counts from 1 with hand_start', (t) => {
  const { driver, ada, bob } = headsUp();
  ada.resync(0);
  t.match(ada.last('resync_response'), { hand_id: null, hand_seq: null });
  for (const round of [1, 2]) {
    driver.forget();
    driver.deal();
    t.equal(ada.last('hand_start').hand_seq, 1, `hand ${round}`);
    driver.checkDown();
    const numbers = bob.inbox.flatMap((message) => ('hand_seq' in message ? [message.hand_seq ?? 0] : []));
    t.same(
      numbers,
      [...numbers].sort((a, b) => a - b),
      'it rises within the hand',
    );
    t.equal(new Set(bob.inbox.map((message) => ('hand_id' in message ? message.hand_id : ''))).size, 1);
  }
  bob.drop();
  t.match(ada.last('table_state'), { hand_id: null, hand_seq: null, street: 'idle' });
  t.end();
});

void t.test('one event has one number for all; a private frame takes a number of its own', (t) => {
  const { driver, players } = ring('ada bob cyd');
  driver.deal();
  const seqsOf = (type: string) =>
    driver.sent
      .filter(({ message }) => message.type === type)
      .slice(-3)
      .map(({ message }) => ('table_seq' in message ? message.table_seq : 0));
  t.equal(new Set(seqsOf('hand_start')).size, 1);
  t.equal(new Set(seqsOf('table_state')).size, 1);
  t.equal(new Set(seqsOf('hole_cards')).size, players.length);
  t.end();
});

void t.test(
  'the keys of table_state are sorted at every level, the four unhashed ones last, on the wire itself',
  (t) => {
    const driver = new TableDriver();
    const ada = driver.join('ada', 2000, {
      avatarUrl: 'https://a.example/ü.png',
      publicProfileSlug: 'ada',
      isPro: true,
    });
    driver.join('bob', 2000, { isHouse: true });
    driver.deal();
    ada.act('call');
    driver.actor.act('check');
    const texts = driver.sent.filter(({ message }) => message.type === 'table_state').map(({ text }) => text);
    for (const text of texts) {
      const keys = Object.keys(JSON.parse(text) as object);
      t.same(keys.slice(-4), ['ts', 'table_seq', 'hand_seq', 'state_hash']);
      t.same(keys.slice(0, -4), [...keys.slice(0, -4)].sort());
      t.ok(/^[\x20-\x7e]*$/.test(text), 'pure ASCII');
      t.notMatch(text, /\d\.\d+[,}]/, 'no fractional numbers');
    }
    const seats = ada.last('table_state').seats;
    t.same(Object.keys(seats[0]!), [...Object.keys(seats[0]!)].sort());
    t.match(seats[0], { avatar_url: 'https://a.example/ü.png', public_profile_slug: 'ada', is_pro: true });
    t.match(seats[1], { is_house: true });
    t.equal(seats.length, 6, 'always six entries');
    t.end();
  },
);

void t.test('with STATE_HASH=off state_hash is null', (t) => {
  const { driver, ada } = headsUp({ rules: { stateHash: false } });
  driver.deal();
  t.equal(ada.last('table_state').state_hash, null);
  t.end();
});

for (const stateHash of [true, false]) {
  void t.test(`each player reads its own cards and seat in table_state, and no others: hashes ${stateHash}`, (t) => {
    const { driver, players } = ring('ada bob cyd dan', { rules: { stateHash } });
    driver.deal();
    driver.actor.act('call');
    driver.actor.act('fold');
    for (const player of players) {
      const { hero } = player.last('table_state');
      t.same([hero?.seat, hero?.hole_cards], [player.last('hand_start').seat, player.last('hole_cards').cards]);
    }
    t.equal(new Set(players.map((player) => String(player.last('table_state').hero?.hole_cards))).size, players.length);
    t.end();
  });
}

void t.test('what tells of a hand may wait long for who is out of it, until it ends, and not for who is in it', (t) => {
  const { driver } = ring('ada bob cyd');
  driver.out.patient = true;
  driver.deal();
  const folder = driver.actor;
  const late = driver.join('dan');
  const marksSince = (from: number, socket: number) =>
    driver.sent.slice(from).flatMap((frame) => (frame.socket === socket ? [(frame.marks & ~ASKS) >>> 0] : []));
  let from = driver.sent.length;
  folder.act('fold');
  const raiser = driver.actor;
  t.ok(marksSince(from, raiser.socket).every((marks) => (marks & MAY_WAIT_LONG) === 0));
  from = driver.sent.length;
  raiser.act('all_in');
  const long = (MAY_WAIT | MAY_WAIT_LONG) >>> 0;
  for (const { socket } of [folder, late]) t.same(new Set(marksSince(from, socket)), new Set([long]));
  t.ok(marksSince(from, driver.actor.socket).every((marks) => marks === 0 || marks === MAY_WAIT));
  from = driver.sent.length;
  driver.actor.act('fold');
  const last = (type: string) =>
    driver.sent.slice(from).filter(({ message, socket }) => message.type === type && socket === folder.socket);
  t.same(
    [...last('hand_result'), ...last('table_state')].map(({ marks }) => marks),
    [MAY_WAIT, MAY_WAIT],
    'the end of the hand comes as soon to all',
  );
  t.end();
});

void t.test('what tells a player of the end of its stay is marked, for it alone', (t) => {
  for (const lean of [false, true]) {
    const driver = new TableDriver();
    const [ada, bob, cyd, dan] = ['ada', 'bob', 'cyd', 'dan'].map((name) => driver.join(name, 2000, {}, 0, lean));
    const ends = () =>
      driver.sent.flatMap(({ socket, marks, message }) => ((marks & LAST) !== 0 ? [[socket, message.type]] : []));
    driver.deal();
    driver.checkDown();
    t.same(ends(), []);
    dan!.leave();
    const told: [number, string][] = [[dan!.socket, 'player_left']];
    t.same(ends(), told);
    bob!.drop();
    cyd!.drop();
    driver.do((now) => driver.table.moveOn(now, ada!.agentId, 'insufficient_players'));
    told.push([ada!.socket, 'table_closed']);
    t.same(ends(), told);
    bob!.connect();
    cyd!.connect();
    driver.do((now) => driver.table.close(now, 'season_ended'));
    for (const { socket } of [bob!, cyd!]) told.push([socket, 'table_closed']);
    t.same(ends(), told);
  }
  t.end();
});

void t.test('your_turn offers every action with all four keys, and names every dealt-in seat', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  const turn = ada.last('your_turn');
  t.same(turn.valid_actions, [
    { action: 'fold', amount: null, min: null, max: null },
    { action: 'call', amount: 10, min: null, max: null },
    { action: 'raise', amount: null, min: 40, max: 2000 },
    { action: 'all_in', amount: 1990, min: null, max: null },
  ]);
  t.match(turn, { seat: 0, pot: 30, community_cards: [], min_raise: 40, max_raise: 2000 });
  t.same(turn.players, [
    { seat: 0, name: 'ada', stack: 1990 },
    { seat: 1, name: 'bob', stack: 1980 },
  ]);
  const state = ada.last('table_state');
  t.match(state, { actor_seat: 0, to_call: 10, min_raise_to: 40, max_raise_to: 2000 });
  t.end();
});

void t.test('a short all-in raise has min = max = stack + bet', (t) => {
  const { driver, ada } = headsUp({}, [35, 2000]);
  driver.deal();
  const raise = ada.last('your_turn').valid_actions.find(({ action }) => action === 'raise');
  t.match(raise, { min: 35, max: 35 });
  t.end();
});

void t.test('where no raise is offered min_raise and max_raise are 0 and the state leaves them out', (t) => {
  const { driver, ada, bob } = headsUp({}, [2000, 500]);
  driver.deal();
  ada.act('all_in');
  const turn = bob.last('your_turn');
  t.same(
    turn.valid_actions.map(({ action }) => action),
    ['fold', 'call', 'all_in'],
  );
  t.match(turn, { min_raise: 0, max_raise: 0 });
  t.notOk('min_raise_to' in bob.last('table_state'));
  t.equal(bob.last('table_state').to_call, 480);
  t.end();
});

void t.test('player_action tells chips added for a call, the total for a raise, null for fold and check', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  ada.act('raise', 60);
  t.match(bob.last('player_action'), {
    seat: 0,
    name: 'ada',
    action: 'raise',
    amount: 60,
    amount_mode: 'to_total',
    street: 'preflop',
    reason: null,
    stack: 1940,
    pot: 80,
    pot_before: 30,
    pot_after: 80,
    to_call_before: 10,
    stack_before: 1990,
    stack_after: 1940,
    contribution_delta: 50,
    player_stack_before: 1990,
    player_stack_after: 1940,
  });
  bob.act('call');
  t.match(ada.last('player_action'), {
    action: 'call',
    amount: 40,
    amount_mode: 'incremental',
    street: 'preflop',
    pot: 120,
  });
  bob.act('check');
  t.match(ada.last('player_action'), { action: 'check', amount: null, street: 'flop', to_call_before: null });
  ada.act('all_in');
  t.match(bob.last('player_action'), { action: 'all_in', amount: 1940, amount_mode: 'incremental', stack: 0 });
  bob.act('fold');
  t.match(ada.last('player_action'), { action: 'fold', amount: null, to_call_before: 1940 });
  t.end();
});

void t.test('action_id is the client_action_id to the actor itself and another UUID to the rest', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd');
  driver.deal();
  const sent = ada.act('call');
  t.equal(ada.last('player_action').action_id, sent.client_action_id);
  t.equal(ada.last('action_ack').client_action_id, sent.client_action_id);
  t.match(bob.last('player_action').action_id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  t.equal(bob.last('player_action').action_id, cyd.last('player_action').action_id);
  t.end();
});

void t.test('a folded player keeps in_hand true and folded true until the hand ends', (t) => {
  const {
    driver,
    players: [ada, bob],
  } = ring('ada bob cyd');
  driver.deal();
  ada.act('fold');
  t.match(bob.last('table_state').seats[0], { in_hand: true, folded: true });
  t.match(bob.last('table_state').seats[1], { in_hand: true, folded: false });
  bob.act('fold');
  t.match(bob.last('table_state').seats[0], { in_hand: false });
  t.notOk('folded' in bob.last('table_state').seats[0]!);
  t.end();
});

void t.test('hand_result of a showdown: net and gross, shown cards, the losing hand mucked', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  ada.act('call');
  bob.act('raise', 100);
  ada.act('call');
  driver.checkDown();
  const result = ada.last('hand_result');
  t.same(result.winners, [{ seat: 1, name: 'bob', stack: 2100, amount: 100, hand_description: 'Pair of Aces' }]);
  t.match(result, {
    pot: 100,
    total_pot: 200,
    transferable_pot: 100,
    net_pot_after_rake: 100,
    rake: 0,
    rake_settled: 0,
  });
  t.same(result.payouts, [{ seat: 1, amount: 200 }]);
  t.same(result.final_stacks, { '0': 1900, '1': 2100 });
  t.same(result.shown_cards, { '1': ['As', 'Ad'] });
  t.equal(result.outcome_kind, 'win');
  t.same(result.actions.slice(0, 3), [
    { seat: 0, action: 'call', amount: 10, street: 'preflop' },
    { seat: 1, action: 'raise', amount: 100, street: 'preflop' },
    { seat: 0, action: 'call', amount: 80, street: 'preflop' },
  ]);
  t.same(driver.records[0]?.board.length, 5);
  t.end();
});

void t.test(
  'without a showdown: Uncontested, no cards shown, uncalled chips returned before the pot is counted',
  (t) => {
    const { driver, ada, bob } = headsUp();
    driver.deal();
    ada.act('raise', 500);
    bob.act('fold');
    const result = bob.last('hand_result');
    t.same(result.winners, [{ seat: 0, name: 'ada', stack: 2020, amount: 20, hand_description: 'Uncontested' }]);
    t.match(result, { total_pot: 40, pot: 20 });
    t.same(result.shown_cards, {});
    t.same(result.payouts, [{ seat: 0, amount: 40 }]);
    t.end();
  },
);

void t.test('a full tie is a split: amounts 0, payouts not', (t) => {
  const { driver, ada } = headsUp();
  driver.deal('As Ad Ks Kd 2c 7d 9h Jc 4s');
  driver.checkDown();
  const result = ada.last('hand_result');
  t.match(result, { outcome_kind: 'split', pot: 0, total_pot: 40 });
  t.same(
    result.winners.map(({ seat, amount }) => [seat, amount]),
    [
      [0, 0],
      [1, 0],
    ],
  );
  t.same(result.payouts, [
    { seat: 0, amount: 20 },
    { seat: 1, amount: 20 },
  ]);
  t.end();
});

void t.test('different winners of main and side pot are multiple_winners', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd', {}, [1000, 500, 1000]);
  // Left of the button: bob, cyd, ada. bob has aces, cyd kings, ada queens.
  driver.deal('As Ks Qs Ad Kd Qd 2c 7d 9h Jc 4s');
  ada.act('all_in');
  bob.act('all_in');
  cyd.act('all_in');
  const result = bob.last('hand_result');
  t.equal(result.outcome_kind, 'multiple_winners');
  t.same(result.payouts, [
    { seat: 1, amount: 1500 },
    { seat: 2, amount: 1000 },
  ]);
  t.same(
    result.winners.map(({ seat, amount, stack }) => [seat, amount, stack]),
    [
      [1, 1000, 1500],
      [2, 0, 1000],
    ],
  );
  t.match(result.shown_cards, { '0': ['Qs', 'Qd'], '1': ['As', 'Ad'], '2': ['Ks', 'Kd'] }, 'all-in showdowns show all');
  t.end();
});
