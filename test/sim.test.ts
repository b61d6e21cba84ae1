import { randomInt } from 'node:crypto';
import t from 'tap';
import type { HandRecord } from '../src/table/api.js';
import { Agenda } from './sim/agenda.js';
import { Vault } from './sim/vault.js';
import { Witness } from './sim/witness.js';
import { simulate } from './sim/world.js';

// Tens of seconds where the machine is busy.
t.setTimeout(600_000);

/** 200 worlds of bad-mannered bots; SEED=n repeats the run that begins with that seed. */
const SEEDS = 200;
const first = Number(process.env['SEED'] ?? randomInt(1_000_000_000));

void t.test(`${SEEDS} simulated tables keep every invariant (SEED=${first})`, (t) => {
  const total = { hands: 0, crashes: 0 };
  for (let seed = first; seed < first + SEEDS; seed++) {
    const { hands, crashes } = simulate(seed);
    total.hands += hands;
    total.crashes += crashes;
  }
  t.comment(`${total.hands} hands, ${total.crashes} tables lost on the way`);
  t.ok(total.hands > SEEDS * 5, `${total.hands} hands were played`);
  t.ok(total.crashes > 0, `${total.crashes} tables were lost`);
  t.end();
});

void t.test('the same seed is the same run', (t) => {
  t.same(simulate(first), simulate(first));
  t.end();
});

// The simulator is only worth what its witness notices.

const head = (seq: number, handId: string | null) => ({
  stream: 'event',
  table_id: 'table-1',
  hand_id: handId,
  table_seq: seq,
  hand_seq: handId === null ? null : 2,
  ts: '2026-01-31T12:00:00.000000+00:00',
  state_hash: null,
});
const HAND = '018f4e0b-0000-7000-8000-000000000001';
const ada = { socket: 1, agentId: 'ada' };
const bob = { socket: 2, agentId: 'bob' };
const json = JSON.stringify;

const start = (seq: number) =>
  json({
    ...head(seq, HAND),
    hand_seq: 1,
    type: 'hand_start',
    dealer_seat: 0,
    blinds: { small_blind: 10, big_blind: 20 },
    seat: 0,
  });
const hole = (seq: number, cards: string[]) => json({ ...head(seq, HAND), type: 'hole_cards', cards });
const left = (seq: number) => json({ ...head(seq, null), type: 'player_left', seat: 0, name: 'ada', reason: 'left' });
const flop = (seq: number, cards: string[]) =>
  json({ ...head(seq, HAND), type: 'community_cards', cards, street: 'flop' });
const state = (seq: number, more: object = {}) =>
  json({
    ...head(seq, HAND),
    stream: 'state',
    type: 'table_state',
    street: 'preflop',
    dealer_seat: 0,
    small_blind: 10,
    big_blind: 20,
    pot: 30,
    board: [],
    seats: [0, 1].map((seat) => ({ seat, name: null, stack: 0, bet: 0, status: 'empty' })),
    ...more,
  });
const result = (seq: number, stacks: object) =>
  json({
    ...head(seq, HAND),
    type: 'hand_result',
    winners: [{ seat: 0, name: 'ada', stack: 20, amount: 10, hand_description: 'Uncontested' }],
    pot: 10,
    total_pot: 20,
    transferable_pot: 10,
    net_pot_after_rake: 10,
    final_stacks: stacks,
    pot_kind: 'transferable',
    rake: 0,
    rake_settled: 0,
    shown_cards: {},
    actions: [],
    payouts: [{ seat: 0, amount: 20 }],
    outcome_kind: 'win',
  });
const idle = (seq: number) => state(seq, { street: 'idle', pot: 0 });

function witness(vault = new Vault()): Witness {
  vault.seqReserved = 1_000;
  return new Witness(vault);
}

void t.test('the witness lets good frames pass', (t) => {
  const eye = witness();
  eye.read(ada, start(1));
  eye.read(ada, hole(2, ['As', 'Kd']));
  eye.read(ada, state(3, { actor_seat: 1, hero: { seat: 0, hole_cards: ['As', 'Kd'] } }));
  eye.read(ada, flop(4, ['2c', '3c', '4c']));
  t.equal(eye.frames, 4);
  t.end();
});

void t.test('the witness objects to cards that the reader must not see', (t) => {
  const dealt = () => {
    const eye = witness();
    for (const [reader, cards] of [
      [ada, ['As', 'Kd']],
      [bob, ['2h', '3h']],
    ] as const) {
      eye.read(reader, start(1));
      eye.read(reader, hole(2, [...cards]));
    }
    return eye;
  };
  t.throws(
    () => dealt().read(ada, state(3, { hero: { seat: 0, hole_cards: ['2h', '3h'] } })),
    /must not see/,
    "another's cards",
  );
  t.throws(() => dealt().read(ada, state(3, { board: ['5s'] })), /must not see/, 'a board card that is not open');
  t.throws(
    () => dealt().read({ socket: 3, agentId: null }, state(3, { hero: { seat: 0, hole_cards: ['As', 'Kd'] } })),
    /must not see/,
  );
  t.end();
});

void t.test(
  'the witness objects to numbers that do not rise, are used twice over a loss, or are above the bound',
  (t) => {
    const eye = witness();
    eye.read(ada, left(5));
    t.throws(() => eye.read(ada, left(5)), /does not rise/);
    t.throws(() => eye.read(ada, left(1_001)), /above the stored bound/);
    eye.tableLost();
    t.throws(() => eye.read(bob, left(4)), /before the table was lost/);
    t.end();
  },
);

void t.test('the witness objects to frames out of order, and to frames of a wrong shape', (t) => {
  const eye = witness();
  t.throws(() => eye.read(ada, hole(1, ['As', 'Kd'])), /comes before/);
  t.throws(() => eye.read(ada, result(2, {})), /comes before/);
  eye.read(ada, state(3));
  t.throws(() => eye.read(ada, result(4, {})), /no settled state/);
  t.throws(
    () => eye.read(ada, json({ ...head(5, null), type: 'player_left', seat: 0, name: 'ada', reason: 'bored' })),
    /schema/,
  );
  t.end();
});

void t.test('the witness objects to two actors, and to a turn offered to another than the actor', (t) => {
  const eye = witness();
  eye.read(ada, state(3, { actor_seat: 1 }));
  t.throws(() => eye.read(bob, state(3, { actor_seat: 0 })), /two actors/);
  const offered = { hero: { seat: 0, valid_actions: [{ action: 'check' }] }, actor_seat: 1 };
  t.throws(() => eye.read(ada, state(4, offered)), /non-actor/);
  t.end();
});

void t.test('the witness objects to results that are not the stored ones, and to a wrong hash', (t) => {
  const vault = new Vault();
  const eye = witness(vault);
  eye.read(ada, idle(1));
  t.throws(() => eye.read(ada, result(2, { '0': 20 })), /not stored/);
  const player = { seat: 0, stackEnd: 20, shown: false, hole: [0, 1] };
  vault.hands.set(HAND, { handId: HAND, players: [player], actions: [], totalPot: 20 } as unknown as HandRecord);
  t.throws(() => eye.read(ada, result(3, { '0': 21 })), /final stacks/);
  t.ok(eye.read(ada, result(4, { '0': 20 })));
  const hashed = { state_hash: `sha256:${'0'.repeat(64)}` };
  t.throws(() => witness().read(ada, state(3, hashed)), /state_hash/);
  t.end();
});

void t.test('the witness objects to a stack told between hands that is not the stored one', (t) => {
  const vault = new Vault();
  vault.grant('agent-ada', 2_000);
  const player = { agentId: 'agent-ada', name: 'ada' } as never;
  vault.buyIn('s-1', 0, player, 2_000);
  const eye = witness(vault);
  const seat = (stack: number) => ({
    street: 'idle',
    pot: 0,
    seats: [
      { seat: 0, name: 'ada', stack, bet: 0, status: 'active', is_pro: false, in_hand: false },
      { seat: 1, name: null, stack: 0, bet: 0, status: 'empty' },
    ],
  });
  t.ok(eye.read(ada, state(1, seat(2_000))));
  t.throws(() => eye.read(ada, state(2, seat(2_010))), /stored is 2000/);
  t.end();
});

void t.test('the vault refuses hands that make chips, and cash-outs of other than the stored stack', (t) => {
  const vault = new Vault();
  vault.grant('a', 2_000);
  vault.buyIn('s-1', 0, { agentId: 'a', name: 'ada' } as never, 1_000);
  const record = (stackEnd: number) =>
    ({
      handId: `h-${stackEnd}`,
      handNumber: 1,
      players: [{ sitting: 's-1', name: 'ada', stackStart: 1_000, stackEnd }],
    }) as unknown as HandRecord;
  t.throws(() => vault.commit(record(1_010)), /makes 10 chips/);
  vault.sittings.get('s-1')!.stack = 1_000;
  t.throws(() => vault.cashOut('s-1', 999), /is stored/);
  vault.cashOut('s-1', 1_000);
  vault.audit();
  vault.balances.set('a', 1_999);
  t.throws(() => vault.audit(), /of 2000/);
  t.end();
});

void t.test('the agenda runs what is planned by time, and by order where the times are equal', (t) => {
  const agenda = new Agenda();
  const ran: string[] = [];
  for (const [at, name] of [
    [3, 'c'],
    [1, 'a'],
    [3, 'd'],
    [2, 'b'],
    [1, 'a2'],
  ] as const) {
    agenda.plan(at, () => ran.push(name));
  }
  while (agenda.next < Infinity) agenda.step();
  t.same(ran, ['a', 'a2', 'b', 'c', 'd']);
  t.end();
});
