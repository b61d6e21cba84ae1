/** A session, as far as it matters here. */
interface Deferring {
  readonly hasDeferred: boolean;
  /** With which others it was last to send what it deferred. */
  deferral: Deferral | null;
  flush(): void;
}

/**
 * Sessions with deferred frames that leave together, so many ms after the first was added, and the buffers they are in.
 * A buffer may hold frames that leave `sooner`, too, so those are gone when it is given back.
 */
export class Deferral {
  #sessions: Deferring[] = [];
  #retained: { bytes: ArrayBuffer; used: ((bytes: ArrayBuffer) => void) | undefined }[] = [];
  #timer: NodeJS.Timeout | undefined;

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

  /** Sends all that is deferred. Of some sessions that has gone already, before a frame that could not wait. */
  readonly #sweep = (): void => {
    if (this.sooner !== null) this.sooner.#sweep();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sessions = this.#sessions;
    this.#sessions = [];
    for (const session of sessions) if (session.hasDeferred) session.flush();
    const retained = this.#retained;
    this.#retained = [];
    for (const { bytes, used } of retained) used?.(bytes);
  };
}
