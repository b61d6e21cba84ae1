/**
 * The replayer reads what the platform writes: every hand, exported as PHH, PokerStars text or JSON and read in the
 * page, ends with the stacks, the board and the shown cards that were stored. What it cannot read it says.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { CARD_NAMES } from '../../src/cards/card.js';
import { FORMATS, type Format } from '../../src/history/export/formats.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { SPECTATOR } from '../../src/history/index.js';
import { handBody, type ShownHand } from '../../src/public/hands.js';
import type { HandRecord } from '../../src/table/effects.js';
import { readHands } from '../../web/files/read.js';
import { stepsOf } from '../../web/game/steps.js';
import { FILE_MS, inSuite } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { wildHands } from '../support/wild-hands.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const { hands } = wildHands(inSuite(4000), SEED);
const nameOf = (seat: number) => `p_${seat}`;
const faceOf = (seat: number) => ({ name: nameOf(seat), slug: null, avatarUrl: null });

/** Hands as their first player exports them. */
function written(records: readonly HandRecord[], format: Format): string {
  const form = FORMATS[format];
  const text = records.map((record, i) => {
    const player = record.players[0]!;
    const { handId, tableId, handNumber } = record;
    const row = {
      ...{ handId, tableId, handNumber, seat: player.seat, stackStart: player.stackStart, stackEnd: player.stackEnd },
      ...{ startedAt: new Date(record.startedAt), endedAt: new Date(record.endedAt), record: encodeRecord(record) },
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

/** What the last picture must show. */
const endOf = ({ players, board, boardCount, totalPot }: HandRecord) => ({
  pot: totalPot,
  board: board.slice(0, boardCount).map((card) => CARD_NAMES[card]),
  stacks: players.map(({ seat, stackEnd }) => [seat, stackEnd]),
  won: players.map(({ seat, payout }) => [seat, payout]),
  shown: players.filter(({ shown }) => shown).map(({ seat, hole }) => [seat, hole.map((card) => CARD_NAMES[card])]),
});

function endShown(hand: ReturnType<typeof readHands>[number], { players }: HandRecord) {
  const { seats, board, pot } = stepsOf(hand).at(-1)!.view;
  const taken = players.map(({ seat }) => seats[seat]!);
  const shown = new Set(players.filter((player) => player.shown).map(({ seat }) => seat));
  return {
    ...{ pot, board },
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
    const body = handBody({ stored: decodeRecord(view.record), sight: SPECTATOR, view, faces } as unknown as ShownHand);
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
  t.match(hand, { smallBlind: 0.5, bigBlind: 1, button: 2 });
  t.match(
    steps.at(-1)!.view.seats.find(({ name }) => name === 'Cleo D.'),
    { stack: 105.5, won: 9.5 },
  );
  t.end();
});

await t.test('what cannot be read is said', (t) => {
  for (const [text, words] of [
    ['', /no hand/],
    ['hello', /Line 1/],
    ['{"hands": [{}]}', /holds no hand/],
    ['{', /no JSON/],
    ["variant = 'PO'\nstarting_stacks = [1, 2]", /No-Limit/],
    ["variant = 'NT'\nstarting_stacks = [100, 100]\nactions = ['p9 f']", /not there/],
    ["variant = 'NT'\nstarting_stacks = [100, 100]\nactions = ['p1 cbr 900']", /900 of 100/],
    ["variant = 'NT'\nstarting_stacks = [1, 2, 3, 4, 5, 6, 7]\nactions = []", /six|6/],
    ["variant = 'NT'\nactions = ['p1 f'", /Line 2/],
  ] as const) {
    t.throws(() => readHands(text), { name: 'FileError', message: words }, text);
  }
  t.end();
});
