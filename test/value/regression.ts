/** Ridge regression by its normal equations. Rows are sparse. */
export class Ridge {
  readonly #products: Float64Array;
  readonly #moments: Float64Array;

  constructor(private readonly size: number) {
    this.#products = new Float64Array(size * size);
    this.#moments = new Float64Array(size);
  }

  add(places: readonly number[], values: readonly number[], result: number): void {
    for (let i = 0; i < places.length; i++) {
      const row = places[i]! * this.size;
      for (let j = 0; j < places.length; j++) {
        this.#products[row + places[j]!] = this.#products[row + places[j]!]! + values[i]! * values[j]!;
      }
      this.#moments[places[i]!] = this.#moments[places[i]!]! + values[i]! * result;
    }
  }

  /** The factors that explain the results best, each drawn to `prior` as by so much of its own square. */
  solve(prior: ArrayLike<number>, penalty: number): Float64Array {
    const { size } = this;
    const lower = this.#products.slice();
    const found = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      let sum = this.#moments[i]!;
      for (let j = 0; j < size; j++) sum -= this.#products[i * size + j]! * prior[j]!;
      found[i] = sum;
      lower[i * size + i] = lower[i * size + i]! + penalty;
    }
    // Cholesky: lower · lowerᵀ = products + penalty.
    for (let i = 0; i < size; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = lower[i * size + j]!;
        for (let k = 0; k < j; k++) sum -= lower[i * size + k]! * lower[j * size + k]!;
        lower[i * size + j] = i === j ? Math.sqrt(sum) : sum / lower[j * size + j]!;
      }
    }
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < i; k++) found[i] = found[i]! - lower[i * size + k]! * found[k]!;
      found[i] = found[i]! / lower[i * size + i]!;
    }
    for (let i = size - 1; i >= 0; i--) {
      for (let k = i + 1; k < size; k++) found[i] = found[i]! - lower[k * size + i]! * found[k]!;
      found[i] = found[i]! / lower[i * size + i]!;
    }
    return found.map((value, i) => value + prior[i]!);
  }
}
