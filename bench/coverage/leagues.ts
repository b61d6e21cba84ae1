import { createStrategy, STRATEGY_NAMES, type StrategyName } from '../../src/bots/index.js';
import type { RandomSource } from '../../src/cards/random.js';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { BIG_BLIND, MemoryTable } from '../../src/memory/memory-table.js';
import {
  addResult,
  confidenceInterval,
  emptySample,
  evidenceAbove,
  evidenceBelow,
  type Sample,
} from '../../src/statistics/confidence-sequence.js';

/** Leagues of hands with a known true mean: results of the house's styles, drawn with replacement. */

/** Each player begins each hand with so many big blinds. */
const STACK = 100;

/** The results of a style, in big blinds a hand, and their mean: the true one of hands drawn from them. */
export interface Results {
  style: StrategyName;
  values: Float64Array;
  mean: number;
  risk: number;
  chance: number;
}

/** The results of all six styles at one table, so many hands from this seed. */
export function playResults(hands: number, seed: number): Results[] {
  const minds = STRATEGY_NAMES.map((name, player) => createStrategy(name, seed + player + 1));
  const players = minds.length;
  const table = new MemoryTable(STRATEGY_NAMES);
  const random = seededRandom(seed);
  const stacks = minds.map(() => STACK * BIG_BLIND);
  const values = minds.map(() => new Float64Array(hands));
  for (let n = 0; n < hands; n++) {
    // The player in seat s; the button moves on.
    const playerAt = (seat: number) => (seat + n) % players;
    table.draw(random);
    table.deal(String(n), 0, stacks, (player) => (player + players * hands - n) % players);
    void table.playOut(
      (turn) => minds[playerAt(turn.seat)]!(turn),
      (seat) => {
        throw new Error(`${STRATEGY_NAMES[playerAt(seat)]!} was refused`);
      },
    );
    const { finalStacks } = table.hand.outcome;
    for (let seat = 0; seat < players; seat++) {
      values[playerAt(seat)]![n] = finalStacks[seat]! / BIG_BLIND - STACK;
    }
  }
  return STRATEGY_NAMES.map((style, player) => {
    const all = values[player]!;
    return { style, values: all, mean: meanOf(all), risk: STACK, chance: STACK * (players - 1) };
  });
}

const meanOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Whether the true mean has left the interval at any look of a league. */
export interface Left {
  anytime: boolean;
  /** mean ± 1.96 s/√n, from hand FIRST_FIXED on. */
  fixed: boolean;
}

const Z = 1.959964;
/** Nobody takes the normal approximation for fewer hands than this. */
export const FIRST_FIXED = 100;
const THRESHOLD = Math.log(2 / 0.05);

/** Plays a league of so many hands and looks after each. */
export function playLeague({ values, mean, risk, chance }: Results, hands: number, random: RandomSource): Left {
  const sample = emptySample();
  const left: Left = { anytime: false, fixed: false };
  for (let n = 1; n <= hands; n++) {
    addResult(sample, values[uniformBelow(values.length, random)]!, risk, chance);
    left.anytime ||= evidenceAbove(sample, mean) >= THRESHOLD || evidenceBelow(sample, mean) >= THRESHOLD;
    left.fixed ||= n >= FIRST_FIXED && Math.abs(sample.sum / n - mean) > fixedHalf(sample);
  }
  return left;
}

/** Half the width of the interval for a number of hands that is fixed beforehand, in big blinds a hand. */
const fixedHalf = ({ count, sum, squares }: Sample) =>
  Z * Math.sqrt(Math.max(0, squares - sum ** 2 / count) / (count - 1) / count);

/** Half the widths of both intervals after so many hands of a style that went as expected, in bb/100. */
export function halfWidths({ values, mean, risk, chance }: Results, count: number): Record<keyof Left, number> {
  const squares = (count * values.reduce((sum, value) => sum + value ** 2, 0)) / values.length;
  const sample = { count, sum: count * mean, squares, risk, chance };
  const { low, high } = confidenceInterval(sample)!;
  return { anytime: 50 * (high - low), fixed: 100 * fixedHalf(sample) };
}
