import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 5;
/** So late a timer may be. */
const LATE_MS = 20;
/** Sooner or later a case begins all the same. */
const MOST_LOOKS = 400;

/**
 * Cases begin one after the other, and none while this process is behind with its work: the delay would be taken for the
 * bot's, or hide how often it asks.
 */
export class Gate {
  #last = Promise.resolve();

  enter(): Promise<void> {
    this.#last = this.#last.then(untilCalm);
    return this.#last;
  }
}

async function untilCalm(): Promise<void> {
  for (let n = 0; n < MOST_LOOKS; n++) {
    const before = performance.now();
    await sleep(LOOK_MS);
    if (performance.now() - before <= LOOK_MS + LATE_MS) return;
  }
}
