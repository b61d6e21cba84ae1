/** The schemas of the socket's messages: they take the spec's examples, and nothing that is named nowhere. */
import fc from 'fast-check';
import t from 'tap';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ActionRefusal } from '../../src/holdem/types.js';
import { ClientMessages } from '../../src/protocol/client.js';
import * as codes from '../../src/protocol/codes.js';
import { utc } from '../../src/protocol/common.js';
import { Rest } from '../../src/protocol/rest/index.js';
import { errorMessage, ServerMessages, type ServerMessageType } from '../../src/protocol/server.js';
import { examples, idleState } from '../support/frames.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const types = Object.keys(ServerMessages) as ServerMessageType[];
const validators = Object.fromEntries(types.map((type) => [type, Compile(ServerMessages[type] as TSchema)]));
const fits = (type: ServerMessageType, message: object) => validators[type]!.Check(message);

/** The example of a type with some fields put in, or taken out where the value is undefined. */
function like<T extends ServerMessageType>(type: T, change: Record<string, unknown>): object {
  const entries = Object.entries({ ...examples[type], ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

/** All objects inside a value, each with the way to change it in a copy of the whole. */
function* objectsIn(
  value: unknown,
  path: string[] = [],
): Generator<{ path: string[]; object: Record<string, unknown> }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { path, object: value as Record<string, unknown> };
  for (const [key, member] of Object.entries(value)) yield* objectsIn(member, [...path, key]);
}

function changed(whole: object, path: string[], change: (object: Record<string, unknown>) => void): object {
  const copy = structuredClone(whole) as Record<string, unknown>;
  change(path.reduce((here, key) => here[key] as Record<string, unknown>, copy));
  return copy;
}

void t.test('every server message has an example of the spec that its schema accepts', (t) => {
  for (const type of types) t.ok(fits(type, examples[type]), type);
  t.ok(fits('table_state', idleState), 'table_state between hands');
  t.end();
});

void t.test('no object of a message takes a field that its schema does not name', (t) => {
  for (const type of types) {
    for (const { path } of objectsIn(examples[type])) {
      const message = changed(examples[type], path, (object) => (object['extra'] = 1));
      const where = [type, ...path].join('.');
      if (where === 'action_rejected.details') t.ok(fits(type, message), `${where} is open`);
      else t.notOk(fits(type, message), where);
    }
  }
  t.end();
});

void t.test('a message without one of its required fields is refused', (t) => {
  /** Left out where they do not apply. */
  const optional = new Set(
    ['hand_start seat', 'table_state actor_seat', 'table_state to_call', 'table_state hero'].concat(
      ['min_raise_to', 'max_raise_to', 'waiting_reason', 'waiting_details'].map((field) => `table_state ${field}`),
    ),
  );
  for (const type of types) {
    for (const field of Object.keys(examples[type])) {
      const message = like(type, { [field]: undefined });
      t.equal(fits(type, message), optional.has(`${type} ${field}`), `${type} without ${field}`);
    }
  }
  t.end();
});

void t.test('a number that is not a whole, non-negative one is refused everywhere', (t) => {
  for (const type of types) {
    for (const { path, object } of objectsIn(examples[type])) {
      for (const [key, value] of Object.entries(object)) {
        if (typeof value !== 'number') continue;
        for (const wrong of [value + 0.5, -1, String(value)]) {
          const message = changed(examples[type], path, (object) => (object[key] = wrong));
          t.notOk(fits(type, message), `${[type, ...path, key].join('.')} ${JSON.stringify(wrong)}`);
        }
      }
    }
  }
  t.end();
});

void t.test('the envelope is on exactly the messages that carry one', (t) => {
  const none = ['connected', 'error', 'lobby_joined', 'busted', 'rebuy_confirmed', 'season_ended', 'chips_skimmed'];
  const bare = new Set([...none, 'deal_nonce_ack', 'auto_rebuy_set', 'auto_rebuy_scheduled']);
  const answers = new Set(['action_ack', 'action_rejected']);
  const lean = new Set(['hand', 'turn', 'ack', 'result']);
  for (const type of types) {
    const { table_seq, state_hash, stream } = examples[type] as Record<string, unknown>;
    if (lean.has(type)) {
      t.same([state_hash, stream], [undefined, undefined], `${type} has none of it but a number`);
      continue;
    }
    t.equal(table_seq === undefined, bare.has(type), `${type} table_seq`);
    t.equal(state_hash === undefined, bare.has(type) || answers.has(type), `${type} state_hash`);
    if (!bare.has(type)) t.equal(stream, type === 'table_state' ? 'state' : 'event', `${type} stream`);
    if (answers.has(type)) t.notOk(fits(type, like(type, { state_hash: null })), `${type} has no state_hash at all`);
  }
  t.notOk(fits('player_action', like('player_action', { hand_id: null })), 'a hand event names its hand');
  t.ok(fits('player_left', like('player_left', { hand_id: null, hand_seq: null })), 'one leaves between hands too');
  t.notOk(fits('hand_start', like('hand_start', { hand_seq: 2 })), 'hand_start restarts hand_seq at 1');
  for (const wrong of [
    '2025-06-01T12:00:00.123456Z',
    '2025-06-01T12:00:00.123+00:00',
    '2025-06-01 12:00:00.123456+00:00',
  ])
    t.notOk(fits('hole_cards', like('hole_cards', { ts: wrong })), `ts ${wrong}`);
  t.end();
});

void t.test('rejections have an envelope wherever there is a table to number them', (t) => {
  const bare = (code: string) => ({ type: 'action_rejected', code, reason: 'x', details: { code } });
  t.ok(fits('action_rejected', bare('not_at_table')));
  t.ok(fits('action_rejected', bare('table_not_found')));
  t.notOk(fits('action_rejected', bare('not_your_turn')));
  t.end();
});

void t.test('errors carry what belongs to their code, and nothing else', (t) => {
  const place = { table_id: 'c1', seat: 2 };
  const seated = { type: 'error', code: 'already_seated', message: 'x', ...place, details: place };
  t.ok(fits('error', seated));
  t.notOk(fits('error', { ...seated, details: undefined }), 'table and seat stand in details as well');
  t.notOk(fits('error', { type: 'error', code: 'already_seated', message: 'x' }));
  const cooling = { type: 'error', code: 'rebuy_cooldown', message: 'x', cooldown_seconds: 60, rebuy_at: utc(0) };
  t.ok(fits('error', cooling));
  t.notOk(fits('error', { ...cooling, rebuy_at: 60 }));
  t.notOk(fits('error', { type: 'error', code: 'lobby_full', message: 'x', seat: 1 }));
  t.notOk(fits('error', { type: 'error', code: 'no_such_code', message: 'x' }));
  t.ok(fits('error', errorMessage('table_not_found')));
  t.equal(errorMessage('lobby_full', 'Come back later').message, 'Come back later');
  t.end();
});

void t.test('near misses of the frames of a hand are refused', (t) => {
  const turn = (...valid_actions: object[]) => fits('your_turn', like('your_turn', { valid_actions }));
  t.notOk(turn({ action: 'fold' }), 'all four keys');
  t.notOk(turn({ action: 'call', amount: null, min: null, max: null }), 'a call says its price');
  t.notOk(turn({ action: 'raise', amount: 40, min: 40, max: 80 }), 'a raise has bounds, no amount');
  t.notOk(turn({ action: 'bet', amount: null, min: 20, max: 80 }), 'an opening bet is a raise');
  t.notOk(turn(), 'an actor has a choice');
  t.notOk(fits('hole_cards', like('hole_cards', { cards: ['As', '??'] })), 'no hidden card');
  t.notOk(fits('hole_cards', like('hole_cards', { cards: ['As', '10d'] })));
  t.notOk(fits('hole_cards', like('hole_cards', { cards: ['As'] })));
  const board = (street: string, n: number) =>
    fits('community_cards', like('community_cards', { street, cards: ['2c', '7d', 'Kh', '9s', 'Td'].slice(0, n) }));
  t.same([board('flop', 3), board('turn', 1), board('river', 1)], [true, true, true], 'only the new cards');
  t.same([board('turn', 4), board('river', 5)], [true, true], 'BOARD_EVENTS=cumulative');
  t.same([board('flop', 1), board('flop', 4), board('turn', 0), board('preflop', 3)], [false, false, false, false]);
  const action = (change: object) => fits('player_action', like('player_action', { ...change }));
  t.ok(action({ action: 'check', amount: null, amount_mode: 'incremental' }));
  t.ok(action({ reason: 'timeout' }));
  t.notOk(action({ reason: '' }));
  t.notOk(action({ amount_mode: null }));
  t.notOk(action({ street: 'idle' }));
  const result = (change: object) => fits('hand_result', like('hand_result', { ...change }));
  t.ok(result({ shown_cards: {} }), 'no showdown');
  t.notOk(result({ shown_cards: { '6': ['As', 'Ad'] } }), 'no seventh seat');
  t.notOk(result({ rake: 1 }));
  t.notOk(result({ payouts: [] }));
  t.notOk(result({ outcome_kind: 'tie' }));
  t.ok(fits('busted', like('busted', { options: ['leave'] })));
  t.notOk(fits('busted', like('busted', { options: [] })));
  t.end();
});

void t.test('near misses of table_state are refused', (t) => {
  const [ada, nobody] = examples.table_state.seats;
  const withSeat = (seat: object) => {
    const seats = [seat, ...examples.table_state.seats.slice(1)];
    return fits('table_state', like('table_state', { seats }));
  };
  t.ok(withSeat({ ...ada, folded: true }));
  t.notOk(withSeat({ ...ada, in_hand: false }), 'folded stands beside in_hand: true only');
  t.notOk(withSeat({ ...nobody, name: 'ghost' }), 'an empty seat has no name');
  t.notOk(withSeat({ ...nobody, stack: null }), 'the stack is never null');
  t.notOk(withSeat({ ...nobody, in_hand: false }), 'an empty seat has no in_hand');
  t.notOk(withSeat({ ...ada, status: 'waiting' }), 'five statuses, no other');
  t.notOk(withSeat({ ...ada, avatar_url: null }), 'left out where it is null');
  const hero = examples.table_state.hero!;
  t.notOk(fits('table_state', like('table_state', { hero: { ...hero, turn_token: crypto.randomUUID() } })));
  t.notOk(
    fits('table_state', like('table_state', { hero: { ...hero, valid_actions: [{ action: 'fold', amount: null }] } })),
    'keys that do not apply are left out',
  );
  t.notOk(fits('table_state', like('table_state', { state_hash: 'sha256:XYZ' })));
  t.notOk(fits('table_state', { ...idleState, waiting_reason: 'waiting_for_players' }));
  t.notOk(fits('table_state', { ...idleState, street: 'showdown' }));
  t.end();
});

void t.test('a resync replays public events only, and its snapshot may carry the token', (t) => {
  const replay = (event: object) => fits('resync_response', like('resync_response', { replayed_events: [event] }));
  for (const type of types) {
    const replayed = ['hand_start', 'player_action', 'community_cards', 'hand_result', 'player_joined', 'player_left'];
    t.equal(replay(examples[type]), replayed.includes(type) || type === 'table_closed', type);
  }
  t.ok(replay(like('hand_start', { seat: undefined })), "a spectator's hand_start has no seat");
  t.end();
});

void t.test('client messages: numbers in any JSON form, unknown keys ignored, null as absent', (t) => {
  const check = (type: keyof typeof ClientMessages, text: string) =>
    Compile(ClientMessages[type] as TSchema).Check(JSON.parse(text));
  for (const amount of ['100', '100.0', '1e2', 'null', '99.5'])
    t.ok(
      check('action', `{"type":"action","action":"raise","amount":${amount}}`),
      `${amount} (fractions: the engine's)`,
    );
  t.ok(check('action', '{"type":"action","action":"fold","turn_token":null,"note":"hi"}'));
  t.notOk(check('action', '{"type":"action","action":"bet"}'));
  t.notOk(check('action', '{"type":"action","action":"fold","client_action_id":7}'));
  t.notOk(check('action', '{"type":"action"}'));
  t.ok(check('join_lobby', '{"type":"join_lobby"}'));
  for (const amount of ['0', '100', '100.0', '1e2', '-5', 'null']) {
    t.ok(check('join_lobby', `{"type":"join_lobby","buy_in":${amount}}`), `buy_in ${amount}`);
    t.ok(check('rebuy', `{"type":"rebuy","amount":${amount}}`), `rebuy of ${amount}`);
  }
  for (const amount of ['1500.5', '1e-2', '1e999']) {
    t.notOk(check('join_lobby', `{"type":"join_lobby","buy_in":${amount}}`), `buy_in ${amount}`);
    t.notOk(check('rebuy', `{"type":"rebuy","amount":${amount}}`), `rebuy of ${amount}`);
  }
  t.ok(check('resync_request', '{"type":"resync_request","table_id":"c1","last_table_seq":null}'));
  t.notOk(check('resync_request', '{"type":"resync_request"}'));
  t.notOk(check('resync_request', '{"type":"resync_request","table_id":"c1","last_table_seq":-1}'));
  t.notOk(check('set_auto_rebuy', '{"type":"set_auto_rebuy","enabled":"yes"}'));
  t.end();
});

void t.test('every code has its text, and the older texts stand to the letter', (t) => {
  const tables = [codes.ERROR_MESSAGES, codes.REJECTION_REASONS, codes.REFUSAL_REASONS, codes.CLOSE_REASONS];
  for (const [code, text] of tables.flatMap((table) => Object.entries(table))) t.match(text, /\w{4}/, code);
  const refusals = Object.values(ActionRefusal).filter((refusal) => refusal !== ActionRefusal.ok);
  t.same(Object.keys(codes.REFUSAL_REASONS).map(Number), refusals);
  t.same(Object.keys(codes.CLOSE_REASONS).map(Number).sort(), Object.values(codes.CloseCode).sort());
  t.match(codes.REJECTION_REASONS, {
    not_at_table: 'You are not at a table',
    table_not_found: 'Table not found',
    no_hand_in_progress: 'No hand in progress',
    not_your_turn: 'Not your turn',
    stale_turn_token: 'Stale or missing turn_token',
    missing_action_id: 'Missing client_action_id',
    action_id_conflict: 'Conflicting payload for existing client_action_id',
  });
  for (const code of Object.keys(codes.CLOSE_REASONS))
    t.ok(Buffer.byteLength(codes.CLOSE_REASONS[Number(code) as 4001]) < 124);
  t.end();
});

void t.test('a time is written as the schemas want it, for every millisecond of four centuries', (t) => {
  const at = Compile(Rest.getMe.answers[200].properties.created_at);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2400, 0) }), (ms) => {
      const text = utc(ms);
      return at.Check(text) && Date.parse(text) === ms && utc(new Date(ms)) === text;
    }),
  );
  t.notOk(at.Check('2025-06-01T12:00:00Z'), 'older Python parsers read no Z');
  t.end();
});
