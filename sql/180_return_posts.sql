-- A player that left a table of the pool by itself: until when a seat that it takes again may cost it a big blind, the
-- hands that its last big blind still pays for, and whether it came back in the small blind once in place of the post.
alter table entries add column returns_until timestamptz;
alter table entries add column paid_hands smallint;
alter table entries add column small_blind_excused boolean;
