import { codeOf, transaction, type Database, type Fragment, type Queryable, type Transaction } from '../database.js';
import { REQUIREMENT } from '../sqlstate.js';
import * as queries from './queries.js';

/** Another node has taken over from this one: the process must end, all of it. */
export class Displaced extends Error {
  override name = 'Displaced';

  constructor() {
    super('another process has taken over: this one must end');
  }
}

/**
 * The right to write what only the leader may, by the epoch of its claim, which every such write requires. A new leader
 * waits for writes under way and refuses later ones: a frozen old leader changes nothing any more. A refused write
 * throws Displaced, and `onLost` is called once.
 */
export class Leadership {
  #lost = false;

  /** `epoch`: of the node's claim; null while the node does not lead, when every such write is refused. */
  constructor(
    private readonly epoch: () => number | null,
    private readonly onLost: (error: Displaced) => void,
  ) {}

  /** As `transaction` of store/database.ts, in which nobody takes the leadership over. */
  transaction<T>(sql: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const led = async (tx: Transaction) => {
      await queries.requireLeader(tx, this.#epoch);
      return work(tx);
    };
    return this.guarded(transaction(sql, led));
  }

  /** For each `where` of a single statement that changes rows; run it as `guarded`. One that changes none pays nothing. */
  required(sql: Queryable): Fragment {
    return queries.leads(sql, this.#epoch);
  }

  async guarded<T>(writing: PromiseLike<T>): Promise<T> {
    try {
      return await writing;
    } catch (error) {
      const refused = codeOf(error) === REQUIREMENT && (error as Error).message === queries.NOT_LEADER;
      throw refused ? this.#displaced() : error;
    }
  }

  /** No row has a negative epoch. */
  get #epoch(): number {
    return this.epoch() ?? -1;
  }

  #displaced(): Displaced {
    const error = new Displaced();
    if (!this.#lost) this.onLost(error);
    this.#lost = true;
    return error;
  }
}
