/**
 * The replayer reads the platform's files. Every hand is exported as PHH, PokerStars text or JSON and read in the page.
 * It ends with the stored stacks, board and shown cards. It reports unreadable text.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { CARD_NAMES } from '../../src/cards/card.js';
import { FORMATS, type Format } from '../../src/history/export/formats.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { SPECTATOR } from '../../src/history/index.js';
import { handBody, NO_HANDS_BESIDE, type ShownHand } from '../../src/public/hands.js';
import type { HandRecord } from '../../src/table/effects.js';
import { HandFileError, readHandFile, type ReplayHand } from '../../src/formats/index.js';
import { HandFileReading } from '../../web/files/reading.js';
import { stepsOf } from '../../web/game/steps.js';
import { FILE_MS, inSuite } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { wildHands } from '../support/wild-hands.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const { hands } = wildHands(inSuite(4000), SEED);
const nameOf = (seat: number) => `p_${seat}`;
const faceOf = (seat: number) => ({ name: nameOf(seat), slug: null, avatarUrl: null });

/** All hands of a text; a hand that cannot be read is an error. */
function readHands(text: string): ReplayHand[] {
  const { hands: read, unreadable } = readHandFile(text);
  if (unreadable.length > 0) throw new Error(JSON.stringify(unreadable.slice(0, 3)));
  return read;
}

/** Hands as their first player exports them. */
function written(records: readonly HandRecord[], format: Format): string {
  const form = FORMATS[format];
  const text = records.map((record, i) => {
    const player = record.players[0]!;
    const { handId, tableId, handNumber } = record;
    const row = {
      handId,
      tableId,
      handNumber,
      seat: player.seat,
      stackStart: player.stackStart,
      stackEnd: player.stackEnd,
      startedAt: new Date(record.startedAt),
      endedAt: new Date(record.endedAt),
      record: encodeRecord(record),
    };
    return form.write({
      sight: { kind: 'player', agentId: player.agentId },
      inCompetition: false,
      hands: [{ row, stored: decodeRecord(row.record) }],
      names: new Map(record.players.map((each) => [each.agentId, nameOf(each.seat)])),
      written: i,
    });
  });
  return form.head + text.join('') + form.tail;
}

/** The facts of the last picture. */
const endOf = ({ players, board, boardCount, totalPot }: HandRecord) => ({
  pot: totalPot,
  board: board.slice(0, boardCount).map((card) => CARD_NAMES[card]),
  stacks: players.map(({ seat, stackEnd }) => [seat, stackEnd]),
  won: players.map(({ seat, payout }) => [seat, payout]),
  shown: players.filter(({ shown }) => shown).map(({ seat, hole }) => [seat, hole.map((card) => CARD_NAMES[card])]),
});

function endShown(hand: ReplayHand, { players }: HandRecord) {
  const { seats, board, pot } = stepsOf(hand).at(-1)!.view;
  const taken = players.map(({ seat }) => seats[seat]!);
  const shown = new Set(players.filter((player) => player.shown).map(({ seat }) => seat));
  return {
    pot,
    board,
    stacks: taken.map(({ seat, stack }) => [seat, stack]),
    won: taken.map(({ seat, won }) => [seat, won]),
    shown: taken.filter(({ seat }) => shown.has(seat)).map(({ seat, cards }) => [seat, cards]),
  };
}

for (const format of ['phh', 'pokerstars', 'json'] as const) {
  await t.test(`${hands.length} hands as ${format}`, (t) => {
    const read = readHands(written(hands, format));
    t.equal(read.length, hands.length);
    const wrong = hands.filter((record, i) => {
      const [wanted, shown] = [endOf(record), endShown(read[i]!, record)];
      return JSON.stringify(wanted) !== JSON.stringify(shown);
    });
    const [first] = wrong;
    if (first) t.same(endShown(read[hands.indexOf(first)]!, first), endOf(first), written([first], format));
    t.equal(wrong.length, 0, 'each ends as it was stored');
    const actions = read.map((hand) => stepsOf(hand).filter(({ event }) => event.kind === 'action').length);
    t.same(
      actions,
      hands.map((record) => record.actions.length),
      'with all its actions',
    );
    t.end();
  });
}

await t.test(`${hands.length} hands as GET /api/hands/{hand_id} answers them`, (t) => {
  const read = hands.map((record) => {
    const faces = new Map(record.players.map((each) => [each.agentId, faceOf(each.seat)]));
    const view = { record: encodeRecord(record), poolId: record.poolId, competition: null, takesPart: false, later: 0 };
    const body = handBody(
      { stored: decodeRecord(view.record), sight: SPECTATOR, view, faces } as unknown as ShownHand,
      NO_HANDS_BESIDE,
    );
    return readHands(JSON.stringify(body))[0]!;
  });
  const wrong = hands.filter(
    (record, i) => JSON.stringify(endOf(record)) !== JSON.stringify(endShown(read[i]!, record)),
  );
  const [first] = wrong;
  if (first) t.same(endShown(read[hands.indexOf(first)]!, first), endOf(first));
  t.equal(wrong.length, 0);
  t.end();
});

await t.test('chips are never lost or made on the way', (t) => {
  const sums = readHands(written(hands.slice(0, 200), 'phh')).map((hand) => {
    const start = hand.players.reduce((sum, { stack }) => sum + stack, 0);
    return stepsOf(hand).every(({ view, event }) => {
      const behind = view.seats.reduce((sum, { stack }) => sum + stack, 0);
      return behind + (event.kind === 'result' ? 0 : view.pot) === start;
    });
  });
  t.ok(sums.every(Boolean));
  t.end();
});

await t.test('with others’ cards hidden none is seen before it is shown', (t) => {
  // PokerStars' files have what is shown behind all else.
  const early = readHands(written(hands.slice(0, 200), 'pokerstars')).filter((hand) => {
    const before = stepsOf(hand, { hideOthers: true }).slice(0, -1);
    const others = before.flatMap(({ view }) => view.seats.filter(({ followed }) => !followed));
    return others.some(({ cards }) => cards.some((card) => card !== '??'));
  });
  t.equal(early.length, 0);
  t.end();
});

await t.test('hands of elsewhere: dollars, nine seats with four taken, chat', (t) => {
  const [hand] = readHands(
    readFileSync(new URL('../../../test/fixtures/pokerstars-cash.txt', import.meta.url), 'utf8'),
  );
  const steps = stepsOf(hand!);
  t.match(hand, { smallBlind: 50, bigBlind: 100, unit: { symbol: '$', decimals: 2 } });
  t.match(
    steps.at(-1)!.view.seats.find(({ name }) => name === 'Cleo D.'),
    { stack: 10_550, won: 950 },
  );
  t.end();
});

await t.test('a file with good and bad hands is read hand by hand, and hands are found by place and by number', (t) => {
  const texts = hands.slice(0, 9).map((record) => written([record], 'pokerstars'));
  const cut = (text: string) => text.slice(0, text.indexOf('*** SUMMARY'));
  const parts = texts.map((text, i) => (i % 3 === 1 ? `${cut(text)}\n\n` : text));
  const file = parts.join('');
  const faults: unknown[] = [];
  const reading = new HandFileReading(file, (fault) => faults.push(fault));
  t.same(reading.progress, { found: 9, read: 0, hands: 0, unreadable: 0 });
  t.ok(reading.readNext());
  t.same(reading.progress, { found: 9, read: 1, hands: 1, unreadable: 0 });
  while (reading.readNext());
  t.same(reading.progress, { found: 9, read: 9, hands: 6, unreadable: 3 });
  const rows = reading.rows(0, 100);
  t.same(
    rows.map(({ number }) => number),
    [1, 3, 4, 6, 7, 9],
  );
  t.same(rows[0]!.players, hands[0]!.players.map(({ seat }) => nameOf(seat)).join(', '));
  t.same(reading.rows(4, 1), rows.slice(4, 5));
  t.same(reading.rows(6, 1), []);
  for (const [index, { number, title }] of rows.entries()) {
    const hand = reading.hand(index)!;
    t.equal(hand.title, title);
    t.same(endShown(hand, hands[number - 1]!), endOf(hands[number - 1]!));
  }
  t.equal(reading.hand(6), null);
  t.same(
    [1, 2, 3, 4, 5, 8, 9, 10].map((number) => reading.indexOf(number)),
    [0, 1, 1, 2, 3, 5, 5, 5],
  );
  const unreadable = reading.unreadable(0, 100);
  t.same(
    unreadable.map(({ number }) => number),
    [2, 5, 8],
  );
  for (const { number, line, reason } of unreadable) {
    const before = parts
      .slice(0, number - 1)
      .join('')
      .split('\n').length;
    const own = parts[number - 1]!.split('\n').length;
    t.ok(line >= before && line < before + own, `hand ${number}: line ${line} is one of its own`);
    t.match(reason, /[.]$/, reason);
  }
  t.same(reading.unreadable(1, 1), unreadable.slice(1, 2));
  t.same(faults, []);
  t.end();
});

await t.test('a file that is no hand file is refused with a sentence', (t) => {
  for (const text of ['', 'hello', 'Winamax Poker - CashGame - HandId: #1-2-3 - Holdem no limit (1€/2€)']) {
    t.throws(() => new HandFileReading(text, (error) => t.fail(String(error))), HandFileError, text);
  }
  t.throws(() => new HandFileReading('Winamax Poker - CashGame', (error) => t.fail(String(error))), /Winamax/);
  t.end();
});
