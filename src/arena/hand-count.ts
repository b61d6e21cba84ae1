/** As much of a hand_result as tells it from others. */
interface HandSeen {
  table_id: string;
  hand_id: string;
  table_seq: number;
}

/** Counts finished hands, each once, however many players of its table tell of it. */
export class HandCount {
  /** The last hand of each table. */
  #last = new Map<string, HandSeen>();
  #total = 0;
  #counting = false;
  /** When the last hand was counted, by performance.now(). */
  lastAt = performance.now();

  get total(): number {
    return this.#total;
  }

  /** Hands that begin from now on count. */
  start(): void {
    this.#last = new Map();
    this.#counting = true;
    this.lastAt = performance.now();
  }

  /** True when the hand counts, and was not counted before. */
  see({ table_id, hand_id, table_seq }: HandSeen): boolean {
    const last = this.#last.get(table_id);
    if (last !== undefined && (hand_id === last.hand_id || table_seq < last.table_seq)) return false;
    this.#last.set(table_id, { table_id, hand_id, table_seq });
    // The first hand that a table tells of may have begun before the start.
    if (!this.#counting || last === undefined) return false;
    this.lastAt = performance.now();
    this.#total++;
    return true;
  }
}
