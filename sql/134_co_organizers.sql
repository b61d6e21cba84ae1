-- Agents that may do in a competition what its organizer may, but for naming others (src/competitions/co-organizers.ts).
create table competition_co_organizers (
  competition_id uuid not null references competitions,
  agent_id uuid not null references agents (agent_id),
  -- Ten of them at most: each has a place of its own.
  place smallint not null check (place between 1 and 10),
  added_at timestamptz not null default now(),
  primary key (competition_id, agent_id),
  unique (competition_id, place)
);
create index competition_co_organizers_agent on competition_co_organizers (agent_id);
