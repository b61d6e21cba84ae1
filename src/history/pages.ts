import type { Queryable } from '../store/database.js';
import { decodeRecord } from '../table/record/record-codec.js';
import { badCursor, cursorOf, positionOf } from './cursor.js';
import { historyItem } from './item.js';
import { listedHand, type ListedHand } from './listed.js';
import { selectHands, selectNth, type PoolPart, type Whose } from './queries.js';
import { lengthOf, Timeline, type TimelineFilter } from './timeline.js';

export interface HistoryQuery extends TimelineFilter {
  limit: number;
  offset: number;
  cursor?: string | undefined;
}

/**
 * One page of an agent's hands, the newest first, as GET /me/hand-history answers it. `parts` are the agent's: its
 * seasons, or one competition.
 */
export async function historyPage(sql: Queryable, agentId: string, query: HistoryQuery, parts: readonly PoolPart[]) {
  const { limit, offset, cursor } = query;
  const all = await Timeline.of(sql, agentId, query, parts);
  const rest = cursor === undefined ? all : await all.after(sql, positionOf(cursor), parts);
  if (rest === null) throw badCursor();
  const ahead = rest.skip(offset);
  const page = ahead.take(limit);
  const hands: ListedHand[] = [];
  let next: string | null = null;
  for (const stretch of page.stretches) {
    const { poolId } = stretch;
    const from = await page.start(sql, stretch);
    const rows = from === null ? [] : await selectHands(sql, { poolId, agentId }, from, lengthOf(stretch));
    hands.push(...rows.map((row) => listedHand(poolId, row)));
    const last = rows.at(-1);
    if (last !== undefined) next = cursorOf({ poolId, handId: last.handId });
  }
  return { hands, limit, offset, total_hands: all.total, next_cursor: ahead.total > limit ? next : null };
}

/** A page of the agent's hands in one pool, the newest first; `total` of them are stored. */
export async function poolPage(
  sql: Queryable,
  whose: Whose,
  total: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<ReturnType<typeof historyItem>[]> {
  const from = offset >= total ? null : await selectNth(sql, whose, total - offset);
  const rows = from === null ? [] : await selectHands(sql, whose, from, limit);
  return rows.map((row) => historyItem(row, decodeRecord(row.record)));
}
