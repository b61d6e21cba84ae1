-- What an entry won and lost in its hands, so that statistics need not read them. The commit of a hand adds to them.
alter table entries
  add column chips_won bigint not null default 0 check (chips_won >= 0),
  add column chips_lost bigint not null default 0 check (chips_lost >= 0);

update entries e set chips_won = h.won, chips_lost = h.lost
from (
  select pool_id, agent_id, sum(greatest(stack_end - stack_start, 0)) as won,
    sum(greatest(stack_start - stack_end, 0)) as lost
  from hand_players group by pool_id, agent_id) h
where h.pool_id = e.pool_id and h.agent_id = e.agent_id;
