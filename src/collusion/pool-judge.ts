import { CELLS, DEEDS, Deed, Price, SITUATION_OF, type CellCounts, type Situation } from './cells.js';
import { CellTotals, doubtOf, expected } from './expectation.js';
import type { PairSums } from './pair-hand.js';

/** Pure: judges pairs of a pool by what is stored of them. docs/guides/observe.md, "Collusion", explains each figure. */

/** The observed sums beside the expectation from the same players' play against others. */
export interface Compared {
  seen: number;
  expected: number;
}

/** The ways in which a pair is asked for collusion; the names of the evidence. */
export const QUESTIONS = ['giving', 'reading', 'soft_play', 'squeezing', 'chips'] as const;
export type Question = (typeof QUESTIONS)[number];

/** One player's play against the other. */
interface Half {
  /** Chips that it lost to the other in duels. */
  lost: number;
  /** All-ins of the other that it called, the two being alone. */
  allInsCalled: Compared;
  /** Folds to the other of the better hand, the two being alone. */
  betterFolded: Compared;
  /** Whole stacks that it lost to the other. */
  stacks: number;
}

export interface PairScore {
  hands: number;
  duels: number;
  /** The halves of the first and of the second player. */
  halves: readonly [Half, Half];
  /** Big blinds that went from the first to the second, each pot cut off at FLOW_CAP; `deviation` is chance's. */
  flow: Compared & { deviation: number };
  /** Evidence by question, each as log10. */
  evidence: Readonly<Record<Question, number>>;
  /** log10 of the mean of all evidence. An honest pair ever reaches x with a chance of at most 10^-x. */
  score: number;
}

/** The deeds that answer a question in a situation, as bits by deed; none: the situation says nothing. */
type Asked = (situation: Situation) => number;

const [FOLDS, CALLS, RAISES] = [1 << Deed.fold, 1 << Deed.call, 1 << Deed.raise];
const STAYS = CALLS | RAISES;
const HOLDS_BACK = FOLDS | CALLS;

const ASKED = {
  /** Chips into a pot that the other is ahead in, and none, or a fold, where it is behind. */
  wrong: ({ price, ahead }) => (price === null ? (ahead ? HOLDS_BACK : RAISES) : ahead ? FOLDS : STAYS),
  /** The opposite where there is a price: folds behind and stays ahead, as if the other's cards were known. */
  right: ({ price, ahead }) => (price === null ? 0 : ahead ? STAYS : FOLDS),
  /** Neither bets nor raises with nobody else left. */
  soft: ({ crowded }) => (crowded ? 0 : HOLDS_BACK),
  /** Raises the other's raise while a third player is in. */
  squeezing: ({ crowded }) => (crowded ? RAISES : 0),
  callsAllIn: ({ crowded, price }) => (!crowded && price === Price.allIn ? STAYS : 0),
  foldsBetter: ({ crowded, price, ahead }) => (!crowded && price !== null && ahead ? FOLDS : 0),
} as const satisfies Record<string, Asked>;
type Tables = Record<keyof typeof ASKED, Sums>;

interface Sums extends Compared {
  variance: number;
}

/** By question and situation, so that nothing is asked anew for each pair. */
const MASKS = (Object.keys(ASKED) as (keyof typeof ASKED)[]).map((name) => ({
  name,
  of: SITUATION_OF.map(ASKED[name]),
}));

/**
 * The weight in duels of the meeting of two styles: a pair's flow may differ from the expectation by a part of its
 * spread.
 */
const STYLE_DUELS = 400;
/** Weight of a player's own spread of pots beside the pool's, in duels. */
const SPREAD_DUELS = 50;
/** Duels with others that are added to those that were played: an expectation of few is worth little. */
const FEW_DUELS = 5;

/** Everything that its players did in a pool, and the judge of each two of them. */
export class PoolJudge {
  readonly #players = new Map<string, { sums: PairSums; cells: CellTotals }>();
  readonly #all = new CellTotals();
  readonly #duels = { duels: 0, flowSquares: 0 };

  /** The sums of a player over all others. */
  add(agentId: string, sums: PairSums): void {
    const cells = new CellTotals();
    cells.add(sums.cells);
    this.#all.add(sums.cells);
    this.#duels.duels += sums.duels;
    this.#duels.flowSquares += sums.flowSquares;
    this.#players.set(agentId, { sums, cells });
  }

  /** Judges two players by their sums against each other; both must have been added. */
  judge(first: string, second: string, sums: PairSums, back: PairSums): PairScore {
    const [one, two] = [this.#tables(first, sums.cells), this.#tables(second, back.cells)];
    const flow = this.#flow(first, second, sums);
    const unit = flow.deviation === 0 ? 1 : Math.sqrt(flow.square);
    const excess = (flow.seen - flow.expected) / unit;
    const spread = flow.deviation ** 2 / unit ** 2;
    const all: Record<Question, number[]> = {
      giving: [of(one.wrong), of(two.wrong)],
      reading: [of(one.right), of(two.right), of(one.right, two.right)],
      soft_play: [of(one.soft, two.soft)],
      squeezing: [of(one.squeezing, two.squeezing)],
      chips: [evidence(excess, spread), evidence(-excess, spread)],
    };
    const values = Object.values(all).flat();
    const logs = QUESTIONS.map((question) => [question, Math.log10(meanOf(all[question]))]);
    return {
      hands: Math.max(sums.hands, back.hands),
      duels: Math.max(sums.duels, back.duels),
      halves: [halfOf(one, sums), halfOf(two, back)],
      flow: { seen: flow.seen, expected: flow.expected, deviation: flow.deviation },
      evidence: Object.fromEntries(logs) as Record<Question, number>,
      score: Math.log10(meanOf(values)),
    };
  }

  #tables(agentId: string, cells: CellCounts): Tables {
    const own = this.#players.get(agentId)!.cells;
    const sums = Object.fromEntries(MASKS.map(({ name }) => [name, { seen: 0, expected: 0, variance: 0 }])) as Tables;
    const styles = MASKS.map(() => 0);
    for (const [situation, counts] of bySituation(cells)) {
      const n = counts[0]! + counts[1]! + counts[2]!;
      const there = expected(situation, counts, own, this.#all);
      for (const [i, { name, of }] of MASKS.entries()) {
        const mask = of[situation]!;
        if (mask === 0) continue;
        const [seen, rate] = [masked(counts, mask), masked(there.rates, mask)];
        const { sampling, style } = doubtOf(there, rate);
        const sum = sums[name];
        sum.seen += seen;
        sum.expected += n * rate;
        sum.variance += n * rate * (1 - rate) + n * n * sampling;
        styles[i] = styles[i]! + n * style;
      }
    }
    // Styles differ the same way in all situations, so what they add is not independent.
    for (const [i, { name }] of MASKS.entries()) sums[name].variance += styles[i]! ** 2;
    return sums;
  }

  /** The expectation is the first's loss a duel with others, and the second's win a duel with others. */
  #flow(first: string, second: string, { duels, flow, flowSquares }: PairSums) {
    const [one, two] = [this.#players.get(first)!.sums, this.#players.get(second)!.sums];
    const [others, theirs] = [one.duels - duels, two.duels - duels];
    const mean = (one.flow - flow) / (others + FEW_DUELS) - (two.flow + flow) / (theirs + FEW_DUELS);
    const pool = this.#duels.flowSquares / Math.max(1, this.#duels.duels);
    const apart = others + theirs;
    const squares = one.flowSquares + two.flowSquares - 2 * flowSquares;
    const square = Math.max(1, (squares + SPREAD_DUELS * pool) / (apart + SPREAD_DUELS));
    const inexact = duels / (others + FEW_DUELS) + duels / (theirs + FEW_DUELS) + duels / STYLE_DUELS;
    const deviation = Math.sqrt(duels * square * (1 + inexact));
    return { seen: flow, expected: duels * mean, deviation, square };
  }
}

/** The sum of the values of the deeds that a mask has. */
const masked = (values: readonly number[], mask: number) =>
  values.reduce((sum, value, deed) => ((mask & (1 << deed)) === 0 ? sum : sum + value), 0);

/** The evidence of some sums together: their players' decisions are independent of each other. */
function of(...all: readonly Sums[]): number {
  const excess = all.reduce((sum, { seen, expected }) => sum + seen - expected, 0);
  return evidence(
    excess,
    all.reduce((sum, { variance }) => sum + variance, 0),
  );
}

/** A mean of evidence is evidence, however its parts hang together (Vovk and Wang, "E-values", Annals of Statistics 49, 2021). */
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const compared = ({ seen, expected }: Sums): Compared => ({ seen, expected });

const halfOf = ({ callsAllIn: calls, foldsBetter: better }: Tables, { lost, stacks }: PairSums): Half => ({
  lost,
  stacks,
  allInsCalled: compared(calls),
  betterFolded: compared(better),
});

function bySituation(cells: CellCounts): Map<number, number[]> {
  const counts = new Map<number, number[]>();
  for (const [cell, count] of cells) {
    // Beyond the cells of situations others may be counted, such as times.
    if (cell >= CELLS) continue;
    const situation = Math.floor(cell / DEEDS);
    const there = counts.get(situation) ?? [0, 0, 0];
    there[cell % DEEDS] = count;
    counts.set(situation, there);
  }
  return counts;
}

/**
 * The number of pairs to mark, the highest scores first. The mean part of honest pairs among them is at most `share`
 * under any dependence. This is the e-BH procedure (Wang and Ramdas, "False discovery rate control with e-values", JRSS
 * B 84, 2022). `all` is how many pairs there are, also those without a score here.
 */
export function marked(scores: readonly number[], all: number, share: number): number {
  let most = 0;
  for (const [i, score] of scores.entries()) {
    if (score >= Math.log10(all / ((i + 1) * share))) most = i + 1;
  }
  return most;
}

/** How much is known from the variance alone before evidence counts: see `evidence`. */
const RHO = 10;

/**
 * How many times likelier the excess is under collusion than under honest play. This is the one-sided normal mixture of
 * Robbins (Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences",
 * Annals of Statistics 49, 2021, proposition 6). Under honest play its mean is at most 1 at any time. So by Ville's
 * inequality it ever reaches x with a chance of at most 1 / x.
 */
export function evidence(excess: number, variance: number): number {
  const spread = variance + RHO;
  return 2 * Math.sqrt(RHO / spread) * normalRatio(excess / Math.sqrt(spread));
}

/** No exponent beyond this, so that products and sums stay numbers. */
const MOST_EXPONENT = 600;

/**
 * The share of the standard normal distribution below z over e^(-z²/2), by Abramowitz and Stegun 26.2.17 (the share is
 * off by less than 1e-7).
 */
function normalRatio(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = series / Math.sqrt(2 * Math.PI);
  return z > 0 ? Math.exp(Math.min(MOST_EXPONENT, (z * z) / 2)) - tail : tail;
}
