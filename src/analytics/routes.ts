import { getAnalytics } from '../protocol/rest/analytics.js';
import { listOpponents } from '../protocol/rest/opponents.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { defineRoute, type Route } from '../protocol/route.js';
import type { Database } from '../store/database.js';
import type { Analyst } from './analyst.js';
import { analyticsBody, opponentBody } from './answer.js';
import { selectAnalytics, selectOpponentFaces, selectRecentHands, type AnalyticsRow } from './queries.js';

export interface AnalyticsRoutesOptions {
  sql: Database;
  analyst: Pick<Analyst, 'catchUp' | 'meetings'>;
  /** The season being played. */
  season(): { seasonId: string } | null;
}

const RECENT_HANDS = 20;

/** GET /api/analytics and /api/me/opponents. */
export function analyticsRoutes({ sql, analyst, season }: AnalyticsRoutesOptions): Route[] {
  return [
    defineRoute(getAnalytics)(async ({ agent: { agentId } }) => {
      const poolId = season()?.seasonId;
      if (poolId === undefined) throw new HttpError(404, Detail.noActiveSeason);
      // An agent without an entry has no pass either.
      const row = withPass(await selectAnalytics(sql, poolId, agentId));
      const current = await upToDate(row, poolId, agentId);
      const { last_hand_id: until, hands } = current;
      const recent = await selectRecentHands(sql, { poolId, agentId, until, limit: Math.min(RECENT_HANDS, hands) });
      return { status: 200, body: analyticsBody(agentId, current, recent) };
    }),

    defineRoute(listOpponents)(async ({ agent: { agentId }, query }) => {
      const poolId = season()?.seasonId;
      if (poolId === undefined) throw new HttpError(404, Detail.noActiveSeason);
      const met = await analyst.meetings(poolId, agentId, query.hands);
      const faces = await selectOpponentFaces(
        sql,
        met.opponents.map((opponent) => opponent.agentId),
      );
      const opponents = met.opponents.flatMap((opponent) => {
        const face = faces.get(opponent.agentId);
        return face === undefined ? [] : [opponentBody(opponent, face)];
      });
      return { status: 200, body: { hands: met.hands, opponents } };
    }),
  ];

  async function upToDate(row: AnalyticsRow, poolId: string, agentId: string): Promise<AnalyticsRow> {
    if (row.hands + row.unmatched === row.hands_played) return row;
    await analyst.catchUp(poolId, agentId);
    return withPass(await selectAnalytics(sql, poolId, agentId));
  }
}

/** Throws HttpError 403 without the season pass. */
function withPass(row: AnalyticsRow | undefined): AnalyticsRow {
  if (row?.premium !== true) throw new HttpError(403, Detail.premiumRequired);
  return row;
}
