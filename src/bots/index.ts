/** Sums over hands, which can be added up. Whole chips. */
export interface Sums {
  hands: number;
  /** Won less lost. */
  profit: number;
  /** The sum of the squares of each hand's profit. */
  squares: number;
}

/** A win rate in big blinds per 100 hands, with the interval that holds the true one 95 times in 100. */
export interface WinRate {
  bbPer100: number;
  /** Null below two hands, which tell nothing about their spread. */
  ci95: readonly [low: number, high: number] | null;
}

/** Quantile of the normal distribution for a two-sided 95 %: with the hands of a match the mean is as good as normal. */
const Z95 = 1.959964;

/** From the standard error of the mean, that is, hands taken as independent. Throws a RangeError on no hands at all. */
export function winRate({ hands, profit, squares }: Sums, bigBlind: number): WinRate {
  if (hands < 1) throw new RangeError('no hands, no win rate');
  const per100 = 100 / bigBlind;
  const mean = profit / hands;
  if (hands === 1) return { bbPer100: mean * per100, ci95: null };
  // Rounding may leave a little less than nothing.
  const variance = Math.max(0, (squares - hands * mean * mean) / (hands - 1));
  const margin = Z95 * Math.sqrt(variance / hands);
  return { bbPer100: mean * per100, ci95: [(mean - margin) * per100, (mean + margin) * per100] };
}

/** Bots: the built-in strategies, a player on the kit, and the bots of the house. */
export { KitPlayer, type KitPlayerOptions } from './kit-player.js';
export { HouseBots, type HouseTask } from './house.js';
export { HouseThread, type HouseLog } from './house-thread.js';
export {
  createStrategy,
  decide,
  heated,
  STRATEGY_NAMES,
  STYLES,
  Temper,
  type StrategyName,
  type Style,
} from './strategies/index.js';
export type { SlowStrategy, Strategy } from './strategy.js';
export { isModulePath, loadBotModule, playsModule } from './module.js';
