/** As much of a hand_result as tells it from others. */
interface HandSeen {
  table_id: string;
  hand_id: string;
  table_seq: number;
}

/** Counts finished hands, each once, however many players of its table tell of it. */
export class HandCount {
  readonly #last = new Map<string, HandSeen>();
  #total = 0;
  #counting = false;
  /** When the last hand was counted, by performance.now(). */
  lastAt = performance.now();

  get total(): number {
    return this.#total;
  }

  /** Hands count from now on. */
  start(): void {
    this.#counting = true;
    this.lastAt = performance.now();
  }

  /** True when the hand counts, and was not counted before. */
  see(hand: HandSeen): boolean {
    const last = this.#last.get(hand.table_id);
    if (last !== undefined && (hand.hand_id === last.hand_id || hand.table_seq < last.table_seq)) return false;
    const { table_id, hand_id, table_seq } = hand;
    this.#last.set(table_id, { table_id, hand_id, table_seq });
    this.lastAt = performance.now();
    if (this.#counting) this.#total++;
    return this.#counting;
  }
}
