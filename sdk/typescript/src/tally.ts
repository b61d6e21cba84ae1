import type { ServerMessages } from './generated/messages.js';

/** The most results with remembered hands: each counts once. */
const COUNTED = 64;
/** Hands from one line of the log to the next. */
const REPORT = 20;

/** Counts each hand once in which the player was dealt in, however often its result is told. */
export class Tally {
  hands = 0;
  /** The stack after the last of them; null before the first. */
  chips: number | null = null;
  #counted: string[] = [];

  /** False where it counts nothing new. */
  count({ hand_id: handId, final_stacks: stacks }: ServerMessages['hand_result'], seat: number): boolean {
    const stack = stacks[String(seat)];
    if (stack === undefined || this.#counted.includes(handId)) return false;
    this.#counted = [...this.#counted.slice(1 - COUNTED), handId];
    this.hands++;
    this.chips = stack;
    return true;
  }

  /** For people who watch. */
  get isWorthALine(): boolean {
    return this.hands % REPORT === 0;
  }
}
