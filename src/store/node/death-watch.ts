import type { Database } from '../database.js';
import { LEASE_MS } from './lease.js';
import * as queries from './queries.js';

/** A connection that merely broke is back by then. */
const GONE_MS = 300;

/** A node that does not renew its lease for so long after its end is ended, as long as the database answers others. */
const LAPSED_MS = LEASE_MS;
/** Who looked last so long ago did not see what was in between. */
const MISSED_MS = 3000;

interface Silence {
  since: number;
  /** The end of its lease as it was then. */
  until: number;
}

/**
 * Tells of other nodes whether they have ended, and ends those that are proven to be dead: their lease has run out, or
 * their session is gone for a while in which they did not renew it. For the leader, of nodes that it hears no more.
 */
export class DeathWatch {
  readonly #silent = new Map<string, Silence>();
  /** Since when their lease is known to be over, and until when it was. */
  #lapsed = new Map<string, Silence>();
  #lookedAt = -Infinity;

  constructor(
    private readonly sql: Database,
    private readonly own: string,
  ) {}

  /** Ask again and again, for as long as it matters. */
  async hasEnded(node: string): Promise<boolean> {
    const standing = await queries.standing(this.sql, node);
    if (standing === null) return this.#forget(node);
    const { silent, lapsed, until } = standing;
    if (lapsed && (await queries.endOther(this.sql, node, this.own, 'lease'))) return this.#forget(node);
    const before = this.#silent.get(node);
    if (!silent) this.#silent.delete(node);
    else if (before?.until !== until.getTime()) {
      this.#silent.set(node, { since: performance.now(), until: until.getTime() });
    } else if (performance.now() - before.since >= GONE_MS) {
      return (await queries.endOther(this.sql, node, this.own, 'session')) && this.#forget(node);
    }
    return false;
  }

  /**
   * Ends those whose lease was over for a while in which the database answered this node again and again, so that they
   * could have renewed it; resolves to them. It is asked every second or so: where a look fails, or is missing, that
   * while begins anew.
   */
  async lapsed(): Promise<string[]> {
    const now = performance.now();
    const before = now - this.#lookedAt < MISSED_MS ? this.#lapsed : new Map<string, Silence>();
    this.#lookedAt = now;
    this.#lapsed = new Map();
    const ended: string[] = [];
    for (const { node, until } of await queries.lapsed(this.sql, this.own)) {
      const seen = before.get(node);
      const lapsed = seen?.until === until.getTime() ? seen : { since: now, until: until.getTime() };
      if (now - lapsed.since < LAPSED_MS) this.#lapsed.set(node, lapsed);
      else if (await queries.endOther(this.sql, node, this.own, 'lease')) ended.push(node);
    }
    return ended;
  }

  /** It is heard again. */
  heard(node: string): void {
    this.#silent.delete(node);
  }

  #forget(node: string): true {
    this.#silent.delete(node);
    return true;
  }
}

/**
 * For whoever asks again and again, and takes no answer for the one that changes nothing: that one where the database
 * cannot be asked, which is said once until it can. Never rejects.
 */
export function asked<Q, A>(
  log: { warn(detail: object, message: string): void },
  nothing: A,
  ask: (of: Q) => Promise<A>,
): (of: Q) => Promise<A> {
  let away = false;
  return async (of) => {
    try {
      const answer = await ask(of);
      away = false;
      return answer;
    } catch (error) {
      if (!away) log.warn({ of, error: (error as Error).message }, 'whether another node has ended cannot be asked');
      away = true;
      return nothing;
    }
  };
}
