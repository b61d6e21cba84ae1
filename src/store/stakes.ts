import type { Queryable } from './database.js';

/**
 * Columns `risk` and `chance` of rows `p` of `hand_players`, all players of a hand among them: the most that the player
 * could lose and win in the hand, in chips divided by `unit`. `chance` may be
 * more than it was where stacks differ: as much as all others together have, or as if each could match the player's stack.
 */
export const stakesOf = (sql: Queryable, unit: number) => sql`
  least(p.stack_start, max(p.stack_start) over (partition by p.hand_id
    rows between unbounded preceding and unbounded following exclude current row))::float8 / ${unit}::float8 as risk,
  least(sum(p.stack_start) over (partition by p.hand_id) - p.stack_start,
    (count(*) over (partition by p.hand_id) - 1) * p.stack_start)::float8 / ${unit}::float8 as chance`;
