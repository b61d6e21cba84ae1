-- Rebuys of competitions that a client asked for with an id of its own: asked again, they are confirmed again.
create table rebuy_requests (
  pool_id uuid not null,
  agent_id uuid not null,
  request_id text not null check (length(request_id) between 1 and 128),
  -- Which of the agent's rebuys it was, from 1.
  rebuy integer not null check (rebuy > 0),
  granted_at timestamptz not null default now(),
  primary key (pool_id, agent_id, request_id),
  foreign key (pool_id, agent_id) references entries
);
