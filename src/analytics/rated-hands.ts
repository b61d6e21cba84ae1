import { flowsOf, versionAt, type RatedHands, type VersionChanges } from '../ratings/index.js';
import type { StoredHand } from '../table/record/record-codec.js';
import type { PlayerFacts } from './hand-facts.js';
import type { CounterTotals } from './totals.js';

/** A hand as it is rated. */
export interface RatedHand {
  players: readonly Pick<StoredHand['players'][number], 'agentId' | 'isHouse'>[];
  /** Epoch ms. */
  startedAt: number;
  /** Big blinds that each player won from each other player, in the order of the players. */
  flows: readonly (readonly number[])[];
}

/** The flows of a hand by one of the results of its players: the one with the least luck in it. */
export function ratedFlows(
  { players, bigBlind }: Pick<StoredHand, 'players' | 'bigBlind'>,
  facts: readonly PlayerFacts[],
  result: keyof CounterTotals = 'adjusted_bb',
): number[][] {
  return flowsOf(
    players.map(({ contributed }, at) => ({
      contributed: contributed / bigBlind,
      result: facts[at]!.totals[result],
    })),
  );
}

/** The sums that an agent's hands add to its ratings, by the version that sat in them. Flows from the house have no row. */
export function tallyRatings(
  agentId: string,
  hands: readonly RatedHand[],
  changes: VersionChanges | undefined,
): RatedHands[] {
  const versions = new Map<string, RatedHands & { pairs: Map<string, { weight: number; flow: number }> }>();
  for (const { players, startedAt, flows } of hands) {
    const version = versionAt(changes, startedAt);
    const sums = versions.get(version) ?? {
      version,
      totals: { hands: 0, result: 0, squares: 0 },
      pairs: new Map<string, { weight: number; flow: number }>(),
    };
    versions.set(version, sums);
    const own = flows[players.findIndex((player) => player.agentId === agentId)]!;
    const result = own.reduce((sum, flow) => sum + flow, 0);
    sums.totals.hands++;
    sums.totals.result += result;
    sums.totals.squares += result * result;
    for (const [at, { agentId: otherId, isHouse }] of players.entries()) {
      if (isHouse || otherId === agentId) continue;
      const pair = sums.pairs.get(otherId) ?? { weight: 0, flow: 0 };
      sums.pairs.set(otherId, pair);
      pair.weight += 1 / (players.length - 1);
      pair.flow += own[at]!;
    }
  }
  return [...versions.values()];
}
