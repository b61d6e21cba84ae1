/**
 * Seats and their owners: disconnects, missed hands, waiting, reserved and reopened seats (protocol.md, "Time",
 * "Values").
 */
import t from 'tap';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import type { Sitting } from '../../src/table/api.js';
import { SEQ_STEP } from '../../src/table/numbering.js';
import { FILE_MS } from '../support/limits.js';
import { playerNamed, START, TableDriver, type Client } from '../support/table-driver.js';
import { statusOf, waiting } from '../support/seat-views.js';

t.setTimeout(FILE_MS);
const { headsUp, ring } = TableDriver;

const offers = (client: Client, action: string) =>
  client.turn!.valid_actions.some((offered) => offered.action === action);

void t.test('a disconnected seat is held 120 s by the clock, then given up with reason disconnected', (t) => {
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

void t.test('a return within the hold cancels it', (t) => {
  const { driver, ada, bob } = headsUp({ rules: { betweenHandsMs: 10_000_000 } });
  ada.drop();
  driver.advance(119_999);
  ada.connect();
  driver.advance(500_000);
  t.same(driver.releases, []);
  t.equal(statusOf(bob, 0), 'active');
  t.end();
});

void t.test('a disconnected seat is not dealt into new hands', (t) => {
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

void t.test('a hold that runs out in a hand folds the seat when its turn comes and gives it up at the end', (t) => {
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

/** Ada raises, so that bob has one decision a hand, which ends it where he does not take it. */
const press = (ada: Client) => ada.act('raise', 60);

/** Plays hands in which bob never decides anything; returns how many. */
function missHands(driver: TableDriver, ada: Client, most: number): number {
  let hands = 0;
  while (hands < most && driver.table.summary().occupied === 2) {
    driver.deal();
    hands++;
    while (driver.table.inHand) {
      if (driver.actor === ada) press(ada);
      else driver.nextDeadline();
    }
  }
  return hands;
}

void t.test('three missed hands running: away, then player_left with reason left', (t) => {
  const { driver, ada, bob } = headsUp();
  t.equal(missHands(driver, ada, 10), 3);
  const settled = bob.all('table_state').find(({ seats }) => seats[1]?.status === 'away');
  t.equal(settled?.street, 'idle');
  t.equal(settled?.waiting_details?.away_players, 1);
  t.match(bob.last('player_left'), { seat: 1, reason: 'left' });
  t.match(driver.releases, [{ agentId: 'agent-bob', reason: 'left' }]);
  t.end();
});

void t.test('any accepted action clears the count of missed hands', (t) => {
  const { driver, ada, bob } = headsUp();
  t.equal(missHands(driver, ada, 2), 2);
  driver.deal();
  while (driver.table.inHand) {
    if (driver.actor === bob && bob.turn!.valid_actions.length > 0 && bob.all('action_ack').length === 0) {
      bob.act(bob.turn!.valid_actions[0]!.action);
    } else if (driver.actor === ada) press(ada);
    else driver.nextDeadline();
  }
  t.same(driver.releases, []);
  t.equal(missHands(driver, ada, 10), 3, 'three more are needed then');
  t.end();
});

void t.test('missed hands of a player whose socket is gone end with reason disconnected', (t) => {
  // Short turns and a long hold, so that the hold is not what removes the seat.
  const { driver, ada, bob } = headsUp({ rules: { actionTimeoutMs: 1_000, disconnectHoldMs: 1e9 } });
  for (let hand = 0; hand < 3; hand++) {
    if (hand > 0) bob.connect();
    driver.deal();
    bob.drop();
    while (driver.table.inHand) {
      const actor = driver.actor;
      if (actor === ada) press(ada);
      if (driver.table.inHand && actor !== ada) driver.nextDeadline();
      else if (driver.table.inHand && driver.table.nextDeadline < 1e9 + driver.now) driver.advance(1_000);
    }
  }
  t.match(ada.last('player_left'), { seat: 1, reason: 'disconnected' });
  t.end();
});

void t.test('b five timed-out decisions running remove a seat, within a hand or over several', (t) => {
  const { driver, ada, bob } = headsUp();
  /** Both see the river; bob calls once, or says nothing. */
  const play = (speaks: boolean) => {
    driver.deal();
    let silent = !speaks;
    while (driver.table.inHand) {
      if (driver.actor === ada) ada.act(offers(ada, 'check') ? 'check' : 'call');
      else if (silent) driver.nextDeadline();
      else {
        bob.act('call');
        silent = true;
      }
    }
  };
  const own = () => ada.all('player_action').filter(({ seat }) => seat === 1);
  play(false);
  t.equal(own().filter(({ reason }) => reason === 'timeout').length, 4);
  play(true);
  t.same(driver.releases, [], 'any accepted action clears the count');
  driver.forget();
  play(false);
  t.same(
    own().map(({ reason }) => reason),
    ['timeout', 'timeout', 'left', 'left'],
  );
  t.match(driver.releases, [{ agentId: bob.agentId, reason: 'left', absent: true }]);
  t.match(bob.last('player_left'), { seat: 1, reason: 'left' });
  t.end();
});

void t.test('a who is alone with held seats moves on: table_closed for it, and the table lives on for them', (t) => {
  const { driver, ada, bob } = headsUp({ rules: { actionTimeoutMs: 1000 } });
  const moveOn = () => driver.do((now) => driver.table.moveOn(now, ada.agentId, 'insufficient_players'));
  moveOn();
  t.same(driver.releases, [], 'not while there is company');
  driver.deal();
  bob.drop();
  moveOn();
  t.same(driver.releases, [], 'nor in a hand');
  driver.checkDown();
  driver.forget();
  driver.holdReleases = true;
  moveOn();
  t.match(driver.releases, [{ agentId: ada.agentId, reason: 'left', absent: false }]);
  t.same(ada.types(), [], 'its stack is back first');
  driver.cashOut();
  t.match(ada.inbox, [{ type: 'table_closed', reason: 'insufficient_players' }]);
  t.notOk(driver.tableClosed);
  driver.forget();
  bob.connect();
  t.equal(statusOf(bob, 0), 'empty');
  const replayed = bob.resync(null).replayed_events.map(({ type }) => type);
  t.same([replayed.at(-1), replayed.includes('table_closed')], ['player_left', false]);
  t.end();
});

void t.test('the summary tells how long decisions took, each once', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  const paces = () => driver.table.summary().players.map((player) => player.decisionsMs);
  driver.advance(999);
  ada.act('call');
  t.same(paces(), [[999], []]);
  driver.advance(1000);
  bob.act('check');
  driver.advance(9999);
  bob.act('check');
  driver.advance(120_000);
  t.same(paces(), [[30_000], [1000, 9999]], 'a timeout counts as the longest');
  ada.leave();
  t.same(paces(), [[], []]);
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

void t.test('waiting reasons, each with its counts in whole numbers', (t) => {
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
  t.ok('table_seq' in first.message && first.message.table_seq > 5_000_000, 'table_seq goes on above the stored bound');
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

void t.test('a socket that takes the seat over that it has changes nothing, and tells nothing', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  const before = [driver.sent.length, driver.summaries];
  for (const { agentId, socket } of [ada, bob]) {
    driver.do((now) => driver.table.attach(now, agentId, socket));
    driver.do((now) => driver.table.detach(now, agentId, socket + 1000));
  }
  t.same([driver.sent.length, driver.summaries], before);
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
    driver.table.attach(driver.now, ada.agentId, 200 + (i % 2));
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
