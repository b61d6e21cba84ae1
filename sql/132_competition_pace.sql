-- Pace and length of a competition; null: as a season is played, and until it ends.
alter table competitions
  -- Between two hands of a table, and for a decision.
  add between_hands_ms integer check (between_hands_ms between 0 and 10000),
  add action_timeout_ms integer check (action_timeout_ms between 1000 and 120000),
  -- Play ends when so many hands were played, at all tables together.
  add hand_limit integer check (hand_limit between 1 and 1000000);
