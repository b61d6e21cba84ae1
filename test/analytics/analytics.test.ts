/** The figures of GET /api/analytics, from the hands themselves: by rule, and held against a count of another make. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as phe from 'phe';
import t, { type Test } from 'tap';
import { analyticsBody } from '../../src/analytics/answer.js';
import { extend } from '../../src/analytics/curve.js';
import { Equities, placeIn } from '../../src/analytics/equity.js';
import { HandReader } from '../../src/analytics/hand-facts.js';
import { IdleCores, pauseAfter, restAfter } from '../../src/analytics/analyst.js';
import { POSITIONS, positionsOf } from '../../src/holdem/positions.js';
import { cellOfHoleCards, STARTING_HANDS } from '../../src/analytics/starting-hands.js';
import type { Hole } from '../../src/cards/card.js';
import { actionSummary } from '../../src/analytics/summary.js';
import { tally } from '../../src/analytics/keeper.js';
import { noTotals } from '../../src/analytics/totals.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { Hand } from '../../src/holdem/hand.js';
import { decodeRecord, encodeRecord } from '../../src/table/record/record-codec.js';
import { RandomTable } from '../support/random-table.js';
import { cards, play } from '../support/hand-kit.js';
import { isAllIn, lastStreet, statistics } from '../support/hand-statistics.js';
import { FILE_MS } from '../support/limits.js';
import { wildHands } from '../support/wild-hands.js';
import type { HandRecord } from '../../src/table/effects.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);
const RUNS = { seed: SEED, numRuns: 60 };

const hole = (text: string) => cards(text) as [number, number];

await t.test('the grid has every starting hand once', (t) => {
  const counts = new Map<string, number>();
  for (let a = 0; a < 52; a++) {
    for (let b = a + 1; b < 52; b++) {
      if (cellOfHoleCards(a, b) !== cellOfHoleCards(b, a)) t.fail(`the order of ${a} and ${b} matters`);
      const { label } = STARTING_HANDS[cellOfHoleCards(a, b)]!;
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }
  }
  t.equal(counts.size, 169);
  const combinations = (label: string) => ({ s: 4, o: 12 })[label.slice(2)] ?? 6;
  t.same(
    [...counts].filter(([label, count]) => count !== combinations(label)),
    [],
  );
  t.equal(STARTING_HANDS[0]!.label, 'AA');
  t.same(STARTING_HANDS[cellOfHoleCards(...hole('KhAh'))], { label: 'AKs', rank1: 'A', rank2: 'K', suited: true });
  t.same(STARTING_HANDS[cellOfHoleCards(...hole('2c7d'))], { label: '72o', rank1: '7', rank2: '2', suited: false });
  t.equal(cellOfHoleCards(...hole('AhKh')), 1, 'suited hands stand above the diagonal');
  t.equal(cellOfHoleCards(...hole('AhKd')), 13, 'the others below it');
  t.end();
});

await t.test('positions are counted back from the button', (t) => {
  const names = (seats: number[], button: number, bigBlind: number) => {
    const of = positionsOf(seats, button, bigBlind);
    return seats.map((seat) => POSITIONS[of.get(seat)!]);
  };
  t.same(names([0, 1, 2, 3, 4, 5], 1, 3), ['CO', 'BTN', 'SB', 'BB', 'UTG', 'MP']);
  t.same(names([0, 1, 2, 4, 5], 5, 1), ['SB', 'BB', 'MP', 'CO', 'BTN']);
  t.same(names([0, 2, 3, 5], 3, 0), ['BB', 'CO', 'BTN', 'SB']);
  t.same(names([1, 3, 4], 4, 3), ['SB', 'BB', 'BTN']);
  t.same(names([1, 3], 3, 1), ['BB', 'BTN']);
  t.same(names([1, 3], 3, 3), ['SB', 'BB'], 'by the ring rule the button is the big blind');
  t.end();
});

/** Wins and ties of the first of two hands among all boards. */
function duel(mine: string, theirs: string, board = ''): { boards: number; wins: number; ties: number } {
  const { boards, counts } = new Equities().orders([hole(mine), hole(theirs)], cards(board));
  const of = (order: number) => counts.find(([each]) => each === order)?.[1] ?? 0;
  return { boards, wins: of(6), ties: of(0) };
}

await t.test('equities are counts over all boards', (t) => {
  t.same(duel('AsAh', 'AdAc'), { boards: 1_712_304, wins: 37_210, ties: 1_637_884 });
  t.same(duel('AsKs', '2c2d', 'QsJsTs'), { boards: 990, wins: 990, ties: 0 });
  t.same(duel('AsAh', 'KsKh', '2c7d9hKd'), { boards: 44, wins: 2, ties: 0 }, 'two aces are left');
  t.same(duel('AsKd', 'AhKc', '2c7d9h5s'), { boards: 44, wins: 0, ties: 44 });
  t.end();
});

/** So many different cards. */
const distinct = (count: number) =>
  fc.shuffledSubarray(
    Array.from({ length: 52 }, (_, card) => card),
    { minLength: count, maxLength: count },
  );
const pairsOf = (drawn: number[]): Hole[] =>
  Array.from({ length: drawn.length / 2 }, (_, i) => [drawn[2 * i]!, drawn[2 * i + 1]!]);

/** The same by a foreign evaluator: how often each order of hands came, as text. */
function orders(holes: readonly Hole[], open: readonly number[]): Record<string, number> {
  const dead = new Set([...holes.flat(), ...open]);
  const rest = Array.from({ length: 52 }, (_, card) => card).filter((card) => !dead.has(card));
  const counts: Record<string, number> = {};
  const deal = (board: number[], from: number): void => {
    if (board.length < 5) {
      for (let i = from; i < rest.length; i++) deal([...board, rest[i]!], i + 1);
      return;
    }
    const strength = holes.map((two) => phe.evaluateCardCodes([...board, ...two].map((card) => card ^ 3)));
    const order = strength.map((mine) => strength.filter((other) => other < mine).length).join();
    counts[order] = (counts[order] ?? 0) + 1;
  };
  deal([...open], 0);
  return counts;
}

function ours(equities: Equities, holes: readonly Hole[], open: readonly number[]): Record<string, number> {
  const { counts } = equities.orders(holes, open);
  return Object.fromEntries(
    counts.map(([order, count]) => [holes.map((_, i) => placeIn(order, i)).join(), count] as const),
  );
}

await t.test('two to six hands come in the orders that a foreign evaluator sees', (t) => {
  const equities = new Equities();
  const deals = fc
    .tuple(fc.integer({ min: 2, max: 6 }), fc.constantFrom(3, 4, 5))
    .chain(([players, open]) => fc.tuple(distinct(2 * players + open), fc.constant(open)));
  fc.assert(
    fc.property(deals, ([drawn, open]) => {
      const [board, holes] = [drawn.slice(0, open), pairsOf(drawn.slice(open))];
      return t.strictSame(ours(equities, holes, board), orders(holes, board));
    }),
    { ...RUNS, numRuns: 40 },
  );
  t.end();
});

await t.test('before the flop, too; and what is remembered is right under other names and in another order', (t) => {
  const equities = new Equities();
  const [drawn] = fc.sample(distinct(4), { seed: SEED, numRuns: 1 }) as [number[]];
  const holes = pairsOf(drawn);
  const seen = orders(holes, []);
  t.same(ours(equities, holes, []), seen, `seed ${SEED}`);
  const renamed = holes.map(([a, b]) => [(b & ~3) | ((b + 1) & 3), (a & ~3) | ((a + 1) & 3)] as const);
  t.same(ours(equities, renamed, []), seen);
  const turned = Object.fromEntries(Object.entries(seen).map(([order, n]) => [order.split(',').reverse().join(), n]));
  t.same(ours(equities, [...renamed].reverse(), []), turned);
  t.end();
});

await t.test('boards before the flop are counted by ranks, and right where hands are of few suits', (t) => {
  const five = ['AsKs', 'QsJs', 'Th9h', '8s8h', 'Ts9s'].map(hole);
  t.same(ours(new Equities(), five, []), orders(five, []));
  t.end();
});

await t.test('counting leaves half a core to play, and takes a fifth of the next idle one', (t) => {
  const share = (idleCores: number) => 100 / (100 + restAfter(100, idleCores));
  const close = (given: number, wanted: number, why: string) => t.ok(Math.abs(given - wanted) < 1e-9, why);
  close(share(8), 0.2, 'a machine with nothing to do');
  close(share(1.5), 0.2, 'one core and what is left to play');
  close(share(1), 0.1, 'one core');
  close(share(0.6), 0.02, 'little more than what is left to play');
  close(share(0.5), 0.0025, 'what is left to play: counting goes on, slowly');
  close(share(0), 0.0025, 'play takes all: the same');
  t.equal(restAfter(5000, 0), 40_000, 'a round that was held up is not followed by minutes of rest');
  t.ok(new IdleCores().since() >= 0);
  t.end();
});

await t.test('a round that left hands is rested from; one that only waited, or left none, is not', (t) => {
  const pause = (hands: number, behind: boolean) => pauseAfter({ hands, behind, tookMs: 100 }, 8, 5000);
  t.equal(pause(50, true), restAfter(100, 8));
  t.equal(pause(50, false), 5000, 'nothing is left');
  t.equal(pause(0, true), 5000, 'the database was slow: it did no work');
  t.end();
});

await t.test('the curve is the same however its hands are portioned', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 3000 }),
      fc.array(fc.integer({ min: 1, max: 400 })),
      (profits, portions) => {
        const sums = profits.map(
          (
            (sum) => (profit) =>
              (sum += profit)
          )(0),
        );
        let step = 1;
        while (profits.length / step >= 257) step *= 2;
        let curve = extend({ step: 1, points: [] }, 0, 0, []);
        for (let at = 0, n = 0; at < profits.length; n++) {
          const size = portions[n] ?? 256;
          curve = extend(curve, at, sums[at - 1] ?? 0, profits.slice(at, at + size));
          at += size;
        }
        const expected = { step, points: sums.filter((_, i) => (i + 1) % step === 0) };
        return t.strictSame(curve, expected);
      },
    ),
    RUNS,
  );
  t.end();
});

const reader = new HandReader(new Hand(), new Equities());

/** The answer of GET /api/analytics for an agent after these hands. */
function answered(hands: readonly HandRecord[], agentId: string) {
  const own = hands.flatMap((hand) => {
    const facts = reader.read(decodeRecord(encodeRecord(hand))).find((each) => each.agentId === agentId);
    return facts === undefined ? [] : [{ handId: hand.handId, facts }];
  });
  const standing = { agentId, lastHandId: '', hands: 0, profit: 0, adjustedBb: 0, curves: null };
  const rest = { handsPlayed: 0, unmatched: 0, known: true, stale: false, luck: noTotals() };
  const step = tally({ ...standing, ...rest }, own);
  const { totals, positions, startingHands: starting_hands, curves } = step;
  const row = { premium: true, rebuys: 0, hands_played: own.length, unmatched: 0, last_hand_id: step.to };
  const shown = { luck_shown_hands: 0, luck_shown_millionths: 0, luck_shown_squares: 0 };
  return analyticsBody(agentId, { ...row, ...totals, ...shown, positions, starting_hands, curves }, []);
}

/** Holds every figure of an answer against the other count; sums of fractions differ in their last digits. */
function agree(t: Test, body: ReturnType<typeof answered>, expected: ReturnType<typeof statistics>, who: string): void {
  const { starting_hands, profits, ...figures } = expected;
  t.strictSame(rounded(body, Object.keys(figures)), rounded(figures, Object.keys(figures)), who);
  const dealt = body.starting_hand_grid.filter(({ hand_count }) => hand_count > 0);
  t.strictSame(
    Object.fromEntries(
      dealt.map((each) => [each.label, rounded(each, ['hand_count', 'bb_per_100', 'bb_per_100_ci95'])]),
    ),
    Object.fromEntries(
      Object.entries(starting_hands).map(([label, each]) => [label, rounded(each, Object.keys(each))]),
    ),
    `${who}: starting hands`,
  );
  const groups = body.starting_hand_groups;
  t.same(
    groups.flatMap(({ labels }) => labels).sort(),
    body.starting_hand_grid.map(({ label }) => label).sort(),
    `${who}: each starting hand is in one group`,
  );
  for (const { name, labels, hand_count: hands, bb_per_100: rate } of groups) {
    const inside = dealt.filter(({ label }) => labels.includes(label));
    const sum = inside.reduce((all, each) => all + each.hand_count, 0);
    const won = inside.reduce((all, each) => all + each.hand_count * each.bb_per_100, 0);
    if (hands !== sum || Math.abs(rate * hands - won) > 1e-6 * (1 + Math.abs(won))) t.fail(`${who}: ${name}`);
  }
  let sum = 0;
  const sums = profits.map((profit) => (sum += profit));
  for (const { hand_number, cumulative_profit } of body.pnl_series) {
    if (cumulative_profit !== sums[hand_number - 1]) t.fail(`${who}: profit after hand ${hand_number}`);
  }
  t.equal(body.pnl_series.at(-1)?.hand_number, profits.length, `${who}: the series ends now`);
}

const rounded = (value: object, names: readonly string[]): unknown =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries([...names].sort().map((name) => [name, (value as Record<string, unknown>)[name]])),
      (_, each: unknown) => (typeof each === 'number' ? Number(each.toFixed(6)) || 0 : each),
    ),
  );

await t.test('random hands give the figures of a count made otherwise', (t) => {
  const { agents, hands } = wildHands(1200, SEED);
  const few = hands.filter((hand) => !isAllIn(hand) || lastStreet(hand) > 0);
  const early = hands.filter((hand) => isAllIn(hand) && lastStreet(hand) === 0).slice(0, 2);
  t.ok(few.length > 600 && early.length > 1, `${few.length} hands, ${early.length} all-ins before the flop`);
  const all = [...few, ...early];
  const rates = ['cbet_rate', 'cbet_success_rate', 'three_bet_pct', 'fold_to_three_bet_pct', 'w_sd'] as const;
  const telling = new Set(rates);
  for (const agentId of agents) {
    const expected = statistics(all, agentId);
    agree(t, answered(all, agentId), expected, `seed ${SEED}, ${agentId}`);
    for (const name of telling) if (expected[name] > 0 && expected[name] < 1) telling.delete(name);
  }
  t.same([...telling], [], 'for every rate there was somebody of whom it was neither 0 nor 1');
  const of = (agentId: string) => answered(all, agentId);
  const adjusted = agents.reduce((sum, id) => sum + of(id).all_in_adj_bb_per_100 * of(id).total_hands, 0);
  t.ok(Math.abs(adjusted) < 1e-6, 'luck is taken from one and given to another');
  t.end();
});

/** A hand of three: seat 0 has the button, seat 1 the small and seat 2 the big blind. */
function scene(
  stacks: readonly number[],
  ...lines: string[]
): { of(seat: number): ReturnType<typeof answered>; hand: HandRecord } {
  const seated = stacks.map((stack, seat) => ({ agentId: randomUUID(), seat, sitting: randomUUID(), stack }));
  const ids = seated.map(({ agentId }) => agentId);
  const randomTable = new RandomTable(randomUUID(), randomUUID(), seated, seededRandom(SEED));
  let next = 0;
  const hand = randomTable.play((state) => play(state, lines[next++]!));
  return { hand, of: (seat) => answered([hand], ids[seat]!) };
}

await t.test('the rules, one by one', (t) => {
  const threeBet = scene([2000, 2000, 2000], '0 raise 60', '1 raise 180', '2 fold', '0 fold');
  t.match(threeBet.of(0), { vpip: 1, pfr: 1, three_bet_pct: 0, fold_to_three_bet_pct: 1 });
  t.match(threeBet.of(1), { vpip: 1, pfr: 1, three_bet_pct: 1, win_rate: 1 });
  t.match(threeBet.of(2), { vpip: 0, pfr: 0, three_bet_pct: 0, fold_to_three_bet_pct: 0 }, 'not the one who opened');

  const cbet = scene([2000, 2000, 2000], '0 raise 60', '1 fold', '2 call', '2 check', '0 raise 50', '2 fold');
  t.match(cbet.of(0), { cbet_rate: 1, cbet_success_rate: 1, wtsd: 0, aggression_factor: 1 });
  t.match(cbet.of(2), { vpip: 1, pfr: 0, cbet_rate: 0, aggression_factor: 0 });
  t.equal(actionSummary(cbet.hand, 2), 'preflop call 40; flop check, fold');
  t.equal(actionSummary(cbet.hand, 0), 'preflop raise 60; flop raise 50');

  const donk = scene([2000, 2000, 2000], '0 raise 60', '1 fold', '2 call', '2 raise 80', '0 fold');
  t.match(donk.of(0), { cbet_rate: 0, cbet_success_rate: 0 });

  const walk = scene([2000, 2000, 2000], '0 fold', '1 fold');
  t.match(walk.of(2), { vpip: 0, pfr: 0, win_rate: 1, non_showdown_winnings: 10, wtsd: 0 });
  t.equal(actionSummary(walk.hand, 2), 'no decision');
  t.equal(walk.of(2).position_stats.find(({ position }) => position === 'BB')?.hand_count, 1);

  const shove = scene([500, 500, 500], '0 all-in', '1 fold', '2 call');
  const [hero, other] = [shove.of(0), shove.of(2)];
  const ends = [-2500, 5000];
  t.match(hero, { wtsd: 1, pfr: 1, sample_warning: true, bb_per_100_ci95: ends, all_in_adj_bb_per_100_ci95: ends });
  t.not(hero.all_in_adj_bb_per_100, hero.bb_per_100);
  t.equal(Math.round(hero.all_in_adj_bb_per_100 + other.all_in_adj_bb_per_100), 50, 'the small blind is theirs');
  t.end();
});
