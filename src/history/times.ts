import { HttpError } from '../protocol/rest/errors.js';

/** A day, or a time of a day with or without a zone. A `+` that was not escaped in a query has become a space. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]?\d\d:?\d\d)?)?$/i;
const DAY_MS = 86_400_000;

/**
 * Epoch ms of an ISO 8601 date or time; without a zone it is UTC. A whole day counts from its first moment, or, as an
 * end, to its last. Throws HttpError 422 for what is no such date, naming the query's field.
 */
export function timeOf(text: string | undefined, field: string, edge: 'start' | 'end'): number | undefined {
  if (text === undefined) return undefined;
  const [, day, time, zone = 'Z'] = ISO.exec(text.trim()) ?? [];
  const ms =
    day === undefined ? NaN : Date.parse(`${day}T${time ?? '00:00'}${time === undefined ? 'Z' : offset(zone)}`);
  // Date.parse takes the 31st of a shorter month for the 1st of the next.
  const real = day !== undefined && new Date(Date.parse(`${day}T00:00Z`) || 0).toISOString().startsWith(day);
  if (!real || Number.isNaN(ms)) throw badTime(field);
  return time === undefined && edge === 'end' ? ms + DAY_MS - 1 : ms;
}

/** As Date.parse wants it: with a sign and a colon. */
function offset(zone: string): string {
  if (/^z$/i.test(zone)) return 'Z';
  const signed = /^[+-]/.test(zone) ? zone : `+${zone}`;
  return signed.includes(':') ? signed : `${signed.slice(0, 3)}:${signed.slice(3)}`;
}

function badTime(field: string): HttpError {
  const msg = 'Input should be a valid date or time (ISO 8601)';
  return new HttpError(422, [{ loc: ['query', field], msg, type: 'datetime_parsing' }]);
}

/**
 * The lowest id of a hand that began at this time (epoch ms) or later. Times are rounded to whole ms as `started_at`
 * is: ids are UUIDv7 with twelve bits of the millisecond's fraction (table/uuid.ts).
 */
export function firstIdAt(ms: number): string {
  const half = Math.min(Math.max(ms, 1), 2 ** 48) - 0.5;
  const time = Math.floor(half).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7800-8000-000000000000`;
}
