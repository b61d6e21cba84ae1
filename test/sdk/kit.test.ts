/**
 * The TypeScript kit against a server that sends what a real one seldom does. The kit gives one answer a turn, and the
 * safe one where `decide` fails. It does not fight after a takeover, obeys limits, and asks for chips once. The same in
 * Python: sdk/python/tests.
 */
import { EventEmitter, once } from 'node:events';
import t, { type Test } from 'tap';
import { OpenTurn } from '../../sdk/typescript/src/turn.js';
import { Backoff } from '../../sdk/typescript/src/backoff.js';
import { Connection } from '../../sdk/typescript/src/connection.js';
import { Hand, legalChoice, potsOf, positionOf, type HandFields } from '../../sdk/typescript/src/hand.js';
import {
  playBot,
  type BotOptions,
  type ConnectionChange,
  type LogRecord,
  type Summary,
  type Warning,
} from '../../sdk/typescript/src/index.js';
import type { ServerMessageOf, ServerMessageType } from '../../src/protocol/server.js';
import { examples } from '../support/frames.js';
import { FILE_MS } from '../support/limits.js';
import { ScriptedServer, type Conversation } from '../support/scripted-server.js';

t.setTimeout(FILE_MS);

const turn = examples.your_turn;
const { turn_token: token, hand_id: handId, table_id: tableId } = turn;
const answer = (action: string, id = token, amount?: number) => ({
  type: 'action',
  action,
  ...(amount === undefined ? {} : { amount }),
  client_action_id: id,
  turn_token: token,
  hand_id: handId,
});

/** A conversation in which numbers rise. */
class Talk {
  #seq = 100;
  constructor(readonly raw: Conversation) {}

  say<T extends ServerMessageType>(type: T, changes: Partial<ServerMessageOf[T]> = {}): void {
    const numbered = 'table_seq' in examples[type] ? { table_seq: ++this.#seq } : {};
    this.raw.say(type, { ...numbered, ...changes } as Partial<ServerMessageOf[T]>);
  }

  heard = () => this.raw.heard();
}

interface Scene {
  server: ScriptedServer;
  talk: Talk;
  warnings: Warning[];
  summary: Promise<Summary>;
}

async function connected(t: Test, options: Partial<BotOptions>): Promise<Scene> {
  const server = await ScriptedServer.open(t);
  const warnings: Warning[] = [];
  const stop = new AbortController();
  t.teardown(() => stop.abort());
  const summary = playBot({
    wsUrl: server.wsUrl,
    apiKey: 'ap_secret',
    signal: stop.signal,
    decide: (hand) => hand.call(),
    ...options,
    on: { warning: (warning) => void warnings.push(warning), log: () => undefined, ...options.on },
  });
  const talk = new Talk(await server.connection());
  t.equal(talk.raw.authorization, 'Bearer ap_secret');
  talk.say('connected');
  return { server, talk, warnings, summary };
}

async function atTurn(t: Test, options: Partial<BotOptions>): Promise<Scene> {
  const scene = await connected(t, options);
  t.match(await scene.talk.heard(), { type: 'join_lobby' });
  for (const type of ['table_joined', 'hand_start', 'hole_cards', 'table_state', 'your_turn'] as const) {
    scene.talk.say(type);
  }
  return scene;
}

void t.test('a turn is answered once; what the rules refuse is followed by the safe action, once', async (t) => {
  const hands: Hand[] = [];
  const { talk, warnings } = await atTurn(t, {
    decide: (hand) => {
      hands.push(hand);
      return hand.raiseTo(60);
    },
  });
  t.same(await talk.heard(), answer('raise', token, 60));
  t.match(hands[0], { handId, tableId, seat: 0, hole: ['As', 'Td'], toCall: 10, pot: 30, position: 'big_blind' });
  t.match(hands[0], { minRaise: 40, maxRaise: 2000, stack: 1980, canCheck: false, canRaise: true, button: 3 });
  talk.say('your_turn');
  const details = { code: 'invalid_action', client_action_id: token } as const;
  talk.say('action_rejected', { code: 'invalid_action', details });
  t.same(await talk.heard(), answer('fold', `${token}-safe`), 'not the same again when the turn was told again');
  talk.say('action_rejected', {
    code: 'invalid_action',
    details: { ...details, client_action_id: `${token}-safe` } as never,
  });
  talk.say('action_rejected', { code: 'stale_turn_token' });
  talk.say('table_closed');
  t.match(await talk.heard(), { type: 'join_lobby' }, 'nothing else was said before');
  t.same(
    warnings.map(({ kind }) => kind),
    ['rejected', 'rejected', 'rejected'],
  );
  t.equal(hands.length, 1);
  t.ok(hands[0]!.signal.aborted);
});

void t.test('an answer that may be lost goes out again as it was, and not after its acknowledgement', async (t) => {
  const { talk, server } = await atTurn(t, { decide: (hand) => hand.raisePot(Math.random()) });
  const first = await talk.heard();
  talk.raw.cut();
  const second = new Talk(await server.connection());
  second.say('connected');
  t.match(await second.heard(), { type: 'resync_request', table_id: tableId });
  second.say('your_turn', { table_seq: 200 });
  t.same(await second.heard(), first);
  second.say('action_ack', { client_action_id: token, table_seq: 201 });
  second.say('your_turn', { table_seq: 202 });
  second.say('table_closed', { table_seq: 203 });
  t.match(await second.heard(), { type: 'join_lobby' });
});

void t.test('where decide throws, is late or says nonsense, the kit checks or folds', async (t) => {
  const failures: [what: string, kind: string, options: Partial<BotOptions>][] = [
    ['throws', 'decide', { decide: () => Promise.reject(new Error('no idea')) }],
    ['asks for too much', 'decide', { decide: () => ({ action: 'raise', amount: 9999 }) }],
    ['says nonsense', 'decide', { decide: () => 'all my chips' as never }],
    ['never answers', 'late', { decide: () => new Promise(() => undefined), timeoutSeconds: 1, deadline: 900 }],
  ];
  for (const [what, kind, options] of failures) {
    const { talk, warnings } = await atTurn(t, options);
    t.same(await talk.heard(), answer('fold'), what);
    t.match(warnings, [{ kind }]);
  }
});

void t.test('a state without the hand of the turn ends the decision: a hand that was cut off is void', async (t) => {
  const seen = new EventEmitter();
  const { talk, warnings } = await atTurn(t, {
    decide: async (hand) => {
      seen.emit('turn', hand);
      await once(seen, 'enough');
      return hand.call();
    },
    on: { table_state: () => void seen.emit('state') },
  });
  const [hand] = (await once(seen, 'turn')) as [Hand];
  talk.say('table_state');
  await once(seen, 'state');
  t.notOk(hand.signal.aborted, 'its own hand goes on');
  talk.say('table_state', { hand_id: null, street: 'idle', board: [] });
  await once(seen, 'state');
  t.ok(hand.signal.aborted);
  seen.emit('enough');
  talk.say('table_closed');
  t.match(await talk.heard(), { type: 'join_lobby' }, 'nothing is said of the void hand');
  t.same(warnings, []);
});

void t.test('final close codes end it, and no key is in the log', async (t) => {
  const reasons = { 4001: 'refused', 4002: 'taken_over', 4003: 'token_expired', 4009: 'other_scope' } as const;
  for (const [code, reason] of Object.entries(reasons)) {
    const told: string[] = [];
    const { talk, summary } = await connected(t, { on: { log: (record) => void told.push(JSON.stringify(record)) } });
    talk.raw.close(Number(code));
    t.same(await summary, { hands: 0, chips: null, reason, closeCode: Number(code) });
    t.notMatch(told.join(), /ap_secret/);
  }
});

void t.test('after 1008 it comes back, not at once, and says less', async (t) => {
  const changes: ConnectionChange[] = [];
  const slowed = t.capture(Connection.prototype, 'slowDown', Connection.prototype.slowDown);
  const { talk, server } = await connected(t, { on: { connection: (change) => void changes.push(change) } });
  talk.raw.close(1008);
  const again = new Talk(await server.connection());
  t.match(changes[1], { state: 'lost', code: 1008 });
  t.ok(changes[1]!.retryInMs! >= 1000, 'as the server is left alone after 1012');
  t.equal(slowed().length, 1);
  again.say('connected');
  t.match(await again.heard(), { type: 'join_lobby' });
});

void t.test('what a limit dropped is said again; chips are asked for under one id', async (t) => {
  const { talk } = await connected(t, {});
  t.match(await talk.heard(), { type: 'join_lobby' });
  talk.say('error', { code: 'rate_limited' });
  t.match(await talk.heard(), { type: 'join_lobby' });
  talk.say('table_joined');
  talk.say('player_left', { seat: 0, reason: 'busted' });
  talk.say('busted', { options: ['rebuy', 'leave'] });
  const rebuy = await talk.heard();
  t.match(rebuy, { type: 'rebuy', amount: 0, request_id: /^[0-9a-f-]{36}$/ });
  talk.say('error', {
    code: 'rebuy_cooldown',
    cooldown_seconds: 1,
    rebuy_at: '2025-06-01T12:00:01.000+00:00',
  } as never);
  t.same(await talk.heard(), rebuy, 'the same when it is over');
  talk.say('rebuy_confirmed');
  t.match(await talk.heard(), { type: 'join_lobby' });
});

void t.test('one join at a time, whatever ends a stay', async (t) => {
  const { talk, server } = await atTurn(t, {});
  await talk.heard();
  talk.say('table_closed', { reason: 'season_ended' });
  t.match(await talk.heard(), { type: 'join_lobby' });
  talk.say('action_rejected', { code: 'table_not_found' });
  talk.say('season_ended');
  talk.say('error', { code: 'table_not_found' });
  // Had it joined again, that would be heard before the rebuy.
  talk.say('error', { code: 'insufficient_season_chips' });
  t.match(await talk.heard(), { type: 'rebuy' });
  talk.say('rebuy_confirmed');
  t.match(await talk.heard(), { type: 'join_lobby' });
  talk.say('lobby_joined');
  talk.say('season_ended');
  t.match(await talk.heard(), { type: 'join_lobby' }, 'in line for what is over');
  talk.say('error', { code: 'already_in_lobby' });
  talk.raw.cut();
  const again = new Talk(await server.connection());
  again.say('connected');
  t.match(await again.heard(), { type: 'join_lobby' }, 'a lost connection loses the place');
  again.say('error', { code: 'rate_limited' });
  t.match(await again.heard(), { type: 'join_lobby' }, 'it may have been the join that was dropped');
  again.say('table_joined');
  again.say('lobby_joined');
  again.say('table_closed');
  t.match(await again.heard(), { type: 'join_lobby' }, 'a late word of the lobby hinders nothing');
});

void t.test('a rebuy keeps it from joining; the end of a season settles it', async (t) => {
  for (const said of [true, false]) {
    let tell: (wanted: boolean) => void = () => undefined;
    const { talk, warnings } = await atTurn(t, { rebuy: () => new Promise((resolve) => (tell = resolve)) });
    await talk.heard();
    talk.say('player_left', { seat: 0, reason: 'busted' });
    talk.say('busted', { options: ['rebuy', 'leave'] });
    talk.say('action_rejected', { code: 'table_not_found' });
    talk.say('season_ended');
    t.match(await talk.heard(), { type: 'join_lobby' });
    tell(said);
    talk.say('error', { code: 'invalid_rebuy' });
    talk.say('table_joined', { table_seq: 1000 });
    talk.say('table_closed', { table_seq: 1001 });
    t.match(await talk.heard(), { type: 'join_lobby' }, 'and nothing before: nobody needs the answer any more');
    t.same(
      warnings.map(({ kind }) => kind),
      ['rejected', 'error'],
    );
  }
});

void t.test('a seat is told once', async (t) => {
  const lines: string[] = [];
  const log = ({ event, text }: LogRecord) => void (event === 'seated' && lines.push(text));
  const { talk } = await atTurn(t, { on: { log } });
  await talk.heard();
  talk.say('error', { code: 'already_seated', table_id: tableId, seat: 0 } as never);
  t.match(await talk.heard(), { type: 'resync_request' });
  talk.say('table_joined');
  talk.say('table_closed');
  await talk.heard();
  t.same(lines, [`sits at table ${tableId}, seat 0`]);
});

void t.test('who wants no rebuy ends with a bust, and who has played enough leaves first', async (t) => {
  const broke = await connected(t, { rebuy: 'never' });
  await broke.talk.heard();
  broke.talk.say('table_joined');
  broke.talk.say('player_left', { seat: 0, reason: 'busted' });
  broke.talk.say('busted', { options: ['rebuy', 'leave'] });
  t.match(await broke.summary, { reason: 'busted' });

  const done = await atTurn(t, { hands: 1 });
  await done.talk.heard();
  done.talk.say('hand_result');
  t.match(await done.talk.heard(), { type: 'leave_table' });
  // Without a pause between hands the next one has begun; the server passes it.
  const next = 'ffffffff-0000-4000-8000-000000000000';
  done.talk.say('hand_start', { hand_id: next });
  done.talk.say('hand_result', { hand_id: next, final_stacks: { 0: 7, 1: 9 } });
  // The server gave the seat up first.
  done.talk.say('error', { code: 'leave_pending', message: '' });
  done.talk.say('player_left', { seat: 0, reason: 'left' });
  t.match(await done.summary, { hands: 1, chips: examples.hand_result.final_stacks['0'], reason: 'hands' });
  t.same(done.warnings, [], 'nothing to complain of');
});

void t.test('what an author wrote is told with file and line where it throws', async (t) => {
  const logged: LogRecord[] = [];
  const { talk, warnings } = await atTurn(t, {
    decide: () => {
      throw new Error('no model');
    },
    on: {
      log: (record) => void logged.push(record),
      your_turn: () => {
        throw new TypeError('no hook');
      },
    },
  });
  await talk.heard();
  t.match(warnings, [{ kind: 'decide', text: /^decide threw Error: no model \(kit\.test\.[jt]s:\d+\)$/ }]);
  const errors = logged.filter(({ level }) => level === 'error').map(({ text }) => text);
  t.equal(errors.length, 1);
  t.match(errors[0], /^the handler of your_turn threw TypeError: no hook \(kit\.test\.[jt]s:\d+\)$/);
});

const fields: HandFields = {
  handId,
  tableId,
  seat: 0,
  street: 'flop',
  hole: ['As', 'Td'],
  board: ['2c', '3c', '4c'],
  pot: 100,
  pots: [],
  toCall: 20,
  stack: 500,
  bet: 10,
  button: 0,
  position: 'button',
  smallBlind: 10,
  bigBlind: 20,
  deadline: 0,
  timeBankMs: null, // prettier-ignore
  players: [
    { seat: 0, name: 'ada', stack: 500, bet: 10, status: 'active', inHand: true, folded: false },
    { seat: 1, name: 'bob', stack: 900, bet: 30, status: 'active', inHand: true, folded: false },
  ],
  canCheck: false,
  canCall: true,
  canRaise: true,
  canFold: true,
  canAllIn: true,
  minRaise: 50,
  maxRaise: 510,
  history: { preflop: [], flop: [], turn: [], river: [] },
};

void t.test('decide may return a mix of legal actions, which is sent in the place of the action', (t) => {
  const hand = new Hand(fields);
  const mix = [{ ...hand.call(), p: 0.25 }, { ...hand.raiseTo(60), p: 0.75 }]; // prettier-ignore
  t.same(legalChoice(hand, { mix }), { mix });
  t.same(legalChoice(hand, hand.call()), { action: 'call' });
  const turn = new OpenTurn('token-1', hand);
  turn.decide({ mix });
  const sent = turn.toSend()!;
  t.same(sent.action, { mix: [{ action: 'call', p: 0.25 }, { action: 'raise', amount: 60, p: 0.75 }] }); // prettier-ignore
  t.notOk('amount' in sent);
  t.equal(turn.fallBack(sent.client_action_id!), true, 'a refused mix becomes the safe action');
  t.equal(turn.toSend()!.action, 'fold');
  const free = new Hand({ ...fields, canCheck: true, canFold: false });
  t.same(legalChoice(free, { mix: [{ action: 'fold', p: 1 }] }), { mix: [{ action: 'check', p: 1 }] });
  const half = { action: 'call', p: 0.5 };
  const bad: unknown[] = [
    [],
    'call',
    [half],
    new Array(9).fill(half),
    [{ action: 'call' }],
    [{ action: 'call', p: 0 }, half],
  ];
  for (const parts of [...bad, [half, { action: 'check', p: 0.5 }], [half, { action: 'raise', amount: 511, p: 0.5 }]]) {
    t.throws(() => legalChoice(hand, { mix: parts }), { name: 'IllegalAction' }, JSON.stringify(parts));
  }
  t.end();
});

void t.test('helpers keep to what is legal', (t) => {
  const hand = new Hand(fields);
  t.same(hand.raiseTo(1), { action: 'raise', amount: 50 });
  t.same(hand.raiseTo(1e9), { action: 'raise', amount: 510 });
  t.same(hand.raiseTo(60.5), { action: 'raise', amount: 61 });
  t.same(hand.raiseBy(40), { action: 'raise', amount: 70 });
  t.same(hand.raisePot(0.5), { action: 'raise', amount: 90 });
  t.throws(() => hand.raiseTo(NaN), { name: 'IllegalAction' });
  t.throws(() => hand.check(), { name: 'IllegalAction' });
  t.same(
    [hand.call(), hand.fold(), hand.allIn(), hand.safe].map(({ action }) => action),
    ['call', 'fold', 'all_in', 'fold'],
  );
  const closed = new Hand({ ...fields, canRaise: false, minRaise: 0, maxRaise: 0 });
  t.same(closed.raiseTo(510), { action: 'all_in' });
  t.same(closed.raiseTo(509), { action: 'call' });
  const free = new Hand({ ...fields, canCheck: true, canCall: false, canFold: false, canAllIn: false, toCall: 0 });
  t.same(
    [free.call(), free.fold(), free.allIn()].map(({ action }) => action),
    ['check', 'check', 'check'],
  );
  t.end();
});

void t.test('pots, places and pauses', (t) => {
  const pots = potsOf(
    new Map([
      [0, 50],
      [1, 200],
      [2, 200],
      [3, 20],
      [4, 250],
    ]),
    new Set([3, 4]),
  );
  t.same(pots, [
    { amount: 220, seats: [0, 1, 2] },
    { amount: 500, seats: [1, 2] },
  ]);
  t.same(
    [0, 2, 5].map((seat) => positionOf(seat, 2, [0, 2, 5])),
    ['big_blind', 'button', 'small_blind'],
  );
  t.same(
    [3, 4].map((seat) => positionOf(seat, 4, [3, 4])),
    ['big_blind', 'button'],
  );
  const most = new Backoff(() => 1);
  t.same(
    Array.from({ length: 8 }, () => most.next()),
    [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000],
  );
  most.reset();
  t.equal(most.next({ busy: true }), 1250);
  t.equal(new Backoff(() => 0).next({ retryAfterMs: 7000 }), 7000);
  t.end();
});
