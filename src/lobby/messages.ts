import { ERROR_MESSAGES, REJECTION_REASONS } from '../protocol/codes.js';
import type { ServerMessageOf } from '../protocol/server.js';

/** Told when something on our side failed, such as the database. */
export const TROUBLE = 'Something went wrong here; try again';

/** Where the agent sits, at top level and in `details`: clients read either (RULINGS §6). */
export function alreadySeated(tableId: string, seat: number): ServerMessageOf['error'] {
  const place = { table_id: tableId, seat };
  return {
    type: 'error',
    code: 'already_seated',
    message: ERROR_MESSAGES.already_seated,
    ...place,
    details: { ...place },
  };
}

/** An action for a table that is gone: there is no table left that could number the answer. */
export function actionWithoutTable(): ServerMessageOf['action_rejected'] {
  const code = 'table_not_found' as const;
  return { type: 'action_rejected', code, reason: REJECTION_REASONS[code], details: { code } };
}
