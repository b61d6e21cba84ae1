-- What was at stake in the counted hands: an interval that holds at all sample sizes needs it (src/statistics).
-- In big blinds, the largest of all hands: the most that the agent could lose in one, and the most it could win.
alter table analytics add column bb_risk float8 not null default 0, add column bb_chance float8 not null default 0,
-- Hands whose stakes are in. Where they are fewer than `hands`, an older release has counted some: the keeper forgets
-- that row and counts it again.
  add column staked_hands integer not null default 0;

-- The rates by position and by starting hand have intervals, too.
alter table analytics_positions add column bb_squares float8 not null default 0;
alter table analytics_starting_hands add column bb_squares float8 not null default 0;
