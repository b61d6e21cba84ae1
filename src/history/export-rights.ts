import { Detail, HttpError } from '../protocol/rest/errors.js';
import type { SeasonPart } from './queries.js';
import type { TimelineFilter } from './timeline.js';

/** The season being played, as far as exports depend on it. */
export interface ExportSeason {
  seasonId: string;
  /** Epoch ms. */
  startsAt: number;
}

/**
 * The part of its hands that an agent may export: all with a pass for the current season, else the current season
 * alone. Throws HttpError 403 where it asks for more, and 404 where there is no season to speak of.
 */
export function exportable(
  asked: TimelineFilter,
  seasons: readonly SeasonPart[],
  current: ExportSeason | null,
): TimelineFilter {
  return hasPass(seasons, current) ? asked : ofSeason(asked, current, [asked.from, asked.to], Detail.exportNeedsPass);
}

/** The same for the pages of the history, where the end of a stretch of time says nothing of its beginning. */
export function readable(
  asked: TimelineFilter,
  seasons: readonly SeasonPart[],
  current: ExportSeason | null,
): TimelineFilter {
  return hasPass(seasons, current) ? asked : ofSeason(asked, current, [asked.from], Detail.historyNeedsPass);
}

const hasPass = (seasons: readonly SeasonPart[], current: ExportSeason | null) =>
  seasons.some(({ poolId, premium }) => premium && poolId === current?.seasonId);

function ofSeason(
  asked: TimelineFilter,
  current: ExportSeason | null,
  times: readonly (number | undefined)[],
  detail: string,
): TimelineFilter {
  if (current === null) throw new HttpError(404, Detail.noActiveSeason);
  const { seasonId = current.seasonId } = asked;
  const earlier = times.some((time) => time !== undefined && isBefore(time, current.startsAt));
  if (seasonId !== current.seasonId || earlier) throw new HttpError(403, detail);
  return { ...asked, seasonId };
}

/** A time on the season's first day means the season. */
const isBefore = (time: number, start: number) => time < start && time !== start - (start % 86_400_000);
