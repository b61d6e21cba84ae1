/** One thing that came out otherwise than the vector says. */
export interface Difference {
  hand: string;
  /** Where in the hand: a decision, an action, the end. */
  where: string;
  what: string;
  expected: unknown;
  actual: unknown;
}

/** The replay of one hand. */
export interface VectorResult {
  /** Decisions of the vector that were compared. */
  decisions: number;
  differences: Difference[];
}
