-- What the clock of a season or competition has decided for its tables. All nodes with tables of the pool go by it.
--   open          tables open, players sit down
--   winding_down  no new hand, no new player; seats stay
--   closing       tables close after their hands
--   closing_now   tables close at once, hands in progress are void
--   ended         no table is open any more
alter table pools add column phase text not null default 'open'
  check (phase in ('open', 'winding_down', 'closing', 'closing_now', 'ended'));
update pools p set phase = 'ended' from seasons s where s.season_id = p.pool_id and s.status = 'ended';
update pools p set phase = case c.state when 'paused' then 'winding_down' when 'ending' then 'closing' else 'ended' end
from competitions c
where c.competition_id = p.pool_id and c.state in ('paused', 'ending', 'results_pending', 'finalized', 'cancelled');
