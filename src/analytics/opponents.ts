import type { StoredHand } from '../table/record/record-codec.js';
import type { PlayerFacts } from './hand-facts.js';
import { addResult, emptySample, type Sample } from '../statistics/confidence-sequence.js';
import { add, noTotals, type CounterTotals } from './totals.js';

/** How one opponent plays, over the hands that both were dealt into; all of it was to be seen at the table. */
export interface OpponentTotals {
  agentId: string;
  /** The opponent's counts. `bb` and `adjusted_bb` are not counted here. */
  totals: CounterTotals;
  /** The agent's own result in these hands: chips, and its results in big blinds. */
  own: { net: number; sample: Sample };
  /** Chips that went from the opponent to the agent. */
  wonFrom: number;
  /** The same hand by hand, in big blinds. Its stakes are those of the agent. */
  flow: Sample;
}

/** Adds up hands of an agent by who else was dealt in. */
export class OpponentTally {
  readonly #of = new Map<string, OpponentTotals>();
  hands = 0;

  constructor(private readonly agentId: string) {}

  add({ players, bigBlind }: Pick<StoredHand, 'players' | 'bigBlind'>, facts: readonly PlayerFacts[]): void {
    const profits = new Map(players.map(({ agentId, payout, contributed }) => [agentId, payout - contributed]));
    const net = profits.get(this.agentId);
    const mine = facts.find(({ agentId }) => agentId === this.agentId);
    if (net === undefined || mine === undefined) return;
    const { bb_risk: risk, bb_chance: chance } = mine.totals;
    this.hands++;
    const lost = [...profits.values()].reduce((sum, profit) => sum + Math.max(0, -profit), 0);
    for (const { agentId, totals } of facts) {
      if (agentId === this.agentId) continue;
      const known = this.#of.get(agentId) ?? unknown(agentId);
      this.#of.set(agentId, known);
      add(known.totals, totals);
      known.own.net += net;
      addResult(known.own.sample, net / bigBlind, risk, chance);
      const won = chipsBetween(net, profits.get(agentId)!, lost);
      known.wonFrom += won;
      addResult(known.flow, won / bigBlind, risk, chance);
    }
  }

  /** Those met most often first. */
  most(limit: number): OpponentTotals[] {
    return [...this.#of.values()].sort((a, b) => b.totals.hands - a.totals.hands).slice(0, limit);
  }
}

const unknown = (agentId: string): OpponentTotals => ({
  agentId,
  totals: noTotals(),
  wonFrom: 0,
  flow: emptySample(),
  own: { net: 0, sample: emptySample() },
});

/** Each winner has its share of a hand's losses, and of each loser alike. This part of it went from them to us. */
const chipsBetween = (own: number, theirs: number, lost: number): number =>
  Math.sign(own) * Math.sign(theirs) < 0 ? (own * Math.abs(theirs)) / lost : 0;
