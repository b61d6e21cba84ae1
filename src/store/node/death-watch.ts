import type { Database } from '../database.js';
import * as queries from './queries.js';

/** A connection that merely broke is back by then. */
const GONE_MS = 300;

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
 * For whoever asks again and again, and takes no answer for a no: false where the database cannot be asked, which is said
 * once until it can. Never rejects.
 */
export function asked(
  log: { warn(detail: object, message: string): void },
  hasEnded: (node: string) => Promise<boolean>,
): (node: string) => Promise<boolean> {
  let away = false;
  return async (node) => {
    try {
      const ended = await hasEnded(node);
      away = false;
      return ended;
    } catch (error) {
      if (!away) log.warn({ node, error: (error as Error).message }, 'whether another node has ended cannot be asked');
      away = true;
      return false;
    }
  };
}
