import Type from 'typebox';
import { Count, described } from '../common.js';

/**
 * The estimates of an agent's play: a rate in big blinds per 100 hands, its 95 % interval, and the number of hands. The
 * intervals hold at all sample sizes at once (src/statistics/confidence-sequence.ts).
 */

const rate = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const interval = (description: string) =>
  Type.Union([Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), Type.Null()], { description });

/** Older names of fields. They stay, since clients read them. */
const rateAlias = (name: string) => rate(`Deprecated: the same as \`${name}\`.`);
const intervalAlias = (name: string) => interval(`Deprecated: the same as \`${name}\`.`);

export const rateInterval = {
  bb_per_100_ci95: interval(
    'Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.',
  ),
};

export const allInAdjusted = {
  bb_per_100_all_in_adjusted: rate('The same with all-ins at what they were worth at the last decision.'),
  bb_per_100_all_in_adjusted_ci95: interval('Its 95 % interval.'),
  all_in_adj_bb_per_100: rateAlias('bb_per_100_all_in_adjusted'),
};

export const luckEstimates = {
  hands_luck_adjusted: described(
    Count,
    'Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. ' +
      '0 in duplicate competitions, and in pools whose record names another value function than this release has.',
  ),
  bb_per_100_luck_adjusted: rate('The same less the luck of the deal and the board. Null below 100 hands.'),
  bb_per_100_luck_adjusted_ci95: interval('Its 95 % interval.'),
};

export const estimates = {
  hands_counted: described(
    Count,
    'Hands that the estimates are over. Hands are counted seconds after they are played.',
  ),
  bb_per_100: rate('100 × the mean of the chips won in a hand, in big blinds. Null until hands are counted.'),
  ...rateInterval,
  ...allInAdjusted,
  ...luckEstimates,
};

/** `all_in_adj_bb_per_100_ci95` in the figures of one agent, `ci95` in lists. */
export const adjustedIntervalAlias = intervalAlias('bb_per_100_all_in_adjusted_ci95');

/** Of a participant in a duplicate competition. */
export const duplicateEstimates = {
  bb_per_100_duplicate: rate(
    '100 × the mean difference, in big blinds, from all who held the same cards. Null before there is one to compare.',
  ),
  bb_per_100_duplicate_ci95: interval('Its 95 % interval.'),
  bb_per_100: rateAlias('bb_per_100_duplicate'),
  ci95: intervalAlias('bb_per_100_duplicate_ci95'),
};
