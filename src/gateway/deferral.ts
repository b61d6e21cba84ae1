/** A session, as far as it matters here. */
interface Deferring {
  readonly hasDeferred: boolean;
  /** With which others it was last to send what it deferred. */
  deferral: Deferral | null;
  flush(): void;
}

/** A buffer that frames are in, and whom it is given back to. */
interface Retained {
  bytes: ArrayBuffer;
  used: ((bytes: ArrayBuffer) => void) | undefined;
}

/**
 * After so many written sockets the loop looks at its input. The readers wake up and take the core, and actions and
 * their answers would wait for the end of a sweep.
 */
const AT_ONCE = 8;

/**
 * Sessions with deferred frames that leave together, so many ms after the first was added, and the buffers they are in.
 * A buffer may hold frames that leave `sooner`, too, so those are gone when it is given back.
 */
export class Deferral {
  #sessions: Deferring[] = [];
  #retained: Retained[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The rest of the last sweep: its sessions (those before `#at` are done), and its buffers. */
  #leaving: Deferring[] = [];
  #at = 0;
  #held: Retained[] = [];
  #next: NodeJS.Immediate | undefined;

  constructor(
    private readonly ms: number,
    private readonly sooner: Deferral | null = null,
  ) {}

  /** Right before the session is given frames that it defers. It goes with all it has deferred, whatever comes first. */
  add(session: Deferring): void {
    this.#timer ??= setTimeout(this.#sweep, this.ms);
    if (session.hasDeferred && session.deferral === this) return;
    session.deferral = this;
    this.#sessions.push(session);
  }

  /** Keeps a buffer until all have left that were added before. */
  retain(bytes: ArrayBuffer, used: ((bytes: ArrayBuffer) => void) | undefined): void {
    this.#retained.push({ bytes, used });
  }

  /**
   * Sends all that is deferred, a few sockets at a time. The rest of an earlier sweep goes first, and at once: under
   * any load a frame waits for one more sweep at most.
   */
  readonly #sweep = (): void => {
    if (this.sooner !== null) {
      this.sooner.#sweep();
      this.sooner.#send(Infinity);
    }
    this.#send(Infinity);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    [this.#leaving, this.#sessions, this.#at] = [this.#sessions, [], 0];
    [this.#held, this.#retained] = [this.#retained, []];
    this.#sendSome();
  };

  readonly #sendSome = (): void => {
    this.#send(AT_ONCE);
    if (this.#at < this.#leaving.length) this.#next = setImmediate(this.#sendSome);
  };

  /** Writes to so many of the sweep's sessions. Some have nothing left: a frame that could not wait took it along. */
  #send(most: number): void {
    clearImmediate(this.#next);
    for (let sent = 0; sent < most && this.#at < this.#leaving.length;) {
      const session = this.#leaving[this.#at++]!;
      if (!session.hasDeferred) continue;
      session.flush();
      sent++;
    }
    if (this.#at < this.#leaving.length) return;
    const held = this.#held;
    // Nobody who is gone is kept until the next sweep.
    [this.#leaving, this.#held, this.#at] = [[], [], 0];
    for (const { bytes, used } of held) used?.(bytes);
  }
}
