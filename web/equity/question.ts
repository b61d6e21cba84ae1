/** Between the page and its worker. */
export interface EquityQuestion {
  id: number;
  holes: readonly (readonly [string, string])[];
  /** The open cards: none, 3, 4 or 5. */
  board: readonly string[];
}

export interface EquityAnswer {
  id: number;
  /** 0 to 1, in the order of the holes. */
  shares: number[];
  words: (string | null)[];
}
