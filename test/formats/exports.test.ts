/**
 * 1,000 exported hands, in PHH and as PokerStars text: independent readers understand what was played, and the
 * platform's own reader understands the same.
 */
import t, { type Test } from 'tap';
import { CARD_NAMES } from '../../src/cards/card.js';
import { readHandFile, type ReplayHand } from '../../src/formats/index.js';
import { FORMATS } from '../../src/history/export/formats.js';
import { Act } from '../../src/holdem/types.js';
import type { HandAction, HandRecord } from '../../src/table/effects.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { wildHands } from '../support/wild-hands.js';
import type { IndependentHand } from './independent/hand.js';
import { readPhh } from './independent/phh.js';
import { readPokerStars } from './independent/pokerstars.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const { hands: records } = wildHands(1000, SEED);
const nameOf = (seat: number) => `p_${seat}`;
const cardsOf = (cards: readonly number[]) => cards.map((card) => CARD_NAMES[card]!);

type Played = Omit<IndependentHand, 'id' | 'players' | 'shown'> & {
  /** Name, seat from 1, chips before, won, chips after. */
  players: [string, number, number, number, number][];
  /** In the order of the names. */
  shown: [string, string[]][];
};

const byName = <V extends readonly [string, ...unknown[]]>(list: V[]) => list.sort(([a], [b]) => (a < b ? -1 : 1));

/** Small blinds that come back post twice. */
const inAll = (posts: Played['posts']): Played['posts'] => {
  const sums = new Map<string, number>();
  for (const [name, chips] of posts) sums.set(name, (sums.get(name) ?? 0) + chips);
  return byName([...sums]);
};

/** The table's record, as the first player may know it. */
function recorded(record: HandRecord): Played {
  const { players, button, bigBlindSeat, smallBlind, bigBlind, returns = 0, board, boardCount } = record;
  const seats = players.map(({ seat }) => seat);
  const inOrder = [...seats.filter((seat) => seat > button), ...seats.filter((seat) => seat <= button)];
  const behind = new Map(players.map(({ seat, stackStart }) => [seat, stackStart]));
  const bets = new Map<number, number>();
  const put = (seat: number, chips: number) => {
    behind.set(seat, behind.get(seat)! - chips);
    bets.set(seat, (bets.get(seat) ?? 0) + chips);
  };
  const smallBlindSeat = players.length === 2 ? button : inOrder[0]!;
  const owed = (seat: number) =>
    seat === bigBlindSeat || (returns & (1 << seat)) !== 0 ? bigBlind : seat === smallBlindSeat ? smallBlind : 0;
  const posts = inOrder.flatMap((seat): [string, number][] => {
    const chips = Math.min(owed(seat), behind.get(seat)!);
    put(seat, chips);
    return chips > 0 ? [[nameOf(seat), chips]] : [];
  });
  let [price, street] = [bigBlind, 0];
  const played = ({ seat, act, amount, street: now }: HandAction): Played['actions'][number] => {
    if (now !== street) {
      bets.clear();
      [price, street] = [0, now];
    }
    const name = nameOf(seat);
    if (act === Act.fold || act === Act.check) return [name, act === Act.fold ? 'fold' : 'check', 0];
    const bet = bets.get(seat) ?? 0;
    const to = act === Act.raise ? amount! : bet + amount!;
    put(seat, to - bet);
    if (to <= price) return [name, 'call', to - bet];
    const word = price === 0 ? 'bet' : 'raise';
    price = to;
    return [name, word, to];
  };
  const [own] = players;
  return {
    players: players.map((each) => [nameOf(each.seat), each.seat + 1, each.stackStart, each.payout, each.stackEnd]),
    posts: inAll(posts),
    actions: record.actions.map(played),
    board: cardsOf(board.slice(0, boardCount)),
    hero: [nameOf(own!.seat), cardsOf(own!.hole)],
    shown: players.filter(({ shown }) => shown).map(({ seat, hole }) => [nameOf(seat), cardsOf(hole)]),
  };
}

/** The hand as an independent reader understands it. */
const understood = (hand: IndependentHand): Played => ({
  players: byName([...hand.players].map(([name, { seat, start, won, end }]) => [name, seat, start, won, end])),
  posts: inAll(hand.posts),
  actions: hand.actions,
  board: hand.board,
  hero: hand.hero,
  shown: byName([...hand.shown]),
});

/** The hand as the platform's own reader understands it. */
function replayed({ players, moves, bigBlind }: ReplayHand): Played {
  const chips = new Map(players.map(({ seat, stack }) => [seat, stack]));
  const bets = new Map<number, number>();
  const won = new Map<number, number>();
  const hand: Pick<Played, 'posts' | 'actions' | 'board' | 'shown'> = { posts: [], actions: [], board: [], shown: [] };
  const put = (seat: number, added: number) => {
    chips.set(seat, chips.get(seat)! - added);
    bets.set(seat, (bets.get(seat) ?? 0) + added);
  };
  let price = bigBlind;
  for (const move of moves) {
    if (move.kind === 'post') {
      put(move.seat, move.chips);
      hand.posts.push([nameOf(move.seat), move.chips]);
    } else if (move.kind === 'action') {
      put(move.seat, move.chips);
      const to = bets.get(move.seat)!;
      const isAbove = to > price;
      const word = move.action === 'all_in' ? (!isAbove ? 'call' : price === 0 ? 'bet' : 'raise') : move.action;
      hand.actions.push([nameOf(move.seat), word, word === 'bet' || word === 'raise' ? to : move.chips]);
      price = Math.max(price, to);
    } else if (move.kind === 'street') {
      bets.clear();
      price = 0;
      hand.board.push(...move.cards);
    } else if (move.kind === 'shown') {
      hand.shown.push([nameOf(move.seat), [...move.cards]]);
    } else if (move.kind === 'won') {
      won.set(move.seat, (won.get(move.seat) ?? 0) + move.chips);
      chips.set(move.seat, chips.get(move.seat)! + move.chips);
    } else if (move.kind === 'returned') {
      chips.set(move.seat, chips.get(move.seat)! + move.chips);
    }
  }
  return {
    players: players.map(({ seat, name, stack }) => [name, seat + 1, stack, won.get(seat) ?? 0, chips.get(seat)!]),
    posts: inAll(hand.posts),
    actions: hand.actions,
    board: hand.board,
    hero:
      players.flatMap(({ name, cards, own }): Played['hero'][] => (own && cards ? [[name, [...cards]]] : []))[0] ??
      null,
    shown: byName(hand.shown),
  };
}

/** The file of all hands, each as its first player exports it. */
function exported(format: 'phh' | 'pokerstars'): string {
  const form = FORMATS[format];
  const texts = records.map((record, written) => {
    const own = record.players[0]!;
    const { handId, tableId, handNumber } = record;
    const row = {
      handId,
      tableId,
      handNumber,
      seat: own.seat,
      stackStart: own.stackStart,
      stackEnd: own.stackEnd,
      startedAt: new Date(record.startedAt),
      endedAt: new Date(record.endedAt),
      record: encodeRecord(record),
    };
    return form.write({
      sight: { kind: 'player', agentId: own.agentId },
      inCompetition: false,
      written,
      hands: [{ row, stored: decodeRecord(row.record) }],
      names: new Map(record.players.map((player) => [player.agentId, nameOf(player.seat)])),
    });
  });
  return form.head + texts.join('') + form.tail;
}

const wanted = records.map(recorded);

for (const [format, read] of [
  ['phh', readPhh],
  ['pokerstars', readPokerStars],
] as const) {
  const text = exported(format);
  const compare = (t: Test, name: string, played: readonly Played[]) => {
    t.equal(played.length, records.length, `${name} finds every hand`);
    const wrong = played.flatMap((hand, i) => (JSON.stringify(hand) === JSON.stringify(wanted[i]) ? [] : [i]));
    for (const i of wrong.slice(0, 3)) t.same(played[i], wanted[i], `hand ${i + 1}`);
    t.equal(wrong.length, 0, `${name} understands each as it was played`);
  };
  await t.test(`${format}: an independent reader`, (t) => {
    compare(t, 'an independent reader', read(text).map(understood));
    t.end();
  });
  await t.test(`${format}: the platform's own reader`, (t) => {
    const { hands, unreadable } = readHandFile(text);
    t.same(unreadable.slice(0, 3), []);
    compare(t, 'the own reader', hands.map(replayed));
    t.end();
  });
}

await t.test('an independent reader refuses a file that was changed', (t) => {
  const phh = exported('phh').split('\n\n')[0]!;
  t.throws(() => readPhh(phh.replace(/finishing_stacks = \[\d+/, 'finishing_stacks = [99999')), /the file says/);
  t.throws(() => readPhh(phh.replace("'NT'", "'PO'")), /variant/);
  const stars = exported('pokerstars').split('\n\n\n')[0]!;
  t.throws(() => readPokerStars(stars.replace(/Total pot \d+/, 'Total pot 1')), /pot 1/);
  t.throws(() => readPokerStars(stars.replace('*** SUMMARY', 'hello\n*** SUMMARY')), /no such line: hello/);
  t.end();
});
