import { Hand, type Action, type HandFields } from '../../sdk/typescript/src/hand.js';
import { decide, type Style } from '../bots/index.js';
import { seededRandom } from '../cards/shuffle.js';

/** A turn of a hosted bot, as it goes to a thread that decides. */
export interface DecisionTask {
  hand: HandFields;
  /** The style in its present mood. */
  mood: Style;
  seed: number;
}

export const decision = ({ hand, mood, seed }: DecisionTask): Action =>
  decide(mood, new Hand(hand), seededRandom(seed));
