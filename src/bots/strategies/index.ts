import { secureRandom, seededRandom } from '../../cards/shuffle.js';
import type { RandomSource } from '../../cards/random.js';
import type { Action, Hand } from '../../../sdk/typescript/src/hand.js';
import type { Strategy } from '../strategy.js';
import { Dice } from './luck.js';
import { playPostflop } from './postflop.js';
import { playPreflop } from './preflop.js';
import { situationOf } from './situation.js';
import { heated, STYLES, type Style, type StrategyName } from './style.js';

/** The loss in one hand, in big blinds, that makes a player angry. */
const BAD_BEAT = 25;
/** The share of the anger that is left after the next hand. */
const COOLING = 0.9;

/** A player's anger, from the change of its stack between two hands. */
export class Temper {
  #handId = '';
  #stack: number | null = null;
  #heat = 0;

  /** 0 calm, 1 just lost a lot. Asked at every turn. */
  heat({ handId, stack: behind, bet, bigBlind }: Hand): number {
    if (handId === this.#handId) return this.#heat;
    this.#handId = handId;
    const stack = behind + bet;
    const lost = this.#stack === null ? 0 : this.#stack - stack;
    this.#heat = lost >= BAD_BEAT * bigBlind ? 1 : this.#heat * COOLING;
    this.#stack = stack;
    return this.#heat;
  }
}

export { heated, STRATEGY_NAMES, STYLES, type Style, type StrategyName } from './style.js';

/** Boards dealt out at most to estimate a hand's share of the pot: off by about 0.03, which no style here is finer than. */
const SAMPLES = 200;

/**
 * A mind of one of the built-in styles, or of one of your own. The same seed and the same turns give the same choices;
 * without a seed they cannot be predicted.
 */
export function createStrategy(style: StrategyName | Style, seed?: number): Strategy {
  const character = typeof style === 'string' ? STYLES[style] : style;
  const random = seed === undefined ? secureRandom() : seededRandom(seed);
  const temper = new Temper();
  return (hand) => decide(heated(character, temper.heat(hand)), hand, random);
}

/** One decision in a given mood (see `heated`). */
export function decide(mood: Style, hand: Hand, random: RandomSource): Action {
  const luck = new Dice(random);
  const now = situationOf(hand);
  if (now.street === 'preflop') return playPreflop(hand, now, mood, luck);
  return playPostflop(hand, now, mood, luck, SAMPLES);
}
