/** Pure: whom whole stacks go to. Puppets that give all they have once or twice show in no pair, but in their number. */

/** Hands of a player with another, and the whole stacks that it lost to it. */
export interface StackLosses {
  agentId: string;
  otherId: string;
  hands: number;
  stacks: number;
}

export interface Taker {
  agentId: string;
  /** Whole stacks that it took, and how many agents lost one to it. */
  stacks: number;
  givers: number;
  /** Agents that would have lost one to a good player in as many hands. */
  expected: number;
  /** log10 of the evidence. An agent that plays as others do ever reaches x with a chance of at most 10^-x. */
  score: number;
}

/** A good player may take so many times as many stacks as others do. */
const SKILL = 3;
/** Players lose a stack to each other no more often than once in so many hands, whatever the pool shows: it may be a farm. */
const LEAST_HANDS = 200;
/** So large a part of the players may be reckless, and lose a stack to each other once in so many hands. */
const RECKLESS = 0.05;
const RECKLESS_HANDS = 15;

/**
 * The takers of some losses; `all` are the hands and stacks of the whole pool. Each giver counts once. A reckless
 * player may lose to one taker again and again, but many players do not lose to one at once.
 */
export function takersOf(losses: readonly StackLosses[], all: { hands: number; stacks: number }): Taker[] {
  const rate = SKILL * Math.min(1 / LEAST_HANDS, all.stacks / Math.max(1, all.hands));
  const takers = new Map<string, Taker>();
  for (const { otherId: agentId, hands, stacks } of losses) {
    const taker = takers.get(agentId) ?? { agentId, stacks: 0, givers: 0, expected: 0, score: 0 };
    takers.set(agentId, taker);
    taker.stacks += stacks;
    taker.givers += Number(stacks > 0);
    taker.expected += (1 - RECKLESS) * atLeastOne(hands * rate) + RECKLESS * atLeastOne(hands / RECKLESS_HANDS);
  }
  return [...takers.values()].map((taker) => ({ ...taker, score: scoreOf(taker) }));
}

const atLeastOne = (mean: number) => 1 - Math.exp(-mean);

/** Gamma prior of how many times too many givers there are where something is up: from none to dozens. */
const [SHAPE, RATE] = [0.5, 0.1];

/**
 * log10 of a likelihood ratio for the number of givers: a gamma-distributed multiple of the expected number, against
 * the expected number. The mean of the ratio is at most 1 for any sum of independent chances. E θ^n of such a sum is at
 * most E θ^n of a Poisson number with the same mean.
 */
function scoreOf({ givers, expected }: Pick<Taker, 'givers' | 'expected'>): number {
  if (givers <= expected) return 0;
  let log = SHAPE * Math.log(RATE) - (SHAPE + givers) * Math.log(RATE + expected) + expected;
  for (let n = 0; n < givers; n++) log += Math.log(SHAPE + n);
  return Math.max(0, log / Math.LN10);
}
