import type { Action, Hand } from '../../sdk/typescript/src/hand.js';
import { createStrategy, type Style } from '../../src/bots/index.js';

/**
 * A bot as an author writes it: `decide(hand)` without a memory. Its dice come from the hand's id and the place of the
 * decision, so that two versions have the same luck.
 */
export const tuned =
  (style: Style) =>
  (hand: Hand): Action =>
    createStrategy(style, numberOf(`${hand.handId} ${hand.actions.length} ${hand.seat}`))(hand);

/** FNV-1a, 32 bits. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
