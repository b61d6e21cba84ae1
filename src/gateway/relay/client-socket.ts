import type { Allowance } from '../allowance.js';
import type { SocketListener, WireSocket } from '../transport.js';

/** An edge brings a socket to a home for so long, in ms. */
const PATIENT_MS = 6_000;
/** Homes in a row that may say that the session is not there. */
const MOST_MOVES = 3;

/**
 * A client's socket at its own node. Its listener changes: a session here, or a relay to the session at another node.
 */
export class ClientSocket implements SocketListener {
  listener!: SocketListener;
  #moves = 0;
  #waitsSince: number | null = null;

  constructor(
    readonly socket: WireSocket,
    /** What it may say; it goes on when the listener changes. */
    readonly allowance: Allowance,
  ) {}

  message(data: Buffer): void {
    this.listener.message(data);
  }

  control(): void {
    this.listener.control();
  }

  closed(code: number, reason: string): void {
    this.listener.closed(code, reason);
  }

  /** Its session is somewhere. */
  settled(): void {
    this.#moves = 0;
    this.#waitsSince = null;
  }

  /** False: too many homes have sent it on. */
  mayMove(): boolean {
    return ++this.#moves <= MOST_MOVES;
  }

  /** False: its home was not reached for too long. */
  mayWait(now: number): boolean {
    this.#waitsSince ??= now;
    return now - this.#waitsSince < PATIENT_MS;
  }
}
