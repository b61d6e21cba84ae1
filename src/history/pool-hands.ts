import { utc } from '../protocol/common.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { Hand } from '../holdem/hand.js';
import type { Queryable } from '../store/database.js';
import { decodeRecord, type StoredHand } from '../table/record/record-codec.js';
import { postsOfStored, replayStored } from '../table/record/stored-hand.js';
import { badCursor, cursorOf, positionOf } from './cursor.js';
import { actionItems, cardNames, postItems } from './item.js';
import { LOWEST, selectNames, selectNewest, selectPoolHand, selectPoolHands } from './queries.js';
import { holeSeen, type Sight } from './sight.js';
import { firstIdAt, timeOf } from './times.js';
import type { Timeline } from './timeline.js';

/** All hands of a pool, for who need not have played one: its organizer. */

/** Which of them, as queries name them. */
export interface AskedHands {
  poolId: string;
  /** ISO 8601. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The same by ids: hands are from `downTo` on and below `below`. */
interface Range {
  poolId: string;
  downTo: string;
  below: string;
}

/** Above every id of a hand. */
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Throws HttpError 422 for what is no date, by the names of the query's fields. */
export function rangeOf({ poolId, from, to }: AskedHands, names = { from: 'from', to: 'to' }): Range {
  const start = timeOf(from, names.from, 'start');
  const end = timeOf(to, names.to, 'end');
  const downTo = start === undefined ? LOWEST : firstIdAt(start);
  return { poolId, downTo, below: end === undefined ? HIGHEST : firstIdAt(end + 1) };
}

/** They are not counted, so a source of as many as are asked for: it ends where there are no more. */
export function poolSource({ poolId, below }: Range, count: number): Pick<Timeline, 'stretches' | 'start'> {
  return {
    stretches: [{ poolId, first: 1, last: count }],
    start: (sql) => selectNewest(sql, poolId, below),
  };
}

/** A page of them, the newest first. Throws HttpError 422. */
export async function poolHandsPage(
  sql: Queryable,
  sight: Sight,
  { limit, cursor, ...asked }: AskedHands & { limit: number; cursor?: string | undefined },
) {
  const range = rangeOf(asked);
  const from = cursor === undefined ? await selectNewest(sql, range.poolId, range.below) : startOf(cursor, range);
  // One more than is shown, where the next page begins.
  const rows = from === null ? [] : await selectPoolHands(sql, { ...range, from }, limit + 1);
  const hands = rows.slice(0, limit).map(({ record }) => decodeRecord(record));
  const names = await namesIn(sql, hands);
  const next = rows[limit];
  return {
    hands: hands.map((hand) => poolHandItem(hand, names, sight)),
    limit,
    next_cursor: next === undefined ? null : cursorOf({ poolId: range.poolId, handId: next.handId }),
  };
}

function startOf(cursor: string, { poolId, below }: Range): string {
  const place = positionOf(cursor);
  if (place.poolId !== poolId || place.handId >= below) throw badCursor();
  return place.handId;
}

/** One of a thread, reused from hand to hand. */
const engine = new Hand();

/** One of them, with its pots. Throws HttpError 404. */
export async function poolHand(sql: Queryable, poolId: string, handId: string, sight: Sight) {
  const record = await selectPoolHand(sql, poolId, handId);
  if (record === null) throw new HttpError(404, Detail.handNotFound);
  const hand = decodeRecord(record);
  const { outcome } = replayStored(hand, engine);
  const item = poolHandItem(hand, await namesIn(sql, [hand]), sight);
  const seats = (mask: number) => hand.players.map(({ seat }) => seat).filter((seat) => (mask & (1 << seat)) !== 0);
  return {
    ...item,
    showdown: outcome.showdown,
    pots: outcome.pots.map(({ amount, eligible, winners }) => ({
      amount,
      seats: seats(eligible),
      winners: seats(winners),
    })),
  };
}

const namesIn = (sql: Queryable, hands: readonly StoredHand[]) =>
  selectNames(sql, [...new Set(hands.flatMap(({ players }) => players.map(({ agentId }) => agentId)))]);

/** A hand of a competition as one sees it who has no seat in it. */
export function poolHandItem(hand: StoredHand, names: ReadonlyMap<string, string>, sight: Sight) {
  return {
    hand_id: hand.handId,
    table_id: hand.tableId,
    hand_number: hand.handNumber,
    competition_id: hand.poolId,
    button: hand.button,
    small_blind: hand.smallBlind,
    big_blind: hand.bigBlind,
    board: cardNames(hand.board.slice(0, hand.boardCount)),
    total_pot: hand.totalPot,
    players: hand.players.map((player) => {
      const cards = holeSeen(sight, player);
      return {
        seat: player.seat,
        agent_id: player.agentId,
        name: names.get(player.agentId) ?? `seat_${player.seat}`,
        stack_start: player.stackStart,
        stack_end: player.stackEnd,
        profit: player.stackEnd - player.stackStart,
        contributed: player.contributed,
        payout: player.payout,
        shown: player.shown,
        hole_cards: cards && cardNames(cards),
      };
    }),
    posts: postItems(postsOfStored(hand)),
    actions: actionItems(hand, sight),
    started_at: utc(hand.startedAt),
    ended_at: utc(hand.endedAt),
  };
}
