import type { WatchFrame } from './live.js';

/** How fast a live table is shown. */
export const PACES = ['live', '1', '2', '4', 'step'] as const;
export type Pace = (typeof PACES)[number];

/** At 1×, in ms: an action or a street, and the result of a hand. */
export const ACTION_MS = 700;
export const RESULT_MS = 1500;

/** So many frames wait at the most: who steps, or looks elsewhere, would have them pile up without end. */
const MOST_FRAMES = 1000;

/** How long a frame stays at 1×, in ms; 0: it is brought in with its neighbours. */
function timeOf({ type }: WatchFrame): number {
  if (type === 'table_state' || type === 'hole_cards') return 0;
  return type === 'hand_result' ? RESULT_MS : ACTION_MS;
}

export interface Shown {
  /** Frames to bring in now, in order; only the last one is drawn. */
  frames: WatchFrame[];
  /** Whole hands among them that nobody sees. */
  leftOut: number;
  /** How long the last of them stays, in ms; null: until the reader steps on. */
  stays: number | null;
}

/**
 * Frames that wait to be shown. Bots play faster than eyes: when more than one hand waits, the oldest whole ones are
 * left out.
 */
export class PaceQueue {
  #waiting: WatchFrame[] = [];
  /** Hands that went since the last one that began to be shown. */
  #forgotten = 0;

  push(frame: WatchFrame): void {
    this.#waiting.push(frame);
    if (this.#waiting.length > MOST_FRAMES) this.#forget();
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** A fresh state replaces what waits. */
  clear(): void {
    this.#waiting = [];
    this.#forgotten = 0;
  }

  /** The next frames to show; null if none waits. */
  next(pace: Pace): Shown | null {
    if (this.#waiting.length === 0) return null;
    if (pace === 'live') return { frames: this.#waiting.splice(0), leftOut: this.#takeForgotten(), stays: 0 };
    const left = this.#leaveOut();
    const frames = [...left.frames];
    let ms = 0;
    while (this.#waiting.length > 0 && ms === 0) ms = this.#take(frames);
    // The state with the blinds, and one's own cards, belong to the deal.
    while (frames.at(-1)!.type !== 'hand_result' && this.#waiting[0] && timeOf(this.#waiting[0]) === 0)
      this.#take(frames);
    return { frames, leftOut: left.hands, stays: pace === 'step' ? null : ms / Number(pace) };
  }

  /** Moves the next one; how long it stays. */
  #take(frames: WatchFrame[]): number {
    const frame = this.#waiting.shift()!;
    frames.push(frame);
    return timeOf(frame);
  }

  /** The hand that is shown stays, and the last one; what is between them goes. */
  #forget(): void {
    const starts = this.#starts();
    const [first, last] = [starts[0], starts.at(-1)];
    if (first === undefined || last === undefined) return;
    this.#forgotten += starts.length - 1;
    this.#waiting.splice(first, last - first);
  }

  #takeForgotten(): number {
    const hands = this.#forgotten;
    this.#forgotten = 0;
    return hands;
  }

  #starts(): number[] {
    return this.#waiting.flatMap(({ type }, i) => (type === 'hand_start' ? [i] : []));
  }

  /** Only where a hand is about to begin: one that is being shown is shown to its end. */
  #leaveOut(): { frames: WatchFrame[]; hands: number } {
    const starts = this.#starts();
    const first = starts[0];
    const before = first === undefined ? [] : this.#waiting.slice(0, first);
    const begins =
      first !== undefined && before.every(({ type }) => type !== 'player_action' && type !== 'hand_result');
    if (!begins || (starts.length < 2 && this.#forgotten === 0)) return { frames: [], hands: 0 };
    const hands = starts.length - 1 + this.#takeForgotten();
    return { frames: this.#waiting.splice(0, starts.at(-1)), hands };
  }
}
