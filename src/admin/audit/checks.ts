import type { Queryable } from '../../store/database.js';
import { rows, SHOWN, type Check } from './check.js';
import { competitionChecks } from './competition-checks.js';
import { creditChecks } from './credit-checks.js';
import { seasonChecks } from './season-checks.js';

/**
 * The sums of analytics against the hands up to its watermark. Analytics may have counted fewer hands than were played,
 * while it works or before it begins anew. Such a difference is no finding.
 */
const analyticsChecks: Check[] = [
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

export interface PoolSums {
  poolId: string;
  kind: string;
  agents: number;
  hands: number;
  balances: number;
  atTables: number;
  /** Chips that grants, rebuys and resets brought into the pool. */
  brought: number;
}

/** The sums of each pool: balances and chips at tables must equal the chips brought in. */
export function poolSums(sql: Queryable): PromiseLike<PoolSums[]> {
  return sql<PoolSums[]>`
    select p.pool_id as "poolId", p.kind, coalesce(e.agents, 0) as agents, coalesce(h.hands, 0) as hands,
      coalesce(e.balances, 0) as balances, coalesce(e.at_tables, 0) as "atTables", coalesce(l.brought, 0) as brought
    from pools p
    left join (select pool_id, count(*) as agents, sum(chip_balance)::bigint as balances,
      sum(chips_at_table)::bigint as at_tables from entries group by pool_id) e using (pool_id)
    left join (select pool_id, sum(amount)::bigint as brought from chip_ledger
      where type in ('grant', 'rebuy', 'reset') group by pool_id) l using (pool_id)
    left join (select pool_id, count(*) as hands from hands group by pool_id) h using (pool_id)
    order by p.created_at, p.pool_id`;
}

export const checks: Check[] = [
  rows(
    'a balance is the sum of its ledger',
    (sql) => sql`
    select format('agent %s: balance %s, ledger %s', e.agent_id, chip_balance, coalesce(total, 0)) as problem
    from entries e left join (
      select pool_id, agent_id, sum(amount) as total from chip_ledger group by pool_id, agent_id) l
      using (pool_id, agent_id)
    where chip_balance <> coalesce(total, 0) limit ${SHOWN}`,
  ),

  rows(
    'the ledger carries the running balance',
    (sql) => sql`
    select format('ledger entry %s of agent %s: balance_after %s, running sum %s',
      entry_id, agent_id, balance_after, running) as problem
    from (select entry_id, agent_id, balance_after,
      sum(amount) over (partition by pool_id, agent_id order by entry_id) as running from chip_ledger) l
    where balance_after <> running limit ${SHOWN}`,
  ),

  rows(
    'chips at a table are what was bought in, less what was cashed out, and what hands made of it',
    (sql) => sql`
    select format('agent %s: %s at the table, ledger and hands say %s',
      e.agent_id, chips_at_table, coalesce(bought, 0) + coalesce(profit, 0)) as problem
    from entries e
    left join (select pool_id, agent_id, -sum(amount) as bought from chip_ledger
      where type in ('buy_in', 'cash_out', 'skim') group by pool_id, agent_id) l using (pool_id, agent_id)
    left join (select pool_id, agent_id, sum(stack_end - stack_start) as profit from hand_players
      group by pool_id, agent_id) h using (pool_id, agent_id)
    where chips_at_table <> coalesce(bought, 0) + coalesce(profit, 0) limit ${SHOWN}`,
  ),

  rows(
    'hands played and won are counted right',
    (sql) => sql`
    select format('agent %s: %s played, %s won; the hands say %s and %s',
      e.agent_id, hands_played, hands_won, coalesce(played, 0), coalesce(won, 0)) as problem
    from entries e left join (
      select pool_id, agent_id, count(*) as played, count(*) filter (where stack_end > stack_start) as won
      from hand_players group by pool_id, agent_id) h using (pool_id, agent_id)
    where hands_played <> coalesce(played, 0) or hands_won <> coalesce(won, 0) limit ${SHOWN}`,
  ),

  rows(
    'a stay has one buy-in and, once it is over, one cash-out',
    (sql) => sql`
    select format('stay %s of agent %s: %s buy-ins, %s cash-outs, %s', sitting, agent_id, bought, cashed,
      case when seated then 'seated' else 'not seated' end) as problem
    from (
      select coalesce(l.sitting, e.sitting) as sitting, coalesce(l.agent_id, e.agent_id) as agent_id,
        coalesce(bought, 0) as bought, coalesce(cashed, 0) as cashed, e.sitting is not null as seated
      from (select sitting, pool_id, agent_id, count(*) filter (where type = 'buy_in') as bought,
          count(*) filter (where type = 'cash_out') as cashed
        from chip_ledger where sitting is not null group by sitting, pool_id, agent_id) l
      full join (select sitting, pool_id, agent_id from entries where sitting is not null) e
        on e.sitting = l.sitting and e.pool_id = l.pool_id and e.agent_id = l.agent_id) s
    where bought <> 1 or cashed <> (not seated)::integer limit ${SHOWN}`,
  ),

  rows(
    'a seat has one player, at an open table of the pool',
    (sql) => sql`
    select format('table %s seat %s: %s players, table %s', e.table_id, e.seat_no, count(*),
      coalesce(min(t.status), 'of another pool')) as problem
    from entries e left join tables t on t.table_id = e.table_id and t.pool_id = e.pool_id
    where e.table_id is not null
    group by e.table_id, e.seat_no having count(*) > 1 or bool_or(t.status is distinct from 'open') limit ${SHOWN}`,
  ),

  rows(
    'the hands of a table are numbered without gaps, but for the decks that duplicate pools skip',
    (sql) => sql`
    select format('table %s: at hand %s, stored are %s (%s to %s)', t.table_id, t.hand_number, coalesce(stored, 0),
      first, last) as problem
    from tables t left join (
      select table_id, count(*) as stored, count(distinct hand_number) as numbers, min(hand_number) as first,
        max(hand_number) as last from hands group by table_id) h using (table_id)
    where t.hand_number <> coalesce(last, 0) or stored > 0 and (numbers <> stored or first < 1)
      or t.hand_number <> coalesce(stored, 0) and not exists (
        select from competitions c where c.competition_id = t.pool_id and c.duplicate) limit ${SHOWN}`,
  ),

  rows(
    'no chip appears or vanishes in a hand',
    (sql) => sql`
    select format('hand %s: the stacks change by %s in all', hand_id, sum(stack_end - stack_start)) as problem
    from hand_players group by pool_id, hand_id having sum(stack_end - stack_start) <> 0 limit ${SHOWN}`,
  ),

  rows(
    'the players of a hand are stored with it',
    (sql) => sql`
    select format('hand %s has players but is not stored', hand_id) as problem
    from (select pool_id, hand_id from hand_players group by pool_id, hand_id) p
    where not exists (select from hands h where h.pool_id = p.pool_id and h.hand_id = p.hand_id) limit ${SHOWN}`,
  ),

  rows(
    'chips won and lost are counted right',
    (sql) => sql`
    select format('agent %s: %s chips won, %s lost; the hands say %s and %s',
      e.agent_id, chips_won, chips_lost, coalesce(won, 0), coalesce(lost, 0)) as problem
    from entries e left join (
      select pool_id, agent_id, sum(greatest(stack_end - stack_start, 0)) as won,
        sum(greatest(stack_start - stack_end, 0)) as lost
      from hand_players group by pool_id, agent_id) h using (pool_id, agent_id)
    where chips_won <> coalesce(won, 0) or chips_lost <> coalesce(lost, 0) limit ${SHOWN}`,
  ),

  ...analyticsChecks,
  ...competitionChecks,
  ...creditChecks,
  ...seasonChecks,
];
