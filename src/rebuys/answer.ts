import { ERROR_MESSAGES } from '../protocol/codes.js';
import { utc } from '../protocol/common.js';
import { errorMessage, type ServerMessage } from '../protocol/server.js';
import type { RebuyResult } from './result.js';

/** The answer to `rebuy` of an agent without a seat. */
export function rebuyAnswer(result: RebuyResult): ServerMessage {
  switch (result.kind) {
    case 'granted':
      return result.message;
    case 'cooldown':
      return {
        type: 'error',
        code: 'rebuy_cooldown',
        message: ERROR_MESSAGES.rebuy_cooldown,
        cooldown_seconds: result.seconds,
        rebuy_at: utc(result.availableAt),
      };
    case 'not_open':
      return errorMessage('no_active_season');
    case 'email_not_verified':
      return errorMessage('email_not_verified');
    case 'not_registered':
      return errorMessage('not_registered_for_season');
    case 'seated':
      return errorMessage('invalid_rebuy');
    case 'has_chips':
      return errorMessage('not_at_table', `You still have ${result.chips} chips: send join_lobby`);
    case 'none_left':
      return errorMessage('invalid_rebuy', 'No rebuys are left');
  }
}
