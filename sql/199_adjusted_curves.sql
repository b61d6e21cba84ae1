-- Two more lines beside `points`: the all-in-adjusted results so far after the same hands, and those less luck after every
-- `luck_step` hands. That step is a multiple of 100, as that of all sums which folded cards are a part of. Chips. Rows of an
-- older release are counted again (190), and so have no points here yet.
alter table analytics_curves
  add column adjusted float8[] not null default '{}',
  add column luck_step integer not null default 100,
  add column luck_points float8[] not null default '{}';
