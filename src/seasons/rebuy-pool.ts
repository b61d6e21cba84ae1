import type { RebuyPool, RebuyPools, RebuyTerms } from '../rebuys/index.js';
import { activeSeason } from './queries.js';
import { outOfChipsAt, type SeasonRules } from './rules.js';
import type { Season } from './season.js';

/** Rebuys of the season that is active. */
export function seasonRebuys(season: Pick<Season, 'current'>, rules: SeasonRules): RebuyPools {
  const current = () => season.current?.seasonId;
  return {
    of: (poolId) => (poolId === current() ? seasonRebuyPool(poolId, rules) : undefined),
    all() {
      const poolId = current();
      return poolId === undefined ? [] : [seasonRebuyPool(poolId, rules)];
    },
  };
}

export function seasonRebuyPool(poolId: string, rules: SeasonRules): RebuyPool {
  const terms: RebuyTerms = {
    chips: rules.rebuyChips,
    outOfChipsAt: outOfChipsAt(rules),
    cooldowns: rules.rebuyCooldowns,
    cooldownsPro: rules.rebuyCooldownsPro,
    most: null,
  };
  return {
    poolId,
    terms,
    open: (sql) => sql`(select season_id as pool_id from ${activeSeason(sql, poolId)} active)`,
    plays: (sql) => sql`true`,
    confirmation: ({ chip_balance: balance }) => ({ type: 'rebuy_confirmed', new_stack: 0, chip_balance: balance }),
  };
}
