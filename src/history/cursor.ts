import { HttpError } from '../protocol/rest/errors.js';
import type { HandPosition } from './timeline.js';

/** A place in the history as clients carry it: season and hand, 16 bytes each, in base64url. */
export function cursorOf({ poolId, handId }: HandPosition): string {
  return Buffer.from((poolId + handId).replaceAll('-', ''), 'hex').toString('base64url');
}

/** Throws HttpError 422 for what is no cursor of ours. */
export function positionOf(cursor: string): HandPosition {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== cursor) throw badCursor();
  const hex = bytes.toString('hex');
  return { poolId: uuid(hex.slice(0, 32)), handId: uuid(hex.slice(32)) };
}

export const badCursor = () =>
  new HttpError(422, [{ loc: ['query', 'cursor'], msg: 'Input should be a next_cursor', type: 'value_error' }]);

const uuid = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
