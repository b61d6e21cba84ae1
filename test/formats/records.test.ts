/** Our own JSON and CSV: what is read of them, and that each changed amount, card or order is found. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { Account } from '../../src/formats/account.js';
import { readHandFile, splitHandFile, type ReplayHand } from '../../src/formats/index.js';
import { FORMATS, POOL_FORMATS } from '../../src/history/export/formats.js';
import { SPECTATOR } from '../../src/history/index.js';
import { handBody, NO_HANDS_BESIDE, type ShownHand } from '../../src/public/hands.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import type { HandRecord } from '../../src/table/effects.js';
import { SEED } from '../support/seed.js';
import { wildHands } from '../support/wild-hands.js';

t.comment(`SEED=${SEED}`);

/** Seats that come back are ordinary agents, and the schemas want whole ids. */
const { hands } = wildHands(300, SEED);
const nameOf = (seat: number) => `p "${seat}", the bot`;
const namesOf = ({ players }: HandRecord) => new Map(players.map(({ agentId, seat }) => [agentId, nameOf(seat)]));

const exported = (record: HandRecord) => {
  const [own] = record.players;
  const { handId, tableId, handNumber } = record;
  const row = {
    handId,
    tableId,
    handNumber,
    seat: own!.seat,
    stackStart: own!.stackStart,
    stackEnd: own!.stackEnd,
    startedAt: new Date(record.startedAt),
    endedAt: new Date(record.endedAt),
    record: encodeRecord(record),
  };
  const sight = { kind: 'player' as const, agentId: own!.agentId };
  const stored = decodeRecord(row.record);
  return { sight, inCompetition: false, hands: [{ row, stored }], names: namesOf(record), written: 0 };
};

function answered(record: HandRecord): string {
  const faces = new Map(
    record.players.map(({ agentId, seat }) => [agentId, { name: nameOf(seat), slug: `p-${seat}`, avatarUrl: null }]),
  );
  const stored = decodeRecord(encodeRecord(record));
  const view = { record: encodeRecord(record), poolId: record.poolId, competition: null, takesPart: false, later: 0 };
  return JSON.stringify(handBody({ stored, sight: SPECTATOR, view, faces } as unknown as ShownHand, NO_HANDS_BESIDE));
}

const endOf = (hand: ReplayHand) => hand.players.map(({ seat }) => new Account(hand).stackEnd(seat));
const refusal = (text: string) => {
  const { hands: read, unreadable } = readHandFile(text);
  return read.length > 0 ? 'read' : unreadable.map(({ line, reason }) => `line ${line}: ${reason}`).join();
};

void t.test('an answer of GET /api/hands/{hand_id} is a file', (t) => {
  for (const record of hands) {
    const { hands: read, unreadable } = readHandFile(answered(record));
    t.same(unreadable, []);
    const [hand] = read;
    t.same(endOf(hand!), record.players.map(({ stackEnd }) => stackEnd)); // prettier-ignore
    t.equal(hand!.moves.filter(({ kind }) => kind === 'action').length, record.actions.length);
    t.match(hand!.players[0], { slug: `p-${record.players[0]!.seat}`, name: nameOf(record.players[0]!.seat) });
  }
  t.end();
});

void t.test('a list of records has each hand on its line, and a broken one does not hurt the others', (t) => {
  const form = FORMATS.json;
  const text = form.head + hands.slice(0, 3).map((record, written) => form.write({ ...exported(record), written })).join('') + form.tail; // prettier-ignore
  t.same(splitHandFile(text).map(({ line }) => line), [2, 3, 4]); // prettier-ignore
  const { hands: read, unreadable } = readHandFile(text.replace('"stack_start":', '"stack_start":-'));
  t.same([read.length, unreadable.length, unreadable[0]!.line], [2, 1, 2]);
  const cut = readHandFile(text.slice(0, -40));
  t.same([cut.hands.length, cut.unreadable.map(({ line }) => line)], [2, [4]]);
  t.end();
});

void t.test('a row of CSV has names with quotes and commas, and a line of its own', (t) => {
  for (const [form, batch] of [
    [FORMATS.csv, exported(hands[0]!)],
    [POOL_FORMATS.csv, { ...exported(hands[0]!), sight: SPECTATOR }],
  ] as const) {
    const text = form.head + form.write(batch) + form.write(batch).replace(/"\[\{/, '"[{{');
    const { hands: read, unreadable } = readHandFile(text);
    t.same(read.map((hand) => hand.players.map(({ name, seat }) => name === nameOf(seat))), [hands[0]!.players.map(() => true)]); // prettier-ignore
    t.match(unreadable, [{ number: 2, line: 3, reason: /is no JSON/ }]);
  }
  t.end();
});

/** A hand with a showdown and a board. */
const shown = hands.find(({ players, boardCount }) => boardCount === 5 && players.some(({ shown }) => shown))!;

for (const [what, change, reason] of [
  ['another total', (hand) => (hand['total_pot'] = Number(hand['total_pot']) + 1), /The pot is/],
  ['a board of four', (hand) => (hand['board'] as string[]).pop(), /river/],
  ['a card twice', (hand) => ((hand['board'] as string[])[0] = (hand['board'] as string[])[1]!), /dealt twice|other cards/], // prettier-ignore
  ['a seat that nobody has', (hand) => (hand['seat'] = 77), /seat/],
  ['another field', (hand) => (hand['more'] = 1), /The field more is not known/],
  ['no players', (hand) => delete hand['players'], /does not name the players/],
  [
    'a street that is none',
    (hand) => ((hand['actions'] as { street: string }[])[0]!.street = 'showdown'),
    /actions\.0/,
  ],
  [
    'an action left out',
    (hand) => (hand['actions'] as unknown[]).shift(),
    /turn|ends|posts|is to call|checking is free/,
  ],
  ['another post', (hand) => ((hand['posts'] as { amount: number }[])[0]!.amount += 1), /posts \d+ and owes/],
] as readonly (readonly [string, (hand: Record<string, unknown>) => unknown, RegExp])[]) {
  void t.test(`refused: ${what}`, (t) => {
    const form = FORMATS.json;
    const [record] = (JSON.parse(form.head + form.write(exported(shown)) + form.tail) as { hands: Record<string, unknown>[] }).hands; // prettier-ignore
    t.equal(refusal(JSON.stringify(record)), 'read', 'unchanged it is read');
    change(record!);
    t.match(refusal(JSON.stringify(record)), reason);
    t.end();
  });
}

void t.test('a record with an id of another shape is not ours', (t) => {
  const body = JSON.parse(answered(hands[0]!)) as Record<string, unknown>;
  t.match(refusal(JSON.stringify({ ...body, hand_id: 'x' })), /hand_id/);
  t.equal(refusal(JSON.stringify({ ...body, hand_id: randomUUID() })), 'read');
  t.end();
});
