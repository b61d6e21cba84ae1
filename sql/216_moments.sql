-- Hands of seasons that are worth a look, the best of each kind and hour (src/analytics/moments.ts). The public page takes
-- the best of the last 24 hours of these, and never reads all hands.
create table moments (
  hour timestamptz not null,
  -- pot: the largest. all_in: the largest with all cards shown. upset: the least likely winner.
  kind text not null check (kind in ('pot', 'all_in', 'upset')),
  pool_id uuid not null references seasons (season_id) on delete cascade,
  hand_id uuid not null,
  -- The higher, the better: chips, or the chance of the losers.
  worth float8 not null,
  -- The share of the pot that each shown hand could expect when the money went in, by seat. Null for a pot.
  equities jsonb,
  primary key (kind, hour, hand_id)
);
