-- Prizes of seasons, from the end of their season to the payment: held for a while, then paid, unless an operator decides
-- before. The credits of a held or refused prize are in the account of the prizes.
create table prizes (
  prize_id uuid primary key default gen_random_uuid(),
  season_id uuid not null,
  rank integer not null,
  -- Which share of the pool it is: the first of those who meet the conditions of a prize has place 1.
  place smallint not null check (place between 1 and 3),
  agent_id uuid not null references agents (agent_id),
  prize_cents bigint not null check (prize_cents > 0),
  status text not null default 'held' check (status in ('held', 'paid', 'refused')),
  held_until timestamptz not null,
  decided_at timestamptz,
  -- Of an operator who released or refused it.
  reason text,
  unique (season_id, rank),
  unique (season_id, place),
  foreign key (season_id, rank) references season_standings (season_id, rank),
  check ((status = 'held') = (decided_at is null)),
  check (status <> 'refused' or reason is not null)
);
create index prizes_held on prizes (held_until) where status = 'held';
create index prizes_agent on prizes (agent_id);

insert into prizes (season_id, rank, place, agent_id, prize_cents, status, held_until, decided_at)
select season_id, rank, rank, agent_id, prize_cents, 'paid', ended_at, ended_at
from season_standings join seasons using (season_id) where prize_cents > 0;

-- A prize may go to a rank below the third, where those above do not meet its conditions.
do $$
declare
  rule text;
begin
  for rule in
    select conname from pg_constraint
    where conrelid = 'season_standings'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%prize_cents%rank%'
  loop
    execute format('alter table season_standings drop constraint %I', rule);
  end loop;
end $$;
alter table season_standings add check (prize_cents >= 0);

-- The conditions that held at the end; null in seasons without any.
alter table seasons add column prize_min_hands integer;
alter table seasons add column prize_min_opponents integer;
