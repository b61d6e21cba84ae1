import { poolPage } from '../../history/index.js';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import type { Database } from '../../store/database.js';
import { scoreOf } from '../../rebuys/index.js';
import { findCompetition } from '../guard.js';
import { selectChips } from '../people/participant-queries.js';
import { stateOf, type Views } from './public-page.js';
import { selectStanding } from './standing-queries.js';
import type { PageRequest } from '../page.js';

/** A participant's own play: its table, its chips, its finished hands. It shows nothing of other players. */
export async function participantLive(
  { sql, views }: { sql: Database; views: Views },
  competitionId: string,
  agentId: string,
  page: PageRequest,
) {
  const record = await findCompetition(sql, { competitionId, agentId, allow: 'participant' });
  const { participation } = record;
  const chips = await selectChips(sql, competitionId, agentId);
  if (participation === null || chips === undefined) throw new HttpError(404, Detail.participantNotFound);
  const [standing, game, hands] = await Promise.all([
    selectStanding(sql, competitionId, agentId),
    views.activeGame(agentId),
    poolPage(sql, { poolId: competitionId, agentId }, chips.hands_played, page),
  ]);
  const seat = game?.competitionId === competitionId ? game : null;
  return {
    competition_id: record.competition_id,
    status: record.state,
    participation,
    playing: seat !== null,
    table_id: seat?.tableId ?? null,
    seat: seat?.seat ?? null,
    stack: seat?.stack ?? null,
    table: seat === null ? null : stateOf(await views.tableState(seat.tableId, { forPlayer: true })),
    rank: standing?.rank ?? null,
    score: scoreOf(chips, record.rebuy_score_penalty),
    ...chips,
    hands,
    ...page,
  };
}
