/** What is noted of a world while it runs, until it is taken. */
export class Figures {
  #pairs = 0;
  #local = 0;
  #hands = 0;
  #localHands = 0;
  #tables = 0;
  #waits: number[] = [];

  /** A look at all (player, table) pairs of connected players. A pair is local where the player's socket is at the table's node. */
  looked(pairs: number, local: number, tables: number): void {
    this.#pairs += pairs;
    this.#local += local;
    this.#tables += tables;
  }

  waited(ms: number): void {
    this.#waits.push(ms);
  }

  played(relayed: boolean): void {
    this.#hands++;
    if (!relayed) this.#localHands++;
  }

  /** All since the last call. */
  take(): Measured {
    const waits = this.#waits.sort((a, b) => a - b);
    const measured: Measured = {
      local: this.#local / this.#pairs,
      localHands: this.#localHands / this.#hands,
      hands: this.#hands,
      seats: waits.length,
      playersATable: this.#pairs / this.#tables,
      waitMs: { p50: quantile(waits, 0.5), p95: quantile(waits, 0.95), p99: quantile(waits, 0.99) },
    };
    this.#pairs = this.#local = this.#hands = this.#localHands = this.#tables = 0;
    this.#waits = [];
    return measured;
  }
}

export interface Measured {
  /** The share of (player, table) pairs that are local, and of hands without a relayed player. */
  local: number;
  localHands: number;
  hands: number;
  /** Joins that came to a seat, and how long they took, from the join to the seat. */
  seats: number;
  waitMs: { p50: number; p95: number; p99: number };
  /** Connected players. */
  playersATable: number;
}

const quantile = (sorted: readonly number[], q: number) => sorted[Math.floor(q * sorted.length)] ?? NaN;
