/** A player of a hand. Both figures are in big blinds. */
export interface RatedResult {
  /** The bet of the whole hand. */
  contributed: number;
  /** Won less lost, as it is rated: with all-ins at their expectation, or with other luck taken out. Results sum to 0. */
  result: number;
}

/**
 * The big blinds that each player of a hand won from each other one. A player gets its part of the pot from all, by what
 * they bet. So flow[i][j] = (cⱼ · pᵢ − cᵢ · pⱼ) / pot with bets c and parts p = c + result. Then flow[i][j] = −flow[j][i],
 * and the flows to a player sum to its result, whatever luck was taken out of it.
 */
export function flowsOf(players: readonly RatedResult[]): number[][] {
  const pot = players.reduce((sum, { contributed }) => sum + contributed, 0);
  return players.map((one) =>
    players.map((other) => {
      if (one === other || pot === 0) return 0;
      const [won, lost] = [one.contributed + one.result, other.contributed + other.result];
      return (other.contributed * won - one.contributed * lost) / pot;
    }),
  );
}
