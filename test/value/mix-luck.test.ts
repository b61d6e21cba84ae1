/** The terms of mixed actions: their means are exactly 0, and they save hands for a bot that mixes. */
import t from 'tap';
import { LuckTable, type Mind } from '../../bench/luck/play.js';
import { createStrategy, STRATEGY_NAMES } from '../../src/bots/index.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { Hand } from '../../src/holdem/hand.js';
import type { Act } from '../../src/holdem/types.js';
import type { StoredHand } from '../../src/table/record/record-codec.js';
import { setupOf } from '../../src/table/record/stored-hand.js';
import { ChanceLog } from '../../src/value/events.js';
import { handLuck } from '../../src/value/luck.js';
import { mixLuck } from '../../src/value/mix-luck.js';
import { valueFunction } from '../../src/value/value-function.js';
import { FILE_MS } from '../support/limits.js';
import { storedHands } from './stored-hands.js';

t.setTimeout(FILE_MS);

const HANDS = storedHands(60, 44, '018f4e0b-3333-7000-8000-00000000000c', true);
const value = valueFunction();

function mixesOf(stored: StoredHand) {
  const [hand, log] = [new Hand(), new ChanceLog()];
  hand.start(setupOf(stored));
  log.begin(hand);
  for (const { act, amount, mix } of stored.actions) {
    if (mix) log.mix(hand, mix);
    hand.act(act as Act, amount ?? 0);
    log.look(hand);
  }
  return log.mixes;
}

await t.test('the mean over the parts is 0, all players sum to 0, and later cards change nothing', async (t) => {
  const seen = { mixes: 0, closed: 0, alone: 0, streets: new Set<number>() };
  let [mean, sum, outside] = [0, 0, 0];
  for (const hand of HANDS) {
    for (const mix of mixesOf(hand)) {
      const { street } = mix.parts[0]!.left;
      seen.mixes++;
      seen.streets.add(street);
      const all = mix.parts.reduce((before, { p }) => before + p, 0);
      const means = hand.players.map(() => 0);
      mix.parts.forEach(({ p, left }, drawn) => {
        if (left.closed) seen.closed++;
        if ((left.live & (left.live - 1)) === 0) seen.alone++;
        const open = [0, 3, 4, 5][street]!;
        // Only the open cards are there: what comes later has no part in it.
        const known = { ...hand, board: hand.board.slice(0, open), holes: hand.players };
        const { luck, low, high } = mixLuck(known, { ...mix, drawn }, value.board, hand.bigBlind);
        luck.forEach((each, i) => {
          means[i] = means[i]! + (p / all) * each;
          outside = Math.max(outside, low[i]! - each, each - high[i]!);
        });
        sum = Math.max(sum, Math.abs(luck.reduce((before, each) => before + each, 0)));
      });
      mean = Math.max(mean, ...means.map(Math.abs));
    }
  }
  t.ok(mean < 1e-9, `means up to ${mean} big blinds`);
  t.ok(sum < 1e-9, `sums up to ${sum} big blinds`);
  t.ok(outside <= 0, `outside the limits by ${outside}`);
  t.ok(
    seen.mixes > 60 && seen.closed > seen.alone && seen.alone > 0,
    `${seen.mixes} mixes, ${seen.closed} parts end the bets, ${seen.alone} the hand`,
  );
  t.equal(seen.streets.size, 4, 'mixes of all streets');
});

await t.test('what was drawn changes the luck of a hand by the difference of the values', async (t) => {
  let told = 0;
  for (const hand of HANDS) {
    for (const mix of mixesOf(hand).slice(0, 1)) {
      const known = { ...hand, holes: hand.players };
      const lucks = mix.parts.map((_, drawn) => mixLuck(known, { ...mix, drawn }, value.board, hand.bigBlind).luck);
      const spread = Math.max(...lucks.map((luck) => luck[0]!)) - Math.min(...lucks.map((luck) => luck[0]!));
      const none = handLuck(hand, { events: [], mixes: [] }, value);
      const one = handLuck(hand, { events: [], mixes: [{ ...mix, after: 0 }] }, value);
      if (spread > 1e-6 && Math.abs(one[0]! - none[0]!) > 1e-9) told++;
    }
  }
  t.ok(told > 10, `${told} hands`);
});

/** Results of seat 0 less luck, with and without the terms of mixes. Seat 0 folds or calls half and half. */
function selfplay(hands: number, seed: number) {
  const [random, table] = [seededRandom(seed), new LuckTable(6)];
  const minds: Mind[] = STRATEGY_NAMES.slice(0, 6).map((name, n) => createStrategy(name, seed + n));
  const own = minds[0]!;
  minds[0] = (turn) =>
    turn.canCall
      ? {
          mix: [
            { action: 'fold', p: 0.5 },
            { action: 'call', p: 0.5 },
          ],
        }
      : own(turn);
  const sums = [0, 1, 2].map(() => ({ sum: 0, squares: 0 }));
  const terms = { sum: 0, squares: 0 };
  for (let n = 0; n < hands; n++) {
    table.draw(random);
    const { hand, chances, results } = table.play(`mix-${seed}-${n}`, minds, Array<number>(6).fill(100));
    const cards = handLuck(hand, { events: chances.events, mixes: [] }, value)[0]!;
    const both = handLuck(hand, chances, value)[0]!;
    [0, cards, both].forEach((luck, k) => {
      const less = results[0]! - luck;
      sums[k]!.sum += less;
      sums[k]!.squares += less ** 2;
    });
    terms.sum += both - cards;
    terms.squares += (both - cards) ** 2;
  }
  const variance = ({ sum, squares }: (typeof sums)[0]) => (squares - sum ** 2 / hands) / (hands - 1);
  const [chips, cards, both] = sums.map(variance);
  return { chips: chips!, cards: cards!, both: both!, deviations: terms.sum / Math.sqrt(hands * variance(terms)) };
}

await t.test('a bot that folds or calls half and half needs fewer hands', async (t) => {
  const { chips, cards, both, deviations } = selfplay(2000, 5);
  const told = `variance of chips ${chips}, less cards ${cards}, less mixes ${both}: × ${cards / both}`;
  t.comment(told, `deviations ${deviations}`);
  t.ok(cards / both > 1.05, told);
  t.ok(Math.abs(deviations) < 4, `the mean of the terms is ${deviations} standard errors from 0`);
});
