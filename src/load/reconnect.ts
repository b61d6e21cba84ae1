import { CloseCode } from '../protocol/codes.js';
import { SocketRefused } from './socket.js';

/** protocol.md, "Close codes": another attempt would only fail again, or throw out the session that replaced ours. */
const FINAL: readonly number[] = [
  CloseCode.unauthorized,
  CloseCode.takenOver,
  CloseCode.tokenExpired,
  CloseCode.otherScope,
];
const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/** When a bot connects again: after growing pauses with some chance in them, or when the server says. */
export class Reconnect {
  #pause = FIRST_MS;
  #timer: NodeJS.Timeout | null = null;
  #lost = false;

  constructor(private readonly open: () => void) {}

  /** Whether a socket was open before this one. */
  get wasLost(): boolean {
    return this.#lost;
  }

  /** The conversation works: after the next loss the first attempt comes soon. */
  greeted(): void {
    this.#pause = FIRST_MS;
  }

  /** An open socket was ended with this code. False: that is for good. */
  closed(code: number): boolean {
    if (FINAL.includes(code)) return false;
    this.#lost = true;
    this.#again(this.#nextPause());
    return true;
  }

  /** A socket was not opened; the name of the reason. */
  refused(error: Error): string {
    const asked = error instanceof SocketRefused ? error.retryAfterMs : null;
    // Half as long again for some, so that those who were refused together do not come together.
    this.#again(asked === null ? this.#nextPause() : asked * (1 + Math.random() / 2));
    if (error instanceof SocketRefused) return `HTTP ${error.status}`;
    return (error as NodeJS.ErrnoException).code ?? error.message;
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #again(ms: number): void {
    this.cancel();
    this.#timer = setTimeout(this.open, ms);
  }

  #nextPause(): number {
    const pause = this.#pause;
    this.#pause = Math.min(2 * pause, LONGEST_MS);
    return pause * (0.5 + Math.random() / 2);
  }
}
