import { decodeRecord, type StoredHand } from '../table/record/record-codec.js';
import type { Queryable } from '../store/database.js';
import { historyItem } from './item.js';
import { selectDealt, type HandRow } from './queries.js';

/** A hand of a page. */
export interface ListedHand {
  poolId: string;
  row: HandRow;
  stored: StoredHand;
}

export const listedHand = (poolId: string, row: HandRow): ListedHand => ({
  poolId,
  row,
  stored: decodeRecord(row.record),
});

/** The hands of a page as GET /api/me/hand-history answers them; with the pot and all players, if they are asked for. */
export async function listedItems(sql: Queryable, hands: readonly ListedHand[], withPlayers: boolean) {
  const items = hands.map(({ row, stored }) => historyItem(row, stored));
  if (!withPlayers) return items;
  const players = new Map<string, Awaited<ReturnType<typeof selectDealt>>>();
  for (const poolId of new Set(hands.map((hand) => hand.poolId))) {
    const ids = hands.filter((hand) => hand.poolId === poolId).flatMap(({ stored }) => stored.players.map(idOf));
    players.set(poolId, await selectDealt(sql, poolId, [...new Set(ids)]));
  }
  return items.map((item, n) => {
    const { poolId, stored } = hands[n]!;
    return {
      ...item,
      total_pot: stored.totalPot,
      players: stored.players.map(({ seat, agentId }) => {
        const { name = `seat_${seat}`, slug = null } = players.get(poolId)!.get(agentId) ?? {};
        return { seat, name, public_profile_slug: slug };
      }),
    };
  });
}

const idOf = ({ agentId }: { agentId: string }) => agentId;
