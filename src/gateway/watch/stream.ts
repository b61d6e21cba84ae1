import { FOR_NEWCOMERS, HAND_BEGINS, LAST, START, STATE } from '../../table/outbox.js';

/** Whole hands are left out once so much waits to be sent to spectators. */
const MOST_BYTES = 64 * 1024;

/** The next batch for a table's spectators. */
export interface WatchBatch {
  frames: readonly Uint8Array[];
  /** The table has closed: nothing follows. */
  last: boolean;
}

/**
 * The public frames of a table until they are sent. They wait for their delay, and never exceed a reader's pace. A
 * table may play faster than its spectators can read. Then whole hands are left out, and the stream goes on with a hand
 * and its state.
 */
export class WatchStream {
  #frames: Uint8Array[] = [];
  #bytes = 0;
  /** A hand is being left out. */
  #leavesOut = false;
  #last = false;
  /** With a delay: the hands that are too fresh, the one in play last, and the last state that is not. */
  readonly #fresh: { frames: Uint8Array[]; state: Uint8Array | null }[] = [];
  #shownState: Uint8Array | null = null;
  /** Hands that were left out so far. */
  leftOut = 0;

  constructor(private readonly delayHands: number) {}

  get empty(): boolean {
    return this.#frames.length === 0;
  }

  /** How many frames wait. */
  get length(): number {
    return this.#frames.length;
  }

  /**
   * Takes a frame and keeps its bytes. Returns the state that a newcomer may begin with now; what waits from here on
   * follows it.
   */
  take(frame: Uint8Array, marked: number): Uint8Array | null {
    const mark = (marked & ~START) >>> 0;
    if (this.delayHands > 0) return this.#delayed(frame, mark);
    if (mark === FOR_NEWCOMERS) return frame;
    if (mark === HAND_BEGINS) this.#leavesOut = this.#bytes > MOST_BYTES;
    if (mark === HAND_BEGINS && this.#leavesOut) this.leftOut++;
    if (!this.#leavesOut || mark === LAST) this.#put(frame);
    this.#last ||= mark === LAST;
    return null;
  }

  /** With a delay nobody begins before something may be shown. */
  beginning(): Uint8Array | null {
    return this.#shownState;
  }

  #delayed(frame: Uint8Array, mark: number): null {
    if (mark === FOR_NEWCOMERS) return null;
    if (mark === LAST) {
      this.#put(frame);
      this.#last = true;
      return null;
    }
    if (mark === HAND_BEGINS) {
      this.#fresh.push({ frames: [], state: null });
      while (this.#fresh.length > this.delayHands + 1) this.#show(this.#fresh.shift()!);
    }
    // Frames from before the first hand are as fresh as the hand.
    const hand = this.#fresh.at(-1);
    if (hand === undefined) return null;
    hand.frames.push(frame);
    if (mark === STATE) hand.state = frame;
    return null;
  }

  #show({ frames, state }: { frames: Uint8Array[]; state: Uint8Array | null }): void {
    this.#shownState = state ?? this.#shownState;
    if (this.#bytes > MOST_BYTES) this.leftOut++;
    else frames.forEach((frame) => this.#put(frame));
  }

  #put(frame: Uint8Array): void {
    this.#frames.push(frame);
    this.#bytes += frame.length;
  }

  /** Takes all that waits. */
  drain(): WatchBatch {
    const batch = { frames: this.#frames, last: this.#last };
    this.#frames = [];
    this.#bytes = 0;
    return batch;
  }
}
