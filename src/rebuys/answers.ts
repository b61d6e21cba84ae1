import { ERROR_MESSAGES } from '../protocol/codes.js';
import { utc } from '../protocol/common.js';
import { errorMessage, type ServerMessage } from '../protocol/server.js';
import type { RebuyResult } from './result.js';
import { Detail, HttpError, rebuyOnCooldown } from '../protocol/rest/errors.js';

type RebuyRefused = Exclude<RebuyResult, { kind: 'granted' }>;

/** The same refusals by REST; where the pool is not open, or has no entry of the agent, its feature says so. */
export function rebuyRefusal(
  result: RebuyRefused,
  absent: Readonly<Record<'not_open' | 'not_registered', () => HttpError>>,
): HttpError {
  switch (result.kind) {
    case 'not_open':
    case 'not_registered':
      return absent[result.kind]();
    case 'email_not_verified':
      return new HttpError(403, Detail.emailNotVerified);
    case 'seated':
    case 'has_chips':
      return new HttpError(400, Detail.stillHaveChips);
    case 'none_left':
      return new HttpError(400, Detail.noRebuysLeft);
    case 'cooldown':
      return new HttpError(429, rebuyOnCooldown(result.seconds), { 'retry-after': String(result.seconds) });
  }
}

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
