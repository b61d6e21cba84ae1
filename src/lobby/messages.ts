import { ERROR_MESSAGES, REJECTION_REASONS } from '../protocol/codes.js';
import type { ServerMessageOf } from '../protocol/server.js';

/** Sent when something on our side failed, such as the database. */
export const TROUBLE = 'Something went wrong here; try again';

/** Where the agent sits, at top level and in `details`: clients read either (protocol.md, "Buy-in"). */
export function alreadySeated(tableId: string, seat: number): ServerMessageOf['error'] {
  const seatRoute = { table_id: tableId, seat };
  return {
    type: 'error',
    code: 'already_seated',
    message: ERROR_MESSAGES.already_seated,
    ...seatRoute,
    details: { ...seatRoute },
  };
}

/** An action that reaches no table: none that could number the answer. */
export function actionWithoutTable(code: 'table_not_found' | 'not_at_table'): ServerMessageOf['action_rejected'] {
  return { type: 'action_rejected', code, reason: REJECTION_REASONS[code], details: { code } };
}
