/** A tick that comes later than this many intervals says something of us, not of the thread. */
const ON_TIME = 1.5;

/**
 * The silence of a thread. It counts only while our own timer ran on time. If we were blocked, its answers may wait
 * behind us. If the machine had no time for us, it had none for the thread either.
 */
export class Heartbeat {
  #silentMs = 0;
  #lastTick: number;

  constructor(
    private readonly intervalMs: number,
    now: number,
  ) {
    this.#lastTick = now;
  }

  /** Something came from the thread: any post is a sign of life, so that a busy one is never taken for a hung one. */
  heard(): void {
    this.#silentMs = 0;
  }

  /** Call once an interval; returns the ms of silence that count. */
  tick(now: number): number {
    const elapsed = now - this.#lastTick;
    this.#lastTick = now;
    if (elapsed <= this.intervalMs * ON_TIME) this.#silentMs += elapsed;
    return this.#silentMs;
  }
}
