import type { Frame } from '../../../src/doctor/wire/transcript.js';
import type { Defect } from './defects.js';

/**
 * The knowledge of the hand that a bot with a defect of lean frames holds. Such a bot fails when a frame contradicts
 * it.
 */
export class LeanMemory {
  #hand: unknown = null;
  #actions = 0;

  /** Whether a bot with this defect ends at the frame. */
  fears(defect: Defect | null, { type, hand_id, first, actions }: Frame): boolean {
    if (type === 'hand') {
      const again = hand_id === this.#hand;
      [this.#hand, this.#actions] = [hand_id, again ? this.#actions : 0];
      return again && defect === 'lean-reads-cards-once';
    }
    if (type !== 'turn') return false;
    const counted = this.#actions;
    this.#actions = Number(first) + (actions as unknown[]).length;
    return first !== counted && defect === 'lean-counts-actions';
  }
}
