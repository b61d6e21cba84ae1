-- How seasons end: what is frozen of them, and what their end was reckoned with.
alter table seasons
  -- When it was ended. What follows is known from then on.
  add column ended_at timestamptz,
  add column prize_pool_cents bigint check (prize_pool_cents >= 0),
  -- Chips of score that each rebuy cost.
  add column rebuy_penalty bigint check (rebuy_penalty >= 0),
  -- When those registered were written to that it ends soon.
  add column reminded_at timestamptz,
  add check (status = 'ended' or ended_at is null),
  add check ((ended_at is null) = (prize_pool_cents is null) and (ended_at is null) = (rebuy_penalty is null));

-- The leaderboard as it was at the end of a season: guests with enough hands, under the names they had.
create table season_standings (
  season_id uuid not null references seasons (season_id),
  rank integer not null check (rank >= 1),
  agent_id uuid not null references agents (agent_id),
  bot_name text not null,
  score bigint not null,
  chip_balance bigint not null check (chip_balance >= 0),
  -- Everybody was cashed out before.
  chips_at_table bigint not null default 0 check (chips_at_table = 0),
  rebuys integer not null check (rebuys >= 0),
  hands_played integer not null,
  hands_won integer not null,
  badge text check (badge is not distinct from case rank when 1 then 'gold' when 2 then 'silver' when 3 then 'bronze' end),
  prize_cents bigint not null check (prize_cents >= 0 and (prize_cents = 0 or rank <= 3)),
  primary key (season_id, rank),
  unique (season_id, agent_id)
);
create trigger season_standings_append_only before update or delete on season_standings
  for each row execute function refuse_change();
