import { evidence } from './evidence.js';

/** Pure: whom whole stacks go to. Puppets that give all they have once or twice show in no pair, but in their sum. */

/** Hands of a player with another, and the whole stacks that it lost to it. */
export interface StackLosses {
  agentId: string;
  otherId: string;
  hands: number;
  stacks: number;
}

export interface Taker {
  agentId: string;
  /** Whole stacks that it took, and from how many agents. */
  stacks: number;
  givers: number;
  /** Stacks that these and others would have lost to anybody else in as many hands, times SKILL. */
  expected: number;
  /** log10 of the evidence; an honest agent ever reaches x with a chance of about 10^-x. */
  score: number;
}

/** A good player may take so many times as many stacks as others do. */
const SKILL = 3;
/** Weight of the pool's rate beside a player's own, in stacks. */
const PRIOR_STACKS = 1;

/**
 * The takers of some losses. `players` are the sums of each player over all others: its own losses to others say how
 * often it loses a stack.
 */
export function takersOf(losses: readonly StackLosses[], players: readonly Omit<StackLosses, 'otherId'>[]): Taker[] {
  const own = new Map(players.map((player) => [player.agentId, player]));
  const all = players.reduce((sum, { hands, stacks }) => add(sum, hands, stacks), { hands: 0, stacks: 0 });
  const byTaker = new Map<string, StackLosses[]>();
  for (const loss of losses) byTaker.set(loss.otherId, [...(byTaker.get(loss.otherId) ?? []), loss]);
  return [...byTaker].map(([agentId, from]) => {
    const taken = from.reduce((sum, { hands, stacks }) => add(sum, hands, stacks), { hands: 0, stacks: 0 });
    const rate = (all.stacks - taken.stacks + PRIOR_STACKS) / (all.hands - taken.hands + PRIOR_HANDS);
    const expected = from.reduce((sum, { agentId: giver, hands, stacks }) => {
      const others = own.get(giver) ?? { hands, stacks };
      const [lost, dealt] = [others.stacks - stacks, others.hands - hands];
      return sum + (hands * (lost + PRIOR_STACKS)) / (dealt + PRIOR_STACKS / rate);
    }, 0);
    const likely = SKILL * expected;
    return {
      ...{ agentId, stacks: taken.stacks, expected: likely },
      givers: from.filter(({ stacks }) => stacks > 0).length,
      score: Math.log10(evidence(taken.stacks - likely, likely)),
    };
  });
}

/** Where nearly nobody has played: a stack in so many hands. */
const PRIOR_HANDS = 200;

const add = (sum: { hands: number; stacks: number }, hands: number, stacks: number) => ({
  hands: sum.hands + hands,
  stacks: sum.stacks + stacks,
});
