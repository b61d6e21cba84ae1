/**
 * Cards, decks and the value of hands, over all hands of five, six and seven. SEED=n takes other
 * random hands.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as phe from 'phe';
import t from 'tap';
import { CARD_NAMES, DECK_SIZE, parseCard, type Card } from '../../src/cards/card.js';
import { describeHand, describeValue } from '../../src/cards/describe.js';
import { boardKey, category, evaluate5, evaluate6, evaluate7, evaluateWithBoard } from '../../src/cards/evaluator.js';
import { renderTables } from '../../src/cards/generate.js';
import { packRows } from '../../src/cards/pack.js';
import type { RandomSource } from '../../src/cards/random.js';
import { drawCards, secureRandom, seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { leadingRank, secondRank } from '../../src/cards/value.js';
import { FILE_MS } from '../support/limits.js';
import { judge, naiveScore } from '../support/naive-evaluator.js';
import { SEED as seed } from '../support/seed.js';

t.setTimeout(FILE_MS);

const cardsOf = (names: string): Card[] => names.split(' ').map(parseCard);

/** Category counts by name, best first, as the literature lists them. */
const tally = (counts: ArrayLike<number>): Record<string, number> => ({
  straightFlush: counts[8]!,
  fourOfAKind: counts[7]!,
  fullHouse: counts[6]!,
  flush: counts[5]!,
  straight: counts[4]!,
  threeOfAKind: counts[3]!,
  twoPair: counts[2]!,
  pair: counts[1]!,
  highCard: counts[0]!,
});

void t.test('a card code and its name belong to each other', (t) => {
  t.equal(new Set(CARD_NAMES).size, DECK_SIZE);
  t.same(
    CARD_NAMES.map(parseCard),
    CARD_NAMES.map((_, card) => card),
  );
  t.same(['2c', '2d', '2h', '2s', '3c', 'Td', 'As'].map(parseCard), [0, 1, 2, 3, 4, 33, 51]);
  for (const name of ['', 'A', '1s', 'AS', 'as', '??', '10s', 'Asx', 'Ä♠'])
    t.throws(() => parseCard(name), RangeError, name);
  t.end();
});

// The three exhaustive tests together prove every value: five cards against the rule book, six against their five-card
// hands, seven against their six-card ones.

void t.test('all 2,598,960 hands of five are valued as the rule book ranks them', (t) => {
  const counts = new Int32Array(16);
  const scoreOf = new Float64Array(1 << 16);
  const wrong: string[] = [];
  const expect = (ok: boolean, hand: readonly Card[], what: string): void => {
    if (!ok && wrong.length < 10) wrong.push(`${hand.map((card) => CARD_NAMES[card]).join(' ')}: ${what}`);
  };
  forEachFive((hand) => {
    const [c0, c1, c2, c3, c4] = hand as [Card, Card, Card, Card, Card];
    const value = evaluate5(c0, c1, c2, c3, c4);
    const score = naiveScore(hand) + 1;
    counts[category(value)]!++;
    expect(scoreOf[value] === 0 || scoreOf[value] === score, hand, 'one value for hands that differ');
    if (scoreOf[value] !== 0) return;
    scoreOf[value] = score;
    const judged = judge(hand);
    expect(category(value) === judged.category, hand, `category ${category(value)}`);
    expect(leadingRank(value) === judged.ranks[0], hand, `leading rank ${leadingRank(value)}`);
    const hasSecond = judged.category === 2 || judged.category === 6;
    expect(!hasSecond || secondRank(value) === judged.ranks[1], hand, `second rank ${secondRank(value)}`);
  });
  t.same(wrong, []);
  t.same(tally(counts), {
    straightFlush: 40,
    fourOfAKind: 624,
    fullHouse: 3_744,
    flush: 5_108,
    straight: 10_200,
    threeOfAKind: 54_912,
    twoPair: 123_552,
    pair: 1_098_240,
    highCard: 1_302_540,
  });
  const scores = [...scoreOf].filter((score) => score > 0);
  t.equal(scores.length, 7_462, 'distinct values');
  t.ok(
    scores.every((score, i) => i === 0 || score > scores[i - 1]!),
    'higher values for better hands',
  );
  t.equal(scoreOf[0], 0, 'no hand has the value 0');
  t.end();
});

void t.test('all 20,358,520 hands of six are worth their best five', (t) => {
  let hands = 0;
  let wrong = 0;
  const sixth = (c0: Card, c1: Card, c2: Card, c3: Card, c4: Card): void => {
    const withoutLast = evaluate5(c0, c1, c2, c3, c4);
    for (let c5 = c4 + 1; c5 < DECK_SIZE; c5++) {
      const best = Math.max(
        withoutLast,
        evaluate5(c0, c1, c2, c3, c5),
        evaluate5(c0, c1, c2, c4, c5),
        evaluate5(c0, c1, c3, c4, c5),
        evaluate5(c0, c2, c3, c4, c5),
        evaluate5(c1, c2, c3, c4, c5),
      );
      hands++;
      if (evaluate6(c0, c1, c2, c3, c4, c5) !== best) wrong++;
    }
  };
  forEachFive(([c0, c1, c2, c3, c4]) => sixth(c0!, c1!, c2!, c3!, c4!));
  t.equal(hands, 20_358_520);
  t.equal(wrong, 0);
  t.end();
});

void t.test('all 133,784,560 hands of seven are worth their best six, and each category has its known size', (t) => {
  const counts = new Int32Array(16);
  let wrong = 0;
  const lastTwo = (board: readonly Card[]): void => {
    const key = boardKey(board);
    const [c0, c1, c2, c3, c4] = board as [Card, Card, Card, Card, Card];
    for (let c5 = c4 + 1; c5 < DECK_SIZE - 1; c5++) {
      const withoutLast = evaluate6(c0, c1, c2, c3, c4, c5);
      for (let c6 = c5 + 1; c6 < DECK_SIZE; c6++) {
        const value = evaluateWithBoard(key, board, c5, c6);
        counts[category(value)]!++;
        let best = Math.max(withoutLast, evaluate6(c0, c1, c2, c3, c4, c6));
        best = Math.max(best, evaluate6(c0, c1, c2, c3, c5, c6), evaluate6(c0, c1, c2, c4, c5, c6));
        best = Math.max(best, evaluate6(c0, c1, c3, c4, c5, c6), evaluate6(c0, c2, c3, c4, c5, c6));
        best = Math.max(best, evaluate6(c1, c2, c3, c4, c5, c6));
        if (value !== best || evaluate7(c0, c1, c2, c3, c4, c5, c6) !== best) wrong++;
      }
    }
  };
  forEachFive(lastTwo);
  t.same(tally(counts), {
    straightFlush: 41_584,
    fourOfAKind: 224_848,
    fullHouse: 3_473_184,
    flush: 4_047_644,
    straight: 6_180_020,
    threeOfAKind: 6_461_620,
    twoPair: 31_433_400,
    pair: 58_627_800,
    highCard: 23_294_460,
  });
  t.equal(wrong, 0);
  t.end();
});

void t.test('five million random hands are ordered and named as phe does', (t) => {
  const random = seededRandom(seed);
  const hand = new Uint8Array(7);
  const codes = [0, 0, 0, 0, 0, 0, 0];
  const pheOf = new Int32Array(1 << 16);
  let differing = 0;
  for (let i = 0; i < 5_000_000; i++) {
    drawCards(hand, 7, random);
    // phe counts the suits s h d c: our codes with the low two bits turned over.
    for (let j = 0; j < 7; j++) codes[j] = hand[j]! ^ 3;
    const theirs = phe.evaluateCardCodes(codes);
    const ours = evaluate7(hand[0]!, hand[1]!, hand[2]!, hand[3]!, hand[4]!, hand[5]!, hand[6]!);
    if (pheOf[ours] === 0) pheOf[ours] = theirs;
    if (pheOf[ours] !== theirs || category(ours) !== 8 - phe.handRank(theirs)) differing++;
  }
  t.equal(differing, 0, `hands that phe ties otherwise or puts into another category, seed ${seed}`);
  // One strictly falling map from our values to phe's strengths: so every pair of these hands compares alike.
  const strengths = [...pheOf].filter((strength) => strength > 0);
  t.ok(strengths.length > 4_000, 'nearly all of the 4,824 values were met');
  t.ok(
    strengths.every((strength, i) => i === 0 || strength < strengths[i - 1]!),
    `the order is phe's, seed ${seed}`,
  );
  t.end();
});

void t.test('neither the order of the cards nor the names of the suits matter', (t) => {
  const seven = fc.shuffledSubarray([...CARD_NAMES.keys()], { minLength: 7, maxLength: 7 });
  const suitNames = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
  fc.assert(
    fc.property(seven, fc.nat(6), suitNames, (cards, turn, suits) => {
      const [a, b, c, d, e, f, g] = cards as [Card, Card, Card, Card, Card, Card, Card];
      const value = evaluate7(a, b, c, d, e, f, g);
      const turned = [...cards.slice(turn), ...cards.slice(0, turn)].map((card) => (card & ~3) | suits[card & 3]!);
      const [hole0, hole1, ...board] = turned as [Card, Card, ...Card[]];
      return (
        evaluateWithBoard(boardKey(board), board, hole0, hole1) === value &&
        evaluateWithBoard(boardKey(Uint8Array.from(board)), Uint8Array.from(board), hole1, hole0) === value
      );
    }),
    { numRuns: 1000 },
  );
  t.pass('evaluate7 and evaluateWithBoard agree');
  t.end();
});

void t.test('hands are told in the usual words', (t) => {
  const words: [string, string][] = [
    ['High Card, Ace', 'As Kd 9h 7c 4s 3d 2h'],
    ['High Card, Seven', '7c 5d 4h 3s 2c'],
    ['Pair of Nines', '9h 9c As Kd 7h 4c 2s'],
    ['Pair of Sixes', '6h 6c As Kd 9h 4c'],
    ['Two Pair, Aces and Tens', 'Ah Ac Td Ts 5h 4c 2s'],
    ['Two Pair, Kings and Queens', 'Kh Kc Qd Qs 5h 5c As'],
    ['Three of a Kind, Sixes', '6h 6c 6d Ks 9h 4c 2s'],
    ['Straight, Nine high', '9h 8c 7d 6s 5h 2c 2s'],
    ['Straight, Five high', 'Ah 2c 3d 4s 5h Kc Ks'],
    ['Straight, Ace high', 'Ah Kc Qd Js Th 9c 2s'],
    ['Flush, Ace high', 'Ah Th 7h 5h 2h Ac As'],
    ['Flush, Ten high', 'Th 8h 7h 5h 4h 2h As'],
    ['Full House, Kings over Sevens', 'Kh Kc Ks 7h 7c 2d 3s'],
    ['Full House, Queens over Tens', 'Qh Qc Qs Th Tc Td 3s'],
    ['Full House, Twos over Aces', '2h 2c 2s Ah Ad'],
    ['Four of a Kind, Fives', '5h 5c 5d 5s Ah Ac As'],
    ['Straight Flush, Nine high', '9s 8s 7s 6s 5s As Ad'],
    ['Straight Flush, Five high', 'As 2s 3s 4s 5s 6d 6h'],
    ['Royal Flush', 'Ah Kh Qh Jh Th 9h 8h'],
  ];
  for (const [told, names] of words) {
    const cards = cardsOf(names);
    t.equal(describeHand(cards), told, names);
    t.equal(describeHand(Uint8Array.from(cards).reverse()), told, `${names}, reversed, in a typed array`);
  }
  t.throws(() => describeHand(cardsOf('As Ks Qs Js')), RangeError);
  t.throws(() => describeHand(cardsOf('As Ks Qs Js Ts 9s 8s 7s')), RangeError);
  t.end();
});

void t.test('a better hand is never told in the words of a worse one', (t) => {
  const values = new Set<number>();
  forEachFive(([c0, c1, c2, c3, c4]) => values.add(evaluate5(c0!, c1!, c2!, c3!, c4!)));
  const told = [...values].sort((a, b) => a - b).map(describeValue);
  const runs = told.filter((words, i) => words !== told[i - 1]);
  t.equal(runs.length, new Set(runs).size, 'the hands with the same words stand together');
  // 8 high cards, 13 pairs, 78 two pairs, 13 trips, 10 straights, 8 flushes, 156 full houses, 13 quads, 10 straight
  // flushes.
  t.equal(runs.length, 8 + 13 + 78 + 13 + 10 + 8 + 156 + 13 + 10);
  t.end();
});

void t.test('the generated tables are what the generator makes', (t) => {
  const asset = join(import.meta.dirname, '..', '..', '..', 'src', 'cards', 'tables.generated.ts');
  t.ok(readFileSync(asset, 'utf8') === renderTables(), 'npm run generate writes it anew');
  t.throws(
    () => packRows(new Map(Array.from({ length: 3 << 16 }, (_, key) => [key, 1]))),
    /does not fit/,
    'more entries than the run-time table has places',
  );
  t.end();
});

/** A source that yields the given words in turn, and tells how many were taken. */
function scripted(words: readonly number[]): RandomSource & { taken: number } {
  return {
    taken: 0,
    next16() {
      const word = words[this.taken++];
      if (word === undefined) throw new Error('the script is over');
      return word;
    },
  };
}

void t.test('uniformBelow gives every result exactly as many of the 65,536 words, and rejects the rest', (t) => {
  for (const bound of [...Array.from({ length: DECK_SIZE }, (_, i) => i + 1), 1000, 65_535, 65_536]) {
    const hits = new Int32Array(bound);
    let rejected = 0;
    for (let word = 0; word < 0x10000; word++) {
      // A rejected word is followed by one that is always accepted.
      const source = scripted([word, 0xffff]);
      const result = uniformBelow(bound, source);
      if (source.taken === 1) hits[result]!++;
      else rejected++;
    }
    const each = Math.floor(0x10000 / bound);
    if (rejected !== 0x10000 % bound || !hits.every((n) => n === each)) t.fail(`bound ${bound}: ${rejected} rejected`);
  }
  const source = scripted([0, 0, 0, 0x8001]);
  t.equal(uniformBelow(52, source), 26, 'a word can be rejected several times running');
  t.equal(source.taken, 4);
  t.end();
});

void t.test('each of the 52 × 51 first pairs comes from its own choices', (t) => {
  const pairs = new Set<number>();
  const out = new Uint8Array(2);
  const word = (choice: number, bound: number): number => Math.floor(((choice + 0.5) * 0x10000) / bound);
  for (let first = 0; first < 52; first++) {
    for (let second = 0; second < 51; second++) {
      drawCards(out, 2, scripted([word(first, 52), word(second, 51)]));
      if (out[0] !== out[1]) pairs.add(out[0]! * 52 + out[1]!);
    }
  }
  t.equal(pairs.size, 52 * 51);
  t.end();
});

void t.test('cards drawn are different cards, and nothing else is touched', (t) => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: DECK_SIZE }), (dealSeed, count) => {
      const out = new Uint8Array(DECK_SIZE + 1).fill(255);
      drawCards(out, count, seededRandom(dealSeed));
      const drawn = out.subarray(0, count);
      const rest = out.subarray(count);
      return (
        new Set(drawn).size === count && drawn.every((card) => card < DECK_SIZE) && rest.every((byte) => byte === 255)
      );
    }),
  );
  t.throws(() => drawCards(new Uint8Array(60), 53, seededRandom(1)), RangeError, 'more than the deck holds');
  t.throws(() => drawCards(new Uint8Array(16), 17, seededRandom(1)), RangeError, 'more than there is room for');
  t.end();
});

/** Pearson's statistic for cells that should all be hit alike. */
function chiSquare(hits: Int32Array): number {
  const expected = hits.reduce((sum, n) => sum + n, 0) / hits.length;
  return hits.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
}

/** The value that chi-square exceeds once in 10^12 (Wilson and Hilferty's approximation). */
const evenLimit = (cells: number): number => {
  const freedom = cells - 1;
  return freedom * (1 - 2 / (9 * freedom) + 7.03 * Math.sqrt(2 / (9 * freedom))) ** 3;
};

void t.test('cards fall evenly: every place of the deal, and every pair of cards at its start and end', (t) => {
  const random = seededRandom(2024);
  const out = new Uint8Array(17);
  const places = Array.from({ length: 17 }, () => new Int32Array(DECK_SIZE));
  const pairs = [new Int32Array(DECK_SIZE * (DECK_SIZE - 1)), new Int32Array(DECK_SIZE * (DECK_SIZE - 1))];
  // The second card is one of the 51 that are not the first.
  const pair = (a: Card, b: Card): number => a * (DECK_SIZE - 1) + (b > a ? b - 1 : b);
  for (let deal = 0; deal < 500_000; deal++) {
    drawCards(out, 17, random);
    for (let place = 0; place < 17; place++) places[place]![out[place]!]!++;
    pairs[0]![pair(out[0]!, out[1]!)]!++;
    pairs[1]![pair(out[15]!, out[16]!)]!++;
  }
  for (const hits of [...places, ...pairs]) t.ok(chiSquare(hits) < evenLimit(hits.length), `${chiSquare(hits)}`);
  const skewed = places[0]!.map((n, card) => (card < 26 ? n * 1.04 : n));
  t.ok(chiSquare(skewed) > evenLimit(DECK_SIZE), 'a deal skewed by four in a hundred would be seen');
  t.end();
});

void t.test('the secure source yields even 16-bit words over many refills, and no two sources alike', (t) => {
  const random = secureRandom();
  const high = new Int32Array(256);
  const low = new Int32Array(256);
  for (let i = 0; i < 1_000_000; i++) {
    const word = random.next16();
    high[word >> 8]!++;
    low[word & 255]!++;
  }
  t.equal(
    high.reduce((sum, n) => sum + n, 0),
    1_000_000,
    'no word above 65,535',
  );
  t.ok(chiSquare(high) < evenLimit(256), `high bytes: ${chiSquare(high)}`);
  t.ok(chiSquare(low) < evenLimit(256), `low bytes: ${chiSquare(low)}`);
  const take = (source: RandomSource): number[] => Array.from({ length: 16 }, () => source.next16());
  t.notSame(take(secureRandom()), take(secureRandom()));
  t.end();
});

void t.test('a seed gives the same numbers always and everywhere, another seed others', (t) => {
  const take = (source: RandomSource, count: number): number[] => Array.from({ length: count }, () => source.next16());
  t.same(take(seededRandom(1), 6), [27158, 30920, 25353, 41642, 63420, 10809], 'pinned: recorded seeds stay valid');
  const seeds = [0, 1, 2, -1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  t.equal(new Set(seeds.map((s) => take(seededRandom(s), 8).join())).size, seeds.length);
  for (const s of [0.5, NaN, Infinity, 2 ** 53]) t.throws(() => seededRandom(s), RangeError, String(s));
  t.end();
});

/** Calls `visit` with each of the 2,598,960 hands of five, lowest card first; the array is reused. */
function forEachFive(visit: (hand: readonly Card[]) => void): void {
  const hand = [0, 0, 0, 0, 0];
  for (hand[0] = 0; hand[0] < 48; hand[0]++)
    for (hand[1] = hand[0] + 1; hand[1] < 49; hand[1]++)
      for (hand[2] = hand[1] + 1; hand[2] < 50; hand[2]++)
        for (hand[3] = hand[2] + 1; hand[3] < 51; hand[3]++)
          for (hand[4] = hand[3] + 1; hand[4] < 52; hand[4]++) visit(hand);
}
