/** A hand and its record: nothing is lost, and a stored hand played again ends as it ended. */
import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { seededRandom } from '../../src/cards/shuffle.js';
import { Act } from '../../src/holdem/types.js';
import { decodeRecord, encodeRecord, RecordError, type StoredHand } from '../../src/table/record/record-codec.js';
import { replayStored } from '../../src/table/record/stored-hand.js';
import { RandomTable } from '../support/random-table.js';
import { FILE_MS } from '../support/limits.js';
import type { HandRecord } from '../../src/table/effects.js';
import { SEED as seed } from '../support/seed.js';

t.setTimeout(FILE_MS);

t.comment(`SEED=${seed}`);

const POOL = '0190b2c4-8e2f-7a10-9f00-00000000abcd';
const TABLE = '0190b2c4-8e2f-7a10-9f00-0000000000ff';

/** Real hands of a table of some players, one after another until one of them is broke. */
function* hands(players: number, from: number): Generator<HandRecord> {
  const seated = Array.from({ length: players }, (_, seat) => ({
    seat,
    stack: 2000,
    agentId: `0190b2c4-8e2f-7a10-9f00-00000000000${seat}`,
    sitting: POOL,
  }));
  const randomTable = new RandomTable(POOL, TABLE, seated, seededRandom(from));
  while (seated.every(({ stack }) => stack > 0)) {
    randomTable.returns = randomTable.handNumber % 2 === 0 ? 1 << (randomTable.handNumber % players) : 0;
    yield randomTable.play();
  }
}

function without<T extends object, K extends keyof T>(from: T, ...keys: K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key as K))) as Omit<T, K>;
}

/** The part of a hand that is stored. */
function storedPart(hand: HandRecord): StoredHand {
  const players = hand.players.map((player) => without(player, 'name', 'sitting'));
  return { ...without(hand, 'seqReserved'), players };
}

const chips = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const seat = fc.nat({ max: 5 });
const card = fc.nat({ max: 51 });
const player = fc.record(
  {
    seat,
    agentId: fc.uuid(),
    stackStart: chips,
    stackEnd: chips,
    contributed: chips,
    payout: chips,
    hole: fc.tuple(card, card),
    shown: fc.boolean(),
    isHouse: fc.boolean(),
  },
  { noNullPrototype: true },
);
const action = fc.record({ seat, street: fc.nat({ max: 3 }), timeout: fc.boolean() });
const decision = fc.oneof(
  fc.record({ act: fc.nat({ max: 1 }), amount: fc.constant(null) }),
  fc.record({ act: fc.integer({ min: 2, max: 4 }), amount: chips }),
);
const probability = fc.double({ min: 0, max: 1, noNaN: true });
const moment = fc.nat({ max: 2 ** 42 });
const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const deal = fc.record(
  {
    secret: hex32,
    nonces: fc.array(fc.record({ seat, nonce: hex32 }, { noNullPrototype: true }), { maxLength: 6 }),
    undealt: fc.option(fc.array(card, { maxLength: 52 })),
    hasDice: fc.constant(true as const),
  },
  { noNullPrototype: true, requiredKeys: ['secret', 'nonces', 'undealt'] },
);
const mixedPart = fc
  .oneof(
    fc.tuple(fc.constantFrom(Act.fold, Act.check, Act.call, Act.allIn), fc.constant(null), probability),
    fc.tuple(fc.constant(Act.raise), chips, probability),
  )
  .map(([act, amount, p]) => ({ act, amount, p }));
const mix = fc
  .tuple(fc.array(mixedPart, { minLength: 1, maxLength: 8 }), fc.nat({ max: 7 }), probability)
  .map(([parts, part, u]) => ({ parts, part: part % parts.length, u }));
const anyHand: fc.Arbitrary<StoredHand> = fc
  .record({
    handId: fc.uuid(),
    tableId: fc.uuid(),
    poolId: fc.uuid(),
    handNumber: fc.nat(),
    button: seat,
    bigBlindSeat: seat,
    smallBlind: chips,
    bigBlind: chips,
    totalPot: chips,
    headsUpBlinds: fc.constantFrom('standard' as const, 'ring' as const),
    comeBack: fc.nat({ max: 63 }),
    times: fc.tuple(moment, fc.nat()),
    players: fc.array(player, { maxLength: 6 }),
    board: fc.array(card, { maxLength: 5 }),
    boardCount: fc.nat({ max: 5 }),
    actions: fc.array(fc.tuple(action, decision, fc.nat(), fc.option(mix, { freq: 3 })), { maxLength: 300 }),
    deal: fc.option(deal, { nil: undefined }),
  })
  .map(({ times: [startedAt, duration], actions, deal, comeBack, ...hand }) => {
    const returns = comeBack & hand.players.reduce((mask, { seat }) => mask | (1 << seat), 0);
    let at = 0;
    const timed = actions.map(([what, how, pause, mix], number) => {
      return { ...what, ...how, at: (at += pause), ...(mix && { mix: { ...mix, number } }) };
    });
    return {
      ...hand,
      startedAt,
      endedAt: startedAt + duration,
      actions: timed,
      ...(returns !== 0 && { returns }),
      ...(deal && { deal }),
    };
  });

void t.test('a hand comes back from its record as it was', (t) => {
  fc.assert(
    fc.property(anyHand, (hand) => {
      const bytes = encodeRecord(hand);
      deepStrictEqual(decodeRecord(bytes), hand);
      deepStrictEqual(encodeRecord(decodeRecord(bytes)), bytes);
    }),
    { seed, numRuns: 300 },
  );
  t.end();
});

void t.test('only a hand with mixed actions is written as version 3', (t) => {
  const [hand] = hands(3, seed);
  const { actions } = hand!;
  const parts = [
    { act: Act.call, amount: null, p: 0.25 },
    { act: Act.raise, amount: 60, p: 0.75 },
  ];
  const mixed = {
    ...hand!,
    actions: [{ ...actions[0]!, mix: { parts, number: 0, u: 0.5, part: 1 } }, ...actions.slice(1)],
  };
  t.same([encodeRecord(hand!)[0], encodeRecord(mixed)[0]], [1, 3]);
  t.equal(encodeRecord(mixed).length - encodeRecord(hand!).length, 31, 'bytes of a mix of two parts');
  const broken = {
    ...mixed,
    actions: actions.map((each) => ({ ...each, mix: { parts, number: 99, u: 0.5, part: 1 } })),
  };
  t.throws(() => decodeRecord(encodeRecord(broken)), { message: 'a mix is of no action' });
  t.end();
});

void t.test('times are kept to the millisecond', (t) => {
  const [hand] = hands(3, seed);
  const [first, ...rest] = hand!.actions;
  const startedAt = hand!.startedAt + 0.4;
  const record = { ...hand!, startedAt, endedAt: startedAt + 90_000.3, actions: [{ ...first!, at: 12.6 }, ...rest] };
  const { startedAt: start, endedAt: end, actions } = decodeRecord(encodeRecord(record));
  t.same([start, end, actions[0]!.at], [hand!.startedAt, hand!.startedAt + 90_001, 13]);
  t.end();
});

void t.test('the record of a six-player hand is small, and holds neither names nor stays', (t) => {
  const sizes = [...hands(6, seed)].map((hand) => encodeRecord(hand).length);
  t.ok(
    sizes.every((size) => size <= 500),
    `${Math.max(...sizes)} bytes at most`,
  );
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  t.ok(mean <= 400, `${Math.round(mean)} bytes on average`);
  t.end();
});

void t.test('a stored hand, played again by the rules, ends as it ended', (t) => {
  let played = 0;
  for (let players = 2; players <= 6; players++) {
    for (const hand of hands(players, seed + players)) {
      const stored = decodeRecord(encodeRecord(hand));
      t.same(stored, storedPart(hand));
      const { outcome, boardCount, boardCards } = replayStored(stored);
      for (const { seat, stackEnd, contributed, payout } of hand.players) {
        const ours = [outcome.finalStacks[seat], outcome.contributed[seat], outcome.payouts[seat]];
        if (JSON.stringify(ours) !== JSON.stringify([stackEnd, contributed, payout])) t.fail(`hand ${hand.handNumber}`);
      }
      t.same([...boardCards.subarray(0, boardCount)], hand.board.slice(0, hand.boardCount));
      played++;
    }
  }
  t.ok(played > 10, `${played} hands`);
  t.end();
});

void t.test('a record that cannot be played names the action', (t) => {
  const [hand] = hands(4, seed);
  const [, ...missing] = hand!.actions;
  t.throws(
    () => replayStored({ ...storedPart(hand!), actions: missing }),
    /action \d+ of the record cannot be replayed/,
  );
  t.end();
});

void t.test('what is no hand is not stored', (t) => {
  const [whole] = hands(4, seed);
  const hand = storedPart(whole!);
  const [player] = hand.players;
  const bad: Record<string, StoredHand> = {
    'a broken id': { ...hand, tableId: '0190b2c4-8e2f-7a10-9f00' },
    'half a chip': { ...hand, totalPot: 0.5 },
    'a negative stack': { ...hand, players: [{ ...player!, stackEnd: -1 }] },
    'a seat out of range': { ...hand, players: [{ ...player!, seat: 8 }] },
    'an end before the start': { ...hand, endedAt: hand.startedAt - 1 },
    'a call without an amount': {
      ...hand,
      actions: [{ seat: 0, act: 2, amount: null, street: 0, at: 0, timeout: false }],
    },
    'a check with one': { ...hand, actions: [{ seat: 0, act: 1, amount: 5, street: 0, at: 0, timeout: false }] },
    'too long a board': { ...hand, board: [1, 2, 3, 4, 5, 6] },
  };
  for (const [name, record] of Object.entries(bad)) t.throws(() => encodeRecord(record), { name: 'RangeError' }, name);
  t.end();
});

void t.test('what is no record is not taken for one', (t) => {
  const [hand] = hands(6, seed);
  const bytes = encodeRecord(hand!);
  for (let length = 0; length < bytes.length; length++) {
    t.throws(() => decodeRecord(bytes.subarray(0, length)), { name: 'RecordError' }, `the first ${length} bytes`);
  }
  t.throws(() => decodeRecord(Buffer.concat([bytes, Buffer.of(0)])), { name: 'RecordError' }, 'one byte more');
  t.throws(() => decodeRecord(Buffer.from([4, ...bytes.subarray(1)])), { message: 'unknown version 4' });
  fc.assert(
    fc.property(fc.constantFrom(1, 2, 3), fc.uint8Array({ maxLength: 200 }), (version, noise) => {
      try {
        decodeRecord(Buffer.from([version, ...noise]));
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
      }
    }),
    { seed },
  );
  t.end();
});
