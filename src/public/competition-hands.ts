import type { Static } from 'typebox';
import { cardNames, isPoolOver } from '../history/index.js';
import { audienceOf, isShown, type Audience } from '../lobby/index.js';
import { utc } from '../protocol/common.js';
import type { PublicCompetitionHands } from '../protocol/rest/competition-hands.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import type { Queryable } from '../store/database.js';
import { decodeRecord, type StoredHand } from '../table/record/record-codec.js';
import { COMPETITION_SLUG } from './hands.js';
import {
  selectCompetitionInView,
  selectFaces,
  selectPoolHandsInView,
  type Face,
  type PoolHandsOrder,
} from './queries.js';

type Body = Static<typeof PublicCompetitionHands>;

interface AskedCompetitionHands {
  slug: string;
  order: PoolHandsOrder;
  limit: number;
  viewer: string | null;
}

/** Hands of a competition that the reader may watch. Throws HttpError 404. */
export async function competitionHandsBody(
  sql: Queryable,
  house: Audience,
  { slug, order, limit, viewer }: AskedCompetitionHands,
): Promise<Body> {
  const competition = COMPETITION_SLUG.test(slug) ? await selectCompetitionInView(sql, slug, viewer) : undefined;
  if (competition === undefined) throw new HttpError(404, Detail.competitionNotFound);
  const { poolId, takesPart, state } = competition;
  const audience = audienceOf(house, { ...competition, over: isPoolOver(state) });
  if (!isShown(audience, takesPart)) return { hands: [], limit };
  const { delayHands } = audience;
  const records = await selectPoolHandsInView(sql, { poolId, order, delayHands, limit });
  const hands = records.map((record) => decodeRecord(record));
  const agents = new Set(hands.flatMap(({ players }) => players.map(({ agentId }) => agentId)));
  const faces = await selectFaces(sql, poolId, [...agents]);
  return { hands: hands.map((hand) => handItem(hand, faces)), limit };
}

const handItem = (hand: StoredHand, faces: ReadonlyMap<string, Face>): Body['hands'][number] => ({
  hand_id: hand.handId,
  table_id: hand.tableId,
  hand_number: hand.handNumber,
  big_blind: hand.bigBlind,
  total_pot: hand.totalPot,
  board: cardNames(hand.board.slice(0, hand.boardCount)),
  players: hand.players
    .map(({ agentId, seat, stackStart, stackEnd }) => ({
      name: faces.get(agentId)?.name ?? `seat_${seat}`,
      public_profile_slug: faces.get(agentId)?.slug ?? null,
      profit: stackEnd - stackStart,
    }))
    .sort((a, b) => b.profit - a.profit),
  ended_at: utc(hand.endedAt),
});
