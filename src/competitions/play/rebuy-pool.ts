import { utc } from '../../protocol/common.js';
import type { RebuyPool, RebuyPools, Request, RebuyStanding } from '../../rebuys/index.js';
import type { LivePools } from './live-pools.js';
import type { LivePool } from '../record.js';
import { isPlaying } from '../states.js';

/** Rebuys of the competitions that are being played; a pause stops hands, not rebuys. */
export function competitionRebuys(pools: LivePools): RebuyPools {
  return {
    of(poolId) {
      const pool = pools.of(poolId);
      return pool !== undefined && isPlaying(pool.state) ? rebuyPool(pool) : undefined;
    },
    all: () => [...pools.all()].filter((pool) => isPlaying(pool.state) && pool.rebuys_enabled).map(rebuyPool),
  };
}

/** The first rebuy needs no waiting; the cooldown runs from one to the next. */
export function rebuyPool(pool: LivePool): RebuyPool {
  const { competition_id: id, rebuy_chips: chips, max_rebuys: most, rebuy_cooldown_seconds: cooldown } = pool;
  const cooldowns = [0, cooldown];
  return {
    poolId: id,
    terms: { chips, most, cooldowns, cooldownsPro: cooldowns, outOfChipsAt: pool.minimum_buy_in - 1 },
    open: (sql) => sql`(select competition_id as pool_id from competitions
      where competition_id = ${id} and state in ('active', 'paused') for share)`,
    plays: (sql) => sql`exists (select from competition_participants p
      where p.competition_id = e.pool_id and p.agent_id = e.agent_id and p.state = 'enrolled')`,
    confirmation: (standing, request) => confirmation(pool, standing, request),
  };
}

function confirmation(
  { max_rebuys: most, rebuy_chips: chips, rebuy_score_penalty: penalty }: LivePool,
  { chip_balance, rebuys, available_at, wait_ms }: RebuyStanding,
  { id, replayed }: Request,
): ReturnType<RebuyPool['confirmation']> {
  const remaining = Math.max(0, most - rebuys);
  return {
    type: 'rebuy_confirmed',
    new_stack: 0,
    chip_balance,
    ...(id !== null && { request_id: id }),
    replayed,
    chips_granted: chips,
    score_penalty: penalty,
    rebuys_used: rebuys,
    rebuy_penalty_total: rebuys * penalty,
    rebuys_remaining: remaining,
    next_rebuy_at: remaining === 0 ? null : utc(available_at),
    // For who is out of chips again.
    rebuy_available_now: remaining > 0 && wait_ms <= 0,
  };
}
