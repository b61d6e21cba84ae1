/** A table as far as the load of its shard goes. */
export interface PlayedTable {
  tableId: string;
  shard: number;
  players: number;
}

/** The fullest shard may have so much more than the emptiest, as a part of what it has. */
const TOLERATED = 0.2;

/**
 * Which tables go to another shard, at most so many: from the fullest to the emptiest, as long as they differ by more
 * than a fifth and the move makes the fuller of the two less full.
 */
export function balance(
  tables: readonly PlayedTable[],
  shards: readonly number[],
  most: number,
): { tableId: string; to: number }[] {
  const load = new Map(shards.map((shard) => [shard, 0]));
  for (const { shard, players } of tables) if (load.has(shard)) load.set(shard, load.get(shard)! + players);
  const moves: { tableId: string; to: number }[] = [];
  while (moves.length < most && load.size > 1) {
    const byLoad = [...load].sort(([, a], [, b]) => b - a);
    const [[fullest, more], [emptiest, less]] = [byLoad[0]!, byLoad.at(-1)!];
    if (more - less <= TOLERATED * more) break;
    const fits = tables
      .filter(
        ({ tableId, shard, players }) =>
          shard === fullest &&
          players > 0 &&
          2 * players <= more - less &&
          !moves.some((move) => move.tableId === tableId),
      ) // prettier-ignore
      .sort((a, b) => b.players - a.players);
    const [table] = fits;
    if (table === undefined) break;
    moves.push({ tableId: table.tableId, to: emptiest });
    load.set(fullest, more - table.players);
    load.set(emptiest, less + table.players);
  }
  return moves;
}
