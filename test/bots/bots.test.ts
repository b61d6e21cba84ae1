/** The bots of the house: starting hands, equity, styles that play legally and differ as their names say. */
import fc from 'fast-check';
import t from 'tap';
import { createStrategy, STRATEGY_NAMES, STYLES } from '../../src/bots/index.js';
import type { StrategyName } from '../../src/bots/index.js';
import { equity } from '../../src/bots/strategies/equity.js';
import { percentileOf } from '../../src/bots/strategies/starting-hands.js';
import { heated } from '../../src/bots/strategies/style.js';
import { Temper } from '../../src/bots/strategies/index.js';
import { DECK_SIZE, parseCard, type Card } from '../../src/cards/card.js';
import { boardKey, evaluateWithBoard } from '../../src/cards/evaluator.js';
import { drawCards, seededRandom } from '../../src/cards/shuffle.js';
import { playHands, type SeatCounts } from '../../src/memory/sparring.js';
import { FILE_MS } from '../support/limits.js';
import { SEED as seed } from '../support/seed.js';

t.setTimeout(FILE_MS);

t.comment(`SEED=${seed}`);

const cards = (names: string): Card[] => names.split(' ').map(parseCard);
const pair = (names: string): [Card, Card] => cards(names) as [Card, Card];
const minds = (names: readonly StrategyName[], from: number) => names.map((name, i) => createStrategy(name, from + i));

await t.test('starting hands are ranked from aces to the worst, over all 1,326', async (t) => {
  const order = ['Ah Ac', 'Kh Kc', 'Ah Kh', 'Ah Kc', 'Jh Th', '7h 7c', 'Ah 2c', '9h 4c', '7h 2c'];
  const ranks = order.map((names) => percentileOf(pair(names)));
  t.same(
    ranks,
    [...ranks].sort((a, b) => a - b),
  );
  t.ok(ranks[0]! < 0.003, 'aces are one hand in 221');
  t.equal(percentileOf(pair('Kc Ah')), percentileOf(pair('Ah Kc')), 'in either order');

  const all = Array.from({ length: DECK_SIZE }, (_, a) => Array.from({ length: a }, (_, b) => percentileOf([a, b])));
  const flat = all.flat();
  t.ok(Math.abs(flat.reduce((sum, p) => sum + p, 0) / flat.length - 0.5) < 1e-6, 'so the middle is one half');
  for (const share of [0.1, 0.25, 0.5]) {
    const within = flat.filter((p) => p < share).length / flat.length;
    t.ok(Math.abs(within - share) < 0.03, `a style that plays ${share} of its hands gets ${within}`);
  }
});

await t.test('equity is the share of the pot against random hands, or hands of a range', async (t) => {
  const random = seededRandom(seed);
  const against = (hole: string, board: string, ranges: number[], samples = 4000) =>
    equity(pair(hole), board === '' ? [] : cards(board), ranges, [], samples, random);
  const of = (hole: string, board: string, opponents: number, samples = 4000) =>
    against(hole, board, new Array<number>(opponents).fill(1), samples);
  // Published values, five standard errors apart.
  t.ok(Math.abs(of('Ah Ac', '', 1) - 0.852) < 0.03);
  t.ok(Math.abs(of('7h 2c', '', 1) - 0.346) < 0.04);
  t.ok(Math.abs(of('Ah Ac', '', 5) - 0.492) < 0.04);
  t.equal(of('Ah Kh', 'Qh Jh Th 2c 3c', 5, 200), 1, 'nothing beats the royal flush');
  t.equal(of('2c 3d', 'Ah Kh Qh Jh Th', 3, 200), 0.25, 'on the board it is everybody’s');
  // On a full board the hands of a range can be counted.
  const [hole, board] = [pair('Jh Tc'), cards('Js 8d 3c 2h Qs')];
  const known = new Set([...hole, ...board]);
  const worth = (a: Card, b: Card) => evaluateWithBoard(boardKey(board), board, a, b);
  let [won, all] = [0, 0];
  for (let a = 0; a < DECK_SIZE; a++) {
    for (let b = 0; b < a; b++) {
      if (known.has(a) || known.has(b) || percentileOf([a, b]) > 0.15) continue;
      all++;
      won += (Math.sign(worth(...hole) - worth(a, b)) + 1) / 2;
    }
  }
  t.ok(Math.abs(against('Jh Tc', 'Js 8d 3c 2h Qs', [0.15]) - won / all) < 0.04, `${won / all}`);
  t.ok(against('Kh Kc', 'As Ad Ah', [0.002], 200) > 0, 'an empty range is any hand');
  t.ok(against('Jh Tc', '', [0.1, 0.3]) < of('Jh Tc', '', 2) - 0.05, 'good hands win more than any');
});

await t.test('who asks on which side of a line its share lies is told the same, and sooner', async (t) => {
  const random = seededRandom(seed + 1);
  let draws = 0;
  const counted = { next16: () => (draws++, random.next16()) };
  const deck = new Uint8Array(7);
  const drawn = [0, 0];
  let [clear, otherwise] = [0, 0];
  for (let spot = 0; spot < 400; spot++) {
    drawCards(deck, deck.length, random);
    const ask = (lines: number[], samples: number) => {
      draws = 0;
      const open = [...deck.subarray(2, 5 + ((spot >> 2) % 3))];
      const share = equity([deck[0]!, deck[1]!], open, spot % 2 === 0 ? [1] : [0.3, 1], lines, samples, counted);
      drawn[lines.length === 0 ? 0 : 1]! += draws / samples;
      return share;
    };
    const line = [0.3, 0.5, 0.7][spot % 3]!;
    const exact = ask([], 2000);
    if (Math.abs(exact - line) < 0.08) continue;
    clear++;
    if (exact >= line !== ask([line], 200) >= line) otherwise++;
  }
  t.ok(clear > 200, `${clear} spots are clear of their line`);
  t.ok(otherwise <= 0.03 * clear, `${otherwise} of them told otherwise`);
  t.ok(drawn[1]! < 0.5 * drawn[0]!, `${(drawn[1]! / drawn[0]!).toFixed(2)} of the cards drawn`);
});

await t.test('every style plays legally, with any stacks and any number of opponents', async (t) => {
  const names = fc.array(fc.constantFrom(...STRATEGY_NAMES), { minLength: 2, maxLength: 6 });
  const property = fc.property(names, fc.nat(), fc.constantFrom(30, 400, 5000), (seats, game, most) => {
    // playHands throws at the first refusal.
    playHands(minds(seats, game), 20, game, (roll) => 1 + roll(most));
    return true;
  });
  t.doesNotThrow(() => fc.assert(property, { seed, numRuns: 150 }));
});

await t.test('the same seed plays the same, another one differently', async (t) => {
  const choices = (dice: number) => playHands(minds(STRATEGY_NAMES, dice), 100, 7).choices;
  t.same(choices(1), choices(1));
  t.notSame(choices(1), choices(100));
});

await t.test('styles differ as their names say', async (t) => {
  const hands = 3000;
  const { conduct } = playHands(minds(STRATEGY_NAMES, seed), hands, seed);
  const by = (measure: (seat: SeatCounts) => number) =>
    Object.fromEntries(STRATEGY_NAMES.map((name, i) => [name, measure(conduct[i]!)])) as Record<StrategyName, number>;
  const rises = (what: string, values: Record<StrategyName, number>, ...order: StrategyName[]) => {
    const found = order.map((name) => values[name]);
    const steps = found.slice(1).map((value, i) => value > found[i]!);
    t.ok(steps.every(Boolean), `${what}: ${order.map((name) => `${name} ${values[name].toFixed(2)}`).join(' < ')}`);
  };
  const vpip = by((seat) => seat.vpip / seat.hands);
  rises('hands played', vpip, 'rock', 'shark', 'bluffer', 'gambler');
  rises('hands played', vpip, 'rock', 'gto_lite', 'bluffer', 'calling_station');
  const pfr = by((seat) => seat.pfr / seat.hands);
  rises('hands raised', pfr, 'calling_station', 'rock', 'shark', 'bluffer', 'gambler');
  const aggression = by((seat) => seat.raises / seat.calls);
  rises('raises to a call', aggression, 'calling_station', 'rock', 'bluffer');
  rises('raises to a call', aggression, 'calling_station', 'gto_lite', 'bluffer');
  const folds = by((seat) => seat.folds / (seat.folds + seat.calls + seat.raises));
  rises('folds to all answers', folds, 'calling_station', 'rock');
  const profit = by((seat) => seat.profit);
  t.ok(profit.shark > profit.calling_station, 'and the shark lives off the calling station');
});

await t.test('a style is numbers from 0 to 1, and a big loss heats one that tilts for a while', async (t) => {
  for (const style of Object.values(STYLES)) {
    for (const mood of [style, heated(style, 1)]) {
      for (const [key, value] of Object.entries(mood)) t.ok(value >= 0 && value <= 1, `${key} ${value}`);
    }
  }
  t.same(heated(STYLES.shark, 1), STYLES.shark, 'the shark keeps calm');
  t.ok(heated(STYLES.gambler, 1).vpip > STYLES.gambler.vpip);

  const temper = new Temper();
  const heatWith = (handId: string, stack: number) =>
    temper.heat({ handId, stack, bet: 0, bigBlind: 20 } as Parameters<typeof temper.heat>[0]);
  t.equal(heatWith('1', 2000), 0);
  t.equal(heatWith('2', 1900), 0, 'five blinds are nothing');
  t.equal(heatWith('3', 1000), 1);
  t.equal(heatWith('3', 500), 1, 'asked again in the same hand');
  const after = ['4', '5', '6'].map((handId) => heatWith(handId, 1000));
  t.ok(1 > after[0]! && after[0]! > after[1]! && after[1]! > after[2]! && after[2]! > 0);
});
