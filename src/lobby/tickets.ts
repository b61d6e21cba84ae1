import type { Clock } from './ports.js';

/** A shard did not answer in time. */
export class NoShardAnswer extends Error {
  constructor() {
    super('A shard did not answer in time');
    this.name = 'NoShardAnswer';
  }
}

interface Open {
  shard: number;
  settle(answer: unknown): void;
  fail(): void;
}

/** Questions to shards that are answered by a message with the same ticket. */
export class Tickets {
  readonly #open = new Map<number, Open>();
  #last = 0;

  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  /** A number never used before. */
  next(): number {
    return ++this.#last;
  }

  /** Asks with a fresh ticket; rejects with StatementTimeout when the shard stays silent or goes down. */
  ask<T>(shard: number, send: (ticket: number) => void): Promise<T> {
    const ticket = this.next();
    return new Promise<T>((resolve, reject) => {
      const cancel = this.clock.after(this.timeoutMs, () => this.#open.get(ticket)?.fail());
      const end = () => {
        cancel();
        this.#open.delete(ticket);
      };
      this.#open.set(ticket, {
        shard,
        settle: (answer) => {
          end();
          resolve(answer as T);
        },
        fail: () => {
          end();
          reject(new NoShardAnswer());
        },
      });
      send(ticket);
    });
  }

  answered(ticket: number, answer: unknown): void {
    this.#open.get(ticket)?.settle(answer);
  }

  /** Nothing that was asked of this shard will be answered. */
  shardDown(shard: number): void {
    for (const open of [...this.#open.values()]) if (open.shard === shard) open.fail();
  }
}
