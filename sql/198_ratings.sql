-- What ratings are solved from: src/ratings explains the model. Counted with `analytics`, under the same watermark, never by
-- the commit of a hand. Big blinds. `version` is '' where the bot told none.
create table rating_totals (
  pool_id uuid not null,
  agent_id uuid not null,
  version text not null,
  hands integer not null,
  result float8 not null,
  squares float8 not null,
  primary key (pool_id, agent_id, version)
) with (fillfactor = 60);

-- Guests met by guests. What is missing to the hands of an agent was played against the house.
create table rating_pairs (
  pool_id uuid not null,
  agent_id uuid not null,
  version text not null,
  other_id uuid not null,
  -- Hands together, each as 1 / (players - 1).
  weight float8 not null,
  flow float8 not null,
  primary key (pool_id, agent_id, version, other_id)
) with (fillfactor = 60);

-- The version that an agent's bot told with join_lobby, from a date on. Each row is a change.
create table bot_versions (
  agent_id uuid not null references agents (agent_id),
  since timestamptz not null default clock_timestamp(),
  version text not null check (length(version) <= 32),
  primary key (agent_id, since)
);
