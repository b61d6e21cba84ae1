import { Detail, HttpError } from '../../protocol/rest/errors.js';
import type { HandHistoryQuery } from '../../protocol/rest/history.js';
import type { Static } from 'typebox';
import type { Queryable } from '../../store/database.js';
import type { HandFilter, HandOrder } from './filter.js';
import { selectAgentNamed } from './queries.js';

/**
 * The filter and the order of a query; null for all hands, the newest first. Throws HttpError 404 for an opponent that
 * does not exist.
 */
export async function searchOf(
  sql: Queryable,
  query: Static<typeof HandHistoryQuery>,
): Promise<{ filter: HandFilter; order: HandOrder } | null> {
  const { result, position, min_pot: minPot, opponent, street, all_in: allIn, sort } = query;
  const asked = [result, position, minPot, opponent, street, allIn];
  if (sort === 'newest' && asked.every((each) => each === undefined)) return null;
  const opponentId = opponent === undefined ? undefined : await selectAgentNamed(sql, opponent, query.competition_id);
  if (opponentId === null) throw new HttpError(404, Detail.agentNotFound);
  // The schema allows the words of these types only.
  const filter = { result, position, minPot, opponentId, street, allIn } as HandFilter;
  return { filter, order: sort as HandOrder };
}
