/** The terms of luck: their means are 0, their sum over the players is 0, and no result less luck leaves its limits. */
import t from 'tap';
import { cellOfHoleCards } from '../../src/analytics/starting-hands.js';
import { Hand } from '../../src/holdem/hand.js';
import { setupOf } from '../../src/table/record/stored-hand.js';
import type { Act } from '../../src/holdem/types.js';
import type { StoredHand } from '../../src/table/record/record-codec.js';
import { atStake } from '../../src/statistics/at-stake.js';
import { boardFacts } from '../../src/value/board-facts.js';
import { ChanceLog } from '../../src/value/events.js';
import { handLuck, LUCK_LIMIT } from '../../src/value/luck.js';
import { stateValue } from '../../src/value/state-value.js';
import { valueFunction } from '../../src/value/value-function.js';
import { FILE_MS } from '../support/limits.js';
import { storedHands } from './stored-hands.js';

t.setTimeout(FILE_MS);

const POOL = '018f4e0b-3333-7000-8000-00000000000b';
const HANDS = storedHands(120, 7, POOL);
const MIXED = storedHands(120, 8, POOL, true);
const value = valueFunction();

/** The chances of a hand, and what `at` sees before each action. */
function played(stored: StoredHand, at?: (hand: Hand) => void) {
  const [hand, log] = [new Hand(), new ChanceLog()];
  hand.start(setupOf(stored));
  log.begin(hand);
  for (const { seat, act, amount, mix } of stored.actions) {
    if (seat !== hand.actor) throw new Error('another seat acts');
    at?.(hand);
    if (mix) log.mix(hand, mix);
    hand.act(act as Act, amount ?? 0);
    log.look(hand);
  }
  return log;
}

await t.test('the luck of all players sums to 0, within their limits', async (t) => {
  let [worst, widest] = [0, 0];
  for (const hand of [...HANDS, ...MIXED]) {
    const luck = handLuck(hand, played(hand), value);
    worst = Math.max(worst, Math.abs(luck.reduce((sum, each) => sum + each, 0)));
    for (const { seat, stackStart, payout, contributed } of hand.players) {
      const others = hand.players.filter((other) => other.seat !== seat).map((other) => other.stackStart);
      const { risk, chance } = atStake(stackStart, others);
      const less = payout - contributed - luck[seat]! * hand.bigBlind;
      widest = Math.max(widest, -less / ((1 + LUCK_LIMIT) * risk), less / (chance + LUCK_LIMIT * risk));
    }
  }
  t.ok(worst < 1e-9, `off by ${worst} big blinds at most`);
  t.ok(widest <= 1 + 1e-12, `a result less luck is ${widest} of its limit at most`);
});

await t.test('the mean of a turn or river card is exactly 0 over all cards that may come', async (t) => {
  let events = 0;
  for (const hand of HANDS) {
    for (const event of played(hand).events) {
      if (event.street === 0 || event.closed || events >= 12) continue;
      events++;
      const open = event.street + 2;
      const gone = new Set([...hand.players.flatMap(({ hole }) => hole), ...hand.board.slice(0, open)]);
      let sums: number[] = [];
      for (let card = 0; card < 52; card++) {
        if (gone.has(card)) continue;
        const spare = Array.from({ length: 52 }, (_, other) => other).filter(
          (other) => !gone.has(other) && other !== card,
        );
        const board = [...hand.board.slice(0, open), card, ...spare].slice(0, 5);
        const facts = boardFacts({ ...hand, board, holes: hand.players }, event);
        const { luck, low, high } = value.board.luck(facts, event, hand.bigBlind);
        luck.forEach((each, i) => {
          sums[i] = (sums[i] ?? 0) + each;
          if (each < low[i]! - 1e-9 || each > high[i]! + 1e-9) t.fail(`${each} is not from ${low[i]} to ${high[i]}`);
        });
      }
      sums = sums.map(Math.abs);
      if (Math.max(...sums) > 1e-8) t.fail(`${hand.handId}, street ${event.street}: ${sums.join(', ')}`);
    }
  }
  t.equal(events, 12, 'events were looked at');
});

await t.test('the deal has the mean 0 over the cards of two players, whatever their positions', async (t) => {
  // One class for each two cards: weights are the numbers of disjoint combinations.
  const sums = [0, 0];
  let all = 0;
  const holes: number[][] = [];
  for (let a = 0; a < 52; a++) for (let b = 0; b < a; b++) holes.push([a, b]);
  const places = holes.map(([a, b]) => cellOfHoleCards(a!, b!));
  const known = new Map<number, Float64Array>();
  for (let i = 0; i < holes.length; i++) {
    for (let j = 0; j < holes.length; j++) {
      if (holes[i]!.some((card) => holes[j]!.includes(card))) continue;
      const key = 169 * places[i]! + places[j]!;
      const luck =
        known.get(key) ??
        value.deal.luck([
          { place: places[i]!, position: 3, stack: 80 },
          { place: places[j]!, position: 5, stack: 130 },
        ]);
      known.set(key, luck);
      sums[0]! += luck[0]!;
      sums[1]! += luck[1]!;
      all++;
    }
  }
  t.equal(all, 1326 * 1225);
  t.ok(Math.max(...sums.map(Math.abs)) / all < 1e-9, `means ${sums.map((sum) => sum / all).join(', ')}`);
});

await t.test('the value of a state: all cards known, all values sum to what was put in before', async (t) => {
  for (const hand of HANDS.slice(0, 8)) {
    const holes = new Map(hand.players.map(({ seat, hole }) => [seat, hole]));
    played(hand, (state) => {
      const values = hand.players.map(({ seat }) => stateValue(state, seat, holes, hand.handId));
      const sum = values.reduce((total, each) => total + each, 0);
      if (Math.abs(sum) > 1e-9) t.fail(`${hand.handId}: ${values.join(', ')}`);
      const seat = state.actor;
      const own = stateValue(state, seat, new Map([[seat, holes.get(seat)!]]), hand.handId);
      if (Math.abs(own) > 1000 || own !== stateValue(state, seat, new Map([[seat, holes.get(seat)!]]), hand.handId)) {
        t.fail(`${hand.handId}: ${own}`);
      }
    });
  }
  t.pass('looked at every state');
});
