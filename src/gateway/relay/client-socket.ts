import type { Allowance } from '../allowance.js';
import type { Hello, WatchHello } from '../ports.js';
import type { SocketListener, WireSocket } from '../transport.js';
import type { HomeSocket } from './ports.js';

/** An edge brings a socket to a home for so long, in ms. */
const PATIENT_MS = 6_000;
/** Homes in a row that may say that the session is not there. */
const MOST_MOVES = 3;

/** The purpose of a socket. */
export type Visit = { kind: 'play'; hello: Hello; lean: boolean } | { kind: 'watch'; hello: WatchHello };

/**
 * A client's socket at its own node. Its listener changes: a session here, or a relay to the session at another node.
 */
export class ClientSocket implements SocketListener {
  listener!: SocketListener;
  /** The client is at another node, and this is its home's end of the relay. */
  readonly home: HomeSocket | null;
  #moves = 0;
  #waitsSince: number | null = null;

  constructor(
    readonly socket: WireSocket,
    /** The messages that it may send. It goes on when the listener changes. */
    readonly allowance: Allowance,
    readonly visit: Visit,
    home: HomeSocket | null = null,
  ) {
    this.home = home;
  }

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
    this.home?.taken();
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
