/** The table's small tools, each alone. */
import fc from 'fast-check';
import t from 'tap';
import { Post } from '../../src/holdem/log.js';
import { CommittedDeck } from '../../src/cards/committed-deck.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { ByteWriter, jsonAscii } from '../../src/table/frames/byte-writer.js';
import { FLOOD_WINDOW_MS, FloodGuard, type FloodVerdict } from '../../src/table/seats/flood.js';
import { Deal } from '../../src/table/deal/deal.js';
import { packEvent, unpackEvent } from '../../src/table/replay/event-codec.js';
import type { ActionEvent, DealtPlayer, PublicEvent } from '../../src/table/events.js';
import { Numbering, SEQ_STEP } from '../../src/table/numbering.js';
import { Packer, Unpacker } from '../../src/table/replay/packer.js';
import { writeTimestamp } from '../../src/table/frames/timestamp.js';
import { timeOfUuid7, uuid4, uuid7 } from '../../src/table/uuid.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

void t.test('FloodGuard agrees with counting by hand: warn at ten in five seconds, kick at twenty', (t) => {
  const gaps = fc.array(fc.integer({ min: 0, max: 1200 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(gaps, (times) => {
      const guard = new FloodGuard();
      let now = 1_000_000;
      let faults: number[] = [];
      let warned = false;
      for (const gap of times) {
        now += gap;
        faults = [...faults, now].filter((time) => time > now - FLOOD_WINDOW_MS);
        const expected: FloodVerdict =
          faults.length >= 20 ? 'kick' : faults.length >= 10 && !warned ? 'warning' : 'none';
        if (guard.fault(now) !== expected) return false;
        warned = faults.length >= 10 && expected !== 'kick';
        if (expected === 'kick') faults = [];
      }
      return true;
    }),
  );
  t.end();
});

void t.test('a second warning comes only after the count fell below ten', (t) => {
  const guard = new FloodGuard();
  const burst = (from: number) =>
    Array.from({ length: 12 }, (_, i) => guard.fault(from + i)).filter((v) => v !== 'none');
  t.same(burst(0), ['warning']);
  t.same(burst(5_500), ['warning']);
  t.end();
});

void t.test('uuid4 has its version and variant, and the seed decides it', (t) => {
  const random = seededRandom(3);
  const ids = Array.from({ length: 500 }, () => uuid4(random));
  t.ok(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
  t.equal(new Set(ids).size, 500);
  t.equal(uuid4(seededRandom(3)), ids[0]);
  t.end();
});

void t.test('uuid7 carries its time, and sorts by it down to fractions of a millisecond', (t) => {
  const random = seededRandom(4);
  const start = Date.UTC(2026, 0, 31, 12);
  const ids = Array.from({ length: 2_000 }, (_, i) => uuid7(start + i / 1000, random));
  t.ok(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
  t.same(
    ids.map((id) => id.slice(0, 18)),
    ids.map((id) => id.slice(0, 18)).sort(),
  );
  t.equal(timeOfUuid7(ids[0]!), start);
  t.end();
});

void t.test('Numbering stays below the stored bound: it asks in time, and falls silent in time', (t) => {
  const numbers = new Numbering(7_000_000);
  t.equal(numbers.tableSeq, 7_000_001);
  t.equal(numbers.due(), 0);
  numbers.tableSeq = 7_000_000 + SEQ_STEP / 2 + 1;
  const asked = numbers.due();
  t.equal(asked, numbers.tableSeq + SEQ_STEP);
  t.equal(numbers.due(), 0, 'asked once');
  t.equal(numbers.exhausted, false);
  numbers.tableSeq = 7_000_000 + SEQ_STEP - 5_000;
  t.equal(numbers.exhausted, true, 'nothing was stored for half a million numbers');
  numbers.stored(asked);
  t.equal(numbers.exhausted, false);
  numbers.stored(1);
  t.equal(numbers.exhausted, false, 'a bound never falls');
  t.end();
});

void t.test('timestamp agrees with Date for every microsecond', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.integer({ min: 0, max: 999 }), (ms, micros) => {
      const iso = new Date(ms).toISOString();
      const w = new ByteWriter(64);
      writeTimestamp(w, ms * 1000 + micros);
      return w.textFrom(0) === `,"ts":"${iso.slice(0, 23)}${String(micros).padStart(3, '0')}+00:00`;
    }),
  );
  t.end();
});

void t.test('jsonAscii is JSON, in ASCII, with lower-case escapes', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = jsonAscii(text);
      return /^[\x20-\x7e]*$/.test(json) && JSON.parse(json) === text;
    }),
  );
  t.equal(jsonAscii('é\u007f😀"\n'), '"\\u00e9\\u007f\\ud83d\\ude00\\"\\n"');
  t.end();
});

void t.test('ByteWriter writes what JSON.stringify would, across growth and copies', (t) => {
  const values = fc.array(fc.oneof(fc.nat(), fc.maxSafeNat(), fc.string()), { maxLength: 60 });
  fc.assert(
    fc.property(values, (list) => {
      const w = new ByteWriter(1);
      w.ascii('[');
      list.forEach((value, i) => {
        if (i > 0) w.ascii(',');
        if (typeof value === 'number') w.int(value);
        else w.string(value);
      });
      w.ascii(']');
      const end = w.pos;
      w.copy(0, end);
      const text = new TextDecoder().decode(w.buffer.subarray(end, w.pos));
      return JSON.stringify(JSON.parse(text)) === JSON.stringify(list);
    }),
  );
  t.end();
});

void t.test('Unpacker reads back what Packer wrote', (t) => {
  const value = fc.oneof(
    fc.record({ kind: fc.constant('uint' as const), value: fc.maxSafeNat() }),
    fc.record({ kind: fc.constant('number' as const), value: fc.option(fc.double({ noNaN: true })) }),
    fc.record({ kind: fc.constant('text' as const), value: fc.string({ unit: 'grapheme', maxLength: 200 }) }),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), (list) => {
      const p = new Packer(1);
      for (const item of list) {
        if (item.kind === 'uint') p.uint(item.value);
        else if (item.kind === 'number') p.numberOrNull(item.value);
        else p.text(item.value);
      }
      p.trim();
      const u = new Unpacker(p.bytes);
      return list.every((item) => {
        if (item.kind === 'uint') return u.uint() === item.value;
        if (item.kind === 'number') return Object.is(u.numberOrNull(), item.value);
        return u.text() === item.value;
      });
    }),
  );
  t.end();
});

void t.test("an event survives being packed; a hand's later records lean on its earlier ones", (t) => {
  const players: DealtPlayer[] = [
    { seat: 1, agentId: 'a', nameJson: '"ada"' },
    { seat: 4, agentId: 'b', nameJson: '"b\\u00f6b"' },
  ];
  const action: ActionEvent = {
    kind: 'player_action',
    seat: 4,
    nameJson: '"b\\u00f6b"',
    act: 3,
    amount: 2_000_000_000,
    street: 2,
    reason: 0,
    potBefore: 70,
    toCall: 0,
    stackBefore: 2_000_000_000,
    added: 40,
    turnToken: 'token',
    clientId: 'größe',
    freeFold: true,
    requested: 40.5,
    mix: null,
    timing: null,
  };
  const nonces = [{ seat: 4, nonce: 'ab'.repeat(32) }];
  const deck = new CommittedDeck('table-1', 7, new Uint8Array(32).fill(9));
  const dealStart = {
    handNumber: 7,
    commitment: deck.commitment,
    nonces,
    next: { commitment: 'cd'.repeat(32), anchors: [...nonces, { seat: 5, nonce: 'ef'.repeat(32) }] },
  };
  const seats = (values: Record<number, number>) => Float64Array.from({ length: 6 }, (_, seat) => values[seat] ?? 0);
  const posts = [Post.smallBlind, Post.bigBlind, Post.return].map((post) => ({
    seat: 5 - post,
    amount: 10 + post,
    post,
  }));
  const events: PublicEvent[] = [
    { kind: 'hand_start', dealer: 1, smallBlind: 10, bigBlind: 20, posts, players, deal: null },
    { kind: 'hand_start', dealer: 1, smallBlind: 10, bigBlind: 20, posts, players, deal: dealStart },
    action,
    { ...action, seat: 1, nameJson: '"ada"', act: 0, amount: null, reason: 1, clientId: null, requested: null },
    { kind: 'community_cards', street: 1, cards: [51, 0, 7] },
    {
      kind: 'hand_result',
      players,
      payouts: seats({ 4: 110 }),
      contributed: seats({ 1: 30, 4: 80 }),
      finalStacks: seats({ 1: 5, 4: 6 }),
      outcome: 0,
      showdown: true,
      shown: 1 << 4,
      hole: Uint8Array.from({ length: 12 }, (_, i) => (i >= 8 && i < 10 ? i : 0)),
      board: [1, 2, 3, 4, 5],
      boardCount: 5,
      actions: [],
      button: 1,
      deal: new Deal(deck, nonces),
    },
    { kind: 'player_joined', seat: 3, nameJson: '"c"', stack: 1000 },
    { kind: 'player_left', seat: 3, nameJson: '"c"', reason: 'disconnected' },
    { kind: 'table_closed', reason: 'insufficient_players' },
  ];
  const p = new Packer();
  for (const event of events) packEvent(p, event);
  const u = new Unpacker(p.bytes);
  for (const event of events) t.same(unpackEvent(u, players, []), event, event.kind);
  t.end();
});
