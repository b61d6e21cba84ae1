import { rows, SHOWN, type Check } from './check.js';

/** Competitions: the owners of the pool's chips, the chips that came in, and the results. */
export const competitionChecks: Check[] = [
  rows(
    'who has chips in a competition takes part in it, or did, and the other way round',
    (sql) => sql`
    select format('competition %s: agent %s %s', competition_id, agent_id,
      case when e.pool_id is null then 'takes part without an entry' else 'has an entry without taking part' end)
      as problem
    from (select pool_id, agent_id, pool_id as competition_id from entries
        where pool_id in (select competition_id from competitions)) e
      full join competition_participants p using (competition_id, agent_id)
    where e.pool_id is null or p.state is null limit ${SHOWN}`,
  ),

  rows(
    'into a competition each participant brings the starting chips once, and its rebuys',
    (sql) => sql`
    select format('competition %s: agent %s brought %s times, %s chips in all, with %s of %s rebuys of %s chips',
      competition_id, agent_id, grants, brought, e.rebuys, max_rebuys, rebuy_chips) as problem
    from competitions c join entries e on e.pool_id = c.competition_id
      cross join lateral (
        select count(*) filter (where type = 'grant') as grants, count(*) filter (where type = 'rebuy') as rebuys,
          coalesce(sum(amount) filter (where type in ('grant', 'rebuy', 'reset')), 0) as brought
        from chip_ledger l where l.pool_id = e.pool_id and l.agent_id = e.agent_id) l
    where grants <> 1 or l.rebuys <> e.rebuys or e.rebuys > max_rebuys
      or brought <> starting_chips + e.rebuys * rebuy_chips limit ${SHOWN}`,
  ),

  rows(
    'nobody has a seat or waits for a rebuy in a competition that does not play',
    (sql) => sql`
    select format('competition %s is %s: agent %s is seated or waits for a rebuy', competition_id, state, agent_id)
      as problem
    from competitions join entries on pool_id = competition_id
    where state not in ('active', 'paused', 'ending') and (table_id is not null or rebuy_due_at is not null)
    limit ${SHOWN}`,
  ),

  rows(
    'a competition was started before a hand was played in it, and has as many participants as it may',
    (sql) => sql`
    select format('competition %s is %s: %s enrolled of %s, %s hands', competition_id, state, enrolled,
      participant_cap, hands) as problem
    from competitions c
      cross join lateral (select count(*) as enrolled from competition_participants p
        where p.competition_id = c.competition_id and p.state = 'enrolled') p
      cross join lateral (select count(*) as hands from hands where pool_id = competition_id) h
    where enrolled > participant_cap or hands > 0 and started_at is null limit ${SHOWN}`,
  ),

  rows(
    'a result is the order of the participants',
    (sql) => sql`
    with expected as (
      select *, case when ranks then row_number() over (partition by competition_id, ranks
        order by score desc, hands_played desc, rebuys, accepted_at, agent_id) end as rank
      from (
        select competition_id, p.agent_id, hands_played, rebuys, accepted_at, final_rank, final_score,
          p.state = 'enrolled' and hands_played >= minimum_hands as ranks,
          case when p.state in ('enrolled', 'disqualified') then chip_balance - rebuys * rebuy_score_penalty end as score
        from competitions c join competition_participants p using (competition_id)
          join entries e on e.pool_id = competition_id and e.agent_id = p.agent_id
        where c.state in ('results_pending', 'finalized')) scored
    )
    select format('competition %s: agent %s has rank %s and score %s, its entry says %s and %s', competition_id,
      agent_id, final_rank, final_score, rank, score) as problem
    from expected where (final_rank, final_score) is distinct from (rank, score) limit ${SHOWN}`,
  ),
];
