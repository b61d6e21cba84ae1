-- Invite codes of the beta gate. A code is used up in the transaction that registers the agent.
create table invite_codes (
  -- Upper case without separators: see src/accounts/invites.ts.
  code text primary key check (code ~ '^[0-9A-Z]{16}$'),
  max_uses integer not null check (max_uses > 0),
  uses integer not null default 0 check (uses between 0 and max_uses),
  expires_at timestamptz,
  note text,
  created_at timestamptz not null default now()
);

-- Who came in by which code; written before the agent, in its transaction.
create table invite_uses (
  agent_id uuid primary key references agents (agent_id) deferrable initially deferred,
  code text not null references invite_codes (code),
  used_at timestamptz not null default now()
);
create index invite_uses_code on invite_uses (code);

-- How an agent came to play, and who runs it now. The generation rises with every change of hands.
alter table agents
  add column onboarded_at timestamptz,
  add column execution_mode text check (execution_mode in ('hosted', 'byo')),
  add column runtime text not null default 'self_hosted'
    check (runtime in ('self_hosted', 'browser', 'hosted', 'stopped')),
  add column runtime_generation integer not null default 1 check (runtime_generation > 0);
