/** Actions: which are accepted, which refused and why, retries, time-outs, floods (protocol.md, "Actions"). */
import t from 'tap';
import { FLOOD_KICK_AT, FLOOD_WARNING_AT } from '../../src/table/seats/flood.js';
import { FILE_MS } from '../support/limits.js';
import { TableDriver, type Client } from '../support/table-driver.js';

t.setTimeout(FILE_MS);

const { headsUp, ring } = TableDriver;

const codes = (client: Client) => client.all('action_rejected').map(({ code }) => code);
const errors = (client: Client) => client.all('error').map(({ code }) => code);

void t.test('strict form: each missing or wrong field has its code, and the checks have an order', (t) => {
  const { driver, ada, bob } = headsUp();
  ada.act('call', null, { client_action_id: undefined, turn_token: undefined, hand_id: undefined });
  t.match(ada.last('action_rejected'), { code: 'no_hand_in_progress', reason: 'No hand in progress', hand_id: null });
  driver.deal();
  const cases = [
    // Not the actor, no id: the id is looked at first.
    [bob, { client_action_id: undefined, turn_token: undefined }, 'missing_action_id', 'Missing client_action_id'],
    [bob, { client_action_id: null }, 'missing_action_id', 'Missing client_action_id'],
    [ada, { turn_token: undefined }, 'legacy_action_protocol'],
    [ada, { hand_id: undefined }, 'legacy_action_protocol'],
    [bob, { hand_id: 'another', turn_token: 'x' }, 'stale_hand_action'],
    [bob, { hand_id: ada.turn!.hand_id, turn_token: ada.turn!.turn_token }, 'not_your_turn', 'Not your turn'],
    [ada, { turn_token: 'x' }, 'stale_turn_token', 'Stale or missing turn_token'],
  ] as const;
  for (const [client, fields, code, reason] of cases) {
    client.act('call', null, fields);
    t.match(client.last('action_rejected'), { code, details: { code }, ...(reason === undefined ? {} : { reason }) });
  }
  ada.act('check');
  t.match(ada.last('action_rejected'), { code: 'invalid_action', reason: 'Cannot check: there is a bet to call' });
  t.equal(driver.table.inHand, true);
  ada.act('call');
  t.equal(ada.last('action_ack').status, 'accepted', 'the turn stayed open with the same token');
  t.end();
});

void t.test('a rejection names the client_action_id it answers', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  const sent = ada.act('check');
  t.same(ada.last('action_rejected').details, { code: 'invalid_action', client_action_id: sent.client_action_id });
  t.end();
});

void t.test('an agent without a seat here is not at a table', (t) => {
  const { driver, ada, bob } = headsUp();
  bob.leave();
  const gone = driver.now;
  driver.plug(bob);
  bob.act('call', null, { hand_id: 'h', turn_token: 'x' });
  t.match(bob.last('action_rejected'), { code: 'not_at_table', reason: 'You are not at a table' });
  t.equal(driver.now, gone);
  t.same(codes(ada), []);
  t.end();
});

void t.test('what the engine refuses is invalid_action, and the turn stays open', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  for (const amount of [null, 39, 40.5, 2001, -40, 1e300]) {
    ada.act('raise', amount);
    t.equal(ada.last('action_rejected').code, 'invalid_action', `raise to ${amount}`);
  }
  ada.act('call', 17.5);
  t.match(ada.last('player_action'), { action: 'call', amount: 10 }, 'the amount of anything but a raise is ignored');
  t.end();
});

void t.test('a raise to a fraction is told the legal totals next to it', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  for (const [amount, nearest] of [
    [137.5, [137, 138]],
    [12.5, [40, 41]],
    [99_999.5, [1999, 2000]],
    [2001, undefined],
    [null, undefined],
  ] as const) {
    ada.act('raise', amount);
    t.same(ada.last('action_rejected').details.nearest, nearest, `raise to ${amount}`);
  }
  const short = headsUp({}, [2000, 30]);
  short.driver.deal();
  short.ada.act('call');
  short.bob.act('raise', 25.5);
  t.same(short.bob.last('action_rejected').details.nearest, [30], 'only all-in is left');
  t.end();
});

void t.test('a fold where checking is free is a check, and no fault', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  ada.act('call');
  const { hand_id, turn_token } = bob.turn!;
  const one = { client_action_id: 'one', hand_id, turn_token };
  bob.act('fold', null, one);
  t.equal(bob.last('action_ack').taken_as, 'check');
  t.match(ada.last('player_action'), { seat: 1, action: 'check', amount: null, reason: null });
  driver.forget();
  bob.act('fold', null, one);
  t.equal(bob.last('action_ack').taken_as, 'check', 'said again it is the same');
  bob.act('check', null, one);
  t.equal(bob.last('action_rejected').code, 'action_id_conflict');
  t.same(ada.all('player_action'), []);
  for (let i = 0; i < 20; i++) {
    driver.forget();
    if (!driver.table.inHand) driver.advance(1_000);
    driver.actor.act('fold');
  }
  t.same([...ada.all('error'), ...bob.all('error')], [], 'nobody is warned');
  t.end();
});

void t.test('so it is for a lean socket, and with FREE_FOLD=reject it is refused', (t) => {
  const lean = new TableDriver();
  lean.join('ada');
  const bob = lean.join('bob', 2000, {}, 0, true);
  lean.deal();
  lean.actor.act('call');
  bob.act('fold');
  t.match(bob.last('ack'), { taken_as: 'check' });
  const strict = headsUp({ rules: { freeFold: 'reject' } });
  strict.driver.deal();
  strict.ada.act('call');
  strict.bob.act('fold');
  t.match(strict.bob.last('action_rejected'), { code: 'invalid_action', reason: 'Cannot fold when checking is free' });
  t.ok(strict.bob.asked, 'the turn stays open');
  t.end();
});

void t.test('a turn_token is consumed on use', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  const turn = ada.turn!;
  ada.act('call');
  bob.act('check');
  bob.act('check');
  ada.act('check', null, { turn_token: turn.turn_token });
  t.equal(ada.last('action_rejected').code, 'stale_turn_token');
  t.end();
});

void t.test('the same id with the same payload answers the same action_ack again', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  const call = ada.act('call');
  driver.forget();
  ada.send(call);
  ada.send({ type: 'action', action: 'call', client_action_id: call.client_action_id!, hand_id: call.hand_id! });
  t.same(
    ada.take().map((message) => message.type),
    ['action_ack', 'action_ack'],
    'an absent amount equals null',
  );
  t.same(bob.types(), [], 'and nothing happens twice');
  ada.send({ ...call, action: 'raise', amount: 60 });
  t.match(ada.last('action_rejected'), {
    code: 'action_id_conflict',
    reason: 'Conflicting payload for existing client_action_id',
  });
  bob.act('raise', 100);
  const raise = ada.act('raise', 300);
  ada.send({ ...raise, amount: 301 });
  ada.send({ ...raise, amount: 300.0 });
  t.equal(
    ada.inbox.filter(({ type }) => type === 'action_rejected' || type === 'action_ack').at(-1)?.type,
    'action_ack',
  );
  t.same(codes(ada), ['action_id_conflict', 'action_id_conflict']);
  t.end();
});

void t.test('a one constant id in a hand: each further turn is a conflict, never an old ack', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  const first = ada.act('call', null, { client_action_id: 'action' });
  bob.act('check', null, { client_action_id: 'action' });
  t.equal(bob.last('action_ack').client_action_id, 'action', 'which is another agent’s');
  bob.act('check', null, { client_action_id: 'action' });
  t.equal(bob.last('action_rejected').code, 'action_id_conflict', 'the same word in another turn');
  t.equal(bob.all('action_ack').length, 1);
  bob.act('check', null, { client_action_id: 'another' });
  t.equal(bob.all('action_ack').length, 2, 'the turn stayed open');
  driver.forget();
  ada.act('call', null, { client_action_id: 'action' });
  t.same(codes(ada), ['action_id_conflict']);
  ada.send(first);
  t.equal(ada.last('action_ack').client_action_id, 'action', 'a true retry is none');
  t.end();
});

void t.test('e to_call_before is the price, also for a stack that cannot pay it', (t) => {
  const { driver, players } = ring('ada bob cyd', {}, [2000, 300, 500]);
  const [ada, bob, cyd] = players;
  driver.deal();
  // The state of a reducer: bets of the street by seat.
  const bets = [0, 10, 20];
  const price = (seat: number) => Math.max(...bets) - bets[seat]!;
  const turns = [() => ada.act('raise', 600), () => bob.act('call'), () => cyd.act('all_in')];
  for (const [seat, act] of turns.entries()) {
    const expected = price(seat);
    act();
    const told = ada.last('player_action');
    t.equal(told.to_call_before, expected, `seat ${seat}`);
    bets[seat]! += told.contribution_delta;
  }
  t.match(
    cyd.resync(null).replayed_events.filter(({ type }) => type === 'player_action'),
    [{ to_call_before: 20 }, { to_call_before: 590 }, { to_call_before: 580 }],
  );
  t.end();
});

void t.test('rejections count for flood also where the table only remembers who sat there', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  const fold = ada.act('fold');
  ada.leave();
  driver.plug(ada);
  driver.forget();
  for (let n = 0; n < 30; n++) ada.send(fold);
  t.same(errors(ada), [], 'a retry is no fault');
  for (let n = 1; n < FLOOD_WARNING_AT; n++) {
    if (n % 2 === 0) ada.sendRubbish();
    else ada.act('call');
  }
  t.same(errors(ada), []);
  ada.act('call');
  t.same(errors(ada), ['flood_warning']);
  for (let n = 0; n < 2 * FLOOD_KICK_AT; n++) ada.act('call');
  t.same(errors(ada).includes('flood_kick'), false, 'there is no seat to lose');
  t.same(errors(bob), []);
  t.end();
});

void t.test('only accepted actions bind an id', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  ada.act('check', null, { client_action_id: 'mine' });
  ada.act('call', null, { client_action_id: 'mine' });
  t.equal(ada.last('action_ack').client_action_id, 'mine');
  t.end();
});

void t.test('an id is scoped to agent and hand: others and later hands may use it again', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  ada.act('call', null, { client_action_id: 'same' });
  bob.act('raise', 60, { client_action_id: 'same' });
  t.equal(bob.last('action_ack').client_action_id, 'same');
  ada.act('fold');
  driver.deal();
  bob.act('call', null, { client_action_id: 'same' });
  t.equal(bob.all('action_ack').length, 2);
  t.same(codes(ada).concat(codes(bob)), []);
  t.end();
});

void t.test('a retry is answered also after the hand and the seat are gone, under the hand it names', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  const fold = ada.act('fold');
  driver.forget();
  ada.send(fold);
  t.match(ada.last('action_ack'), { client_action_id: fold.client_action_id, hand_id: fold.hand_id, hand_seq: null });
  driver.deal();
  ada.send(fold);
  t.match(ada.last('action_ack'), { hand_id: fold.hand_id, hand_seq: null });
  bob.act('fold');
  ada.leave();
  driver.plug(ada);
  ada.send(fold);
  t.match(ada.last('action_ack'), { client_action_id: fold.client_action_id, hand_id: fold.hand_id });
  t.end();
});

void t.test('an id is remembered as long as the replay window reaches', (t) => {
  const { driver, ada } = headsUp({ rules: { replayHands: 3 } });
  driver.deal();
  const fold = ada.act('fold');
  for (let hand = 0; hand < 3; hand++) {
    driver.deal();
    driver.actor.act('fold');
    ada.send(fold);
    t.equal(ada.inbox.at(-1)?.type, 'action_ack');
  }
  driver.deal();
  ada.send(fold);
  t.equal(ada.last('action_rejected').code, 'stale_hand_action');
  t.end();
});

void t.test('loose form: any id may be missing, those present must be right', (t) => {
  const { driver, ada, bob } = headsUp({ rules: { actionProtocol: 'loose' } });
  const bare = { client_action_id: undefined, turn_token: undefined, hand_id: undefined };
  driver.deal();
  bob.act('call', null, bare);
  ada.act('call', null, { ...bare, turn_token: 'x' });
  ada.act('call', null, { ...bare, hand_id: 'x' });
  t.same([...codes(bob), ...codes(ada)], ['not_your_turn', 'stale_turn_token', 'stale_hand_action']);
  ada.act('call', null, bare);
  t.equal(ada.last('action_ack').client_action_id, null);
  bob.act('check', null, { ...bare, client_action_id: 'b-1' });
  t.equal(bob.last('action_ack').client_action_id, 'b-1');
  t.end();
});

void t.test('loose form: an id belongs to its turn, so one constant id serves for ever', (t) => {
  const { driver, ada, bob } = headsUp({ rules: { actionProtocol: 'loose' } });
  const constant = { client_action_id: 'x', turn_token: undefined, hand_id: undefined };
  driver.deal();
  ada.act('call', null, constant);
  driver.forget();
  ada.act('call', null, constant);
  t.same(ada.types(), ['action_ack'], 'out of turn it is a retry of the last turn');
  ada.act('raise', 60, constant);
  t.equal(ada.last('action_rejected').code, 'action_id_conflict');
  bob.act('check', null, constant);
  const bobFlop = bob.act('check', null, constant);
  t.equal(bob.all('action_ack').length, 2, 'in turn it is a new action');
  ada.act('check', null, constant);
  driver.forget();
  bob.send({ ...bobFlop, turn_token: 'of-the-turn-before' });
  t.same(bob.types(), ['action_ack'], 'a token of another turn makes it a retry even when it is the turn again');
  t.end();
});

void t.test('a late player checks when checking is free, and else folds, with reason timeout', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  ada.act('call');
  driver.advance(119_999);
  t.equal(ada.all('player_action').length, 1);
  driver.advance(1);
  t.match(ada.last('player_action'), { seat: 1, action: 'check', amount: null, reason: 'timeout' });
  t.equal(ada.last('table_state').street, 'flop');
  bob.act('raise', 40);
  driver.advance(120_000);
  t.match(bob.last('player_action'), { seat: 0, action: 'fold', reason: 'timeout' });
  t.same(
    driver.records[0]?.actions.map(({ timeout }) => timeout),
    [false, true, false, true],
  );
  t.end();
});

void t.test('the clock starts with your_turn: neither a rejection, nor a resync, nor a reconnect extends it', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  const deadline = driver.table.nextDeadline;
  t.equal(deadline, driver.now + 120_000);
  driver.advance(100_000);
  ada.act('check');
  ada.resync(0);
  ada.drop();
  driver.advance(10_000);
  ada.connect();
  t.equal(driver.table.nextDeadline, deadline);
  driver.advance(10_000);
  t.match(ada.last('player_action'), { seat: 0, action: 'fold', reason: 'timeout' });
  t.end();
});

void t.test('a disconnected actor is timed out as anyone', (t) => {
  const { driver, ada, bob } = headsUp({ rules: { actionTimeoutMs: 30_000 } });
  driver.deal();
  ada.drop();
  driver.advance(30_000);
  t.match(bob.last('player_action'), { seat: 0, action: 'fold', reason: 'timeout' });
  t.end();
});

void t.test('flood: the 10th rejection in 5 s warns once, the 20th removes the seat as a leave', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  for (let i = 0; i < FLOOD_KICK_AT - 1; i++) {
    bob.act('call');
    driver.advance(200);
    t.same(errors(bob), i + 1 < FLOOD_WARNING_AT ? [] : ['flood_warning'], `rejection ${i + 1}`);
  }
  bob.act('call');
  t.same(errors(bob), ['flood_warning', 'flood_kick']);
  t.equal(codes(bob).length, FLOOD_KICK_AT, 'every one of them was answered');
  t.equal(bob.last('table_state').seats[1]?.status, 'sitting_out');
  ada.act('call');
  t.match(ada.last('player_action'), { seat: 1, action: 'check', reason: 'left' });
  driver.checkDown();
  t.match(bob.last('player_left'), { seat: 1, name: 'bob', reason: 'left' });
  t.end();
});

void t.test('invalid messages count as rejections do; slow ones never add up', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  for (let i = 0; i < 40; i++) {
    ada.sendRubbish();
    driver.advance(600);
  }
  t.same(errors(ada), []);
  for (let i = 0; i < FLOOD_KICK_AT; i++) ada.sendRubbish();
  t.same(errors(ada), ['flood_warning', 'flood_kick']);
  t.match(ada.last('player_action'), { seat: 0, action: 'fold', reason: 'left' }, 'the actor folds at once');
  t.end();
});

void t.test('an accepted retry is no rejection and does not count for flood', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  const call = ada.act('call');
  for (let i = 0; i < 30; i++) ada.send(call);
  t.same(errors(ada), []);
  t.equal(ada.all('action_ack').length, 31);
  t.end();
});

void t.test('a newcomer during a hand has no turn in it', (t) => {
  const {
    driver,
    players: [ada],
  } = ring('ada bob cyd');
  driver.deal();
  const dan = driver.join('dan');
  t.match(dan.last('table_state').seats[3], { in_hand: false, status: 'active' });
  t.equal(dan.last('table_state').hero?.hole_cards, undefined);
  dan.act('call', null, { hand_id: ada.turn!.hand_id, turn_token: ada.turn!.turn_token });
  t.equal(dan.last('action_rejected').code, 'not_your_turn');
  driver.checkDown();
  driver.deal();
  t.equal(dan.last('hand_start').seat, 3, 'it is dealt in at the next');
  t.end();
});
