import { inverseDiagonal, nearDiagonal, solve, type Graph } from './linear.js';

/**
 * Ratings: how many big blinds a hand an agent wins from the pool's average agent.
 *
 * The model. Of n players at a table each plays each other at 1 / (n − 1) of a hand. The chips that i wins from j in
 * `weight` such hands (flows.ts):
 *
 *     flow = weight · (rᵢ − rⱼ + dᵢⱼ) + noise,   noise ~ N(0, weight · sᵢ² · sⱼ² / s²)
 *
 * The sum over the others is the agent's result. It is its rating less the mean rating of its opponents. Here sᵢ² is the
 * mean square of the agent's results, and s² is the mean square of all. Ratings r ~ N(0, PRIOR_SPREAD²) are shrunk to the average.
 *
 * dᵢⱼ belongs to the pair alone: styles that suit each other, or chips that are given away. It caps what one opponent
 * can say: after s² / PAIR_SPREAD² hands, more hands with the same opponent add nothing. It has a t distribution with
 * PAIR_FREEDOM degrees of freedom. A pair loses its weight if its flow is far from the flows of both with others. So a
 * farm that feeds an agent does not lift it. A cycle of three that beat each other gets no false order.
 *
 * Flows and weights are sums. So hands may be counted in any order and in any parts.
 */

/** Big blinds a hand: how far ratings, and pairs from their ratings, are apart. */
export const PRIOR_SPREAD = 0.3;
export const PAIR_SPREAD = 0.2;
export const PAIR_FREEDOM = 4;

/** An agent's rated hands: their number, and the sum of results in big blinds and of their squares. */
export interface RatedTotals {
  hands: number;
  result: number;
  squares: number;
}

/** The big blinds that an agent won from another agent, by their places among the agents. */
export interface PairFlow {
  one: number;
  other: number;
  /** Hands together, each as 1 / (players − 1). */
  weight: number;
  /** Big blinds. */
  flow: number;
}

/** Big blinds a hand, and the model's standard deviation. */
export interface RatedAgent {
  rating: number;
  spread: number;
  hands: number;
}

/** Hands with the pool's mean square that are added to each agent's own: few results say little of their size. */
const MEAN_HANDS = 100;
/** Rounds of reweighting at the most, and the largest change of a rating that ends them. */
const ROUNDS = 60;
const SETTLED = 1e-5;
/** Rounding leaves less than this of the hands against the house, where an agent never met it. */
const SCRAP = 1e-6;
/** Above so many nodes the spreads are nearly exact (`nearDiagonal`): the exact ones cost the cube. */
const MOST_EXACT = 500;

interface Edges extends Graph {
  /** Flow / weight, and the variance of its noise. */
  margin: Float64Array;
  noise: Float64Array;
  /** The first edges are pairs. The others lead to the house, which is no opponent of its own but a common field. */
  pairs: number;
}

/** The ratings of a pool, agent by agent, and the house's. */
export interface RatedPool {
  agents: RatedAgent[];
  house: number;
}

/**
 * Rates a pool. `pairs` may hold each pair once or from both sides: then the side with more hands counts. Hands of an
 * agent that no pair has were played against the house. It yields often, so that the caller may let others have their
 * turn.
 */
export function* rate(agents: readonly RatedTotals[], pairs: Iterable<PairFlow>): Generator<void, RatedPool> {
  const edges = edgesOf(agents, pairs);
  const ratings = new Float64Array(edges.nodes);
  for (let round = 0, change = Infinity; round < ROUNDS && change > SETTLED; round++) {
    const before = Float64Array.from(ratings);
    weigh(edges, ratings, round === 0);
    yield* solve(edges, rightSide(edges), ratings);
    change = ratings.reduce((most, rating, at) => Math.max(most, Math.abs(rating - before[at]!)), 0);
  }
  const spreads = yield* spreadsOf(edges);
  return {
    agents: agents.map(({ hands }, at) => ({ rating: ratings[at]!, spread: spreads[at]!, hands })),
    house: ratings[agents.length]!,
  };
}

/**
 * Rates some hands of an agent by themselves, such as those of one version of its bot. The ratings of the others stand.
 * `flows` are what these hands won from other agents of the pool.
 */
export function rateAlone(
  own: RatedTotals,
  flows: readonly Omit<PairFlow, 'one'>[],
  pool: RatedPool,
  agents: readonly RatedTotals[],
): RatedAgent {
  const { own: squares, mean } = squaresOf(agents);
  const square = (own.squares + MEAN_HANDS * mean) / (own.hands + MEAN_HANDS);
  const rest = flows.reduce((left, { weight, flow }) => ({ weight: left.weight - weight, flow: left.flow - flow }), {
    weight: own.hands,
    flow: own.result,
  });
  const pairs = flows.map(({ other, weight, flow }) => ({
    margin: flow / weight + pool.agents[other]!.rating,
    noise: (square * squares[other]!) / mean / weight,
  }));
  const field = rest.weight > SCRAP ? rest.weight / square : 0;
  const fieldPull = rest.weight > SCRAP ? (rest.flow + rest.weight * pool.house) / square : 0;
  const ridge = 1 / PRIOR_SPREAD ** 2;
  const weights = pairs.map(({ noise }) => 1 / (PAIR_SPREAD ** 2 + noise));
  let [rating, precision] = [0, ridge];
  for (let round = 0, change = Infinity; round < ROUNDS && change > SETTLED; round++) {
    const before = rating;
    if (round > 0)
      for (const [at, { margin, noise }] of pairs.entries()) {
        weights[at] = reweighed(weights[at]!, noise, margin - before);
      }
    precision = weights.reduce((sum, weight) => sum + weight, ridge + field);
    rating = pairs.reduce((sum, { margin }, at) => sum + weights[at]! * margin, fieldPull) / precision;
    change = Math.abs(rating - before);
  }
  return { rating, spread: Math.sqrt(1 / precision), hands: own.hands };
}

function edgesOf(agents: readonly RatedTotals[], flows: Iterable<PairFlow>): Edges {
  const nodes = agents.length + 1;
  const house = agents.length;
  const pairs = new Map<number, PairFlow>();
  const rest = agents.map(({ hands, result }) => ({ weight: hands, flow: result }));
  for (const pair of flows) {
    const { one, other, weight, flow } = pair;
    rest[one]!.weight -= weight;
    rest[one]!.flow -= flow;
    const key = Math.min(one, other) * nodes + Math.max(one, other);
    const known = pairs.get(key);
    if (known === undefined || known.weight < weight) pairs.set(key, pair);
  }
  const all = [...pairs.values()].filter(({ weight }) => weight > 0);
  const count = all.length;
  for (const [one, { weight, flow }] of rest.entries())
    if (weight > SCRAP) all.push({ one, other: house, weight, flow });
  const { own, mean } = squaresOf(agents);
  return {
    nodes,
    ridge: 1 / PRIOR_SPREAD ** 2,
    from: Int32Array.from(all, ({ one }) => one),
    to: Int32Array.from(all, ({ other }) => other),
    weight: new Float64Array(all.length),
    margin: Float64Array.from(all, ({ flow, weight }) => flow / weight),
    noise: Float64Array.from(all, ({ one, other, weight }) => (own[one]! * (own[other] ?? mean)) / mean / weight),
    pairs: count,
  };
}

/** The mean square of each agent's results, and of all. */
function squaresOf(agents: readonly RatedTotals[]): { own: number[]; mean: number } {
  const hands = agents.reduce((sum, agent) => sum + agent.hands, 0);
  const mean = Math.max(1, agents.reduce((sum, { squares }) => sum + squares, 0) / Math.max(1, hands));
  return { mean, own: agents.map(({ hands, squares }) => (squares + MEAN_HANDS * mean) / (hands + MEAN_HANDS)) };
}

/** The weight of each edge: 1 / (variance of dᵢⱼ + noise). */
function weigh(edges: Edges, ratings: Float64Array, first: boolean): void {
  const { from, to, weight, margin, noise } = edges;
  for (let edge = 0; edge < weight.length; edge++) {
    const chance = noise[edge]!;
    if (edge >= edges.pairs) weight[edge] = 1 / chance;
    else if (first) weight[edge] = 1 / (PAIR_SPREAD ** 2 + chance);
    else {
      const off = margin[edge]! - (ratings[from[edge]!]! - ratings[to[edge]!]!);
      weight[edge] = reweighed(weight[edge]!, chance, off);
    }
  }
}

/**
 * The next weight of a pair by its present one, its noise, and how far its margin is from the ratings. A t distribution
 * is a normal distribution with its own variance for each pair. The pair's deviation gives that variance anew
 * (expectation maximisation; Lange, Little and Taylor, "Robust statistical modeling using the t distribution", JASA
 * 1989).
 */
function reweighed(weight: number, noise: number, off: number): number {
  const present = 1 / weight - noise;
  const own = (off * present) / (present + noise);
  const doubt = (present * noise) / (present + noise);
  return 1 / ((PAIR_FREEDOM * PAIR_SPREAD ** 2 + own ** 2 + doubt) / (PAIR_FREEDOM + 1) + noise);
}

function rightSide({ nodes, from, to, weight, margin }: Edges): Float64Array {
  const right = new Float64Array(nodes);
  for (let edge = 0; edge < weight.length; edge++) {
    const pull = weight[edge]! * margin[edge]!;
    right[from[edge]!]! += pull;
    right[to[edge]!]! -= pull;
  }
  return right;
}

/** The standard deviation of each rating against the mean of all. */
function* spreadsOf(edges: Edges): Generator<void, Float64Array> {
  if (edges.nodes > MOST_EXACT) return nearDiagonal(edges).map(Math.sqrt);
  // The doubt of the common mean is no doubt of a rating, which is relative to it.
  const common = 1 / (edges.ridge * edges.nodes);
  return (yield* inverseDiagonal(edges)).map((variance) => Math.sqrt(Math.max(0, variance - common)));
}
