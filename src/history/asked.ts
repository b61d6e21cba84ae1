import { Detail, HttpError } from '../protocol/rest/errors.js';
import type { Queryable } from '../store/database.js';
import type { ExportSeason, exportable } from './export-rights.js';
import { selectCompetitionOf, selectSeasonsOf, type CompetitionPart, type PoolPart } from './queries.js';
import { opensCards, playerSight, type Sight } from './sight.js';
import type { TimelineFilter } from './timeline.js';

/** Hands as a query names them. */
interface Asked {
  season_id?: string | undefined;
  competition_id?: string | undefined;
  from: number | undefined;
  to: number | undefined;
}

/**
 * Finds the hands of one competition, or of seasons as far as `allowed` lets, which looks at the pass. `sight` is the
 * agent's in that pool. Throws HttpError 404 for a competition that the agent never took part in, 422 for one and a
 * season, and what `allowed` throws.
 */
export async function askedFor(
  sql: Queryable,
  agentId: string,
  { season_id: seasonId, competition_id: competitionId, from, to }: Asked,
  current: ExportSeason | null,
  allowed: typeof exportable,
): Promise<{ parts: readonly PoolPart[]; filter: TimelineFilter; sight: Sight }> {
  if (competitionId === undefined) {
    const seasons = await selectSeasonsOf(sql, agentId);
    const filter = allowed({ seasonId, from, to }, seasons, current);
    return { parts: seasons, filter, sight: playerSight(agentId) };
  }
  if (seasonId !== undefined) throw notBoth();
  const part = await partIn(sql, agentId, competitionId);
  return { parts: [part], filter: { from, to }, sight: playerSight(agentId, opensCards(part)) };
}

/** Throws HttpError 404 where the agent never took part. */
export async function partIn(sql: Queryable, agentId: string, competitionId: string): Promise<CompetitionPart> {
  const part = await selectCompetitionOf(sql, agentId, competitionId);
  if (part === undefined) throw new HttpError(404, Detail.competitionNotFound);
  return part;
}

const notBoth = () =>
  new HttpError(422, [
    { loc: ['query', 'competition_id'], msg: 'Name a season_id or a competition_id, not both', type: 'value_error' },
  ]);
