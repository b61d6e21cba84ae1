-- Withdrawals wait after the payout address has changed (src/credits/wallets/change.ts).
alter table agents add column wallet_held_until timestamptz;
-- Not paid before; null where the address had not changed lately.
alter table withdrawals add column waits_until timestamptz;

-- Changes of wallets that the owner may take back, by the link in the mail about it.
create table wallet_changes (
  change_id bigint generated always as identity primary key,
  agent_id uuid not null references agents (agent_id),
  -- What stands again where the change is cancelled: the address, and until when that one was held.
  old_wallet text,
  old_held_until timestamptz,
  new_wallet text,
  -- sha-256 of the token in the mail.
  token_hash bytea not null unique check (length(token_hash) = 32),
  changed_at timestamptz not null default now(),
  held_until timestamptz not null,
  -- When it, or a change before it, was cancelled, or the wallet was taken away by others than its agent.
  ended_at timestamptz
);
create index wallet_changes_open on wallet_changes (agent_id) where ended_at is null;
