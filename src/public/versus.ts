import type { Static } from 'typebox';
import { versusTogether, type HeadToHead, type VersusAsked } from '../analytics/index.js';
import { isShown } from '../lobby/index.js';
import { utc } from '../protocol/common.js';
import { MOST_COMMON_HANDS, type Versus } from '../protocol/rest/versus.js';
import { UNRATED, type ShownRating } from '../ratings/index.js';
import type { AgentsOptions } from './agents.js';
import type { AgentFace } from './queries.js';

type Body = Static<typeof Versus>;

export interface VersusOptions extends Pick<AgentsOptions, 'house' | 'placeOf'> {
  /** The season being played. */
  season(): { seasonId: string; number: number } | null;
  ratingOf(poolId: string, agentId: string): Promise<ShownRating>;
  versus(asked: VersusAsked): Promise<HeadToHead>;
}

const NEVER_MET: HeadToHead = { hands: 0, players: {}, last: [] };

/** Two agents against each other in the season. Spectators that see no hands are told no figure of them either. */
export async function versusBody(
  { house, placeOf, ratingOf, versus }: VersusOptions,
  season: { seasonId: string; number: number },
  faces: readonly [AgentFace, AgentFace],
): Promise<Body> {
  const { seasonId: poolId } = season;
  const [places, ratings] = await Promise.all([
    Promise.all(faces.map(({ agentId }) => placeOf(agentId))),
    Promise.all(faces.map(({ agentId, isHouse }) => (isHouse ? Promise.resolve(UNRATED) : ratingOf(poolId, agentId)))),
  ]);
  // One order for both directions, so that one answer serves both.
  const agents = faces.map(({ agentId }) => agentId).sort() as [string, string];
  const asked = { poolId, agents, most: MOST_COMMON_HANDS, delayHands: house.delayHands };
  const met = isShown(house, false) ? await versus(asked) : NEVER_MET;
  return {
    season_number: season.number,
    hands: met.hands,
    agents: faces.map((face, at) => ({
      name: face.name,
      public_profile_slug: face.slug,
      is_house: face.isHouse,
      rank: face.isHouse ? null : (places[at]?.rank ?? null),
      ...ratings[at]!,
      together: versusTogether(met, face.agentId, faces[1 - at]!.agentId),
    })),
    last_hands: met.last.map(({ handId, tableId, handNumber, totalPot, startedAt, profits }) => ({
      hand_id: handId,
      table_id: tableId,
      hand_number: handNumber,
      total_pot: totalPot,
      started_at: utc(startedAt),
      profits: faces.map(({ agentId }) => profits[agentId]!),
    })),
  };
}
