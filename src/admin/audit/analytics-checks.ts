import { rows, SHOWN, type Check } from './check.js';

/**
 * What analytics has added up, against the hands up to its watermark. Where fewer hands are counted than were played it
 * may be on its way, or about to begin anew: then nothing is said of their number.
 */
export const analyticsChecks: Check[] = [
  rows(
    'the sums of analytics are those of the hands',
    (sql) => sql`
    select format('agent %s: analytics has %s hands, %s won, profit %s; the hands say %s, %s and %s',
      agent_id, a.hands, a.hands_won, a.profit, h.hands, h.won, h.profit) as problem
    from analytics a join entries e using (pool_id, agent_id)
    cross join lateral (
      select count(*) as hands, count(*) filter (where stack_end > stack_start) as won,
        coalesce(sum(stack_end - stack_start), 0) as profit
      from hand_players p where p.pool_id = a.pool_id and p.agent_id = a.agent_id and p.hand_id <= a.last_hand_id) h
    where case when a.hands = h.hands then (a.hands_won, a.profit) <> (h.won, h.profit)
      else e.hands_played = a.hands + a.unmatched end limit ${SHOWN}`,
  ),

  rows(
    'analytics by position and by starting hand add up to the whole',
    (sql) => sql`
    select format('agent %s: (hands, won, vpip, pfr) %s in all, %s by position; %s hands by starting hand',
      agent_id, (a.hands, a.hands_won, a.vpip, a.pfr), (p.hands, p.won, p.vpip, p.pfr), coalesce(s.hands, 0)) as problem
    from analytics a
    left join (select pool_id, agent_id, sum(hands) as hands, sum(hands_won) as won, sum(vpip) as vpip, sum(pfr) as pfr
      from analytics_positions group by pool_id, agent_id) p using (pool_id, agent_id)
    left join (select pool_id, agent_id, sum(hands) as hands
      from analytics_starting_hands group by pool_id, agent_id) s using (pool_id, agent_id)
    where (a.hands, a.hands_won, a.vpip, a.pfr, a.hands) is distinct from
      (coalesce(p.hands, 0), coalesce(p.won, 0), coalesce(p.vpip, 0), coalesce(p.pfr, 0), coalesce(s.hands, 0))
    limit ${SHOWN}`,
  ),
];
