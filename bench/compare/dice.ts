import type { Action, Hand } from '../../sdk/typescript/src/hand.js';
import { seededRandom } from '../../src/cards/shuffle.js';

/** A bot of dice alone: it costs next to nothing, and plays large pots. */
export function createStrategy(seed: number): (hand: Hand) => Action {
  const random = seededRandom(seed);
  return (hand) => {
    const roll = random.next16() / 0x10000;
    if (roll < 0.45) return hand.fold();
    return roll < 0.85 ? hand.call() : hand.raisePot(0.75);
  };
}
