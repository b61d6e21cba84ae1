import { Detail, HttpError } from '../protocol/rest/errors.js';
import { tooManyRequests } from './unknown-keys.js';

/** How much work may be under way at a time. */
export interface ShareSizes {
  ofAll: number;
  ofAddress: number;
  ofAsker: number;
}

/** The shares of so many database connections: some stay for play, whatever REST asks. */
export function sharesOf(connections: number): ShareSizes {
  const ofAll = connections - Math.max(1, Math.floor(connections / 4));
  const ofAddress = Math.min(ofAll, Math.max(1, Math.floor(connections / 2)));
  return { ofAll, ofAddress, ofAsker: Math.min(2, ofAddress) };
}

/** Requests that may wait for their turn: each holds its body meanwhile. */
export const WAITING_OF_ASKER = 100;
export const WAITING_OF_ADDRESS = 500;
const WAITING_OF_ALL = 5000;
/** So long at most: what is slow then is the database. */
const TURN_MS = 15_000;
/** When it is worth trying again where so many wait. */
const CROWDED_MS = 1000;

export interface Asking {
  /** As limits count it. */
  address: string;
  /** An agent, or whatever else tells who asks. */
  asker: string;
  /** Aborted when nobody waits for the answer any more. Looked at only where the work has to wait. */
  readonly signal: AbortSignal;
}

interface Address {
  key: string;
  underWay: number;
  waiting: number;
  /** Those with work that may begin, the next first. */
  ready: Set<Asker>;
}

interface Asker {
  key: string;
  /** The address it asked from when it had nothing under way; all that it asks meanwhile counts there. */
  address: Address;
  underWay: number;
  /** Each begins its work when called. */
  waiting: Set<() => void>;
}

/**
 * Fair turns at the database connections, which all requests need. An asker has a limit of work under way, and so has
 * an address with any number of keys. The rest waits; addresses take turns, and so do the askers of one, so that nobody
 * waits behind the many requests of another.
 */
export class Shares {
  readonly #askers = new Map<string, Asker>();
  readonly #addresses = new Map<string, Address>();
  /** Addresses with work that may begin, the next first. */
  readonly #ready = new Set<Address>();
  #underWay = 0;
  #waiting = 0;

  constructor(
    private readonly sizes: ShareSizes,
    private readonly turnMs = TURN_MS,
  ) {}

  /**
   * Does the work once its turn has come, and resolves to its result. Throws HttpError 429 if too much waits already
   * for the asker or address. Throws 503 if too much waits in all, or the turn does not come.
   */
  async take<T>(asking: Asking, work: () => Promise<T>): Promise<T> {
    const asker = this.#askerOf(asking);
    await this.#turn(asker, asking);
    try {
      return await work();
    } finally {
      this.#count(asker, -1);
      this.#next();
    }
  }

  /** Nobody is known that has nothing under way. */
  get isIdle(): boolean {
    return this.#askers.size === 0 && this.#addresses.size === 0 && this.#underWay === 0 && this.#waiting === 0;
  }

  #turn(asker: Asker, asking: Asking): Promise<void> | void {
    if (asker.waiting.size === 0 && this.#mayBegin(asker)) return this.#count(asker, 1);
    const refusal = this.#refusal(asker);
    if (refusal !== null) {
      this.#settle(asker);
      throw refusal;
    }
    const { signal } = asking;
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        asker.waiting.delete(begin);
        this.#waited(asker, -1);
      };
      const giveUp = () => {
        leave();
        this.#settle(asker);
        reject(tooSlow());
      };
      const begin = () => {
        leave();
        this.#count(asker, 1);
        resolve();
      };
      const timer = setTimeout(giveUp, this.turnMs);
      asker.waiting.add(begin);
      this.#waited(asker, 1);
      this.#settle(asker);
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Why no more of this asker may wait; null where it may. */
  #refusal({ waiting, address }: Asker): HttpError | null {
    const isCrowded = waiting.size >= WAITING_OF_ASKER || address.waiting >= WAITING_OF_ADDRESS;
    if (isCrowded) return tooManyRequests(CROWDED_MS);
    return this.#waiting >= WAITING_OF_ALL ? tooSlow() : null;
  }

  #mayBegin({ underWay, address }: Asker): boolean {
    const { ofAll, ofAddress, ofAsker } = this.sizes;
    return this.#underWay < ofAll && address.underWay < ofAddress && underWay < ofAsker;
  }

  /** Begins what may begin. */
  #next(): void {
    while (this.#underWay < this.sizes.ofAll) {
      const [address] = this.#ready;
      if (address === undefined) return;
      const [asker] = address.ready;
      // A served address goes behind the others.
      this.#ready.delete(address);
      address.ready.delete(asker!);
      const [begin] = asker!.waiting;
      begin!();
    }
  }

  #count(asker: Asker, change: 1 | -1): void {
    this.#underWay += change;
    asker.underWay += change;
    asker.address.underWay += change;
    this.#settle(asker);
  }

  #waited({ address }: Asker, change: 1 | -1): void {
    this.#waiting += change;
    address.waiting += change;
  }

  /** Puts the asker and its address where they belong now: among those who may begin, or out of memory. */
  #settle(asker: Asker): void {
    const { address } = asker;
    set(address.ready, asker, asker.waiting.size > 0 && asker.underWay < this.sizes.ofAsker);
    set(this.#ready, address, address.ready.size > 0 && address.underWay < this.sizes.ofAddress);
    if (asker.underWay === 0 && asker.waiting.size === 0) this.#askers.delete(asker.key);
    if (address.underWay === 0 && address.waiting === 0) this.#addresses.delete(address.key);
  }

  #askerOf({ asker: key, address: from }: Asking): Asker {
    let asker = this.#askers.get(key);
    if (asker === undefined) {
      asker = { key, address: this.#addressOf(from), underWay: 0, waiting: new Set() };
      this.#askers.set(key, asker);
    }
    return asker;
  }

  #addressOf(key: string): Address {
    let address = this.#addresses.get(key);
    if (address === undefined) {
      address = { key, underWay: 0, waiting: 0, ready: new Set() };
      this.#addresses.set(key, address);
    }
    return address;
  }
}

/** Keeps its place where it is in already. */
function set<T>(members: Set<T>, member: T, isIn: boolean): void {
  if (isIn) members.add(member);
  else members.delete(member);
}

const tooSlow = () => new HttpError(503, Detail.databaseAway, { 'retry-after': '1' });
