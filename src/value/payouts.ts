import type { Card, Hole } from '../cards/card.js';
import { boardKey, evaluateWithBoard } from '../cards/evaluator.js';
import { HandLog } from '../holdem/log.js';
import { payPots } from '../holdem/pots.js';
import { MAX_SEATS } from '../holdem/types.js';
import type { ChanceEvent } from './events.js';

/** Counts what boards pay the live hands. */
export class Payouts {
  readonly #log = new HandLog();
  readonly #values = new Int32Array(MAX_SEATS);
  readonly #counts: Int32Array;
  readonly #met: number[] = [];
  readonly #known = new Map<number, Int32Array>();
  boards = 0;

  constructor(
    private readonly event: Pick<ChanceEvent, 'pots'>,
    private readonly seats: readonly number[],
    private readonly holes: readonly Hole[],
    private readonly button: number,
  ) {
    this.#counts = new Int32Array(MAX_SEATS ** seats.length);
  }

  add(board: ArrayLike<Card>): void {
    const { holes } = this;
    const key = boardKey(board);
    const k = holes.length;
    const values = this.#values;
    for (let i = 0; i < k; i++) values[i] = evaluateWithBoard(key, board, holes[i]![0], holes[i]![1]);
    let order = 0;
    for (let i = k - 1; i >= 0; i--) {
      let better = 0;
      for (let j = 0; j < k; j++) if (values[j]! > values[i]!) better++;
      order = order * MAX_SEATS + better;
    }
    if (this.#counts[order]!++ === 0) this.#met.push(order);
    this.boards++;
  }

  /** Adds the sums of payouts to `to`, forgets the boards, and returns their number. */
  take(to: Float64Array): number {
    for (const order of this.#met) {
      const paid = this.#known.get(order) ?? this.#pay(order);
      const count = this.#counts[order]!;
      for (let i = 0; i < paid.length; i++) to[i] = to[i]! + count * paid[i]!;
      this.#counts[order] = 0;
    }
    this.#met.length = 0;
    const { boards } = this;
    this.boards = 0;
    return boards;
  }

  #pay(order: number): Int32Array {
    const { pots } = this.event;
    this.seats.forEach((seat, i) => (pots.values[seat] = MAX_SEATS - (Math.floor(order / MAX_SEATS ** i) % MAX_SEATS)));
    pots.payouts.fill(0);
    this.#log.clear();
    payPots(pots, this.button, this.#log);
    const paid = Int32Array.from(this.seats, (seat) => pots.payouts[seat]!);
    this.#known.set(order, paid);
    return paid;
  }
}
