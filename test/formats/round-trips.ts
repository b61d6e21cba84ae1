import { deepStrictEqual } from 'node:assert';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { seededRandom } from '../../src/cards/shuffle.js';
import { readHandFile, type HandMove, type ReplayHand } from '../../src/formats/index.js';
import { writePhh } from '../../src/formats/phh/write.js';
import { writePokerStars } from '../../src/formats/pokerstars/write.js';
import { FORMATS, POOL_FORMATS, type Format } from '../../src/history/export/formats.js';
import { seenBy } from '../../src/history/export/seen.js';
import { ALL, SPECTATOR, type Sight } from '../../src/history/sight.js';
import { Hand } from '../../src/holdem/hand.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import type { HandRecord } from '../../src/table/effects.js';
import { RandomTable } from '../support/random-table.js';
import { wildPlay } from '../support/wild-hands.js';

/** A hand that src/holdem dealt: short blinds, side pots, odd chips, busts, all-ins and walks are among them. */
const record: fc.Arbitrary<HandRecord> = fc
  .record({
    seats: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 6 }),
    stacks: fc.array(fc.oneof(fc.integer({ min: 1, max: 45 }), fc.integer({ min: 1, max: 3000 })), {
      minLength: 6,
      maxLength: 6,
    }),
    returns: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 63 })),
    played: fc.integer({ min: 0, max: 3 }),
    seed: fc.nat(),
  })
  .map(({ seats, stacks, returns, played, seed }) => {
    const random = seededRandom(seed);
    const seated = [...seats]
      .sort((a, b) => a - b)
      .map((seat, i) => ({ agentId: randomUUID(), sitting: randomUUID(), seat, stack: stacks[i]! }));
    const table = new RandomTable(randomUUID(), randomUUID(), seated, random);
    table.returns = returns;
    let hand = table.play(wildPlay(random));
    // The button moves on, as long as two have chips.
    for (let n = 0; n < played && seated.filter(({ stack }) => stack > 0).length > 1; n++) {
      hand = table.play(wildPlay(random));
    }
    return hand;
  });

const sightOf = ({ players }: HandRecord, view: number): Sight =>
  view === 6 ? SPECTATOR : view === 7 ? ALL : { kind: 'player', agentId: players[view % players.length]!.agentId };

const seenAs = fc.tuple(record, fc.integer({ min: 0, max: 7 })).map(([hand, view]) => {
  const sight = sightOf(hand, view);
  const names = new Map(hand.players.map(({ agentId, seat }) => [agentId, `p_${seat}`]));
  return { hand, sight, names, seen: seenBy(decodeRecord(encodeRecord(hand)), sight, names, new Hand()) };
});

const DOLLARS = { symbol: '$', decimals: 2 } as const;

/** The same hand at another table: in cents, and with a rake where one alone has won. */
const elsewhere = seenAs.map(({ seen, ...rest }) => {
  const won = seen.moves.filter((move) => move.kind === 'won');
  const rake = won.length === 1 ? Math.floor(won[0]!.chips / 20) : 0;
  const moves = seen.moves.map((move) => (move.kind === 'won' ? { ...move, chips: move.chips - rake } : move));
  return { ...rest, seen: { ...seen, unit: DOLLARS, rake, moves } };
});

function readBack(text: string): ReplayHand {
  const { hands, unreadable } = readHandFile(text);
  deepStrictEqual(unreadable, [], text);
  deepStrictEqual(hands.length, 1, text);
  return hands[0]!;
}

const isShow = ({ kind }: HandMove) => kind === 'shown' || kind === 'mucked';

/** Formats let players show before the last cards, or in the order of seats: shows go behind the streets, by seat. */
function ordered({ moves, ...rest }: ReplayHand): ReplayHand {
  const seatOf = (move: HandMove) => ('seat' in move ? move.seat : -1);
  const shows = moves.filter(isShow).sort((a, b) => seatOf(a) - seatOf(b));
  const won = moves.filter(({ kind }) => kind === 'won');
  return { ...rest, moves: [...moves.filter((move) => !isShow(move) && move.kind !== 'won'), ...shows, ...won] };
}

/** PokerStars text names no ids of ours. */
const withoutIds = (hand: ReplayHand): ReplayHand => ({
  ...ordered(hand),
  handId: null,
  tableId: null,
  handNumber: null,
  title: '',
});

const phh = ({ seen, hand }: { seen: ReplayHand; hand: HandRecord }) =>
  deepStrictEqual(ordered(readBack(writePhh(seen, { section: 7, own: { _season_id: hand.poolId } }))), ordered(seen));

function pokerStars({ seen, sight }: { seen: ReplayHand; sight: Sight }): void {
  const text = writePokerStars(seen, { open: sight.kind === 'all' });
  deepStrictEqual(withoutIds(readBack(text)), withoutIds(seen), text);
}

/** As an export of the hand's history writes it. */
function records(format: Format) {
  return ({
    seen,
    hand,
    sight,
    names,
  }: {
    seen: ReplayHand;
    hand: HandRecord;
    sight: Sight;
    names: Map<string, string>;
  }) => {
    const stored = decodeRecord(encodeRecord(hand));
    const form = sight.kind === 'player' ? FORMATS[format] : POOL_FORMATS[format];
    const player = hand.players.find(({ agentId }) => sight.kind === 'player' && agentId === sight.agentId);
    const row = {
      handId: hand.handId,
      tableId: hand.tableId,
      handNumber: hand.handNumber,
      seat: player?.seat ?? 0,
      stackStart: player?.stackStart ?? 0,
      stackEnd: player?.stackEnd ?? 0,
      record: encodeRecord(hand),
      startedAt: new Date(hand.startedAt),
      endedAt: new Date(hand.endedAt),
    };
    const batch = { sight, inCompetition: sight.kind !== 'player', hands: [{ row, stored }], names, written: 0 };
    deepStrictEqual(ordered(readBack(form.head + form.write(batch) + form.tail)), ordered(seen));
  };
}

/** The properties, by name. Each takes its seed and its number of hands. */
export const roundTrips = (): Readonly<Record<string, (runs: { seed: number; numRuns: number }) => void>> => ({
  PHH: (runs) => fc.assert(fc.property(seenAs, phh), runs),
  'PHH in cents, with a rake': (runs) => fc.assert(fc.property(elsewhere, phh), runs),
  'PokerStars text': (runs) => fc.assert(fc.property(seenAs, pokerStars), runs),
  'PokerStars text in dollars, with a rake': (runs) => fc.assert(fc.property(elsewhere, pokerStars), runs),
  JSON: (runs) => fc.assert(fc.property(seenAs, records('json')), runs),
  CSV: (runs) => fc.assert(fc.property(seenAs, records('csv')), runs),
});
