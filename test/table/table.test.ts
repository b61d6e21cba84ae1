/**
 * The course of a hand as its players and a spectator see it (protocol.md, "A hand, frame by frame"), and what of it is
 * stored. The driver checks schemas, numbers and hashes.
 */
import t from 'tap';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import { FILE_MS } from '../support/limits.js';
import { START, TableDriver, type Client } from '../support/table-driver.js';
import { RULES } from '../support/table-rules.js';

t.setTimeout(FILE_MS);
const { headsUp, ring } = TableDriver;
const typesOf = (client: Client) => client.types().join(' ');

void t.test(
  'a newcomer reads table_joined, then its table_state at once; the others player_joined, then the state',
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

void t.test('a hand starts: hand_start, own hole cards, the state with the blinds in it, and the turn', (t) => {
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

void t.test('an action: acknowledged, told to all, then the state, which already carries what the next may do', (t) => {
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
});

void t.test('a street opens: community_cards with the new cards only, the state, the turn', (t) => {
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

void t.test('with BOARD_EVENTS=cumulative community_cards carries the whole board', (t) => {
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

void t.test('a hand ends: last action, the rest of the board, the settled state BEFORE hand_result', (t) => {
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
  t.equal(typesOf(ada), `player_action ${runOut} table_state hand_result player_left`);
  t.equal(typesOf(bob), `action_ack player_action ${runOut} table_state hand_result player_left table_state`);
  t.end();
});

void t.test('blinds that put everybody all-in: the state with the blinds, the board, the result', (t) => {
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

void t.test('nothing settled is sent before the hand is stored, by no view', (t) => {
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

void t.test('the record of a hand holds all that is needed to replay it', (t) => {
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

void t.test('the button moves clockwise; heads-up nobody posts the big blind twice running', (t) => {
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

void t.test('HEADS_UP_BLINDS=ring puts the small blind left of the button', (t) => {
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

void t.test('everything runs with no delay between hands', (t) => {
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
