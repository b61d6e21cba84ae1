-- Hand history that pages as fast at its end as at its beginning.

-- Every 500th hand of an agent in a pool with its number (the first is 1). entries.hands_played numbers an agent's hands,
-- and they are committed in the order of their ids, so from the nearest mark any hand is found, and any hand's number,
-- by a walk of less than 500 entries of the primary key of hand_players. The commit of a hand writes the marks.
create table hand_marks (
  pool_id uuid not null,
  agent_id uuid not null,
  nth integer not null check (nth > 0),
  hand_id uuid not null,
  primary key (pool_id, agent_id, nth)
);
create index hand_marks_hand on hand_marks (pool_id, agent_id, hand_id);

insert into hand_marks (pool_id, agent_id, nth, hand_id)
select pool_id, agent_id, nth, hand_id from (
  select pool_id, agent_id, hand_id, row_number() over (partition by pool_id, agent_id order by hand_id) as nth
  from hand_players) numbered
where nth % 500 = 0;

-- All pools that an agent has played in.
create index entries_agent on entries (agent_id);

-- The movements of an agent over all seasons, newest first; skipped by the index alone.
create index chip_ledger_trail on chip_ledger (agent_id, entry_id) include (pool_id);
