/**
 * Promises of ratings: they tell planted strengths where chips do not, sums in any order give the same ratings, and the
 * solver solves.
 */
import fc from 'fast-check';
import t from 'tap';
import { realHands, type NoiseHand } from '../../bench/ratings/noise.js';
import { PlantedWorld, rankCorrelation } from '../../bench/ratings/world.js';
import { finished, flowsOf, PRIOR_SPREAD, rate, type PairFlow, type RatedTotals } from '../../src/ratings/index.js';
import { inverseDiagonal, nearDiagonal, solve, type Graph } from '../../src/ratings/linear.js';
import { chanceAbove, normalShare, priorPosteriorInterval } from '../../src/statistics/normal.js';

/** A quarter of a real hand's results: so many hands tell as much as sixteen times as many. */
const quarter = (hands: readonly NoiseHand[]): NoiseHand[] =>
  hands.map((hand) =>
    hand.map(({ contributed, result, raw }) => ({
      contributed: contributed / 4,
      result: result / 4,
      raw: raw / 4,
    })),
  );

void t.test('ratings rank planted bots, and a farm lifts none', (t) => {
  const world = new PlantedWorld(7, quarter(realHands(1500, 7))).play(15_000);
  const { bots, totals, flows } = world;
  const rated = finished(rate(totals, flows)).agents;
  const truth = bots.map(({ expected }) => expected);
  const mean = truth.reduce((sum, value) => sum + value, 0) / truth.length;
  const ratings = rated.map(({ rating }) => rating);
  t.ok(rankCorrelation(truth, ratings) >= 0.95, `ratings: ${rankCorrelation(truth, ratings)}`);
  const chips = rankCorrelation(
    truth,
    bots.map(({ raw }) => raw),
  );
  t.ok(chips <= 0.7, `chips: ${chips}`);
  const fed = bots.findIndex(({ kind }) => kind === 'fed');
  t.ok(bots[fed]!.raw / bots[fed]!.hands > 1.5, 'the fed one won most');
  t.ok(Math.abs(ratings[fed]! - (truth[fed]! - mean)) < 0.2, 'and is rated by what it wins from others');
  const covered = rated.filter(({ rating, spread }, at) => {
    const [low, high] = priorPosteriorInterval({ mean: rating, spread }, PRIOR_SPREAD);
    return low <= truth[at]! - mean && truth[at]! - mean <= high;
  });
  t.ok(covered.length >= 38, `${covered.length} of 40 strengths lie in their intervals`);
  t.end();
});

const hand = fc
  .uniqueArray(fc.integer({ min: 0, max: 7 }), { minLength: 2, maxLength: 6 })
  .chain((agents) =>
    fc.tuple(
      fc.constant(agents),
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: agents.length, maxLength: agents.length }),
      fc.integer({ min: 0, max: agents.length - 1 }),
    ),
  );
const hands = fc.array(hand, { minLength: 1, maxLength: 60 });
type PlayedHand = readonly [agents: readonly number[], bets: readonly number[], winner: number];

/** Sums of hands, as the analytics thread keeps them. The agents from `house` on are of the house. */
class Sums {
  readonly totals: RatedTotals[] = Array.from({ length: 8 }, () => ({ hands: 0, result: 0, squares: 0 }));
  readonly pairs = new Map<number, PairFlow>();

  constructor(private readonly house = 8) {}

  add([agents, bets, winner]: PlayedHand): this {
    const pot = bets.reduce((sum, bet) => sum + bet, 0);
    const results = bets.map((bet, seat) => (seat === winner ? pot : 0) - bet);
    const flows = flowsOf(bets.map((contributed, seat) => ({ contributed, result: results[seat]! })));
    for (const [seat, one] of agents.entries()) {
      const total = this.totals[one]!;
      total.hands++;
      total.result += results[seat]!;
      total.squares += results[seat]! ** 2;
      for (const [opposite, other] of agents.entries()) {
        if (other === one || other >= this.house) continue;
        const pair = this.pairs.get(8 * one + other) ?? { one, other, weight: 0, flow: 0 };
        pair.weight += 1 / (agents.length - 1);
        pair.flow += flows[seat]![opposite]!;
        this.pairs.set(8 * one + other, pair);
      }
    }
    return this;
  }

  rated(guests = 8) {
    const pairs = [...this.pairs.values()].filter(({ one }) => one < guests);
    return finished(rate(this.totals.slice(0, guests), pairs)).agents;
  }
}

void t.test('flows sum to results, and what one wins the other loses', (t) => {
  fc.assert(
    fc.property(hand, ([, bets, winner]) => {
      const pot = bets.reduce((sum, bet) => sum + bet, 0);
      const players = bets.map((contributed, seat) => ({
        contributed,
        result: (seat === winner ? pot : 0) - contributed,
      }));
      const flows = flowsOf(players);
      return flows.every(
        (row, seat) =>
          Math.abs(row.reduce((sum, flow) => sum + flow, 0) - players[seat]!.result) < 1e-9 &&
          row.every((flow, other) => Math.abs(flow + flows[other]![seat]!) < 1e-9),
      );
    }),
  );
  t.end();
});

void t.test('hands that are counted one by one, in any order, give the ratings of all at once', (t) => {
  fc.assert(
    fc.property(hands, fc.integer({ min: 2, max: 8 }), (all, guests) => {
      const batch = new Sums(guests);
      for (const each of all) batch.add(each);
      const parts = new Sums(guests);
      for (const each of [...all].reverse()) parts.add(each);
      const [one, other] = [batch.rated(guests), parts.rated(guests)];
      return one.every(
        ({ rating, spread }, at) =>
          Math.abs(rating - other[at]!.rating) < 1e-4 && Math.abs(spread - other[at]!.spread) < 1e-4,
      );
    }),
    { numRuns: 60 },
  );
  t.end();
});

void t.test('agents without hands have the average rating and no certainty', (t) => {
  t.same(finished(rate([], [])), { agents: [], house: 0 });
  const [one] = finished(rate([{ hands: 0, result: 0, squares: 0 }], [])).agents;
  t.equal(one!.rating, 0);
  t.match(priorPosteriorInterval({ mean: 0, spread: PRIOR_SPREAD }, PRIOR_SPREAD), [-Infinity, Infinity]);
  t.end();
});

const graph = fc
  .tuple(
    fc.integer({ min: 2, max: 12 }),
    fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.double({ min: 0.1, max: 50, noNaN: true }))),
  )
  .map(([nodes, all]): Graph => {
    const edges = all.map(([a, b, weight]) => [a % nodes, b % nodes, weight] as const).filter(([a, b]) => a !== b);
    return {
      nodes,
      ridge: 2,
      from: Int32Array.from(edges, ([a]) => a),
      to: Int32Array.from(edges, ([, b]) => b),
      weight: Float64Array.from(edges, ([, , weight]) => weight),
    };
  });

void t.test('the inverse has the columns that the solver finds', (t) => {
  fc.assert(
    fc.property(graph, (graph) => {
      const diagonal = finished(inverseDiagonal(graph));
      return diagonal.every((value, at) => {
        const [unit, x] = [new Float64Array(graph.nodes), new Float64Array(graph.nodes)];
        unit[at] = 1;
        finished(solve(graph, unit, x));
        return Math.abs(x[at]! - value) < 1e-7;
      });
    }),
  );
  const nodes = 60;
  const pairs = Array.from({ length: nodes }, (_, a) => Array.from({ length: a }, (_, b) => [a, b] as const)).flat();
  const all: Graph = {
    nodes,
    ridge: 1,
    from: Int32Array.from(pairs, ([a]) => a),
    to: Int32Array.from(pairs, ([, b]) => b),
    weight: new Float64Array(pairs.length).fill(3),
  };
  const [exact, near] = [finished(inverseDiagonal(all)), nearDiagonal(all)];
  t.ok(exact.every((value, at) => Math.abs((value - 1 / nodes) / near[at]! - 1) < 0.06));
  t.end();
});

void t.test('chances and intervals of a normal model', (t) => {
  t.ok(Math.abs(normalShare(1.96) - 0.975) < 1e-4);
  t.ok(Math.abs(normalShare(-1) - 0.158655) < 1e-6);
  t.ok(Math.abs(chanceAbove({ mean: 1, spread: 3 }, { mean: 1, spread: 4 }) - 0.5) < 1e-6);
  t.ok(Math.abs(chanceAbove({ mean: 6, spread: 3 }, { mean: 1, spread: 4 }) - normalShare(1)) < 1e-9);
  fc.assert(
    fc.property(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: 0.01, max: 0.25, noNaN: true }),
      (mean, spread) => {
        const [low, high] = priorPosteriorInterval({ mean, spread }, 0.3);
        const density = (x: number, m: number, s: number) => Math.exp(-(((x - m) / s) ** 2) / 2) / s;
        const ratio = (x: number) => density(x, 0, 0.3) / density(x, mean, spread);
        return low < mean && mean < high && [low, high].every((x) => Math.abs(Math.log(ratio(x) * 0.05)) < 1e-6);
      },
    ),
  );
  t.end();
});
