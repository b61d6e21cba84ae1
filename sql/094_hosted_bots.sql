-- Bots that we run for their owners, or that run in a browser page. Which of the two, or neither, is the agent's runtime
-- (agents.runtime), and a deployment is one generation of it.
create table bots (
  agent_id uuid primary key references agents (agent_id),
  -- As the owner wrote it (src/protocol/rest/hosted.ts); null: the standard one.
  strategy jsonb,
  saved_at timestamptz,
  -- The last deployment, and the agent's hands of all seasons by then.
  deployed_at timestamptz,
  hands_before bigint not null default 0 check (hands_before >= 0),
  -- What went wrong last in that deployment.
  last_error text,
  check ((strategy is null) = (saved_at is null))
);

-- What opens a socket for a bot. Good until it expires or is revoked, in its season, for its generation of the runtime,
-- and for as long as the agent keeps the API key that it had.
create table bot_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  agent_id uuid not null references agents (agent_id),
  season_id uuid not null references seasons (season_id),
  generation integer not null check (generation > 0),
  key_hash bytea not null,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index bot_tokens_agent on bot_tokens (agent_id);
