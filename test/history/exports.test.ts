/** The forms of an exported hand: complete, true, and without a card that the exporting player never saw. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { FORMATS, POOL_FORMATS, type Format } from '../../src/history/export/formats.js';
import { ALL, SPECTATOR, type Sight } from '../../src/history/sight.js';
import type { Hand } from '../../src/holdem/hand.js';
import { Act } from '../../src/holdem/types.js';
import { checkPhh, type PhhHand } from '../../src/vectors/phh.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { cardNames, cardsIn } from '../support/cards-in.js';
import { RandomTable } from '../support/random-table.js';
import { FILE_MS } from '../support/limits.js';
import { readPhh, type PhhReading } from '../formats/independent/phh.js';
import { readPokerStars } from '../formats/independent/pokerstars.js';
import type { HandRecord } from '../../src/table/effects.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);

const HANDS = 600;

/** Every kind of play: folds, bets of all sizes, all-ins. */
function wild(random: ReturnType<typeof seededRandom>): (hand: Hand) => void {
  return (hand) => {
    const legal = hand.legal();
    const dice = uniformBelow(20, random);
    if (dice < 3 && legal.fold) hand.act(Act.fold);
    else if (dice === 3 && legal.allIn > 0) hand.act(Act.allIn);
    else if (dice > 15 && legal.raiseMax > 0) {
      hand.act(Act.raise, legal.raiseMin + uniformBelow(Math.min(legal.raiseMax - legal.raiseMin, 300) + 1, random));
    } else hand.act(legal.check ? Act.check : Act.call);
  };
}

/** Hands of two to six players with stacks from a few chips to many. */
function randomHands(count: number): HandRecord[] {
  const random = seededRandom(SEED);
  const records: HandRecord[] = [];
  while (records.length < count) {
    const players = 2 + uniformBelow(5, random);
    const seats = [0, 1, 2, 3, 4, 5].slice(uniformBelow(7 - players, random)).slice(0, players);
    const seated = seats.map((seat) => ({
      agentId: randomUUID(),
      seat,
      sitting: randomUUID(),
      stack: 1 + uniformBelow([40, 300, 3000][uniformBelow(3, random)]!, random),
    }));
    const randomTable = new RandomTable(randomUUID(), randomUUID(), seated, random);
    for (let n = 0; n < 6 && seated.filter(({ stack }) => stack > 0).length > 1; n++) {
      randomTable.returns = n % 3 === 0 ? uniformBelow(64, random) : 0;
      records.push(randomTable.play(wild(random)));
    }
  }
  return records;
}

const nameOf = (seat: number) => `p_${seat}`;

/** The hand as `format` tells it to the player on the seat. */
function written(record: HandRecord, seat: number, format: Format): string {
  const player = record.players.find((each) => each.seat === seat)!;
  const { handId, tableId, handNumber } = record;
  const row = {
    handId,
    tableId,
    handNumber,
    seat,
    stackStart: player.stackStart,
    stackEnd: player.stackEnd,
    startedAt: new Date(record.startedAt),
    endedAt: new Date(record.endedAt),
    record: encodeRecord(record),
  };
  const names = new Map(record.players.map((each) => [each.agentId, nameOf(each.seat)]));
  const stored = decodeRecord(row.record);
  return FORMATS[format].write({
    sight: { kind: 'player', agentId: player.agentId },
    inCompetition: false,
    hands: [{ row, stored }],
    names,
    written: 0,
  });
}

/** The hand as `format` tells it to who did not play it. */
function watched(record: HandRecord, sight: Sight, format: Format): string {
  const names = new Map(record.players.map((each) => [each.agentId, nameOf(each.seat)]));
  const stored = decodeRecord(encodeRecord(record));
  return POOL_FORMATS[format].write({ sight, inCompetition: true, hands: [{ stored }], names, written: 0 });
}

/** Cards in a text that the player on the seat never saw, or a spectator (null). */
function leaksIn(text: string, { board, boardCount, players }: HandRecord, seat: number | null): string[] {
  const seen = players.filter((player) => player.seat === seat || player.shown).flatMap(({ hole }) => hole);
  const known = new Set(cardNames([...board.slice(0, boardCount), ...seen]));
  return [...cardsIn(text)].filter((card) => !known.has(card));
}

t.comment(`SEED=${SEED}`);
const records = randomHands(HANDS);
const views = records.flatMap((record) => record.players.map(({ seat }) => ({ record, seat })));

await t.test('the hands are of every kind', (t) => {
  const some = (what: string, is: (record: HandRecord) => boolean) => t.ok(records.some(is), what);
  some('heads-up', ({ players }) => players.length === 2);
  some('return posts', ({ returns }) => returns !== undefined);
  for (const part of [
    ': mucks hand',
    'from side pot-2',
    'from side pot\n',
    'from pot',
    "doesn't show",
    'Uncalled',
    "(didn't bet)",
    'raises',
    'bets',
    ' blind 5 and is all-in',
  ]) {
    some(part, (record) => written(record, record.players[0]!.seat, 'pokerstars').includes(part));
  }
  t.end();
});

/** For the reader of the vectors. */
const vectorOf = ({ id, fields }: PhhReading): PhhHand => ({
  id,
  antes: fields.get('antes') as number[],
  blinds: fields.get('blinds_or_straddles') as number[],
  min_bet: fields.get('min_bet') as number,
  start: fields.get('starting_stacks') as number[],
  actions: fields.get('actions') as string[],
  finish: fields.get('finishing_stacks') as number[],
});

await t.test('a hand in PHH leads to the same stacks, whoever exports it', (t) => {
  for (const { record, seat } of views) {
    const [hand] = readPhh(written(record, seat, 'phh'));
    const { differences } = checkPhh(vectorOf(hand!));
    if (differences.length > 0) t.same(differences, [], written(record, seat, 'phh'));
    const stacks = record.players.map((player) => hand!.players.get(nameOf(player.seat))?.end);
    t.same(
      stacks,
      record.players.map(({ stackEnd }) => stackEnd),
    );
  }
  t.end();
});

await t.test('a tracker that reads PokerStars text comes to the same stacks', (t) => {
  for (const { record, seat } of views) {
    const [hand] = readPokerStars(written(record, seat, 'pokerstars'));
    const { players, totalPot, pots, collected, hero, board } = hand!;
    t.same(
      record.players.map((player) => [players.get(nameOf(player.seat))?.start, players.get(nameOf(player.seat))?.end]),
      record.players.map(({ stackStart, stackEnd }) => [stackStart, stackEnd]),
    );
    t.same([totalPot, pots, collected, hero?.[0]], [record.totalPot, record.totalPot, record.totalPot, nameOf(seat)]);
    t.same(board, cardNames(record.board.slice(0, record.boardCount)));
  }
  t.end();
});

await t.test('no form has a card that its reader never saw', (t) => {
  for (const { record, seat } of views) {
    for (const format of Object.keys(FORMATS) as Format[]) {
      const text = written(record, seat, format);
      const wrong = [...leaksIn(text, record, seat)].map((card) => `leaked ${card}`);
      if (wrong.length > 0) t.same(wrong, [], `${format}\n${text}`);
      const own = cardNames(record.players.find((player) => player.seat === seat)!.hole);
      if (!own.every((card) => cardsIn(text).has(card))) t.fail(`${format} lacks the own cards\n${text}`);
    }
  }
  const hidden = views.find(({ record, seat }) => /\?\?\?\?/.test(written(record, seat, 'phh')))!;
  const text = written(hidden.record, hidden.seat, 'phh');
  const place = /p(\d) \?\?\?\?/.exec(text)!;
  const owner = [...readPhh(text)[0]!.players.values()][Number(place[1]) - 1]!.seat - 1;
  const secret = cardNames(hidden.record.players.find(({ seat }) => seat === owner)!.hole);
  const doctored = text.replace('????', secret.join(''));
  t.same(leaksIn(doctored, hidden.record, hidden.seat), secret, 'and the check finds a planted one');
  t.pass(`${views.length} views of ${records.length} hands`);
  t.end();
});

await t.test(
  'who watched reads the cards that were shown, who may know all reads all, and the rest is the same',
  (t) => {
    for (const record of records) {
      const { players, board, boardCount } = record;
      const all = cardNames([...board.slice(0, boardCount), ...players.flatMap(({ hole }) => hole)]).sort();
      for (const format of Object.keys(POOL_FORMATS) as Format[]) {
        const told = watched(record, SPECTATOR, format);
        const wrong = leaksIn(told, record, null).map((card) => `leaked ${card}`);
        if (wrong.length > 0) t.same(wrong, [], `${format}\n${told}`);
        const open = watched(record, ALL, format);
        if ([...cardsIn(open)].sort().join(' ') !== all.join(' ')) t.fail(`${format} lacks cards\n${open}`);
      }
      for (const sight of [SPECTATOR, ALL]) {
        const [phh] = readPhh(watched(record, sight, 'phh'));
        const { differences } = checkPhh(vectorOf(phh!));
        if (differences.length > 0) t.same(differences, [], watched(record, sight, 'phh'));
        t.equal(phh!.hero, null);
        const [stars] = readPokerStars(watched(record, sight, 'pokerstars'));
        const ends = players.map(({ seat }) => stars!.players.get(nameOf(seat))?.end);
        t.same(
          ends,
          players.map(({ stackEnd }) => stackEnd),
        );
      }
    }
    t.end();
  },
);
