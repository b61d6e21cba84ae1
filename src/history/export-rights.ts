import { Detail, HttpError } from '../protocol/rest/errors.js';
import type { SeasonPart } from './queries.js';
import type { Filter } from './timeline.js';

/** The season being played, as far as exports depend on it. */
export interface CurrentSeason {
  seasonId: string;
  /** Epoch ms. */
  startsAt: number;
}

/**
 * What an agent may export of what it asked for: all with a pass for the current season, else the current season alone.
 * Throws HttpError 403 where it asks for more, and 404 where there is no season to speak of.
 */
export function exportable(asked: Filter, seasons: readonly SeasonPart[], current: CurrentSeason | null): Filter {
  const premium = seasons.some(({ poolId, premium }) => premium && poolId === current?.seasonId);
  if (premium) return asked;
  if (current === null) throw new HttpError(404, Detail.noActiveSeason);
  const { seasonId = current.seasonId, from, to } = asked;
  const earlier = [from, to].some((time) => time !== undefined && time < dayOf(current.startsAt));
  if (seasonId.toLowerCase() !== current.seasonId || earlier) throw new HttpError(403, Detail.exportNeedsPass);
  return { ...asked, seasonId };
}

/** Who names the season's first day means the season. */
const dayOf = (time: number) => time - (time % 86_400_000);
