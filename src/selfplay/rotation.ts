/**
 * Duplicate play at one table: each deal is played once from every rotation of the players, so that everybody holds the
 * cards of every seat once. What is left of luck is how others play them.
 */

/** The seat of `player` in one of `players` rotations. */
export const seatOf = (player: number, rotation: number, players: number): number => (player + rotation) % players;

/** Who sits there. */
export const playerAt = (seat: number, rotation: number, players: number): number =>
  (seat - rotation + players) % players;
