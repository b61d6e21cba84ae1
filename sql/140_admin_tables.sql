-- Tables that an administrator wants closed. The server that plays them looks here, also after a restart.
create table table_closings (
  table_id uuid primary key references tables (table_id),
  asked_at timestamptz not null default now()
);

-- An administrator gave the agent a new key, of which a running server learns as it does of a ban.
alter table agents add column key_reset_at timestamptz;
create index agents_key_reset on agents (key_reset_at) where key_reset_at is not null;
