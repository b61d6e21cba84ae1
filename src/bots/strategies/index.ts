import { secureRandom, seededRandom } from '../../cards/shuffle.js';
import type { Strategy } from '../strategy.js';
import { Luck } from './luck.js';
import { playPostflop } from './postflop.js';
import { playPreflop } from './preflop.js';
import { situationOf } from './situation.js';
import { heated, STYLES, type Style, type StrategyName } from './style.js';
import { Temper } from './temper.js';

export { STRATEGY_NAMES, STYLES, type Style, type StrategyName } from './style.js';

/** Boards dealt out to estimate a hand's share of the pot: off by about 0.03, which no style here is finer than. */
const SAMPLES = 200;

/**
 * A mind of one of the built-in styles, or of one of your own. The same seed and the same turns give the same choices;
 * without a seed nobody can tell them beforehand.
 */
export function createStrategy(style: StrategyName | Style, seed?: number): Strategy {
  const character = typeof style === 'string' ? STYLES[style] : style;
  const luck = new Luck(seed === undefined ? secureRandom() : seededRandom(seed));
  const temper = new Temper();
  return (turn, view) => {
    const mood = heated(character, temper.heat(turn, view));
    const now = situationOf(turn, view);
    if (now.street === 'preflop') return playPreflop(turn, view, now, mood, luck);
    return playPostflop(turn, view, now, mood, luck, SAMPLES);
  };
}
