import type { ServerMessage } from '../protocol/server.js';
import type { RebuyPool, RebuyStanding, RebuyTerms, Request } from './pool.js';
import type { RebuyState } from './queries.js';

export type RebuyResult =
  | { kind: 'granted'; standing: RebuyStanding; message: ServerMessage }
  /** seated: at a table. none_left: it had as many as there are. */
  | { kind: 'not_open' | 'not_registered' | 'email_not_verified' | 'seated' | 'none_left' }
  /** Off the table, but not out of chips. */
  | { kind: 'has_chips'; chips: number }
  | { kind: 'cooldown'; availableAt: Date; seconds: number };

export const granted = (pool: RebuyPool, standing: RebuyStanding, request: Request): RebuyResult => ({
  kind: 'granted',
  standing,
  message: pool.confirmation(standing, request),
});

/** A pool as far as it refuses rebuys. */
interface RefusingPool {
  readonly terms: Pick<RebuyTerms, 'most'>;
}

/** An entry as far as a rebuy of it is refused. */
export type RefusableEntry = Omit<RebuyState, 'auto_rebuy' | 'premium' | 'rebuy_due_at'>;

const usedUp = ({ rebuys }: Pick<RebuyStanding, 'rebuys'>, { terms: { most } }: RefusingPool) =>
  most !== null && rebuys >= most;

/** Why a rebuy is not granted now; null: it is. */
export function rebuyRefusalOf(
  state: RefusableEntry | undefined,
  pool: RefusingPool,
): Exclude<RebuyResult, { kind: 'granted' }> | null {
  if (state === undefined) return { kind: 'not_registered' };
  if (state.seated) return { kind: 'seated' };
  if (!state.out_of_chips) return { kind: 'has_chips', chips: state.chip_balance };
  if (usedUp(state, pool)) return { kind: 'none_left' };
  if (!state.email_verified) return { kind: 'email_not_verified' };
  if (state.wait_ms <= 0) return null;
  return { kind: 'cooldown', availableAt: state.available_at, seconds: secondsOf(state.wait_ms) };
}

/** Only the unverified e-mail address keeps this agent from its automatic rebuy. */
export const wantsButMayNot = (state: RebuyState | undefined, pool: RebuyPool) =>
  state !== undefined &&
  state.auto_rebuy &&
  state.out_of_chips &&
  !state.seated &&
  !state.email_verified &&
  !usedUp(state, pool);

/** A begun second counts. */
export const secondsOf = (ms: number) => Math.max(0, Math.ceil(ms / 1000));
