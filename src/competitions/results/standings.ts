import { NO_ESTIMATES, selectEstimates, type Estimates } from '../../analytics/index.js';
import type { Database, Queryable, Transaction } from '../../store/database.js';
import {
  countStandings,
  selectStanding,
  selectCompetitionStandings,
  updateFinals,
  type CompetitionStandingRow,
} from './standing-queries.js';

/** A participant among the others, with how well it plays. */
export type CompetitionStanding = CompetitionStandingRow & { estimates: Estimates };

export interface StandingsPage {
  rows: CompetitionStanding[];
  /** How many are listed in all, and how many of them have a rank. */
  total: number;
  ranked: number;
}

/** All of them: more than there can be participants. */
const ALL = { limit: 10_000, offset: 0 };

/** The standings, best first; once play has ended those that were taken down. */
export async function standings(sql: Database, competitionId: string, page = ALL): Promise<StandingsPage> {
  const [rows, counts] = await Promise.all([
    selectCompetitionStandings(sql, competitionId, page),
    countStandings(sql, competitionId),
  ]);
  return { rows: await withEstimates(sql, competitionId, rows), ...counts };
}

/** One agent's line; undefined where it is not listed. */
export async function standingOf(
  sql: Queryable,
  competitionId: string,
  agentId: string,
): Promise<CompetitionStanding | undefined> {
  const row = await selectStanding(sql, competitionId, agentId);
  return row && (await withEstimates(sql, competitionId, [row]))[0];
}

/**
 * Takes the standings down as the result. Within the transaction that ends play, once all chips are off the tables; and
 * again when somebody is disqualified or restored before they are final.
 */
export function freezeStandings(tx: Transaction, competitionId: string): Promise<void> {
  return updateFinals(tx, competitionId);
}

async function withEstimates(
  sql: Queryable,
  competitionId: string,
  rows: readonly CompetitionStandingRow[],
): Promise<CompetitionStanding[]> {
  const ids = rows.map(({ agent_id }) => agent_id);
  const known = ids.length === 0 ? new Map<string, Estimates>() : await selectEstimates(sql, competitionId, ids);
  return rows.map((row) => ({ ...row, estimates: known.get(row.agent_id) ?? NO_ESTIMATES }));
}
