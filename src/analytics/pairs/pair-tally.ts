import { addCount } from '../../collusion/cells.js';
import { addSums, noSums, timesOf, type PairHand, type PairSums } from '../../collusion/pair-hand.js';
import type { StoredHand } from '../../table/record/record-codec.js';

/** A hand as it counts for pairs: what each player did to each other, and at what pace. */
export interface ReadPairs {
  pairs: readonly PairHand[];
  players: readonly Pick<StoredHand['players'][number], 'agentId' | 'seat' | 'isHouse'>[];
  actions: StoredHand['actions'];
}

/**
 * What an agent's hands add to its rows of `pair_play`, by the other's id: one for each other guest, and its own with
 * the sums over all others and its decision times.
 */
export function tallyPairs(agentId: string, hands: readonly ReadPairs[]): Map<string, PairSums> {
  const rows = new Map<string, PairSums>();
  const row = (otherId: string) => {
    const known = rows.get(otherId) ?? noSums();
    rows.set(otherId, known);
    return known;
  };
  for (const { pairs, players, actions } of hands) {
    const own = row(agentId);
    const seat = players.find((player) => player.agentId === agentId)!.seat;
    for (const [cell, count] of timesOf({ actions }, seat)) addCount(own.cells, cell, count);
    for (const pair of pairs) {
      if (pair.agentId !== agentId) continue;
      addSums(own, pair);
      const isHouse = players.find((player) => player.agentId === pair.otherId)!.isHouse;
      if (!isHouse) addSums(row(pair.otherId), pair);
    }
  }
  return rows;
}
