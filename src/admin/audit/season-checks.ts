import { rows, SHOWN, type Check } from './check.js';

/** Seasons and how they ended. Those that ended before leaderboards were frozen have no `ended_at`, and are left alone. */
export const seasonChecks: Check[] = [
  rows(
    'one season is active',
    (sql) => sql`
    select format('%s of %s seasons are active', active, total) as problem
    from (select count(*) as total, count(*) filter (where status = 'active') as active from seasons) s
    where total > 0 and active <> 1`,
  ),

  rows(
    'nobody has a seat or waits for a rebuy in a season that has ended',
    (sql) => sql`
    select format('season %s: agent %s is seated or waits for a rebuy', season_number, agent_id) as problem
    from entries e join seasons s on s.season_id = e.pool_id
    where ended_at is not null and (table_id is not null or rebuy_due_at is not null) limit ${SHOWN}`,
  ),

  rows(
    'a frozen leaderboard is the order of the entries, with its badges',
    (sql) => sql`
    with expected as (
      select season_id, agent_id, score, chip_balance, rebuys, hands_played, hands_won,
        row_number() over (partition by season_id
          order by score desc, hands_played desc, rebuys, registered_at, agent_id) as rank
      from (
        select e.*, season_id, chip_balance - rebuys * rebuy_penalty as score
        from entries e join seasons s on s.season_id = e.pool_id join agents a using (agent_id)
        where ended_at is not null and not is_house and not barred and hands_played >= 10) scored
    )
    select format('season %s: agent %s is frozen as (rank, score, balance, rebuys, played, won) %s, its entry says %s',
      coalesce(f.season_id, e.season_id), coalesce(f.agent_id, e.agent_id),
      (f.rank, f.score, f.chip_balance, f.rebuys, f.hands_played, f.hands_won),
      (e.rank, e.score, e.chip_balance, e.rebuys, e.hands_played, e.hands_won)) as problem
    from expected e full join season_standings f on f.season_id = e.season_id and f.agent_id = e.agent_id
    where (f.rank, f.score, f.chip_balance, f.rebuys, f.hands_played, f.hands_won)
      is distinct from (e.rank, e.score, e.chip_balance, e.rebuys, e.hands_played, e.hands_won) limit ${SHOWN}`,
  ),

  rows(
    'prizes are the shares of the pool, of the best who met their conditions',
    (sql) => sql`
    select format('season %s rank %s: %s cents of a pool of %s after %s hands, booked %s', season_number, s.rank,
      s.prize_cents, prize_pool_cents, hands_played, coalesce(p.prize_cents, 0)) as problem
    from season_standings s join seasons using (season_id) left join prizes p using (season_id, rank)
    where s.prize_cents <> coalesce(p.prize_cents, 0) or s.agent_id <> p.agent_id
      or s.prize_cents > 0 and hands_played < prize_min_hands
      or s.prize_cents <> case place
      when 1 then prize_pool_cents - prize_pool_cents * 30 / 100 - prize_pool_cents * 20 / 100
      when 2 then prize_pool_cents * 30 / 100
      when 3 then prize_pool_cents * 20 / 100
      else 0 end limit ${SHOWN}`,
  ),

  rows(
    'each prize was paid once, unless it is held or refused, from money that came in for it once',
    (sql) => sql`
    with due as (
      select format('prize:%s:%s', season_id, rank) as once, s.agent_id, s.prize_cents * 100 as ucents
      from season_standings s join prizes p using (season_id, rank) where p.status = 'paid'
      union all
      select format('sponsor:%s', season_id), null, prize_pool_cents * 100
      from seasons where prize_pool_cents > 0
    ), paid as (
      select once, agent_id, sum(amount) as ucents
      from credit_transactions t join credit_postings p using (transaction_id) join credit_accounts a using (account_id)
      where t.type = 'prize' and a.kind = 'agent' or t.type = 'sponsor' and a.kind = 'prizes'
      group by once, agent_id
    )
    select format('%s: %s ucents are due, %s were paid', coalesce(d.once, p.once), coalesce(d.ucents, 0),
      coalesce(p.ucents, 0)) as problem
    from due d full join paid p on p.once = d.once and p.agent_id is not distinct from d.agent_id
    where d.ucents is distinct from p.ucents limit ${SHOWN}`,
  ),

  rows(
    'the prize fund covers the prizes that are held',
    (sql) => sql`
    select format('%s ucents of prizes are held, the fund has %s', held, balance) as problem
    from (select coalesce(sum(prize_cents), 0) * 100 as held from prizes where status = 'held') h
      join credit_accounts on kind = 'prizes'
    where held > balance`,
  ),
];
