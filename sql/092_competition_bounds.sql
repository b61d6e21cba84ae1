-- The bounds of what an organizer may set, as src/protocol/rest/competition-fields.ts has them; a test compares the two.
alter table competitions
  add check (length(name) >= 3 and length(display_timezone) between 1 and 64),
  add check (starting_chips between 100 and 1000000),
  add check (minimum_buy_in between 20 and 1000000),
  add check (default_buy_in between 20 and 1000000),
  add check (maximum_buy_in between 20 and 1000000),
  add check (small_blind between 1 and 100000),
  add check (big_blind between 2 and 200000 and big_blind <= minimum_buy_in),
  add check (minimum_hands between 0 and 100000),
  add check (rebuy_chips between 1000 and 5000),
  add check (rebuy_score_penalty between 0 and 5000),
  add check (rebuy_cooldown_seconds between 0 and 86400),
  add check (ends_at > starts_at),
  add check (enrollment_deadline <= coalesce(starts_at, ends_at));

