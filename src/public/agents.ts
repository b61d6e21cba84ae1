import type { Static } from 'typebox';
import { actionSummary, publicFigures } from '../analytics/index.js';
import { isShown, type Audience } from '../lobby/index.js';
import { utc } from '../protocol/common.js';
import type { AgentProfile } from '../protocol/rest/public.js';
import type { SeasonPlace } from '../seasons/index.js';
import type { Database } from '../store/database.js';
import { decodeRecord } from '../table/record/record-codec.js';
import { selectBadges, selectShownHands, type AgentFace } from './queries.js';

type Body = Static<typeof AgentProfile>;

const RECENT_HANDS = 20;

export interface AgentsOptions {
  sql: Database;
  /** The audience of seasons. */
  house: Audience;
  /** Null of who has no part in the season, or where there is none. */
  placeOf(agentId: string): Promise<SeasonPlace | null>;
}

/** An agent as anybody sees it. */
export async function profileBody({ sql, house, placeOf }: AgentsOptions, agent: AgentFace): Promise<Body> {
  const { agentId, isHouse } = agent;
  const [badges, place] = await Promise.all([selectBadges(sql, agentId), placeOf(agentId)]);
  const [season, hands] = await Promise.all([
    place && seasonBody(sql, place, isHouse),
    place === null || !isShown(house, false) ? [] : handsOf(sql, place.seasonId, agentId, house.delayHands),
  ]);
  return {
    public_profile_slug: agent.slug,
    name: agent.name,
    avatar_url: agent.avatarUrl,
    is_house: isHouse,
    badges: [...badges],
    season,
    recent_hands: hands,
  };
}

async function seasonBody(sql: Database, place: SeasonPlace, isHouse: boolean): Promise<Body['season']> {
  const { handsPlayed: hands_played, handsWon: hands_won } = place;
  return {
    season_number: place.number,
    // Bots of the house have no place among the others.
    rank: isHouse ? null : place.rank,
    total_participants: place.total,
    score: place.score,
    rebuys: place.rebuys,
    premium: place.premium,
    hands_played,
    hands_won,
    win_rate: hands_played === 0 ? 0 : hands_won / hands_played,
    ...(await publicFigures(sql, place.seasonId, place.agentId)),
  };
}

async function handsOf(sql: Database, poolId: string, agentId: string, delayHands: number) {
  const rows = await selectShownHands(sql, { poolId, agentId, delayHands, limit: RECENT_HANDS });
  return rows.map(({ seat, profit, record }): Body['recent_hands'][number] => {
    const { handId, tableId, handNumber, totalPot, startedAt, actions } = decodeRecord(record);
    return {
      hand_id: handId,
      table_id: tableId,
      hand_number: handNumber,
      seat,
      profit,
      total_pot: totalPot,
      action_summary: actionSummary({ actions }, seat),
      started_at: utc(startedAt),
    };
  });
}
