/**
 * How often hands come out in which order, over every board that may still come. An order is a number in base 6: the
 * digit of the ith hand (6^i) is how many hands beat it.
 */
export interface Orders {
  boards: number;
  counts: readonly (readonly [order: number, boards: number])[];
}

const BASE = 6;

/** How many hands beat the ith. */
export const placeIn = (order: number, i: number): number => Math.floor(order / BASE ** i) % BASE;

/** The order of the hands as they were given; `from[i]` is where the ith of these stood. */
export function renumber(order: number, from: readonly number[]): number {
  return from.reduce((sum, original, i) => sum + placeIn(order, i) * BASE ** original, 0);
}

/** Counts boards by the order of so many hands on them. */
export class OrderCounts {
  /** The values of the hands on the board that is added next. */
  readonly values: Int32Array;
  readonly #counts: Int32Array;

  constructor(private readonly hands: number) {
    this.values = new Int32Array(hands);
    this.#counts = new Int32Array(BASE ** hands);
  }

  /** So many boards on which the hands are worth `values`; less than none takes back what was added. */
  add(boards: number): void {
    const { hands, values } = this;
    let order = 0;
    for (let i = hands - 1; i >= 0; i--) {
      let better = 0;
      for (let j = 0; j < hands; j++) if (values[j]! > values[i]!) better++;
      order = order * BASE + better;
    }
    this.#counts[order] = this.#counts[order]! + boards;
  }

  get orders(): Orders {
    const met: [number, number][] = [];
    let boards = 0;
    this.#counts.forEach((count, order) => {
      if (count > 0) met.push([order, count]);
      boards += count;
    });
    return { boards, counts: met };
  }
}
