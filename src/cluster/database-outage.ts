import { LEASE_MS } from '../store/node/lease.js';

export interface DatabaseOutageOptions {
  /** Whether this node's lease is good: the database has answered within it. */
  holds: () => boolean;
  /** Whether other nodes lived when the database answered last. */
  hasOthers: () => boolean;
  /** Ends all sockets with 1012. */
  endSockets: () => void;
  /** ms of a clock that never goes back. */
  now: () => number;
  log: { warn(detail: object, message: string): void };
}

/** Other nodes have claimed the tables by then. */
const PATIENT_MS = 15_000;
/** The lease ends so long after the last answer. */
const SINCE_LEASE_MS = PATIENT_MS - LEASE_MS;
const LOOK_MS = 1000;

/**
 * Sends clients to other nodes where this one has been without its database for 15 s. Without others, sockets stay open:
 * play goes on once the database is back.
 */
export class DatabaseOutage {
  /** When the lease was first seen to be over. Null: it is good. */
  #since: number | null = null;
  #logged = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: DatabaseOutageOptions) {}

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Ends also the sockets that come back here meanwhile. */
  look(): void {
    const { holds, hasOthers, endSockets, now, log } = this.options;
    const at = now();
    if (holds()) {
      this.#since = null;
      this.#logged = false;
      return;
    }
    this.#since ??= at;
    if (at - this.#since < SINCE_LEASE_MS || !hasOthers()) return;
    if (!this.#logged) log.warn({}, 'the database is away: clients are sent to other nodes');
    this.#logged = true;
    endSockets();
  }
}
