import { assert } from '../../ops/assert.js';

/** Something that is to be heard at least once in some beats. */
export interface Beating {
  beat(): void;
}

/** One timer for all relays of a process. A process that stood still gets one beat for it, so it breaks nothing. */
export class Beat {
  readonly #members = new Set<Beating>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly everyMs: number) {
    assert(everyMs > 0, 'relays are pinged in intervals', everyMs);
  }

  add(member: Beating): void {
    this.#members.add(member);
    this.#timer ??= setInterval(() => this.#beat(), this.everyMs).unref();
  }

  delete(member: Beating): void {
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  get size(): number {
    return this.#members.size;
  }

  #beat(): void {
    for (const member of [...this.#members]) member.beat();
  }
}
