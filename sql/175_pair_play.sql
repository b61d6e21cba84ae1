-- What players of a pool did to each other, summed over their hands: src/collusion explains each column. Counted with
-- `analytics`, under the same watermark, never by the commit of a hand.
create table pair_play (
  pool_id uuid not null,
  agent_id uuid not null,
  -- Against whom; the agent itself: the sums over all others, and its decision times among the cells.
  other_id uuid not null,
  hands integer not null,
  duels integer not null,
  -- Chips.
  lost bigint not null,
  -- Big blinds, and their squares.
  flow float8 not null,
  flow_squares float8 not null,
  stacks integer not null,
  -- Counts by cell, packed.
  cells bytea not null,
  primary key (pool_id, agent_id, other_id)
) with (fillfactor = 60);
