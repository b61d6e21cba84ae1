import t from 'tap';
import type { ServerMessageOf } from '../src/protocol/server.js';
import type { Sitting } from '../src/table/api.js';
import { SEQ_STEP } from '../src/table/numbering.js';
import { playerNamed, START, TableDriver, type Client } from './support/table-driver.js';

/** Who comes and goes: leaves, disconnects, missed hands, waiting. RULINGS §1.7–8, §4, §6. */

const { headsUp, ring } = TableDriver;

const waiting = (client: Client) => client.last('table_state').waiting_reason;
const errors = (client: Client) => client.all('error').map(({ code }) => code);
const statusOf = (client: Client, seat: number) => client.last('table_state').seats[seat]?.status;

void t.test('§1.7 a leave between hands gives the seat up at once; the leaver reads its own player_left', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.holdReleases = true;
  ada.leave();
  t.match(driver.releases, [{ sitting: 'sitting-1', seat: 0, agentId: 'agent-ada', stack: 2000, reason: 'left' }]);
  t.same(ada.all('player_left'), [], 'not before the chips are back');
  t.equal(statusOf(bob, 0), 'sitting_out');
  ada.leave();
  t.same(errors(ada), ['leave_pending']);
  driver.forget();
  driver.cashOut();
  t.same(ada.types(), ['player_left']);
  t.match(bob.last('player_left'), { seat: 0, name: 'ada', reason: 'left' });
  t.equal(statusOf(bob, 0), 'empty');
  t.equal(waiting(bob), 'insufficient_players');
  t.end();
});

void t.test('§1.7 a leave in a hand: the actor folds at once, the seat is given up at hand end', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd');
  driver.deal();
  driver.forget();
  ada.leave();
  t.match(bob.last('player_action'), { seat: 0, action: 'fold', reason: 'left' });
  t.same(bob.types(), ['player_action', 'table_state', 'your_turn']);
  t.same(driver.releases, []);
  ada.leave();
  t.same(errors(ada), ['leave_pending']);
  driver.checkDown();
  t.equal(driver.releases.length, 1);
  const order = ada.types();
  t.same(order.slice(-3), ['table_state', 'hand_result', 'player_left'], 'a leaver sees its hand to the end');
  t.equal(cyd.last('table_state').seats[0]?.status, 'empty');
  t.end();
});

void t.test('§1.7 a leaver who is not the actor folds when its turn comes, and is asked nothing', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd');
  driver.deal();
  bob.leave();
  t.same(bob.all('player_action'), []);
  t.equal(statusOf(cyd, 1), 'sitting_out');
  ada.act('call');
  t.match(cyd.last('player_action'), { seat: 1, action: 'fold', reason: 'left' });
  t.same(bob.all('your_turn'), []);
  t.equal(driver.actor, cyd);
  t.end();
});

void t.test('a leaver whom checking costs nothing checks: folding is not offered then', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  bob.leave();
  ada.act('call');
  t.match(ada.last('player_action'), { seat: 1, action: 'check', reason: 'left' });
  ada.act('check');
  ada.act('check');
  ada.act('check');
  t.match(ada.last('hand_result'), { total_pot: 40, outcome_kind: 'win' });
  t.match(driver.releases, [{ agentId: 'agent-bob', stack: 2020, reason: 'left' }], 'it keeps what its cards win');
  t.end();
});

void t.test('a leaver that folds ends the hand: the last action, then the settled state and nothing between', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  driver.forget();
  ada.leave();
  t.same(bob.types(), ['player_action', 'table_state', 'hand_result', 'player_left', 'table_state']);
  t.end();
});

void t.test('a newcomer that leaves while others play is given up at once', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  const cyd = driver.join('cyd');
  cyd.leave();
  t.match(ada.last('player_left'), { seat: 2, reason: 'left' });
  t.equal(driver.table.inHand, true);
  t.end();
});

void t.test('§1.7 leave and rebuy without a seat: not_at_table', (t) => {
  const { driver, ada } = headsUp();
  ada.leave();
  driver.plug(ada);
  ada.leave();
  ada.rebuy();
  t.same(errors(ada), ['not_at_table', 'not_at_table']);
  t.end();
});

void t.test('§6 a seated rebuy is refused: in a hand rebuy_during_hand, else invalid_rebuy', (t) => {
  const { driver, ada } = headsUp();
  ada.rebuy();
  driver.deal();
  ada.rebuy();
  t.same(errors(ada), ['invalid_rebuy', 'rebuy_during_hand']);
  t.end();
});

void t.test(
  '§1.8 a reconnect reads its table_state and, being the actor, the same your_turn with the same token',
  (t) => {
    const { driver, ada, bob } = headsUp();
    driver.deal();
    const turn = ada.turn!;
    ada.drop();
    t.equal(statusOf(bob, 0), 'disconnected');
    t.equal(bob.last('table_state').seats[0]?.stack, 1990);
    driver.forget();
    ada.connect();
    t.equal(ada.last('your_turn').turn_token, turn.turn_token);
    t.same(ada.last('your_turn').valid_actions, turn.valid_actions);
    t.same(ada.last('table_state').hero?.hole_cards?.length, 2);
    t.same(ada.types(), ['table_state', 'your_turn']);
    t.equal(statusOf(bob, 0), 'active');
    ada.act('call');
    t.equal(ada.last('action_ack').status, 'accepted');
    t.end();
  },
);

void t.test(
  '§1.8 a takeover: the new socket reads the state and the turn, the old one nothing more, the others nothing',
  (t) => {
    const { driver, ada, bob } = headsUp();
    driver.deal();
    driver.forget();
    const old = ada.socket;
    ada.connect();
    t.same(ada.types(), ['table_state', 'your_turn']);
    t.same(bob.types(), []);
    // The driver throws when the old socket is written to.
    driver.do((now) => driver.table.detach(now, ada.agentId, old));
    const { seats } = JSON.parse(driver.table.publicState(driver.now)) as ServerMessageOf['table_state'];
    t.equal(seats[0]?.status, 'active', 'the late close of the old socket is ignored');
    t.same(bob.types(), []);
    t.end();
  },
);

void t.test('§4 a disconnected seat is held 120 s by the clock, then given up with reason disconnected', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd');
  cyd.drop();
  driver.advance(119_999);
  t.equal(statusOf(ada, 2), 'disconnected');
  driver.advance(1);
  t.match(ada.last('player_left'), { seat: 2, name: 'cyd', reason: 'disconnected' });
  t.match(driver.releases, [{ agentId: 'agent-cyd', reason: 'disconnected', stack: 2000 }]);
  t.ok(bob.inbox.length > 0);
  t.end();
});

void t.test('§4 a return within the hold cancels it', (t) => {
  const { driver, ada, bob } = headsUp({ rules: { betweenHandsMs: 10_000_000 } });
  ada.drop();
  driver.advance(119_999);
  ada.connect();
  driver.advance(500_000);
  t.same(driver.releases, []);
  t.equal(statusOf(bob, 0), 'active');
  t.end();
});

void t.test('§4 a disconnected seat is not dealt into new hands', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd');
  cyd.drop();
  driver.deal();
  t.match(ada.last('table_state').seats[2], { in_hand: false, status: 'disconnected', stack: 2000 });
  t.same(
    ada.last('your_turn').players.map(({ seat }) => seat),
    [0, 1],
  );
  driver.checkDown();
  cyd.connect();
  driver.deal();
  t.equal(cyd.last('hand_start').seat, 2);
  t.ok(bob.inbox.length > 0);
  t.end();
});

void t.test('§4 a hold that runs out in a hand folds the seat when its turn comes and gives it up at the end', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd', { rules: { disconnectHoldMs: 50_000 } });
  driver.deal();
  bob.drop();
  driver.advance(50_000);
  t.same(driver.releases, []);
  bob.connect();
  ada.act('call');
  t.match(cyd.last('player_action'), { seat: 1, action: 'fold', reason: 'left' });
  cyd.act('check');
  driver.checkDown();
  t.match(cyd.last('player_left'), { seat: 1, reason: 'disconnected' }, 'coming back too late does not help');
  t.end();
});

/** Plays hands in which bob never decides anything; returns how many. */
function missHands(driver: TableDriver, ada: Client, most: number): number {
  let hands = 0;
  while (hands < most && driver.table.summary().occupied === 2) {
    driver.deal();
    hands++;
    while (driver.table.inHand) {
      if (driver.actor === ada) ada.act(ada.turn!.valid_actions[0]!.action === 'check' ? 'check' : 'call');
      else driver.nextDeadline();
    }
  }
  return hands;
}

void t.test('§4 three missed hands running: away, then player_left with reason left', (t) => {
  const { driver, ada, bob } = headsUp();
  t.equal(missHands(driver, ada, 10), 3);
  const settled = bob.all('table_state').find(({ seats }) => seats[1]?.status === 'away');
  t.equal(settled?.street, 'idle');
  t.equal(settled?.waiting_details?.away_players, 1);
  t.match(bob.last('player_left'), { seat: 1, reason: 'left' });
  t.match(driver.releases, [{ agentId: 'agent-bob', reason: 'left' }]);
  t.end();
});

void t.test('§4 any accepted action clears the count of missed hands', (t) => {
  const { driver, ada, bob } = headsUp();
  t.equal(missHands(driver, ada, 2), 2);
  driver.deal();
  while (driver.table.inHand) {
    if (driver.actor === bob && bob.turn!.valid_actions.length > 0 && bob.all('action_ack').length === 0) {
      bob.act(bob.turn!.valid_actions[0]!.action);
    } else if (driver.actor === ada) ada.act(ada.turn!.valid_actions[0]!.action === 'check' ? 'check' : 'call');
    else driver.nextDeadline();
  }
  t.same(driver.releases, []);
  t.equal(missHands(driver, ada, 10), 3, 'three more are needed then');
  t.end();
});

void t.test('§4 missed hands of a player whose socket is gone end with reason disconnected', (t) => {
  // Short turns and a long hold, so that the hold is not what removes the seat.
  const { driver, ada, bob } = headsUp({ rules: { actionTimeoutMs: 1_000, disconnectHoldMs: 1e9 } });
  for (let hand = 0; hand < 3; hand++) {
    if (hand > 0) bob.connect();
    driver.deal();
    bob.drop();
    while (driver.table.inHand) {
      const actor = driver.actor;
      if (actor === ada) ada.act(ada.turn!.valid_actions[0]!.action === 'check' ? 'check' : 'call');
      if (driver.table.inHand && actor !== ada) driver.nextDeadline();
      else if (driver.table.inHand && driver.table.nextDeadline < 1e9 + driver.now) driver.advance(1_000);
    }
  }
  t.match(ada.last('player_left'), { seat: 1, reason: 'disconnected' });
  t.end();
});

void t.test('who asked to leave has left, also with its last chip gone', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  ada.act('all_in');
  ada.leave();
  bob.act('call');
  t.match(driver.releases, [{ agentId: 'agent-ada', stack: 0, reason: 'left' }]);
  t.match(ada.last('player_left'), { reason: 'left' });
  t.end();
});

void t.test('the next hand waits until the seats given up are free', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd');
  driver.holdReleases = true;
  driver.deal();
  ada.leave();
  driver.checkDown();
  driver.advance(60_000);
  t.equal(driver.table.inHand, false);
  t.equal(waiting(bob), 'awaiting_hand_start');
  driver.cashOut();
  driver.deal();
  t.same(
    cyd
      .last('table_state')
      .seats.map(({ status }) => status)
      .slice(0, 3),
    ['empty', 'active', 'active'],
  );
  t.end();
});

void t.test('§6 waiting reasons, each with its counts in whole numbers', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd', { rules: { betweenHandsMs: 2_500 } });
  t.equal(
    waiting((driver.do((now) => driver.table.update(now, ada.agentId, { isPro: true })), ada)),
    'between_hands_delay',
  );
  t.same(ada.last('table_state').waiting_details, {
    player_count: 3,
    eligible_players: 3,
    min_required: 2,
    active_players: 3,
    away_players: 0,
    disconnected_players: 0,
    connected_players: 3,
    remaining_seconds: 3,
    configured_delay_seconds: 3,
  } satisfies ServerMessageOf['table_state']['waiting_details']);
  t.equal(ada.last('table_state').seats[0]?.is_pro, true);

  cyd.leave();
  bob.drop();
  t.equal(waiting(ada), 'awaiting_reconnect');
  t.match(ada.last('table_state').waiting_details, {
    player_count: 2,
    eligible_players: 1,
    disconnected_players: 1,
    connected_players: 1,
  });
  t.notOk('remaining_seconds' in ada.last('table_state').waiting_details!);
  ada.drop();
  t.match(JSON.parse(driver.table.publicState(driver.now)), { waiting_reason: 'all_players_disconnected' });
  ada.connect();
  driver.advance(120_000);
  t.equal(waiting(ada), 'insufficient_players');
  driver.do((now) => driver.table.rebuyPending(now, cyd.agentId, true));
  t.equal(waiting(ada), 'awaiting_rebuy');
  driver.do((now) => driver.table.rebuyPending(now, cyd.agentId, false));
  t.equal(waiting(ada), 'insufficient_players');
  driver.do((now) => driver.table.drain(now));
  t.equal(waiting(ada), 'table_closing');
  t.end();
});

void t.test('a table that was short waits the usual delay once it is full enough', (t) => {
  const driver = new TableDriver({ rules: { betweenHandsMs: 4_000 } });
  const ada = driver.join('ada');
  driver.advance(60_000);
  driver.join('bob');
  t.equal(waiting(ada), 'between_hands_delay');
  t.equal(driver.table.nextDeadline, driver.now + 4_000);
  t.end();
});

void t.test('seats are reserved from the lowest, kept for their buy-in, and six at most', (t) => {
  const { table } = new TableDriver();
  t.same(
    ['a', 'b', 'a'].map((sitting) => table.reserveSeat(sitting)),
    [0, 1, 0],
    'asked twice, the same seat',
  );
  table.unreserveSeat('a');
  t.same(
    ['c', 'd', 'e', 'f', 'g', 'h'].map((sitting) => table.reserveSeat(sitting)),
    [0, 2, 3, 4, 5, -1],
  );
  t.end();
});

void t.test('a reopened table holds its seats for their players, from the opening on', (t) => {
  const sitting = (name: string, seat: number, stack: number): Sitting => ({
    sitting: `s-${name}`,
    seat,
    stack,
    player: playerNamed(name),
  });
  const driver = new TableDriver({
    opening: {
      handNumber: 41,
      button: 3,
      bigBlindSeat: 0,
      seqFloor: 5_000_000,
      sittings: [sitting('ada', 0, 1234), sitting('bob', 3, 3000), sitting('cyd', 5, 0)],
    },
  });
  t.match(driver.releases, [{ agentId: 'agent-cyd', reason: 'busted' }], 'a bust not yet cashed out is cashed out');
  t.match(JSON.parse(driver.table.publicState(START)), { waiting_reason: 'all_players_disconnected', dealer_seat: 3 });
  const attach = (name: string, socket: number) =>
    driver.do((now) => driver.table.attach(now, `agent-${name}`, socket));
  attach('ada', 101);
  const first = driver.sent.at(-1)!;
  t.equal(first.message.type, 'table_state');
  t.ok('table_seq' in first.message && first.message.table_seq > 5_000_000, 'table_seq goes on above the floor');
  attach('bob', 102);
  driver.deal();
  t.equal(driver.table.summary().handNumber, 41, 'the number of the last stored hand');
  const start = driver.sent.findLast(({ message }) => message.type === 'hand_start')?.message;
  t.match(start, { dealer_seat: 0 }, 'ada, who posted the last big blind, does not post it again');

  const absent = new TableDriver({ opening: { sittings: [sitting('ada', 0, 1234)] } });
  absent.advance(120_000);
  t.match(absent.releases, [{ agentId: 'agent-ada', stack: 1234, reason: 'disconnected' }]);
  t.end();
});

void t.test('the summary says who sits, connected or leaving, and is announced once until it is fetched', (t) => {
  const { driver, ada } = headsUp();
  driver.table.summary();
  const before = driver.summaries;
  ada.drop();
  ada.connect();
  t.equal(driver.summaries, before + 1);
  driver.deal();
  ada.leave();
  t.match(driver.table.summary(), {
    tableId: 'table-1',
    poolId: 'season-1',
    seats: 6,
    smallBlind: 10,
    bigBlind: 20,
    handNumber: 1,
    occupied: 1,
    inHand: false,
    closing: false,
    players: [{ agentId: 'agent-bob', seat: 1, connected: true, leaving: false }],
  });
  t.end();
});

void t.test('table_seq nears the stored bound: a higher one is asked for, once', (t) => {
  const driver = new TableDriver({ rules: { stateHash: false } });
  const ada = driver.join('ada');
  t.same(driver.reserves, []);
  // Each takeover takes a number; half a million of them are left when the table asks.
  for (let i = 0; i < SEQ_STEP / 2; i++) {
    driver.table.attach(driver.now, ada.agentId, ada.socket);
    if (i % 1_000 === 0) driver.out.takeFrames();
  }
  driver.out.takeFrames();
  driver.settle();
  t.equal(driver.reserves.length, 1);
  t.ok(driver.reserves[0]! > SEQ_STEP);
  driver.do((now) => driver.table.reserved(now, driver.reserves[0]!));
  t.equal(driver.reserves.length, 1);
  t.end();
});
