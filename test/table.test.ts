import t from 'tap';
import type { ServerMessageOf } from '../src/protocol/server.js';
import { RULES, START, TableDriver, type Client } from './support/table-driver.js';

/** What players see of a hand, and in which order: RULINGS §1 to §3. The driver checks schemas, numbers and hashes. */

const { headsUp, ring } = TableDriver;
const typesOf = (client: Client) => client.types().join(' ');

void t.test(
  '§1.2 a newcomer reads table_joined, then its table_state at once; the others player_joined, then the state',
  (t) => {
    const driver = new TableDriver();
    const ada = driver.join('ada', 1500);
    t.equal(typesOf(ada), 'table_joined table_state');
    const bob = driver.join('bob', 2500);
    t.same(bob.last('table_joined').players, [
      { seat: 0, name: 'ada', stack: 1500 },
      { seat: 1, name: 'bob', stack: 2500 },
    ]);
    t.equal(bob.last('table_joined').seat, 1);
    t.match(ada.last('player_joined'), { seat: 1, name: 'bob', stack: 2500 });
    t.equal(typesOf(bob), 'table_joined table_state');
    t.equal(typesOf(ada), 'player_joined table_state');
    t.end();
  },
);

void t.test('§1.3 a hand starts: hand_start, own hole cards, the state with the blinds in it, and the turn', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  t.match(ada.last('hand_start'), { hand_seq: 1, seat: 0, dealer_seat: 0, blinds: { small_blind: 10, big_blind: 20 } });
  t.match(bob.last('hand_start'), { hand_seq: 1, seat: 1, dealer_seat: 0 });
  const state = bob.last('table_state');
  t.equal(state.street, 'preflop');
  t.equal(state.pot, 30);
  t.same(
    state.seats.slice(0, 2).map(({ bet, stack }) => [bet, stack]),
    [
      [10, 1990],
      [20, 1980],
    ],
    'heads-up the button posts the small blind',
  );
  t.same(state.hero?.hole_cards, bob.last('hole_cards').cards);
  t.notSame(ada.last('hole_cards').cards, bob.last('hole_cards').cards);
  t.equal(typesOf(ada), 'hand_start hole_cards table_state your_turn');
  t.equal(typesOf(bob), 'hand_start hole_cards table_state');
  t.end();
});

void t.test(
  '§1.4 an action: acknowledged, told to all, then the state, which already carries what the next may do',
  (t) => {
    const { driver, ada, bob } = headsUp();
    driver.deal();
    driver.forget();
    ada.act('call');
    const offered = [{ action: 'check' }, { action: 'raise', max: 2000, min: 40 }, { action: 'all_in', amount: 1980 }];
    t.same(bob.last('table_state').hero?.valid_actions, offered);
    t.equal(ada.last('table_state').hero?.valid_actions, undefined, 'not to those who are not the actor');
    t.equal(typesOf(ada), 'action_ack player_action table_state');
    t.equal(typesOf(bob), 'player_action table_state your_turn');
    t.end();
  },
);

void t.test('§1.5 a street opens: community_cards with the new cards only, the state, the turn', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  ada.act('call');
  driver.forget();
  bob.act('check');
  t.same(bob.last('community_cards').cards, ['2c', '7d', '9h']);
  t.same(bob.last('your_turn').community_cards, ['2c', '7d', '9h'], 'your_turn carries the whole board');
  t.equal(bob.last('your_turn').seat, 1, 'the button acts last after the flop');
  t.equal(typesOf(bob), 'action_ack player_action community_cards table_state your_turn');
  bob.act('check');
  driver.forget();
  ada.act('check');
  t.match(ada.last('community_cards'), { street: 'turn', cards: ['Jc'] });
  t.same(ada.last('table_state').board, ['2c', '7d', '9h', 'Jc']);
  t.end();
});

void t.test('§1.5 with BOARD_EVENTS=cumulative community_cards carries the whole board', (t) => {
  const { driver, ada } = headsUp({ rules: { boardEvents: 'cumulative' } });
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  driver.checkDown();
  t.same(
    ada.all('community_cards').map(({ street, cards }) => [street, cards.join(' ')]),
    [
      ['flop', '2c 7d 9h'],
      ['turn', '2c 7d 9h Jc'],
      ['river', '2c 7d 9h Jc 4s'],
    ],
  );
  t.end();
});

void t.test('§1.6 a hand ends: last action, the rest of the board, the settled state BEFORE hand_result', (t) => {
  const { driver, ada, bob } = headsUp();
  // bob is left of the button and dealt first: aces against kings.
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  ada.act('all_in');
  driver.forget();
  bob.act('call');
  const state = ada.last('table_state');
  t.match(state, { street: 'idle', pot: 0, board: [], waiting_reason: 'insufficient_players' });
  t.same(
    state.seats.slice(0, 2).map(({ bet, stack, ...rest }) => [bet, stack, 'in_hand' in rest && rest.in_hand]),
    [
      [0, 0, false],
      [0, 4000, false],
    ],
  );
  t.equal(state.hand_id, ada.last('hand_result').hand_id, 'the settled state still belongs to the hand');
  t.equal(ada.last('table_state').hero?.hole_cards, undefined);
  const runOut = 'community_cards community_cards community_cards';
  t.equal(typesOf(ada), `player_action ${runOut} table_state hand_result`, 'the buster reads no player_left');
  t.equal(typesOf(bob), `action_ack player_action ${runOut} table_state hand_result player_left table_state`);
  t.end();
});

void t.test('§1.6 blinds that put everybody all-in: the state with the blinds, the board, the result', (t) => {
  const { driver, ada, bob } = headsUp({}, [10, 15]);
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  const [before] = ada.all('table_state');
  t.match(before, { street: 'preflop', pot: 25, board: [] });
  t.same(
    before?.seats.slice(0, 2).map(({ bet }) => bet),
    [10, 15],
  );
  t.equal(
    typesOf(bob),
    'hand_start hole_cards table_state community_cards community_cards community_cards table_state hand_result player_left table_state',
  );
  t.end();
});

void t.test('§4 nothing settled is told before the hand is stored, by no view', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.holdCommits = true;
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  ada.act('raise', 500);
  bob.act('call');
  for (const client of [bob, ada, bob, ada, bob]) client.act('check');
  driver.forget();
  ada.act('check');
  t.equal(driver.records.length, 1, 'the hand was given to be stored');
  t.equal(driver.records[0]?.players[1]?.stackEnd, 2500, 'and its result is in the record');
  t.equal(typesOf(ada), 'action_ack player_action');
  t.equal(driver.table.inHand, true);
  t.same(driver.table.seatOf(bob.agentId), { seat: 1, stack: 1500, leaving: false });

  const views = () => [
    ada.resync(0).snapshot,
    JSON.parse(driver.table.publicState(driver.now)) as ServerMessageOf['table_state'],
  ];
  for (const view of views()) {
    t.match(view, { street: 'river', pot: 1000, waiting_reason: 'awaiting_hand_start' });
    t.same(
      view.seats.slice(0, 2).map(({ stack }) => stack),
      [1500, 1500],
    );
    t.equal(view.actor_seat, undefined);
  }
  ada.drop();
  ada.connect();
  t.match(ada.last('table_state'), { street: 'river', pot: 1000 });
  driver.advance(60_000);
  t.notOk(
    bob.inbox.some(({ type }) => type === 'hand_result' || type === 'hand_start'),
    'the next hand waits too',
  );

  driver.forget();
  driver.commit();
  t.equal(typesOf(bob), 'table_state hand_result');
  t.same(driver.table.seatOf(bob.agentId), { seat: 1, stack: 2500, leaving: false });
  driver.forget();
  driver.commit();
  t.equal(typesOf(bob), '', 'a commit told twice changes nothing');
  t.end();
});

void t.test('§2 the envelope stands in its order on every event, and without state_hash on answers', (t) => {
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

void t.test('§2 hand_id and hand_seq are null between hands; hand_seq counts from 1 with hand_start', (t) => {
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

void t.test('§2 one event has one number for all; a private frame takes a number of its own', (t) => {
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
  '§2 the keys of table_state are sorted at every level, the four unhashed ones last, on the wire itself',
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

void t.test('§2 with STATE_HASH=off state_hash is null', (t) => {
  const { driver, ada } = headsUp({ rules: { stateHash: false } });
  driver.deal();
  t.equal(ada.last('table_state').state_hash, null);
  t.end();
});

void t.test('§3 your_turn offers every action with all four keys, and names every dealt-in seat', (t) => {
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

void t.test('§3 a short all-in raise has min = max = stack + bet', (t) => {
  const { driver, ada } = headsUp({}, [35, 2000]);
  driver.deal();
  const raise = ada.last('your_turn').valid_actions.find(({ action }) => action === 'raise');
  t.match(raise, { min: 35, max: 35 });
  t.end();
});

void t.test('§3 where no raise is offered min_raise and max_raise are 0 and the state leaves them out', (t) => {
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

void t.test('§3 player_action tells chips added for a call, the total for a raise, null for fold and check', (t) => {
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

void t.test('§3 action_id is the client_action_id to the actor itself and another UUID to the rest', (t) => {
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

void t.test('§3 a folded player keeps in_hand true and folded true until the hand ends', (t) => {
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

void t.test('§3 hand_result of a showdown: net and gross, shown cards, the losing hand mucked', (t) => {
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
  '§3 without a showdown: Uncontested, no cards shown, uncalled chips returned before the pot is counted',
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

void t.test('§3 a full tie is a split: amounts 0, payouts not', (t) => {
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

void t.test('§3 different winners of main and side pot are multiple_winners', (t) => {
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

void t.test('§4 the record of a hand holds all that is needed to replay it', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  driver.advance(2_500);
  ada.act('call');
  driver.advance(1_000);
  bob.act('check');
  driver.checkDown();
  const record = driver.records[0]!;
  t.match(record, {
    handId: ada.last('hand_result').hand_id,
    tableId: 'table-1',
    poolId: 'season-1',
    handNumber: 1,
    button: 0,
    bigBlindSeat: 1,
    smallBlind: 10,
    bigBlind: 20,
    startedAt: START + RULES.betweenHandsMs,
    boardCount: 5,
    totalPot: 40,
  });
  t.same(record.actions.slice(0, 2), [
    { seat: 0, act: 2, amount: 10, street: 0, at: 2_500, timeout: false },
    { seat: 1, act: 1, amount: null, street: 0, at: 3_500, timeout: false },
  ]);
  t.match(record.players[0], {
    seat: 0,
    agentId: 'agent-ada',
    sitting: 'sitting-1',
    stackStart: 2000,
    stackEnd: 1980,
    contributed: 20,
    payout: 0,
    shown: false,
  });
  t.match(record.players[1], { stackEnd: 2020, contributed: 20, payout: 40, shown: true });
  t.equal(record.seqReserved > 1_000_000, true);
  t.end();
});

void t.test('§4 the button moves clockwise; heads-up nobody posts the big blind twice running', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd');
  const dealers: number[] = [];
  const hand = () => {
    driver.deal();
    dealers.push(ada.last('hand_start').dealer_seat);
    driver.checkDown();
  };
  for (let i = 0; i < 4; i++) hand();
  t.same(dealers, [0, 1, 2, 0]);
  // Hand 4: button 0, big blind 2. cyd leaves; with the button moving to bob, ada posts the big blind.
  cyd.leave();
  hand();
  t.equal(dealers.at(-1), 1);
  hand();
  t.equal(dealers.at(-1), 0);
  t.ok(bob.all('hand_start').every(({ seat }) => seat === 1));
  t.end();
});

void t.test('§4 HEADS_UP_BLINDS=ring puts the small blind left of the button', (t) => {
  const { driver, bob } = headsUp({ rules: { headsUpBlinds: 'ring' } });
  driver.deal();
  t.equal(driver.actor, bob, 'the small blind is to act');
  t.same(
    bob
      .last('table_state')
      .seats.slice(0, 2)
      .map(({ bet }) => bet),
    [20, 10],
  );
  t.end();
});

void t.test('§4 everything runs with no delay between hands', (t) => {
  const { driver, ada } = headsUp({ rules: { betweenHandsMs: 0 } });
  for (let i = 0; i < 30; i++) {
    driver.deal();
    driver.checkDown();
    t.equal(driver.table.nextDeadline, driver.now, 'the next hand is due at once, by the clock and not by recursion');
  }
  t.equal(ada.all('hand_result').length, 30);
  t.equal(ada.last('table_state').waiting_reason, 'awaiting_hand_start');
  t.end();
});
