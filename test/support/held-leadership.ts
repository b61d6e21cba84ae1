import type { Database, Fragment, Queryable, Transaction } from '../../src/store/database.js';
import { Leadership } from '../../src/store/node/leadership.js';

/** The leadership of a node that leads or follows. At a follower every use fails. */
export class HeldLeadership extends Leadership {
  constructor(public leads: boolean) {
    super(
      () => 0,
      () => undefined,
    );
  }

  override async transaction<T>(sql: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#check();
    return super.transaction(sql, work);
  }

  override required(sql: Queryable): Fragment {
    this.#check();
    return super.required(sql);
  }

  override async guarded<T>(writing: PromiseLike<T>): Promise<T> {
    this.#check();
    return super.guarded(writing);
  }

  #check(): void {
    if (!this.leads) throw new Error('a node that follows asked for the leadership');
  }
}
