import { Recorder } from '../../test/support/recorder.js';
import { Watch } from '../../test/support/watch.js';

/** Beyond so many frames nothing new is learnt. */
const FRAMES = 3000;

/**
 * Reads along on one socket. It checks every frame's schema, the order of the numbers, and each table_state's hash:
 * figures of a wrong server are worth nothing. Only before the measuring starts, for it is slow.
 */
export class Witness {
  checked = 0;
  readonly #recorder = new Recorder();
  readonly #watch: Watch;

  constructor(stateHash: boolean) {
    this.#watch = new Watch(new Map(), stateHash);
  }

  get done(): boolean {
    return this.checked >= FRAMES;
  }

  /** Throws an Error that tells what is wrong with the frame. */
  see(text: string): void {
    this.#watch.see(this.#recorder.frame(text));
    this.checked++;
  }
}
