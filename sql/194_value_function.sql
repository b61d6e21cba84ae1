-- The value function that measures luck in a pool's hands (src/value), by the SHA-256 of its data: it stands here before the
-- first hand. Null: the pool was made by an older release, and no luck is measured there.
alter table pools add column value_function_sha256 text check (value_function_sha256 ~ '^[0-9a-f]{64}$');

-- Results less luck of the counted hands: their number, their sum in millionths of a big blind, the sum of their squares
-- in big blinds. `luck_shown_*` are the same at the last multiple of 100 such hands: only those leave the server, so that
-- no two looks tell the luck of a single hand, which folded cards are a part of.
alter table analytics
  add column luck_hands integer not null default 0,
  add column luck_millionths bigint not null default 0,
  add column luck_bb_squares float8 not null default 0,
  add column luck_shown_hands integer not null default 0,
  add column luck_shown_millionths bigint not null default 0,
  add column luck_shown_squares float8 not null default 0;
