import { SlidingWindow } from './sliding-window.js';

/** Bytes a socket may send for each of its messages: 64 KiB at the 20 a second of the default. */
const BYTES_A_MESSAGE = (64 * 1024) / 20;
/** So many times its messages a second end the socket. */
const ENDS_AT = 10;
const SECOND_MS = 1000;

/** The verdict on a message: the socket reads it, drops it with an answer, drops it silently, or ends. */
export type AllowanceVerdict = 'read' | 'warn' | 'drop' | 'end';

/**
 * The allowance of one socket: a number of messages and bytes in any second. Each frame that asks the client for
 * something gives one message more (`grant`). Beyond it, a message gets an answer once a second. At ten times as much
 * the socket is cut off, so a flood costs only its reading. Times in ms of any clock that never goes back.
 */
export class Allowance {
  readonly #window: SlidingWindow;
  /** When the second began in which these are counted. */
  #second = -Infinity;
  #received = 0;
  #bytes = 0;
  #warned = false;
  #granted = 0;
  /** Grants not used yet, of this second and of the one before: each is good for a second at least. */
  #fresh = 0;
  #old = 0;

  constructor(private readonly perSecond: number) {
    this.#window = new SlidingWindow(perSecond, SECOND_MS);
  }

  /** One more message than otherwise may come. */
  grant(now: number): void {
    this.#turn(now);
    this.#granted++;
    this.#fresh++;
  }

  /** Judges a message of so many bytes. */
  message(now: number, bytes: number): AllowanceVerdict {
    this.#turn(now);
    this.#bytes += bytes;
    const most = this.perSecond + this.#granted;
    if (++this.#received > ENDS_AT * most) return 'end';
    if (this.#bytes <= BYTES_A_MESSAGE * most && (this.#useGrant() || this.#window.take(now))) return 'read';
    return this.#refuse();
  }

  /** Judges a ping or pong: it counts as a message, but uses no grant up. */
  control(now: number): AllowanceVerdict {
    this.#turn(now);
    if (++this.#received > ENDS_AT * (this.perSecond + this.#granted)) return 'end';
    return this.#window.take(now) ? 'read' : this.#refuse();
  }

  #refuse(): AllowanceVerdict {
    if (this.#warned) return 'drop';
    this.#warned = true;
    return 'warn';
  }

  #useGrant(): boolean {
    if (this.#old > 0) this.#old--;
    else if (this.#fresh > 0) this.#fresh--;
    else return false;
    return true;
  }

  /** Begins a new second where the last is over. */
  #turn(now: number): void {
    const passed = now - this.#second;
    if (passed < SECOND_MS) return;
    this.#old = passed < 2 * SECOND_MS ? this.#fresh : 0;
    this.#second = now;
    this.#fresh = this.#granted = this.#received = this.#bytes = 0;
    this.#warned = false;
  }
}
