/** The limits of a result that are known when a hand begins, in the unit of the stacks; not negative. */
export interface AtStake {
  /** The most that the player can lose. */
  risk: number;
  /** The most that the player can win. */
  chance: number;
}

/**
 * The most that a player can lose and win in a hand with these stacks at its start. Chips that no other player can
 * match come back. An opponent loses at most its own stack, and at most what the player has put in beside it.
 */
export function atStake(own: number, others: readonly number[]): AtStake {
  let [most, chance] = [0, 0];
  for (const other of others) {
    most = Math.max(most, other);
    chance += Math.min(own, other);
  }
  return { risk: Math.min(own, most), chance };
}
