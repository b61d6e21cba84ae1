import { ipLimitKey } from './ip.js';
import type { ConnectionLimits } from './transport.js';

export const UNBOUNDED: ConnectionLimits = { max: Infinity, perAddress: Infinity, proxies: 0 };

/** So long µWebSockets.js keeps a connection open that sends nothing: ten seconds, and four that its clock is coarse. */
const IDLE_MS = 15_000;
const SWEEP_MS = 1000;

/** How many there are of each key. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  drop(key: string): void {
    const left = this.of(key) - 1;
    if (left > 0) this.#counts.set(key, left);
    else this.#counts.delete(key);
  }
}

/** Gives back a place; a second call does nothing. */
export type Release = () => void;

/** The place that an open connection counts for. Null: it does not count by address. */
export interface ConnectionPlace {
  key: string | null;
}

/** Connections of a server that tells of each when it opens and when it closes. */
export class Connections {
  readonly #counts = new Counts();
  #open = 0;

  constructor(private readonly limits: ConnectionLimits) {}

  /** A connection has opened. Null: it must be closed at once. */
  enter(remote: string): ConnectionPlace | null {
    const key = this.limits.proxies > 0 ? null : ipLimitKey(remote);
    if (this.#open >= this.limits.max || !this.#hasRoom(key)) return null;
    this.#open++;
    if (key !== null) this.#counts.add(key);
    return { key };
  }

  /** It becomes a WebSocket of a client; null for one that does not count. False: the client has as many as it may. */
  upgrade(place: ConnectionPlace, client: string | null): boolean {
    if (place.key === client) return true;
    if (!this.#hasRoom(client)) return false;
    if (place.key !== null) this.#counts.drop(place.key);
    if (client !== null) this.#counts.add(client);
    place.key = client;
    return true;
  }

  leave({ key }: ConnectionPlace): void {
    this.#open--;
    if (key !== null) this.#counts.drop(key);
  }

  #hasRoom(key: string | null): boolean {
    return key === null || this.#counts.of(key) < this.limits.perAddress;
  }
}

function once(action: () => void): Release {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}

/**
 * Connections of µWebSockets.js. The library reports a new connection with its address, but an end without one. So
 * waiting connections count by address for as long as the library lets them wait. More may be counted than there are.
 * The sum of all is known. An address is refused only if it has too many after the whole difference is taken off.
 */
export class LibraryConnections {
  /** With a request under way, and WebSockets, by address. */
  readonly #held = new Counts();
  /** When those that wait for a request have waited too long, by address, the earliest first. */
  readonly #waiting = new Map<string, number[]>();
  #waitingInAll = 0;
  /** All that speak HTTP, and those of them with a request under way. */
  #http = 0;
  #busy = 0;
  #sockets = 0;
  readonly #sweep: NodeJS.Timeout;

  constructor(
    private readonly limits: ConnectionLimits,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#sweep = setInterval(() => this.#expire(), SWEEP_MS).unref();
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  /** A connection has opened. Null: it must be closed at once. Else what to call if it ends before its first request. */
  opened(remote: string): Release | null {
    const fits = this.#http++ + this.#sockets < this.limits.max;
    if (this.limits.proxies > 0) return fits ? () => undefined : null;
    const key = ipLimitKey(remote);
    if (!fits || this.#isFull(key)) return null;
    this.#wait(key);
    return once(() => this.#went(key));
  }

  /** A connection with HTTP has ended. A WebSocket leaves this count when it opens. */
  closed(): void {
    this.#http--;
  }

  /** A request has begun on a connection from there. Call the result when it is over: whether it may wait for another. */
  requested(remote: string): (kept: boolean) => void {
    this.#busy++;
    if (this.limits.proxies > 0) return () => void this.#busy--;
    const key = ipLimitKey(remote);
    this.#went(key);
    this.#held.add(key);
    return (kept) => {
      this.#busy--;
      this.#held.drop(key);
      if (kept) this.#wait(key);
    };
  }

  /** A client's WebSocket, after `requested(…)(false)` of its request. Null for `key`: one that is not counted by address. */
  upgraded(key: string | null): Release {
    this.#http--;
    this.#sockets++;
    if (key !== null) this.#held.add(key);
    return once(() => {
      this.#sockets--;
      if (key !== null) this.#held.drop(key);
    });
  }

  /** Whether a client has room for a WebSocket, where the connection does not tell clients apart. */
  mayUpgrade(key: string | null): boolean {
    return this.limits.proxies === 0 || key === null || this.#held.of(key) < this.limits.perAddress;
  }

  #isFull(key: string): boolean {
    const waiting = this.#waiting.get(key)?.length ?? 0;
    const counted = this.#held.of(key) + waiting;
    if (counted < this.limits.perAddress) return false;
    // The one that is asked about is among them, but not counted yet.
    const gone = Math.max(0, this.#waitingInAll - (this.#http - 1 - this.#busy));
    return counted - Math.min(gone, waiting) >= this.limits.perAddress;
  }

  #wait(key: string): void {
    const times = this.#waiting.get(key) ?? [];
    times.push(this.now() + IDLE_MS);
    this.#waiting.set(key, times);
    this.#waitingInAll++;
  }

  /** A waiting connection has ended. Any of them may be taken, but the last times are the surest. */
  #went(key: string): void {
    const times = this.#waiting.get(key);
    if (times === undefined) return;
    times.shift();
    this.#waitingInAll--;
    if (times.length === 0) this.#waiting.delete(key);
  }

  #expire(): void {
    const now = this.now();
    for (const [key, times] of this.#waiting) {
      let over = 0;
      while (over < times.length && times[over]! <= now) over++;
      times.splice(0, over);
      this.#waitingInAll -= over;
      if (times.length === 0) this.#waiting.delete(key);
    }
  }
}
