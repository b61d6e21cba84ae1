import { decide, type Choice, type Style, type StrategyView, type Turn } from '../bots/index.js';
import { seededRandom } from '../cards/shuffle.js';

/** A turn of a hosted bot, as it goes to a thread that decides. */
export interface DecisionTask {
  turn: Turn;
  view: StrategyView;
  /** The style in its present mood. */
  mood: Style;
  seed: number;
}

export const decision = ({ turn, view, mood, seed }: DecisionTask): Choice =>
  decide(mood, turn, view, seededRandom(seed));
