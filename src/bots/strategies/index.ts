import { secureRandom, seededRandom } from '../../cards/shuffle.js';
import type { RandomSource } from '../../cards/random.js';
import type { Choice, Strategy, TableView, Turn } from '../strategy.js';
import { Dice } from './luck.js';
import { playPostflop } from './postflop.js';
import { playPreflop } from './preflop.js';
import { situationOf } from './situation.js';
import { heated, STYLES, type Style, type StrategyName } from './style.js';
import { Temper } from './temper.js';

export { Temper } from './temper.js';
export { heated, STRATEGY_NAMES, STYLES, type Style, type StrategyName } from './style.js';

/** Boards dealt out at most to estimate a hand's share of the pot: off by about 0.03, which no style here is finer than. */
const SAMPLES = 200;

/**
 * A mind of one of the built-in styles, or of one of your own. The same seed and the same turns give the same choices;
 * without a seed nobody can tell them beforehand.
 */
export function createStrategy(style: StrategyName | Style, seed?: number): Strategy {
  const character = typeof style === 'string' ? STYLES[style] : style;
  const random = seed === undefined ? secureRandom() : seededRandom(seed);
  const temper = new Temper();
  return (turn, view) => decide(heated(character, temper.heat(turn, view)), turn, view, random);
}

/** One decision in a given mood (see `heated`). */
export function decide(mood: Style, turn: Turn, view: TableView, random: RandomSource): Choice {
  const luck = new Dice(random);
  const now = situationOf(turn, view);
  if (now.street === 'preflop') return playPreflop(turn, view, now, mood, luck);
  return playPostflop(turn, view, now, mood, luck, SAMPLES);
}
