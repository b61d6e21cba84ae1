import { extend, NO_CURVE } from './curve.js';
import type { PlayerFacts } from './hand-facts.js';
import type { CountedSoFar, CountedHands } from './keeper-queries.js';
import { add, noTotals, type PositionTotals, type StartingHandTotals } from './totals.js';

/** The sum of the hands that follow what is counted of an agent; `hands` are at least one, in order. */
export function tally(standing: CountedSoFar, hands: readonly { handId: string; facts: PlayerFacts }[]): CountedHands {
  const totals = noTotals();
  const positions = new Map<number, PositionTotals>();
  const startingHands = new Map<number, StartingHandTotals>();
  for (const { facts } of hands) {
    add(totals, facts.totals);
    const { position, place } = facts;
    const there = positions.get(position) ?? { hands: 0, hands_won: 0, vpip: 0, pfr: 0, bb: 0 };
    add(there, facts.totals);
    positions.set(position, there);
    const dealt = startingHands.get(place) ?? { hands: 0, bb: 0 };
    add(dealt, facts.totals);
    startingHands.set(place, dealt);
  }
  const { step, points } = standing;
  const curve = step === null || points === null ? NO_CURVE : { step, points };
  return {
    agentId: standing.agentId,
    lastHandId: standing.lastHandId,
    hands: standing.hands,
    to: hands.at(-1)!.handId,
    totals,
    positions: [...positions].map(([position, there]) => ({ position, ...there })),
    startingHands: [...startingHands].map(([place, dealt]) => ({ place, ...dealt })),
    curve: extend(
      curve,
      standing.hands,
      standing.profit,
      hands.map(({ facts }) => facts.totals.profit),
    ),
  };
}
