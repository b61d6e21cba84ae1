import { BIG_BLIND } from '../memory/memory-table.js';
import { BettingSample } from '../statistics/betting.js';
import type { MeanInterval } from '../statistics/confidence-sequence.js';
import type { DealResult } from './deal.js';
import { CLIP, Judge, type JudgeOptions, type Verdict } from './judge.js';

/** Clips of the tables' rows, in big blinds a hand: a seat alone has fewer hands in a deal than all seats together. */
const ROW_CLIP = 4 * CLIP;

/** The interval after so many deals, for the drawing. */
export interface BandPoint extends MeanInterval {
  deals: number;
}

/** Deals grow by a twentieth from one point of the band to the next. */
const BAND_STEP = 1.05;

/** The results of all deals of a comparison. */
export class CompareTally {
  readonly judge: Judge;
  readonly bySeat: BettingSample[];
  readonly byStreet = Array.from({ length: 4 }, () => new BettingSample(ROW_CLIP));
  readonly band: BandPoint[] = [];
  verdict: Verdict = 'unknown';
  hands = 0;
  pairs = 0;
  parted = 0;
  /** By bot, in chips. */
  readonly profit = [0, 0];
  readonly squares = [0, 0];
  readonly refused = [0, 0];
  #nextPoint = 10;

  constructor(
    players: number,
    options: JudgeOptions,
    private readonly draws: boolean,
  ) {
    this.judge = new Judge(options);
    this.bySeat = Array.from({ length: players }, () => new BettingSample(ROW_CLIP));
  }

  /** Returns the verdict that stands after the deal. */
  add(deal: DealResult): Verdict {
    this.hands += deal.hands;
    this.pairs += deal.pairs;
    this.parted += deal.parted;
    for (const bot of [0, 1] as const) {
      this.profit[bot]! += deal.profit[bot];
      this.squares[bot]! += deal.squares[bot];
      this.refused[bot]! += deal.refused[bot];
    }
    deal.bySeat.forEach((chips, seat) => this.bySeat[seat]!.add(clipped(chips)));
    deal.byStreet.forEach((chips, street) => this.byStreet[street]!.add(clipped(chips)));
    this.verdict = this.judge.add(deal.difference / BIG_BLIND);
    const { count } = this.judge.sample;
    if (this.draws && (count >= this.#nextPoint || this.verdict !== 'unknown')) {
      this.#nextPoint = Math.ceil(count * BAND_STEP);
      this.band.push({ deals: count, ...this.judge.interval()! });
    }
    return this.verdict;
  }

  /** Hands that are expected to be left; null where no verdict is in sight. */
  get handsLeft(): number | null {
    const deals = this.judge.dealsLeft;
    return deals === null ? null : Math.ceil((deals * this.hands) / this.judge.sample.count);
  }

  /**
   * Hands of both bots together that a test of a fixed size needs for this difference. It takes independent hands,
   * chips as won, the normal distribution and 80 % power. Null where the difference is 0.
   */
  get rawHandsNeeded(): number | null {
    const { mean } = this.judge.sample;
    if (this.pairs < 2 || mean === 0) return null;
    const variance = [0, 1].reduce(
      (sum, bot) => sum + this.squares[bot]! / this.pairs - (this.profit[bot]! / this.pairs) ** 2,
      0,
    );
    return Math.ceil((2 * (Z_POWER * Z_POWER * variance)) / BIG_BLIND ** 2 / (mean * mean));
  }
}

/** The quantiles of 2.5 % and of 80 % together. */
export const Z_POWER = 1.959964 + 0.841621;

const clipped = (chips: number): number => Math.max(-ROW_CLIP, Math.min(ROW_CLIP, chips / BIG_BLIND));
