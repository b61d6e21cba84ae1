import { HANDS_SEARCHED } from '../../protocol/rest/history.js';
import type { Queryable } from '../../store/database.js';
import { badCursor, cursorOf, positionOf } from '../cursor.js';
import { listedHand, type ListedHand } from '../listed.js';
import type { HistoryQuery } from '../pages.js';
import type { PoolPart } from '../queries.js';
import type { HistoryThread } from '../thread.js';
import { lengthOf, Timeline, type HandPosition } from '../timeline.js';
import type { HandFilter, HandOrder } from './filter.js';
import { selectHandsById } from './queries.js';

/** Hands of a piece: some 10 ms of the history thread. */
const PIECE = 250;

export interface HandSearch {
  agentId: string;
  query: HistoryQuery;
  filter: HandFilter;
  order: HandOrder;
  /** The agent's seasons, or one competition. */
  parts: readonly PoolPart[];
  signal: AbortSignal;
}

interface Found extends HandPosition {
  weight: number;
  /** Hands that were looked through, with this one. */
  searched: number;
}

interface Looked {
  found: Found[];
  searched: number;
  last: HandPosition | null;
}

/**
 * One page of the hands that a filter leaves. One request looks through HANDS_SEARCHED hands at most, in pieces, and
 * the next one goes on behind them. In the order of time it stops at the end of the page.
 */
export async function searchPage(sql: Queryable, thread: Pick<HistoryThread, 'search'>, search: HandSearch) {
  const { agentId, query, order, parts } = search;
  const { limit, offset, cursor } = query;
  const all = await Timeline.of(sql, agentId, query, parts);
  const rest = cursor === undefined ? all : await all.after(sql, positionOf(cursor), parts);
  if (rest === null) throw badCursor();
  const { found, searched, last } = await look(sql, thread, search, rest);
  const ordered = order === 'newest' ? found : [...found].sort((a, b) => b.weight - a.weight);
  const page = ordered.slice(offset, offset + limit);
  return {
    hands: await handsOf(sql, agentId, page),
    limit,
    offset,
    total_hands: all.total,
    next_cursor: last !== null && searched < rest.total ? cursorOf(last) : null,
    searched_hands: searched,
    found_hands: found.length,
  };
}

async function look(
  sql: Queryable,
  thread: Pick<HistoryThread, 'search'>,
  { agentId, query: { limit, offset }, filter, order, signal }: HandSearch,
  rest: Timeline,
): Promise<Looked> {
  const wanted = order === 'newest' ? offset + limit : Infinity;
  const found: Found[] = [];
  let searched = 0;
  let last: HandPosition | null = null;
  for (const stretch of rest.take(HANDS_SEARCHED).stretches) {
    const { poolId } = stretch;
    let from = await rest.start(sql, stretch);
    for (let left = lengthOf(stretch); left > 0 && from !== null;) {
      // The client is gone, and the answer has no reader.
      if (signal.aborted) return { found: [], searched, last };
      const count = Math.min(PIECE, left);
      const piece = await thread.search({ agentId, poolId, from, count, filter, order });
      for (const { handId, at, weight } of piece.found) {
        found.push({ poolId, handId, weight, searched: searched + at + 1 });
        const full = found[wanted - 1];
        if (full !== undefined) return { found, searched: full.searched, last: full };
      }
      searched += piece.hands;
      left -= piece.hands;
      if (piece.last !== null) last = { poolId, handId: piece.last };
      from = piece.next;
    }
  }
  return { found, searched, last };
}

/** In the order of the page. A hand that is gone meanwhile is left out. */
async function handsOf(sql: Queryable, agentId: string, page: readonly Found[]): Promise<ListedHand[]> {
  const rows = new Map<string, Awaited<ReturnType<typeof selectHandsById>>>();
  for (const poolId of new Set(page.map((found) => found.poolId))) {
    const ids = page.filter((found) => found.poolId === poolId).map(({ handId }) => handId);
    rows.set(poolId, await selectHandsById(sql, { poolId, agentId }, ids));
  }
  return page.flatMap(({ poolId, handId }) => {
    const row = rows.get(poolId)!.get(handId);
    return row === undefined ? [] : [listedHand(poolId, row)];
  });
}
