import { Detail, HttpError, rebuyOnCooldown } from '../protocol/rest/errors.js';
import type { RebuyResult } from './result.js';

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
