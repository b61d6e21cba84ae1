-- What the hands of an agent in a pool add up to, so that no answer reads them all. Kept up by the analytics thread, never
-- by the commit of a hand: see src/analytics and docs/ANALYTICS.md for what each column counts.
create table analytics (
  pool_id uuid not null,
  agent_id uuid not null,
  -- All hands up to this one are in, and none after it.
  last_hand_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- entries.hands_played less the stored hands of the agent, where a count has shown that no hand is left out here.
  unmatched integer not null default 0,
  hands integer not null default 0,
  hands_won integer not null default 0,
  vpip integer not null default 0,
  pfr integer not null default 0,
  three_bet_chances integer not null default 0,
  three_bets integer not null default 0,
  three_bets_faced integer not null default 0,
  three_bet_folds integer not null default 0,
  cbet_chances integer not null default 0,
  cbets integer not null default 0,
  cbets_won integer not null default 0,
  flops integer not null default 0,
  showdowns integer not null default 0,
  showdowns_won integer not null default 0,
  bets_and_raises integer not null default 0,
  calls integer not null default 0,
  -- Chips.
  profit bigint not null default 0,
  showdown_profit bigint not null default 0,
  -- Sums over the hands of the profit in big blinds, as it was and all-in-adjusted, and of their squares.
  bb float8 not null default 0,
  bb_squares float8 not null default 0,
  adjusted_bb float8 not null default 0,
  adjusted_bb_squares float8 not null default 0,
  primary key (pool_id, agent_id),
  foreign key (pool_id, agent_id) references entries (pool_id, agent_id)
) with (fillfactor = 60);

-- The same by position: 0 UTG, 1 MP, 2 CO, 3 BTN, 4 SB, 5 BB.
create table analytics_positions (
  pool_id uuid not null,
  agent_id uuid not null,
  position smallint not null check (position between 0 and 5),
  hands integer not null,
  hands_won integer not null,
  vpip integer not null,
  pfr integer not null,
  bb float8 not null,
  primary key (pool_id, agent_id, position)
) with (fillfactor = 60);

-- By starting hand: the place in the 13 × 13 grid, row by row from the aces, pairs on the diagonal, suited hands above it.
create table analytics_starting_hands (
  pool_id uuid not null,
  agent_id uuid not null,
  place smallint not null check (place between 0 and 168),
  hands integer not null,
  bb float8 not null,
  primary key (pool_id, agent_id, place)
) with (fillfactor = 60);

-- The profit so far after every `step` hands: 256 points at most, then every other one goes and the step doubles.
create table analytics_curves (
  pool_id uuid not null,
  agent_id uuid not null,
  step integer not null,
  points bigint[] not null,
  primary key (pool_id, agent_id)
) with (fillfactor = 60);
