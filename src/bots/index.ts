/** Bots: a player over the protocol, the built-in strategies, and the bots of the house. */
export { PlayerClient } from './client.js';
export type { Listeners, PlayerOptions } from './options.js';
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
export { giveUp } from './strategy.js';
export type { Choice, SeatView, SlowStrategy, Strategy, TableView, Turn } from './strategy.js';
export { ACTS, HandViews } from './hand-view.js';
export { playHands, type SeatCounts } from './sparring.js';
export { winRate, type Sums, type WinRate } from './win-rate.js';
export type { FrameView } from './view.js';
