import type { Queryable } from './database.js';

/**
 * Columns `risk` and `chance` of rows `p` of `hand_players`, in chips divided by `unit`. They are the most that the
 * player could lose and win in the hand. The rows must contain all players of a hand. `chance` may be too large if
 * stacks differ. It is the sum of all other stacks, or the player's stack for each opponent.
 */
export const stakesOf = (sql: Queryable, unit: number) => sql`
  least(p.stack_start, max(p.stack_start) over (partition by p.hand_id
    rows between unbounded preceding and unbounded following exclude current row))::float8 / ${unit}::float8 as risk,
  least(sum(p.stack_start) over (partition by p.hand_id) - p.stack_start,
    (count(*) over (partition by p.hand_id) - 1) * p.stack_start)::float8 / ${unit}::float8 as chance`;
