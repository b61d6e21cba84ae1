/** Bots: the built-in strategies, a table in memory, a player on the kit, and the bots of the house. */
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
export { MemoryTable } from './memory-table.js';
export { isModulePath, loadBotModule, playsModule } from './module.js';
export { playHands, type SeatCounts } from './sparring.js';
