import type { Database, Transaction } from './database.js';

/** How long statements may go without an answer, and how many at a time. */
export interface Bounds {
  /** ms from when a statement is asked, the wait for a connection included. */
  statementMs: number;
  /** Beyond so many that wait a further one fails at once. */
  statements: number;
}

/** It is unknown whether the statement took effect. Counts as a database that is away. */
export class NoDatabaseAnswer extends Error {
  override name = 'NoDatabaseAnswer';
  readonly code = 'NO_ANSWER';
}

/** Resolves to the result of `work`, or rejects with StatementTimeout after so many ms. The work itself goes on. */
export async function inTime<T>(work: PromiseLike<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoDatabaseAnswer(`the database has not answered for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A pool without endless waits. A statement without an answer fails, and its connections are given up with all their
 * waiting statements, since a mute connection would stay so. The next statement opens others. Not for statements that
 * may take long, nor for cursors and LISTEN, which it does not watch. A server that lives should end a slow statement
 * itself, sooner.
 */
export function bounded(open: () => Database, bounds: Bounds): Database {
  return new BoundedPool(open, bounds).database;
}

/** Statements on connections that are given up have this long to end well, in seconds. */
const GRACE_SECONDS = 1;

class BoundedPool {
  readonly database: Database;
  #pool: Database;
  #waiting = 0;
  #over = false;

  constructor(
    private readonly open: () => Database,
    private readonly bounds: Bounds,
  ) {
    this.#pool = open();
    const begin = (mode: string, work: (tx: Transaction) => unknown) => this.#begin(this.#pool, mode, work);
    const end: Database['end'] = (options) => {
      this.#over = true;
      return this.#pool.end(options);
    };
    this.database = new Proxy(this.#pool, {
      apply: (_, self, args) => {
        const pool = this.#pool;
        return whenAwaited(Reflect.apply(pool, self, args), (statement) => this.#counted(pool, () => statement));
      },
      get: (_, key) => {
        if (key === 'begin') return begin;
        return key === 'end' ? end : (Reflect.get(this.#pool, key) as unknown);
      },
    });
  }

  /** In a transaction, the connect, each statement and the end are watched. The time between them is our own. */
  async #begin(pool: Database, mode: string, work: (tx: Transaction) => unknown): Promise<unknown> {
    let begun!: () => void;
    let worked!: () => void;
    const begins = new Promise<void>((resolve) => (begun = resolve));
    const works = new Promise<void>((resolve) => (worked = resolve));
    const run = async (tx: Transaction) => {
      begun();
      try {
        return await work(this.#watching(pool, tx));
      } finally {
        worked();
      }
    };
    let whole!: Promise<unknown>;
    await this.#counted(pool, () => Promise.race([begins, (whole = pool.begin(mode, run))]));
    await Promise.race([works, whole]);
    return this.#timed(pool, whole);
  }

  /** The connection is there: no statement is refused any more. */
  #watching(pool: Database, tx: Transaction): Transaction {
    return new Proxy(tx, {
      apply: (_, self, args) => whenAwaited(Reflect.apply(tx, self, args), (statement) => this.#timed(pool, statement)),
    });
  }

  async #counted<T>(pool: Database, ask: () => PromiseLike<T>): Promise<T> {
    const { statements } = this.bounds;
    if (this.#waiting >= statements) throw new NoDatabaseAnswer(`${statements} statements wait for the database`);
    this.#waiting++;
    try {
      return await this.#timed(pool, ask());
    } finally {
      this.#waiting--;
    }
  }

  async #timed<T>(pool: Database, answer: PromiseLike<T>): Promise<T> {
    try {
      return await inTime(answer, this.bounds.statementMs);
    } catch (error) {
      if (error instanceof NoDatabaseAnswer) this.#giveUp(pool);
      throw error;
    }
  }

  #giveUp(pool: Database): void {
    if (pool !== this.#pool || this.#over) return;
    this.#pool = this.open();
    void pool.end({ timeout: GRACE_SECONDS });
  }
}

/** A statement that runs, by `run`, when somebody first waits for it, as they do; a piece of one, for which nobody does. */
function whenAwaited(piece: unknown, run: (statement: Promise<unknown>) => Promise<unknown>): unknown {
  if (!(piece instanceof Promise)) return piece;
  let answer: Promise<unknown> | undefined;
  const then: Promise<unknown>['then'] = (...handlers) => (answer ??= run(piece)).then(...handlers);
  return new Proxy(piece, {
    get: (statement, key, self) => (key === 'then' ? then : (Reflect.get(statement, key, self) as unknown)),
  });
}
