import { count } from '../../lib/format.js';

/** The questions of the score, as a sentence and in short. */
export const SIGN_TITLES = {
  giving: 'Pays when the other bot is ahead and folds when it is behind, more than against others',
  reading: "Folds behind and stays ahead, as if it knew the other's cards",
  soft_play: 'Bets and raises less than against others when the two are alone',
  squeezing: "Raises the other's raises while a third player is in, more than those of others",
  chips: 'Loses more to the other than to others',
};

export const SIGNS = {
  giving: 'gives chips',
  reading: 'knows the cards',
  soft_play: 'soft play',
  squeezing: 'squeezes others',
  chips: 'chips one way',
};

/** "1 in 5,000": how often an honest pair gets as far. */
export const odds = (rate: number) =>
  rate > 0.5 ? 'any' : rate < 1e-9 ? '< 1 in a billion' : `1 in ${count(1 / rate)}`;
