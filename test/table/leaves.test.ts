/**
 * Leaving a table (protocol.md, "Leaving"), between hands and in one: the time when the seat is given up, the messages,
 * the end of the hand.
 */
import t from 'tap';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import { FILE_MS } from '../support/limits.js';
import { TableDriver, type Client } from '../support/table-driver.js';
import { statusOf, waiting } from '../support/seat-views.js';

t.setTimeout(FILE_MS);
const { headsUp, ring } = TableDriver;
const errors = (client: Client) => client.all('error').map(({ code }) => code);

void t.test('a leave between hands gives the seat up at once; the leaver reads its own player_left', (t) => {
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

void t.test('f a leaver between hands reads nothing of its own way out but player_left', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.holdReleases = true;
  /** Asks to leave for as long as its seat is there and not empty, once a frame, as some clients do. */
  const leaveAgain = () => ada.all('table_state').some(({ seats }) => seats[0]?.status === 'sitting_out');
  ada.leave();
  bob.drop();
  driver.join('cyd');
  t.same(ada.all('table_state'), [], 'whatever else happens at the table');
  t.notOk(leaveAgain());
  t.equal(driver.table.seatOf(ada.agentId)?.leaving, true);
  ada.leave();
  t.same(errors(ada), ['leave_pending'], 'who asks again before it is out');
  driver.cashOut();
  t.equal(ada.inbox.at(-1)?.type, 'player_left');
  ada.leave();
  t.same(errors(ada), ['leave_pending', 'not_at_table']);
  t.end();
});

void t.test('a leaver that connects again on its way out reads the state, then player_left', (t) => {
  const { driver, ada } = headsUp();
  driver.holdReleases = true;
  ada.leave();
  ada.drop();
  ada.connect();
  t.equal(statusOf(ada, 0), 'sitting_out');
  ada.connect();
  driver.forget();
  driver.cashOut();
  t.same(ada.types(), ['player_left']);
  t.end();
});

void t.test('f nor does one whose excess is on its way to the balance', (t) => {
  const { driver, ada, bob } = headsUp({ rules: { maxStack: 2500 } }, [2000, 2010]);
  driver.holdSkims = true;
  driver.deal('Ks As Kd Ad 2c 7d 9h Jc 4s');
  ada.act('all_in');
  bob.act('call');
  driver.forget();
  ada.leave();
  driver.do(() => driver.skimmed());
  t.same(ada.types(), ['chips_skimmed', 'player_left']);
  t.end();
});

void t.test('a leave in a hand: the actor folds at once, the seat is given up at hand end', (t) => {
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

void t.test('a leaver who is not the actor folds when its turn comes, and is asked nothing', (t) => {
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

void t.test('leave and rebuy without a seat: not_at_table', (t) => {
  const { driver, ada } = headsUp();
  ada.leave();
  driver.plug(ada);
  ada.leave();
  ada.rebuy();
  t.same(errors(ada), ['not_at_table', 'not_at_table']);
  t.end();
});

void t.test('a seated rebuy is refused: in a hand rebuy_during_hand, else invalid_rebuy', (t) => {
  const { driver, ada } = headsUp();
  ada.rebuy();
  driver.deal();
  ada.rebuy();
  t.same(errors(ada), ['invalid_rebuy', 'rebuy_during_hand']);
  t.end();
});

void t.test('a reconnect reads its table_state and, being the actor, the same your_turn with the same token', (t) => {
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
});

void t.test(
  'a takeover: the new socket reads the state and the turn, the old one nothing more, the others nothing',
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
