import { audienceOf, isShownLive, type PoolRules } from '../../lobby/index.js';
import type { LivePool } from '../record.js';
import { isClosed } from '../states.js';
import type { LivePools } from './live-pools.js';

/** How a competition is played: by its own rules, and what they leave open as a season is. */
export function poolRules(pool: LivePool, season: PoolRules, leastPauseMs: number): PoolRules {
  const { spectators, duplicate, state } = pool;
  const audience = audienceOf(season.audience, { spectators, duplicate, over: isClosed(state) });
  return {
    scope: pool.competition_id,
    table: {
      ...season.table,
      seats: pool.max_players,
      smallBlind: pool.small_blind,
      bigBlind: pool.big_blind,
      betweenHandsMs: Math.max(leastPauseMs, pool.between_hands_ms ?? season.table.betweenHandsMs),
      actionTimeoutMs: pool.action_timeout_ms ?? season.table.actionTimeoutMs,
      timeBankMs: pool.time_bank ? season.table.timeBankMs : null,
      // Nothing is taken off a stack: what a pool has in chips is limited.
      maxStack: null,
      duplicate: duplicate ? { secret: pool.deck_secret } : null,
      spectators: isShownLive(audience, false),
    },
    audience,
    buyIn: {
      ...season.buyIn,
      minimum: pool.minimum_buy_in,
      standard: pool.default_buy_in,
      maximum: pool.maximum_buy_in,
    },
  };
}

/** How each pool is played: a competition by its own rules, with the least pause in ms; everything else as a season is. */
export function rulesOfPools(pools: LivePools, season: PoolRules, leastPauseMs: number): (poolId: string) => PoolRules {
  return (poolId) => {
    const pool = pools.last(poolId);
    return pool === undefined ? season : poolRules(pool, season, leastPauseMs);
  };
}
