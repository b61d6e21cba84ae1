import { secureRandom, seededRandom } from '../../cards/shuffle.js';
import type { RandomSource } from '../../cards/random.js';
import type { Choice, Strategy, StrategyView, Turn } from '../strategy.js';
import { Dice } from './luck.js';
import { playPostflop } from './postflop.js';
import { playPreflop } from './preflop.js';
import { situationOf } from './situation.js';
import { heated, STYLES, type Style, type StrategyName } from './style.js';

/** A loss of so many big blinds in one hand angers. */
const BAD_BEAT = 25;
/** Share of the anger that is left after another hand. */
const COOLING = 0.9;

/** How angry a player is, from what its stack did between two hands. */
export class Temper {
  #handId = '';
  #stack: number | null = null;
  #heat = 0;

  /** 0 calm, 1 just lost a lot. Asked at every turn. */
  heat({ handId, seat }: Turn, { seats, bigBlind }: StrategyView): number {
    if (handId === this.#handId) return this.#heat;
    this.#handId = handId;
    const hero = seats.find((other) => other.seat === seat);
    const stack = (hero?.stack ?? 0) + (hero?.bet ?? 0);
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
 * without a seed nobody can tell them beforehand.
 */
export function createStrategy(style: StrategyName | Style, seed?: number): Strategy {
  const character = typeof style === 'string' ? STYLES[style] : style;
  const random = seed === undefined ? secureRandom() : seededRandom(seed);
  const temper = new Temper();
  return (turn, view) => decide(heated(character, temper.heat(turn, view)), turn, view, random);
}

/** One decision in a given mood (see `heated`). */
export function decide(mood: Style, turn: Turn, view: StrategyView, random: RandomSource): Choice {
  const luck = new Dice(random);
  const now = situationOf(turn, view);
  if (now.street === 'preflop') return playPreflop(turn, view, now, mood, luck);
  return playPostflop(turn, view, now, mood, luck, SAMPLES);
}
